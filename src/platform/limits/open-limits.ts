import type { Logger } from 'pino';
import { openRedis } from '../redis.js';
import type { Channel } from '../workers/channel.js';
import type { Limiter, Policy } from './limiter.js';
import { MemoryLimiter } from './memory-limiter.js';
import { PrimaryLimiter } from './primary-limiter.js';
import { RedisLimiter } from './redis-limiter.js';

/** The counters of the process. */
export interface Limits {
  /** False with RATE_LIMITS=off: nothing is charged then. */
  readonly on: boolean;
  /** Returns the counter of a policy; the same one for the same policy object. */
  limiter(policy: Policy): Limiter;
  /**
   * Returns the counter of a policy in this process alone: the same one without Redis and workers,
   * else the one that counts while what is shared does not answer.
   */
  local(policy: Policy): Limiter;
  /** Asks Redis for its state. Throws what failed. Absent without Redis. */
  check?(): Promise<void>;
  /** A sentence about what is wrong with REDIS_URL, once Redis has refused it. Absent without Redis. */
  fault?(): string | undefined;
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
  /** The first process, of a worker. Without Redis it counts for all workers. */
  readonly primary?: Channel | undefined;
}

/**
 * Opens the counters without waiting for Redis. While Redis does not answer, the process counts in
 * its own memory, after one warning.
 */
export function openLimits({ on, clock, log, redisUrl, primary }: LimitsOptions): Limits {
  const redis = on && redisUrl ? openRedis(redisUrl, log) : undefined;
  const local = lasting((policy) => new MemoryLimiter(policy, clock));
  const shared = redis
    ? lasting((policy) => new RedisLimiter(policy, redis, local(policy)))
    : primary && lasting((policy) => new PrimaryLimiter(policy, primary, local(policy)));
  return {
    on,
    limiter: shared ?? local,
    local,
    ...(redis && {
      check: async () => {
        await redis.client.ping();
      },
      fault: () => redis.fault,
    }),
    close: () => redis?.close(),
  };
}

/** Returns a function that makes one counter for each policy object. */
function lasting<L extends Limiter>(make: (policy: Policy) => L): (policy: Policy) => L {
  const made = new Map<Policy, L>();
  return (policy) => {
    const limiter = made.get(policy) ?? make(policy);
    made.set(policy, limiter);
    return limiter;
  };
}
