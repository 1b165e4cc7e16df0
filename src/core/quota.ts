import type { GraphQLField } from 'graphql';
import { Extensions } from 'type-graphql';
import type { Limiter, Policy, Taken } from '../platform/limits/limiter.js';
import type { Limits } from '../platform/limits/limits.js';
import { observeLimited } from '../platform/metrics/metrics.js';
import type { Refusal } from './errors.js';

/** What a caller may ask for. */
export const QUOTAS = {
  /** The signed in, by account. */
  account: { name: 'account', points: 10_000, seconds: 60 },
  /**
   * The anonymous and guests, by network address: a clinic behind one address shares it until its
   * people sign in.
   */
  anonymous: { name: 'anonymous', points: 1_000, seconds: 60 },
} as const satisfies Readonly<Record<string, Policy>>;

/**
 * Points of one field of the root, on both faces. A route is one such field; in a batch every
 * request counts, in a document every alias.
 */
export const POINTS = { read: 1, write: 10, signIn: 20 } as const;
/**
 * A document pays one point more for every so many fields that it may resolve: the largest that is
 * taken (20,000) pays 40.
 */
const FIELDS_PER_POINT = 500;

type PointsOf = number | ((args: never) => number);

/**
 * Declares what a field of the root costs where POINTS does not say it: a report by the range that
 * it is asked for.
 */
export const Points = (points: PointsOf) => Extensions({ points });

/** What a field of the root costs; `args` are read only by a field that declares a function. */
export function pointsOf(
  field: Pick<GraphQLField<unknown, unknown>, 'extensions'>,
  operation: string,
  args: () => object,
): number {
  const { points, issuesTokens } = field.extensions as {
    points?: PointsOf;
    issuesTokens?: boolean;
  };
  if (points !== undefined) return typeof points === 'function' ? points(args() as never) : points;
  if (issuesTokens) return POINTS.signIn;
  return operation === 'mutation' ? POINTS.write : POINTS.read;
}

/** What the size of a document costs beside its root fields; `cost` counts fields times rows. */
export const pointsOfSize = (cost: number): number => Math.floor(cost / FIELDS_PER_POINT);

/**
 * What a statement costs after it ran, by its milliseconds: a point for every 2 ms beyond a second.
 * So an account can keep the database busy for some 20 s of a minute, and not for all of it.
 */
export const pointsOfTime = (milliseconds: number): number =>
  Math.max(0, Math.floor((milliseconds - 1_000) / 2));

/**
 * A refusal because of a limit: TOO_MANY_REQUESTS with `retryAfter` in seconds, rounded up. Faces
 * answer 429 and Retry-After. `limit` names the limit in the metrics.
 */
export function tooMany(
  limit: string,
  waitMs: number,
  message = 'Too many requests. Try again later.',
): Refusal {
  observeLimited(limit);
  return {
    reason: 'TOO_MANY_REQUESTS',
    message,
    detail: { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) },
  };
}

/**
 * The points that the caller of one request has left. A request pays one point when it comes,
 * before its body is read, and the rest of its price before it runs. Without a limiter everything
 * is free.
 */
export class Quota {
  static readonly BOUNDLESS = new Quota();
  #taken: Taken | undefined;
  #prepaid = 0;

  constructor(
    private readonly policy?: Policy,
    private readonly key = '',
    private readonly limiter?: Limiter,
  ) {}

  /** The quota of an account, or of an address for the anonymous and guests (id 0). */
  static of(limits: Limits, accountId: number, address: string): Quota {
    if (!limits.on) return Quota.BOUNDLESS;
    const policy = accountId ? QUOTAS.account : QUOTAS.anonymous;
    return new Quota(policy, accountId ? String(accountId) : address, limits.limiter(policy));
  }

  /** Pays for the arrival of a request; counts towards its first charge. */
  async arrive(): Promise<Refusal | undefined> {
    const refusal = await this.#take(1);
    this.#prepaid = 1;
    return refusal;
  }

  /** Pays before something runs; a refusal when the points do not reach. */
  async charge(points: number): Promise<Refusal | undefined> {
    const due = Math.max(0, points - this.#prepaid);
    this.#prepaid = 0;
    return due > 0 ? this.#take(due) : undefined;
  }

  /**
   * RateLimit and RateLimit-Policy as of the last charge (draft-ietf-httpapi-ratelimit-headers-10);
   * the unit is points.
   */
  headers(): Record<string, string> {
    if (!this.policy || !this.#taken) return {};
    const { name, points, seconds } = this.policy;
    const { remaining, resetMs } = this.#taken;
    return {
      RateLimit: `"${name}";r=${remaining};t=${Math.ceil(resetMs / 1000)}`,
      'RateLimit-Policy': `"${name}";q=${points};qu="points";w=${seconds}`,
    };
  }

  async #take(points: number): Promise<Refusal | undefined> {
    if (!this.policy || !this.limiter) return undefined;
    this.#taken = await this.limiter.take(this.key, points);
    return this.#taken.allowed ? undefined : tooMany(this.policy.name, this.#taken.resetMs);
  }
}
