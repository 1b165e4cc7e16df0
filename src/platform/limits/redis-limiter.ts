import type { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { lazily } from '../lazily.js';
import { observeFallback } from '../metrics/metrics.js';
import type { Redis } from '../redis.js';
import type { ChargeResult, Limiter, Policy } from './limiter.js';

const flexible = lazily<typeof import('rate-limiter-flexible')>('rate-limiter-flexible');

/**
 * Counts in Redis, for all processes together. While Redis does not answer, it counts in this
 * process's own memory.
 */
export class RedisLimiter implements Limiter {
  readonly #shared: RateLimiterRedis;

  constructor(
    private readonly policy: Policy,
    private readonly redis: Redis,
    private readonly memory: Limiter,
  ) {
    const { name, points, seconds } = policy;
    this.#shared = new (flexible().RateLimiterRedis)({
      storeClient: redis.client,
      keyPrefix: `limits:${name}`,
      points,
      duration: seconds,
      // A key over its limit is refused from memory until its window ends, without a request to
      // Redis.
      inMemoryBlockOnConsumed: points + 1,
    });
  }

  async take(key: string, points: number): Promise<ChargeResult> {
    if (!this.redis.usable) return this.#fallBack(key, points);
    try {
      const spent = await this.#shared.consume(key, points);
      this.redis.answered();
      return this.#taken(true, spent);
    } catch (error) {
      if (error instanceof flexible().RateLimiterRes) return this.#taken(false, error);
      this.redis.failed(error);
      return this.#fallBack(key, points);
    }
  }

  async give(key: string, points: number): Promise<void> {
    if (!this.redis.usable) return this.memory.give(key, points);
    try {
      await this.#shared.reward(key, points);
      this.redis.answered();
    } catch (error) {
      this.redis.failed(error);
    }
  }

  #fallBack(key: string, points: number): ChargeResult | Promise<ChargeResult> {
    observeFallback();
    return this.memory.take(key, points);
  }

  #taken(allowed: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes): ChargeResult {
    return {
      allowed,
      remaining: remainingPoints,
      limit: this.policy.points,
      resetMs: Math.max(0, msBeforeNext),
    };
  }
}
