import type { IncomingMessage, ServerResponse } from 'node:http';
import { observeShed } from '../metrics/metrics.js';
import { callerAddress, networkOf, type Trust } from './address.js';
import { turnAway } from './connections.js';
import { CORS_ALWAYS, corsFor } from './cors.js';
import { Patience, type PatienceBounds } from './patience.js';
import { Shares } from './shares.js';

/** When a process has too much to do. */
interface Bounds {
  /** Requests at work: there as a whole, and not yet answered. Each may hold a body of 2 MiB. */
  readonly requests: number;
  /** Of them those of one address. */
  readonly requestsEach: number;
  /**
   * Milliseconds by which the event loop may lag behind, on a moving average over half a second.
   */
  readonly delay: number;
  /**
   * Requests at work while it lags: a slow process still serves who comes alone, and takes on no
   * queue.
   */
  readonly requestsInDelay: number;
  /** Requests whose bodies have not come as a whole. */
  readonly bodies: PatienceBounds;
  /** Answers that are not read, by their bytes. */
  readonly answers: PatienceBounds;
  /** Milliseconds after which an answer is given up of which nothing has been read for so long. */
  readonly unread: number;
}

const MIB = 1024 * 1024;
const BOUNDS: Bounds = {
  requests: 400,
  requestsEach: 200,
  delay: 500,
  requestsInDelay: 50,
  bodies: { each: 100, all: 400 },
  answers: { each: 100, all: 400, weight: 128 * MIB },
  unread: 30_000,
};
const SAMPLE_EVERY = 100;
/** Weight of the newest sample: one pause of a second is no lag, a lasting one is. */
const WEIGHT = 0.3;
const RETRY_AFTER = 1;
/** Operators must see a process that is busy; a balancer must not take it for a dead one. */
const EXEMPT = new Set(['/healthz', '/readyz', '/metrics']);

const MESSAGE = 'The service has too much to do. Try again in a second.';
/** One body that clients of both faces can read. */
const BODY = JSON.stringify({
  code: 'service_unavailable',
  message: MESSAGE,
  data: { status: 503 },
  errors: [{ message: MESSAGE, extensions: { code: 'UNAVAILABLE' } }],
});

/**
 * Answers 503 with Retry-After, before anything is read or looked up, while the process is over its
 * bounds: those who are let in are answered in time, and memory stays bounded. Work counts, not
 * patience: a request counts from when its body is there until its answer is handed over. What
 * waits for the caller, before and after, is bounded apart, and a stream (`streams`) counts
 * elsewhere.
 */
export class Overload {
  #lag = 0;
  readonly #bounds: Bounds;
  readonly #work: Shares;
  readonly #bodies: Patience;
  readonly #answers: Patience;
  readonly #leaving = new WeakMap<ServerResponse, () => void>();

  constructor(
    private readonly origins: readonly string[] = [],
    bounds: Partial<Bounds> = {},
    private readonly trust: Trust = 0,
  ) {
    this.#bounds = { ...BOUNDS, ...bounds };
    const { requests: all, requestsEach: each, bodies, answers } = this.#bounds;
    this.#work = new Shares({ each: Math.min(each, all), all });
    this.#bodies = new Patience('bodies', bodies);
    this.#answers = new Patience('answers', answers);
    let due = performance.now() + SAMPLE_EVERY;
    setInterval(() => {
      const now = performance.now();
      this.#lag += (Math.max(0, now - due) - this.#lag) * WEIGHT;
      due = now + SAMPLE_EVERY;
    }, SAMPLE_EVERY).unref();
  }

  /**
   * Whether it has answered the request itself; one that it lets in counts until it is answered or
   * its caller is gone.
   */
  sheds(request: IncomingMessage, response: ServerResponse): boolean {
    if (EXEMPT.has(request.url ?? '')) return false;
    const forwarded = request.headers['x-forwarded-for']?.toString();
    const address = networkOf(callerAddress(request.socket.remoteAddress, forwarded, this.trust));
    const reason = this.#excess(address);
    if (!reason) {
      this.#letIn(request, response, address);
      return false;
    }
    observeShed(reason);
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': BODY.length,
      'Retry-After': RETRY_AFTER,
    };
    response
      .writeHead(503, {
        ...headers,
        ...CORS_ALWAYS,
        ...corsFor(request.headers.origin, this.origins),
      })
      .end(BODY);
    return true;
  }

  /** From now on the response is a stream, which is no work. */
  streams(response: ServerResponse): void {
    this.#leaving.get(response)?.();
  }

  #excess(address: string): 'requests' | 'delay' | 'address' | undefined {
    const { requests, delay, requestsInDelay } = this.#bounds;
    if (this.#work.size >= requests) return 'requests';
    if (this.#lag > delay && this.#work.size >= requestsInDelay) return 'delay';
    return this.#work.fits(address) ? undefined : 'address';
  }

  #letIn(request: IncomingMessage, response: ServerResponse, address: string): void {
    let leave = () => {};
    let over = false;
    const become = (next: (() => void) | undefined) => {
      leave();
      leave = next ?? (() => {});
    };
    const end = () => {
      over = true;
      become(undefined);
    };
    // A body that has come does not wait again: it counts, even beyond the bound.
    const work = () => over || become(this.#work.take(address, true));
    if (hasBody(request)) {
      become(this.#bodies.enter(address, () => turnAway(request.socket, '408 Request Timeout')));
      request.once('end', work);
    } else work();
    this.#leaving.set(response, end);
    response.once('close', end);
    onAnswered(response, () => {
      end();
      const bytes = response.writableLength; // also of one that waits for its turn on the socket
      if (bytes === 0 || response.closed) return;
      const { socket } = request;
      const read = this.#answers.enter(address, () => socket.destroy(), bytes);
      response.once('close', read);
      // Node looks at a write under way twice before it calls a socket silent.
      socket.setTimeout(this.#bounds.unread / 2);
    });
  }
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Calls back when an answer has been handed over as a whole, read or not; there is no event for
 * that.
 */
function onAnswered(response: ServerResponse, answered: () => void): void {
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  response.end = (...args: unknown[]) => {
    response.end = end;
    const ended = end(...args);
    answered();
    return ended;
  };
}
