import type { Logger } from 'pino';
import { openRedis } from '../redis.js';
import { MemoryLimiter } from './memory.js';
import { RedisLimiter } from './redis.js';

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

/** Counts points by key under one policy. A charge that does not fit is refused, and counts all the same. Never rejects. */
export interface Limiter {
  take(key: string, points: number): Taken | Promise<Taken>;
}

/** The counters of the process. */
export interface Limits {
  /** False with RATE_LIMITS=off: nobody charges anything then. */
  readonly on: boolean;
  /** The counter of a policy, always the same one for the same policy. */
  limiter(policy: Policy): Limiter;
  /** Gives the connection back, without waiting for anything. */
  close(): void;
}

export interface LimitsOptions {
  readonly on: boolean;
  readonly clock: () => number;
  readonly log: Logger;
  /** Counters are shared by all processes that name the same Redis; without it each process counts for itself. */
  readonly redisUrl?: string | undefined;
}

/**
 * Opens the counters, without waiting for Redis: as long as it does not answer, the process counts in its own memory, having warned
 * once.
 */
export function openLimits({ on, clock, log, redisUrl }: LimitsOptions): Limits {
  const redis = on && redisUrl ? openRedis(redisUrl, log) : undefined;
  const limiters = new Map<Policy, Limiter>();
  const make = (policy: Policy) => {
    const memory = new MemoryLimiter(policy, clock);
    return redis ? new RedisLimiter(policy, redis, memory) : memory;
  };
  return {
    on,
    limiter(policy) {
      const known = limiters.get(policy);
      if (known) return known;
      const made = make(policy);
      limiters.set(policy, made);
      return made;
    },
    close: () => redis?.close(),
  };
}
