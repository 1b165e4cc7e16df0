import type { GraphQLField } from 'graphql';
import { Extensions } from 'type-graphql';
import type { ChargeResult, Limiter, Policy } from '../platform/limits/limiter.js';
import type { Limits } from '../platform/limits/open-limits.js';
import { observeLimited } from '../platform/metrics/metrics.js';
import type { Refusal } from './errors.js';

/** The quotas of callers. */
export const QUOTAS = {
  /** For signed-in viewers, by account. */
  account: { name: 'account', points: 10_000, seconds: 60 },
  /**
   * For anonymous viewers and guests, by network address. All people behind one address, such as
   * that of a clinic, share it until they sign in.
   */
  anonymous: { name: 'anonymous', points: 1_000, seconds: 60 },
  /**
   * For callers with an access token of this service that has expired, by its account: enough to
   * refresh the session or to sign in again, however busy their address is.
   */
  expired: { name: 'expired', points: 300, seconds: 60 },
  /**
   * For requests that refresh a session by a token of this service and nothing else, by session:
   * nobody else at the address can spend it.
   */
  refresh: { name: 'refresh', points: 100, seconds: 60 },
  /**
   * For programs that read a member's calendar at its secret address, by member: the address of a
   * provider that reads for thousands does not pay, and who has found one cannot spend the member's
   * own quota.
   */
  feed: { name: 'feed', points: 300, seconds: 60 },
} as const satisfies Readonly<Record<string, Policy>>;

/**
 * Points of one root field, on both faces. A REST route is one such field. Each request of a batch
 * counts, and each alias of a document.
 */
export const POINTS = { read: 1, write: 10, signIn: 20 } as const;
/**
 * A document costs one more point for each such number of fields that it may resolve. The largest
 * accepted document (20,000 fields) costs 40 points more.
 */
const FIELDS_PER_POINT = 500;

/** A body costs one point more for each such number of bytes. */
const BYTES_PER_POINT = 64 * 1024;
/** The names in a body of JSON cost one point more for each such number: each makes a property. */
const NAMES_PER_POINT = 1_000;
/** Messages over a connection cost a point for each such number of them, beside their bytes. */
const MESSAGES_PER_POINT = 250;
/**
 * What is asked by costs one point more for each such number of characters: the query string of a
 * REST request, the JSON of one that only reads, the variables of a query. Lists of ids, slugs and
 * fields are read, compared and listed again item by item.
 */
const ASKED_PER_POINT = 1024;
/** A list with embeds costs one point more for each such number of rows, shown to be read or edited. */
const EMBEDDING_ROWS_PER_POINT = { read: 50, edited: 25 } as const;
/**
 * A document costs one point more for each such number of words and signs: one that this process
 * does not know is validated, and the values of one that it knows are read. The longest accepted
 * document (2,000) costs 10 points more, or 4.
 */
const TOKENS_PER_POINT = { unknown: 200, known: 500 } as const;

/** A response costs one point more for each such number of bytes, before compression. */
const ANSWERED_PER_POINT = 256 * 1024;
/** A calendar costs one point more for each such number of its events, shown or only counted. */
const EVENTS_PER_POINT = { shown: 150, counted: 2_000 } as const;
/** A report about all members costs one point more for each such number of cells that it reads. */
const CELLS_PER_POINT = { summed: 120, distinct: 50 } as const;
/**
 * Reminders cost one point more for each such number: their directions are read and worded, or they
 * are planned anew.
 */
const REMINDERS_PER_POINT = 10;
/** An export of all data costs one point more for each such number of rows. */
const EXPORTED_PER_POINT = 100;

/**
 * HTML costs a point more for each such number of characters: when it is stored, which sanitises
 * and renders it, and when it is rendered to be read.
 */
const MARKUP_PER_POINT = { stored: 4 * 1024, read: 16 * 1024 } as const;

/** Finding what of a direction was read costs a point more for each such number of characters. */
const DIRECTION_PER_POINT = 200;
/** A longer direction is not read. */
const LONGEST_DIRECTION = 1_000;

type PointsOf = number | ((args: never) => number);

/**
 * Declares the points of a root field where POINTS does not apply, such as a report whose price
 * depends on its range.
 */
export const Points = (points: PointsOf) => Extensions({ points });

