/** So many points for every key, within a window that the key's first charge opens. */
export interface Policy {
  /** Names it in headers, metrics and keys. */
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}

/** What is left to a key after a charge. */
export interface Taken {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly limit: number;
  /** Milliseconds until the window ends and the key has all its points again. */
  readonly resetMs: number;
}

/**
 * Counts points by key under one policy. A charge that does not fit is refused, and counts all the
 * same. Never rejects.
 */
export interface Limiter {
  take(key: string, points: number): Taken | Promise<Taken>;
}
