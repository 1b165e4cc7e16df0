import type { Request, RequestHandler, Response } from 'express';
import { type ExecutionResult, GraphQLError } from 'graphql';
import type { RequestContext } from '../core/context.js';
import {
  type Asked,
  addressOf,
  type Live,
  prepare,
  start,
  tooMany,
  whenExpired,
} from './subscriptions.js';

const KEEP_ALIVE = 12_000;

type Answers = AsyncIterableIterator<ExecutionResult>;

/** The subscriptions over server-sent events. */
export class EventStreams {
  readonly #open = new Set<Answers>();
  #closed = false;

  /** Calls `streams` for each response that has become a stream. */
  constructor(
    private readonly live: Live,
    private readonly streams: (response: Response) => void,
  ) {}

  /**
   * Answers a request to /graphql that accepts text/event-stream with a stream of its own
   * ("distinct connections" of the GraphQL over SSE protocol): events `next`, then `complete`. A
   * refusal is an event too. When the token expires, the stream ends without `complete`, so that
   * clients connect again with a new token. Other requests pass on.
   */
  readonly handler: RequestHandler = async (request, response, next) => {
    const accept = request.headers.accept ?? '';
    if (!accept.includes('text/event-stream')) return next();
    const { app, show, streams, incomingOf } = this.live;
    const prepared = prepare(app, askedOf(request));
    // Clients that would take either say so, and get queries and mutations answered as usual.
    if ('errors' in prepared)
      return accept.includes('json') ? next() : refuse(response, prepared.errors);
    if (this.#closed) return refuse(response, [GOING_AWAY]);
    const incoming = incomingOf(request);
    const leave = streams.take(addressOf(incoming));
    if (!leave)
      return refuse(response, [
        tooMany('Too many streams are open from this address. End some of them.'),
      ]);
    response.once('close', leave);
    const expiry = { passed: false };
    const passed = () => {
      expiry.passed = true;
    };
    const started = await start(this.live, incoming, prepared, passed).catch((error: unknown) => ({
      errors: [show(error)],
    }));
    if ('errors' in started) return refuse(response, started.errors);
    this.streams(response);
    const context = (await response.locals.context) as RequestContext;
    const cancel = whenExpired(context, () => {
      passed();
      void started.return?.();
    });
    response.once('close', cancel);
    await this.#pour(started, response, expiry);
  };

  /** Completes all streams, and takes no more. */
  close(): void {
    this.#closed = true;
    for (const answers of this.#open) void answers.return?.();
  }

  async #pour(
    answers: Answers,
    response: Response,
    expiry: { readonly passed: boolean },
  ): Promise<void> {
    begin(response);
    const beat = setInterval(() => response.write(':\n\n'), KEEP_ALIVE).unref();
    const leave = () => void answers.return?.();
    const { socket } = response.req;
    response.once('close', leave);
    socket.once('end', leave); // who ends its side waits for one answer, and a stream is none
    this.#open.add(answers);
    if (this.#closed || response.destroyed || socket.readableEnded) leave();
    try {
      for await (const answer of answers) {
        if (!response.write(next(answer))) await drained(response);
      }
    } finally {
      this.#open.delete(answers);
      socket.off('end', leave);
      clearInterval(beat);
      response.end(expiry.passed ? undefined : COMPLETE);
    }
  }
}

const GOING_AWAY = new GraphQLError('The service is going away. Try again.', {
  extensions: { code: 'UNAVAILABLE' },
});
const COMPLETE = 'event: complete\ndata:\n\n';
const next = (answer: ExecutionResult) => `event: next\ndata: ${JSON.stringify(answer)}\n\n`;

function begin(response: Response): void {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Accel-Buffering': 'no',
  });
  response.write(':\n\n');
}

/** Sends a refusal as an event: the EventSource of a browser shows its page no other answer. */
function refuse(response: Response, errors: readonly GraphQLError[]): void {
  begin(response);
  response.end(next({ errors }) + COMPLETE);
}

const askedOf = ({ method, query, body }: Request): Asked =>
  method === 'GET' ? fromQuery(query) : ((body as Asked) ?? {});

function fromQuery({ query, variables, operationName }: Request['query']): Asked {
  try {
    return {
      query,
      operationName,
      ...(typeof variables === 'string' && { variables: JSON.parse(variables) }),
    };
  } catch {
    return { query, operationName, variables: 'not JSON' };
  }
}

/** Waits for a slow reader, or for its end. */
const drained = (response: Response) =>
  new Promise<void>((resolve) => {
    response.once('drain', resolve).once('close', resolve);
    if (response.destroyed) resolve();
  });