/** Returns the points of a root field. Calls `args` only when the field declares a function. */
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

/**
 * Returns the points for the size of a document, in addition to its root fields. `cost` counts
 * fields times rows.
 */
export const pointsOfSize = (cost: number): number => Math.floor(cost / FIELDS_PER_POINT);

/**
 * Returns the parts of points for a body of so many bytes, unpacked, and so many names of JSON. See
 * `Quota.add`.
 */
export const pointsOfBody = (bytes: number, names = 0): number =>
  bytes / BYTES_PER_POINT + names / NAMES_PER_POINT;

/** Returns the parts of points for a message over a connection, of so many names. See `Quota.add`. */
export const pointsOfMessage = (bytes: number, names: number): number =>
  Math.max(1 / MESSAGES_PER_POINT, names / NAMES_PER_POINT) + bytes / BYTES_PER_POINT;

/** Returns the parts of points for what something is asked by. See `Quota.add`. */
export const pointsOfAsking = (characters: number): number => characters / ASKED_PER_POINT;

/** Returns the parts of points for so many rows with their embeds. See `Quota.add`. */
export const pointsOfEmbedding = (rows: number, isEdited: boolean): number =>
  rows / EMBEDDING_ROWS_PER_POINT[isEdited ? 'edited' : 'read'];

/** Returns the parts of points for reading a document. See `Quota.add`. */
export const pointsOfDocument = (tokens: number, isKnown = false): number =>
  tokens / (isKnown ? TOKENS_PER_POINT.known : TOKENS_PER_POINT.unknown);

/** Returns the parts of points for HTML of so many characters. See `Quota.add`. */
export const pointsOfMarkup = (length: number, isStored: boolean): number =>
  length / (isStored ? MARKUP_PER_POINT.stored : MARKUP_PER_POINT.read);

/** Returns the parts of points for a response of so many bytes. See `Quota.owe`. */
export const pointsOfAnswer = (bytes: number): number => bytes / ANSWERED_PER_POINT;

/** Returns the parts of points for so many events of calendars. See `Quota.owe`. */
export const pointsOfEvents = (events: number, use: keyof typeof EVENTS_PER_POINT): number =>
  events / EVENTS_PER_POINT[use];

/** The points of a question about all members beside its cells: it is charged and audited. */
export const POINTS_OF_QUESTION = 4;

/** Returns the parts of points for so many cells of a report. See `Quota.add`. */
export const pointsOfCells = (cells: number, use: keyof typeof CELLS_PER_POINT): number =>
  cells / CELLS_PER_POINT[use];

/** The parts of a point for a reminder that is shown, or planned anew. See `Quota.owe`. */
export const POINTS_OF_REMINDER = 1 / REMINDERS_PER_POINT;

/** Returns the parts of points for so many rows of an export. See `Quota.owe`. */
export const pointsOfExport = (rows: number): number => rows / EXPORTED_PER_POINT;

/** Returns the parts of points for finding what of a direction was read. See `Quota.add`. */
export const pointsOfDirection = (length: number): number =>
  Math.min(length, LONGEST_DIRECTION) / DIRECTION_PER_POINT;

/**
 * Returns the points that a statement costs after it ran: one for every 2 ms beyond a second. So an
 * account can keep the database busy for some 20 s of a minute, not for all of it.
 */
export const pointsOfTime = (milliseconds: number): number =>
  Math.max(0, Math.floor((milliseconds - 1_000) / 2));

/**
 * Returns a refusal because of a limit: TOO_MANY_REQUESTS with `retryAfter` in seconds, rounded up.
 * Faces answer 429 with Retry-After. `limit` is the label in the metrics.
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

/** What a request costs, in points. */
export interface Cost {
  /** What it asked for, and was charged unless it was refused for that. */
  readonly asked: number;
  /** What is left of the quota. */
  readonly left: number;
  /** What the whole quota is. */
  readonly limit: number;
}

/**
 * The points that the caller of one request has left. A request pays one point on arrival, before
 * its body is read, and the rest of its price before it runs. Without a limiter nothing is charged.
 */
export class Quota {
  static readonly BOUNDLESS = new Quota();
  #taken: ChargeResult | undefined;
  #asked = 0;
  #prepaid = 0;
  /** What of a point is not yet paid. */
  #parts = 0;

