import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ExecutionResult, GraphQLError } from 'graphql';
import { type Asking, askedOf } from './arrival.js';
import { TOO_MANY } from './guard.js';
import { sendErrors } from './refusing.js';
import { RETRY_AFTER } from './response-headers.js';
import { spokenErrors, spokenResult } from './spoken/speaking.js';
import {
  addressOf,
  type Live,
  type Prepared,
  prepare,
  start,
  textOf,
  tooMany,
  whenExpired,
  withCost,
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
    private readonly streams: (response: ServerResponse) => void,
  ) {}

  /**
   * Answers a request to /graphql that accepts text/event-stream with a stream of its own
   * ("distinct connections" of the GraphQL over SSE protocol): events `next`, then `complete`, after
   * which nothing can follow. A refusal that lasts is an event too; one that passes is 429 or 503 with
   * Retry-After. When the token expires or the process ends, the stream ends without `complete`, so
   * that clients connect again. Returns false for other requests, and leaves them.
   */
  async takes(asking: Asking, response: ServerResponse): Promise<boolean> {
    const { accept = '' } = asking.request.headers;
    if (!accept.includes('text/event-stream')) return false;
    const asked = askedOf(asking);
    // Clients that would take either say so, and get queries and mutations answered as usual.
    const takesJson = accept.includes('json');
    if (takesJson && !/\bsubscription\b/.test(String(textOf(this.live, asked)))) return false;
    const context = await asking.made;
    const { quota } = context;
    const prepared = await prepare(this.live, context, asked);
    if ('errors' in prepared && takesJson) return false;
    const paid = { ...asking, headers: { ...asking.headers, ...quota.headers() } };
    if ('errors' in prepared) await refuse(paid, response, prepared.errors.map(this.live.show));
    else await this.#stream(paid, response, prepared);
    return true;
  }

  async #stream(asking: Asking, response: ServerResponse, prepared: Prepared): Promise<void> {
    const { show, streams, incomingOf } = this.live;
    const { request, headers } = asking;
    const context = await asking.made;
    if (this.#closed) return refuse(asking, response, [GOING_AWAY]);
    const incoming = incomingOf(request);
    const leave = streams.take(addressOf(incoming));
    if (!leave)
      return refuse(asking, response, [
        tooMany('Too many streams are open from this address. End some of them.'),
      ]);
    response.once('close', leave);
    const expiry = { passed: false };
    const passed = () => {
      expiry.passed = true;
    };
    const on = { expired: passed };
    const started = await start(this.live, incoming, prepared, context.quota, on).catch(
      (error: unknown) => ({ errors: [show(error)] }),
    );
    if ('errors' in started) return refuse(asking, response, started.errors);
    this.streams(response);
    const cancel = whenExpired(context, () => {
      passed();
      void started.return?.();
    });
    response.once('close', cancel);
    begin(response, headers);
    await this.#pour(started, request, response, expiry);
  }

  /** Ends all streams so that their clients connect again, and takes no more. */
  close(): void {
    this.#closed = true;
    for (const results of this.#open) void results.return?.();
  }

  async #pour(
    results: Answers,
    request: IncomingMessage,
    response: ServerResponse,
    expiry: { readonly passed: boolean },
  ): Promise<void> {
    const { socket } = request;
    const beat = setInterval(() => response.write(':\n\n'), KEEP_ALIVE).unref();
    const leave = () => void results.return?.();
    response.once('close', leave);
    socket.once('end', leave); // who ends its side waits for one response, and a stream is none
    this.#open.add(results);
    if (this.#closed || response.destroyed || socket.readableEnded) leave();
    try {
      for await (const result of results) {
        if (!response.write(next(result, request))) await drained(response);
      }
    } finally {
      this.#open.delete(results);
      socket.off('end', leave);
      clearInterval(beat);
      response.end(expiry.passed || this.#closed ? undefined : COMPLETE);
    }
  }
}

const GOING_AWAY = new GraphQLError('The service is going away. Try again.', {
  extensions: { code: 'UNAVAILABLE' },
});
const COMPLETE = 'event: complete\ndata:\n\n';
const next = (result: ExecutionResult, request: IncomingMessage) =>
  `event: next\ndata: ${JSON.stringify(spokenResult(result, request))}\n\n`;

function begin(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  response.writeHead(200, {
    ...headers,
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  response.write(':\n\n');
}

/**
 * Sends a refusal that lasts as an event: the EventSource of a browser shows its page no other
 * response. After one that passes, libraries such as graphql-sse try again; an EventSource does not,
 * after any status but 200.
 */
async function refuse(
  { headers, made, request }: Asking,
  response: ServerResponse,
  errors: readonly GraphQLError[],
): Promise<void> {
  const { quota } = await made;
  const because = (code: string) => errors.find(({ extensions }) => extensions.code === code);
  const limited = because(TOO_MANY);
  const passing = limited ?? because('UNAVAILABLE');
  if (passing) {
    const wait = String(passing.extensions.retryAfter ?? RETRY_AFTER);
    const all = { ...headers, 'Retry-After': wait };
    const { extensions } = withCost({}, quota);
    const told = spokenErrors(errors, request);
    return sendErrors(request, response, limited ? 429 : 503, all, told, extensions);
  }
  begin(response, headers);
  response.end(next(withCost({ errors }, quota), request) + COMPLETE);
}

/** Waits for a slow reader, or for its end. */
const drained = (response: ServerResponse) =>
  new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.once('drain', done).once('close', done);
    if (response.destroyed) done();
  });
