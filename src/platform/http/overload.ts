import type { IncomingMessage, ServerResponse } from 'node:http';
import { observeShed } from '../metrics/metrics.js';
import { CORS_ALWAYS, corsFor } from './cors.js';

/** When a process has too much to do. */
interface Bounds {
  /** Requests under way; each may hold a body of 2 MiB. */
  readonly requests: number;
  /** Milliseconds by which the event loop may lag behind, on a moving average over half a second. */
  readonly delay: number;
  /** Requests under way while it lags: a slow process still serves who comes alone, and takes on no queue. */
  readonly requestsInDelay: number;
}

const BOUNDS: Bounds = { requests: 400, delay: 500, requestsInDelay: 50 };
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
 * Answers 503 with Retry-After, before anything is read or looked up, while the process is over its bounds: those who are let in are
 * answered in time, and memory stays bounded.
 */
export class Overload {
  #lag = 0;
  #requests = 0;

  constructor(
    private readonly origins: readonly string[] = [],
    private readonly bounds = BOUNDS,
  ) {
    let due = performance.now() + SAMPLE_EVERY;
    setInterval(() => {
      const now = performance.now();
      this.#lag += (Math.max(0, now - due) - this.#lag) * WEIGHT;
      due = now + SAMPLE_EVERY;
    }, SAMPLE_EVERY).unref();
  }

  /** Whether it has answered the request itself; one that it lets in counts until its answer is sent or its caller is gone. */
  sheds(request: IncomingMessage, response: ServerResponse): boolean {
    if (EXEMPT.has(request.url ?? '')) return false;
    const reason = this.#excess();
    if (!reason) {
      this.#requests++;
      response.once('close', () => this.#requests--);
      return false;
    }
    observeShed(reason);
    const headers = { 'Content-Type': 'application/json', 'Content-Length': BODY.length, 'Retry-After': RETRY_AFTER };
    response.writeHead(503, { ...headers, ...CORS_ALWAYS, ...corsFor(request.headers.origin, this.origins) }).end(BODY);
    return true;
  }

  #excess(): 'requests' | 'delay' | undefined {
    const { requests, delay, requestsInDelay } = this.bounds;
    if (this.#requests >= requests) return 'requests';
    return this.#lag > delay && this.#requests >= requestsInDelay ? 'delay' : undefined;
  }
}
