import type { Channel, Responders } from '../workers/channel.js';
import type { ChargeResult, Limiter, Policy } from './limiter.js';
import { MemoryLimiter } from './memory-limiter.js';

/** A charge, or points that are given back. */
interface Charge {
  readonly policy: Policy;
  readonly key: string;
  readonly points: number;
}

/** Counts in the first process, for all its workers. If it does not answer, counts in this one. */
export class PrimaryLimiter implements Limiter {
  constructor(
    private readonly policy: Policy,
    private readonly primary: Channel,
    private readonly memory: Limiter,
  ) {}

  take(key: string, points: number): Promise<ChargeResult> {
    const charge: Charge = { policy: this.policy, key, points };
    return this.primary
      .ask<ChargeResult>('take', charge)
      .catch(() => this.memory.take(key, points));
  }

  async give(key: string, points: number): Promise<void> {
    const charge: Charge = { policy: this.policy, key, points };
    await this.primary.ask('give', charge).catch(() => this.memory.give(key, points));
  }
}

/** Returns what the first process responds with to `PrimaryLimiter`. */
export function countingResponders(): Responders {
  const limiters = new Map<string, MemoryLimiter>();
  const limiterOf = (policy: Policy) => {
    const limiter = limiters.get(policy.name) ?? new MemoryLimiter(policy, Date.now);
    limiters.set(policy.name, limiter);
    return limiter;
  };
  return {
    take: ({ policy, key, points }: Charge) => limiterOf(policy).take(key, points),
    give: ({ policy, key, points }: Charge) => limiterOf(policy).give(key, points),
  };
}
