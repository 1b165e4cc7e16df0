import type { Request, RequestHandler, Response } from 'express';
import type { App, Incoming } from '../app.js';
import { type Asked, prepare, type Show, start } from './subscriptions.js';

const KEEP_ALIVE = 12_000;

/**
 * Subscriptions as server-sent events: a request to /graphql that accepts text/event-stream, each subscription a response of its own
 * ("distinct connections" of the GraphQL over SSE protocol): events `next`, then `complete`. Other requests go on.
 */
export function eventStream(app: App, incomingOf: (request: Request) => Incoming, show: Show): RequestHandler {
  return async (request, response, next) => {
    const accept = request.headers.accept ?? '';
    if (!accept.includes('text/event-stream')) return next();
    const prepared = prepare(app, askedOf(request));
    // Clients that would take either say so, and get queries and mutations answered as usual.
    if ('errors' in prepared) return accept.includes('json') ? next() : void response.status(400).json(prepared);
    const started = await start(app, incomingOf(request), prepared, show);
    if ('errors' in started) return void response.status(200).json(started);
    await pour(started, response);
  };
}

const askedOf = ({ method, query, body }: Request): Asked => (method === 'GET' ? fromQuery(query) : ((body as Asked) ?? {}));

function fromQuery({ query, variables, operationName }: Request['query']): Asked {
  try {
    return { query, operationName, ...(typeof variables === 'string' && { variables: JSON.parse(variables) }) };
  } catch {
    return { query, operationName, variables: 'not JSON' };
  }
}

async function pour(answers: AsyncIterableIterator<unknown>, response: Response): Promise<void> {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Accel-Buffering': 'no',
  });
  response.write(':\n\n');
  const beat = setInterval(() => response.write(':\n\n'), KEEP_ALIVE).unref();
  response.on('close', () => void answers.return?.());
  try {
    for await (const answer of answers) {
      if (!response.write(`event: next\ndata: ${JSON.stringify(answer)}\n\n`)) await drained(response);
    }
  } finally {
    clearInterval(beat);
    response.end('event: complete\ndata:\n\n');
  }
}

/** Waits for a reader that is slow, or gone. */
const drained = (response: Response) =>
  new Promise<void>((resolve) => {
    response.once('drain', resolve).once('close', resolve);
  });
