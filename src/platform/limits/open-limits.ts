import type { Logger } from 'pino';
import { openRedis } from '../redis.js';
import type { Limiter, Policy } from './limiter.js';
import { MemoryLimiter } from './memory-limiter.js';
import { RedisLimiter } from './redis-limiter.js';

/** The counters of the process. */
export interface Limits {
  /** False with RATE_LIMITS=off: nothing is charged then. */
  readonly on: boolean;
  /** Returns the counter of a policy; the same one for the same policy object. */
  limiter(policy: Policy): Limiter;
  /** Asks Redis for its state. Throws what failed. Absent without Redis. */
  check?(): Promise<void>;
  /** Closes the connection to Redis at once. */
  close(): void;
}

/** How to open the counters. */
export interface LimitsOptions {
  readonly on: boolean;
  readonly clock: () => number;
  readonly log: Logger;
  /** Processes with the same Redis share their counters. Without Redis each process has its own. */
  readonly redisUrl?: string | undefined;
}

/**
 * Opens the counters without waiting for Redis. While Redis does not answer, the process counts in
 * its own memory, after one warning.
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
    ...(redis && {
      check: async () => {
        await redis.client.ping();
      },
    }),
    close: () => redis?.close(),
  };
}