  constructor(
    private readonly policy?: Policy,
    private readonly key = '',
    private readonly limiter?: Limiter,
  ) {}

  /**
   * Returns the quota of an account; of an address for anonymous viewers and guests (account id 0).
   * `counter`: `local` counts in this process alone.
   */
  static of(
    limits: Limits,
    accountId: number,
    address: string,
    counter: 'limiter' | 'local' = 'limiter',
  ): Quota {
    if (!limits.on) return Quota.BOUNDLESS;
    const policy = accountId ? QUOTAS.account : QUOTAS.anonymous;
    return new Quota(policy, accountId ? String(accountId) : address, limits[counter](policy));
  }

  /** Returns the quota of an account by an access token that has expired. */
  static ofExpired(limits: Limits, accountId: number): Quota {
    if (!limits.on) return Quota.BOUNDLESS;
    return new Quota(QUOTAS.expired, String(accountId), limits.limiter(QUOTAS.expired));
  }

  /** Returns the quota of a session for refreshing it. */
  static ofRefresh(limits: Limits, sessionId: string): Quota {
    if (!limits.on) return Quota.BOUNDLESS;
    return new Quota(QUOTAS.refresh, sessionId, limits.limiter(QUOTAS.refresh));
  }

  /** Returns the quota of a member's calendar feed. */
  static ofFeed(limits: Limits, memberId: number): Quota {
    if (!limits.on) return Quota.BOUNDLESS;
    return new Quota(QUOTAS.feed, String(memberId), limits.limiter(QUOTAS.feed));
  }

  /** Gives points back that another quota pays: that of the account whose credential was good. */
  async giveBack(points: number): Promise<void> {
    await this.limiter?.give(this.key, points);
  }

  /**
   * Pays one point for the arrival of a request. The next charge is reduced by it. Returns a
   * refusal when no point is left.
   */
  async arrive(): Promise<Refusal | undefined> {
    const refusal = await this.#take(1);
    this.#prepaid = 1;
    return refusal;
  }

  /** Pays before an operation runs. Returns a refusal when too few points are left. */
  async charge(points: number): Promise<Refusal | undefined> {
    const due = Math.max(0, points - this.#prepaid);
    this.#prepaid = 0;
    return due > 0 ? this.#take(due) : undefined;
  }

  /**
   * Pays for what a request costs beside its operation: its body, its document, its texts. Parts of
   * points are summed up, and whole ones are paid. Returns a refusal when too few points are left.
   */
  async add(points: number): Promise<Refusal | undefined> {
    const whole = this.#wholeOf(points);
    return whole > 0 ? this.#take(whole) : undefined;
  }

  /** Sums parts of points up, and returns the whole ones. */
  #wholeOf(points: number): number {
    this.#parts += points;
    const whole = Math.floor(this.#parts);
    this.#parts -= whole;
    return whole;
  }

  /**
   * Pays as `add` does for what was done already, however few points are left: what it was done for
   * is answered, and the next request is refused.
   */
  async owe(points: number): Promise<void> {
    const whole = this.#wholeOf(points);
    if (whole > 0 && this.limiter) await this.#charge(this.limiter, whole);
  }

  /** Returns a refusal when the last charge left no point: for what is owed only once it is done. */
  spent(): Refusal | undefined {
    if (!this.policy || this.#taken?.remaining !== 0) return undefined;
    return tooMany(this.policy.name, this.#taken.resetMs);
  }

  /** Returns what the request has cost until now; undefined where nothing is charged. */
  cost(): Cost | undefined {
    if (!this.policy || !this.#taken) return undefined;
    return { asked: this.#asked, left: this.#taken.remaining, limit: this.policy.points };
  }

  /**
   * Returns the headers RateLimit and RateLimit-Policy after the last charge
   * (draft-ietf-httpapi-ratelimit-headers-10). The unit is points.
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
    const { allowed, resetMs } = await this.#charge(this.limiter, points);
    return allowed ? undefined : tooMany(this.policy.name, resetMs);
  }

  async #charge(limiter: Limiter, points: number): Promise<ChargeResult> {
    this.#asked += points;
    this.#taken = await limiter.take(this.key, points);
    return this.#taken;
  }
}
