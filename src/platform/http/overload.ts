import type { IncomingMessage, ServerResponse } from 'node:http';
import { observeShed } from '../metrics/metrics.js';
import { CORS_ALWAYS, corsFor } from './cors.js';

/** When a process has too much to do. */
interface Bounds {
  /** Milliseconds by which the event loop may lag behind, on a moving average over half a second, while `busy` requests wait. */
  readonly delay: number;
  /** Fewer requests than these are let in however far it lags: then it is busy with itself, and they lose nothing by waiting. */
  readonly busy: number;
  /** Requests under way; each may hold a body of 2 MiB. */
  readonly requests: number;
}

const BOUNDS: Bounds = { delay: 500, busy: 20, requests: 400 };
const SAMPLE_EVERY = 100;
/** Weight of the newest sample: one pause of a second sheds nothing, a lasting lag does. */
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

  #reason(): 'requests' | 'delay' | undefined {
    const { requests, busy, delay } = this.bounds;
    if (this.#requests >= requests) return 'requests';
    return this.#requests >= busy && this.#lag > delay ? 'delay' : undefined;
  }

  /** Whether it has answered the request itself; one that it lets in counts until its answer is sent or its caller is gone. */
  sheds(request: IncomingMessage, response: ServerResponse): boolean {
    if (EXEMPT.has(request.url ?? '')) return false;
    const reason = this.#reason();
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
}
