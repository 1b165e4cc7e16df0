import type { Logger } from 'pino';
import { openRedis } from '../redis.js';
import type { Limiter, Policy } from './limiter.js';
import { MemoryLimiter } from './memory.js';
import { RedisLimiter } from './redis.js';

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
  /**
   * Counters are shared by all processes that name the same Redis; without it each process counts
   * for itself.
   */
  readonly redisUrl?: string | undefined;
}

/**
 * Opens the counters, without waiting for Redis: as long as it does not answer, the process counts
 * in its own memory, having warned once.
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
