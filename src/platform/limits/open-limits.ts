import type { Logger } from 'pino';
import { openRedis, type Redis } from '../redis.js';
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
  /**
   * Tells why Redis refuses this process; undefined when it does not. Asks it to count, until it has
   * done so and again after each refusal, so that nobody has to wait for a request. Ends within a
   * second. Absent without Redis.
   */
  fault?(): Promise<Refusal | undefined>;
  /** Closes the connection to Redis at once. */
  close(): void;
}

/** Why Redis refuses a process. */
export interface Refusal {
  readonly sentence: string;
  /** Whether Redis has never counted for this process: then REDIS_URL was wrong from the start. */
  readonly isFromStart: boolean;
}

/** The counter that is asked whether Redis counts; nothing is charged to it. */
const PROBE: Policy = { name: 'probe', points: 1, seconds: 1 };

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
      fault: refusals(redis, new RedisLimiter(PROBE, redis, local(PROBE))),
    }),
    close: () => redis?.close(),
  };
}

/** Returns what asks Redis, as `Limits.fault` says. */
function refusals(redis: Redis, probe: Limiter): () => Promise<Refusal | undefined> {
  let hasCounted = false;
  return async () => {
    if (redis.usable && (redis.fault || !hasCounted)) {
      await probe.take('probe', 0);
      hasCounted ||= redis.usable;
    }
    return redis.fault ? { sentence: redis.fault, isFromStart: !hasCounted } : undefined;
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
