import type { ChargeResult, Limiter, Policy } from './limiter.js';

/**
 * Maximum number of keys. Above it the oldest windows are dropped, so many keys make the limits
 * less strict, but never use more memory.
 */
const MOST_KEYS = 100_000;

interface Window {
  spent: number;
  readonly endsAt: number;
}

/**
 * Counts in this process, by the given clock, with about 100 bytes for each key. All windows have
 * the same length, so they end in the order in which they were opened. So removing old windows
 * needs no search, and keys need no timers.
 */
export class MemoryLimiter implements Limiter {
  readonly #windows = new Map<string, Window>();

  constructor(
    private readonly policy: Policy,
    private readonly clock: () => number,
    private readonly mostKeys = MOST_KEYS,
  ) {}

  get size(): number {
    return this.#windows.size;
  }

  take(key: string, points: number): ChargeResult {
    const now = this.clock();
    const window = this.#open(key, now);
    window.spent += points;
    const { points: limit } = this.policy;
    const remaining = Math.max(0, limit - window.spent);
    return { allowed: window.spent <= limit, remaining, limit, resetMs: window.endsAt - now };
  }

  give(key: string, points: number): void {
    const window = this.#windows.get(key);
    if (window && window.endsAt > this.clock()) window.spent = Math.max(0, window.spent - points);
  }

  #open(key: string, now: number): Window {
    const known = this.#windows.get(key);
    if (known && known.endsAt > now) return known;
    this.#windows.delete(key);
    for (const [oldest, { endsAt }] of this.#windows) {
      if (endsAt > now && this.#windows.size < this.mostKeys) break;
      this.#windows.delete(oldest);
    }
    const window = { spent: 0, endsAt: now + this.policy.seconds * 1000 };
    this.#windows.set(key, window);
    return window;
  }
}
