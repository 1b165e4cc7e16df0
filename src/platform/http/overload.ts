import type { IncomingMessage, ServerResponse } from 'node:http';
import { observeShed } from '../metrics/metrics.js';
import { callerAddress, networkOf, type Trust } from './address.js';
import { turnAway } from './connections.js';
import { CORS_ALWAYS, corsFor } from './cors.js';
import { countStream } from './counted-response.js';
import { NO_SNIFFING } from './no-sniffing.js';
import { Patience, type PatienceBounds } from './patience.js';
import { Shares } from './shares.js';

/** Limits of the work of one process. */
interface Bounds {
  /** Active requests: completely received and not yet answered. Each may hold a body of 2 MiB. */
  readonly requests: number;
  /** Active requests of one address. */
  readonly requestsEach: number;
  /** Milliseconds by which the event loop may lag, as a moving average over half a second. */
  readonly delay: number;
  /**
   * Active requests while it lags: a slow process still serves single requests, but builds no
   * queue.
   */
  readonly requestsInDelay: number;
  /** Requests whose bodies have not completely arrived. */
  readonly bodies: PatienceBounds;
  /** Answers that their callers have not read; `weight` is in bytes. */
  readonly answers: PatienceBounds;
  /** Milliseconds without any read after which a response is given up. */
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
/**
 * Weight of the newest sample. One pause of a second stays below the limit; a lasting lag does not.
 */
const WEIGHT = 0.3;
const RETRY_AFTER = 1;
/**
 * Paths that are always answered. Operators must see a busy process, and a load balancer must not
 * treat it as dead.
 */
const EXEMPT = new Set(['/healthz', '/readyz', '/metrics']);

const MESSAGE = 'The service has too much to do. Try again in a second.';
/** A body that clients of both faces can read. */
const BODY = JSON.stringify({
  code: 'service_unavailable',
  message: MESSAGE,
  data: { status: 503 },
  errors: [{ message: MESSAGE, extensions: { code: 'UNAVAILABLE' } }],
});

/**
 * Answers 503 with Retry-After while the process is over its limits, before it reads or looks up
 * anything. So accepted requests are answered in time, and memory stays limited. A request counts
 * as active from when its body has arrived until its response is written. Waiting for the caller,
 * before and after that, has separate limits. A stream (`streams`) is counted elsewhere.
 */
export class Overload {
  #lag = 0;
  readonly #bounds: Bounds;
  readonly #work: Shares;
  readonly #bodies: Patience;
  readonly #answers: Patience;

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
   * Returns whether it has already answered the request with 503. An accepted request counts until
   * it is answered or its caller disconnects.
   */
  sheds(request: IncomingMessage, response: ServerResponse): boolean {
    if (EXEMPT.has(request.url ?? '')) return false;
    const forwarded = request.headers['x-forwarded-for']?.toString();
    const address = networkOf(callerAddress(request.socket.remoteAddress, forwarded, this.trust));
    const reason = this.#excess(address);
    if (!reason) {
      this.#accept(request, response, address);
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
        ...NO_SNIFFING,
        ...corsFor(request.headers.origin, this.origins),
      })
      .end(BODY);
    return true;
  }

  /** From now on the response is a stream, and does not count as an active request. */
  streams(response: ServerResponse): void {
    countStream(response);
    (response as Counted)[ENDS]?.();
  }

  #excess(address: string): 'requests' | 'delay' | 'address' | undefined {
    const { requests, delay, requestsInDelay } = this.#bounds;
    if (this.#work.size >= requests) return 'requests';
    if (this.#lag > delay && this.#work.size >= requestsInDelay) return 'delay';
    return this.#work.fits(address) ? undefined : 'address';
  }

  #accept(request: IncomingMessage, response: ServerResponse, address: string): void {
    let leave = () => {};
    let hasEnded = false;
    const switchTo = (next: (() => void) | undefined) => {
      leave();
      leave = next ?? (() => {});
    };
    const end = () => {
      hasEnded = true;
      switchTo(undefined);
    };
    // A request whose body has arrived is not refused: it counts, even above the limit.
    const work = () => hasEnded || switchTo(this.#work.take(address, true));
    if (hasBody(request)) {
      switchTo(this.#bodies.enter(address, () => turnAway(request.socket, '408 Request Timeout')));
      request.once('end', work);
    } else work();
    (response as Counted)[ENDS] = end;
    response.once('close', end);
    onAnswered(response, () => {
      end();
      // also for a response that waits for its turn on the socket
      const bytes = response.writableLength;
      if (bytes === 0 || response.closed) return;
      const { socket } = request;
      const read = this.#answers.enter(address, () => socket.destroy(), bytes);
      response.once('close', read);
      // Node checks a pending write twice before it reports a timeout.
      socket.setTimeout(this.#bounds.unread / 2);
    });
  }
}

/** Ends the work that a response counts as. A WeakMap would cost each collection of garbage. */
const ENDS = Symbol('ends');
type Counted = ServerResponse & { [ENDS]?: () => void };

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Calls `written` when a response has been written completely, whether it was read or not. Node
 * has no event for that.
 */
function onAnswered(response: ServerResponse, written: () => void): void {
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  response.end = (...args: unknown[]) => {
    response.end = end;
    const ended = end(...args);
    written();
    return ended;
  };
}
