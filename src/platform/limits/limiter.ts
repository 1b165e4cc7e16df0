/**
 * A number of points for every key, within a window of time. The first charge of a key opens its
 * window.
 */
export interface Policy {
  /** Identifies the policy in headers, metrics and keys. */
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}

/** The result of a charge. */
export interface ChargeResult {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly limit: number;
  /** Milliseconds until the window ends and the key has all its points again. */
  readonly resetMs: number;
}

/**
 * Counts points by key under one policy. A charge above the limit is refused, but counts. Never
 * rejects.
 */
export interface Limiter {
  take(key: string, points: number): ChargeResult | Promise<ChargeResult>;
  /** Gives points of this window back. Never rejects. */
  give(key: string, points: number): void | Promise<void>;
}
