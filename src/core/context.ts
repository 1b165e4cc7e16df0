import DataLoader from 'dataloader';
import type { Prisma } from '../generated/prisma/client.js';
import { type QueryOptions, TimeBudget, TimeLimitError } from '../platform/database/database.js';
import type { Deps } from './deps.js';
import { type Refusal, refuse } from './errors.js';
import { pointsOfTime, Quota } from './quota.js';
import type { Site } from './site.js';
import type { AccessClaims } from './tokens.js';
import type { Viewer } from './viewer.js';

/** A change asked for under an Idempotency-Key. `hash` covers the operation and its variables. */
export interface IdempotencyKey {
  readonly key: string;
  readonly hash: string;
  /** Counts the changes of one request. */
  ordinal: number;
}

/** What a request brings along. */
export interface RequestInput {
  readonly viewer: Viewer;
  /**
   * The caller's token is no longer good: the viewer is anonymous, and only operations that issue
   * tokens may go on.
   */
  readonly refusal?: Refusal | undefined;
  /** Whose token that is, if it was one of ours. */
  readonly refusedId?: number | undefined;
  /**
   * Until when the caller's token is good, in milliseconds since 1970; absent for credentials that
   * do not expire.
   */
  readonly expiresAt?: number | undefined;
  readonly site: Site;
  /**
   * Address of the site as this caller sees it, without a trailing slash: edition B's ends in /v3.
   */
  readonly siteUrl: string;
  /** Names the request in the log. */
  readonly requestId: string;
  readonly idempotency?: IdempotencyKey | undefined;
  /** What the client calls itself (User-Agent), for the list of sessions. */
  readonly userAgent?: string | undefined;
  /** A refresh token that came in a header, so that it need not stand in an address. */
  readonly refreshToken?: string | undefined;
  /**
   * The caller's network address, IPv6 by its /64; absent for what the service does by itself.
   * Personal: never logged.
   */
  readonly address?: string | undefined;
  /**
   * The session, perhaps long over, whose access token the caller brings: proof that the device was
   * signed in before.
   */
  readonly earlierSession?: (() => Promise<AccessClaims | undefined>) | undefined;
  /** What the caller may still ask for; absent for what the service does by itself. */
  readonly quota?: Quota | undefined;
  /** The caller's Time-Zone header as sent: an IANA name, if all is well. */
  readonly timeZone?: string | undefined;
}

const TOO_EXPENSIVE =
  'This takes longer than the 1 second that a request without an account may take in the database. Ask for less, search for ' +
  'longer or rarer words, or sign in.';

type Db = Prisma.TransactionClient;
type Batch<K, V> = (
  context: RequestContext,
  keys: readonly K[],
) => Promise<readonly (V | undefined)[]>;

/**
 * What the statements of a request without an account, or of a guest's, may take together, in
 * milliseconds.
 */
const ANONYMOUS_TIME = 1_000;

/**
 * Everything a resolver may use, for one request. Nothing else reads the environment, the time or a
 * module-level client.
 */
export class RequestContext {
  // Not #private: Apollo clones the context of each request.
  private transactionOpen = false;
  private readonly loaders = new Map<unknown, unknown>();
  /**
   * Ids of the rows whose changes (`replayable`) were committed from here, in order: they stand,
   * whatever fails afterwards.
   */
  readonly changed: number[] = [];
  private readonly budget: TimeBudget | undefined;

  constructor(
    readonly deps: Deps,
    readonly input: RequestInput,
    private readonly transaction?: Db,
    private readonly committed: (() => void)[] = [],
  ) {
    // What the service does by itself has no quota.
    this.budget = input.quota && !input.viewer.isKnown ? new TimeBudget(ANONYMOUS_TIME) : undefined;
  }

  get viewer(): Viewer {
    return this.input.viewer;
  }

  get site(): Site {
    return this.input.site;
  }

  get siteUrl(): string {
    return this.input.siteUrl;
  }

  /** The caller's points. */
  get quota(): Quota {
    return this.input.quota ?? Quota.BOUNDLESS;
  }

  /** The present as a Date. */
  now(): Date {
    return new Date(this.deps.clock());
  }

  /**
   * Prisma: the transaction's client inside `transact`, the database's outside. Throws while a
   * transaction opened from here runs.
   */
  get db(): Db {
    this.refuseWhileOpen();
    return this.transaction ?? this.deps.database.prisma;
  }

  /**
   * Reads rows by SQL: outside a transaction straight through the driver, prepared unless said
   * otherwise; inside, on the transaction. Ask for int4, text, timestamptz and arrays of them:
   * those come back alike on every path. Outside a transaction the statements of a request without
   * an account, or of a guest's, take a second together on a PostgreSQL server: TOO_EXPENSIVE
   * beyond it. Those of an account cost points for what is over a second (`pointsOfTime`).
   */
  async rows<T extends object>(sql: Prisma.Sql, options?: QueryOptions): Promise<T[]> {
    this.refuseWhileOpen();
    if (this.transaction) return this.transaction.$queryRaw<T[]>(sql);
    const { budget } = this;
    const began = performance.now();
    try {
      return await this.deps.database.query<T>(
        sql.text,
        sql.values,
        budget ? { ...options, budget } : options,
      );
    } catch (error) {
      throw error instanceof TimeLimitError ? refuse('TOO_EXPENSIVE', TOO_EXPENSIVE) : error;
    } finally {
      const points = pointsOfTime(performance.now() - began);
      if (points > 0) await this.quota.charge(points);
    }
  }

  /**
   * The loader that collects the keys asked for within one tick into one call of `batch`; one per
   * batch function and context.
   */
  loader<K, V>(batch: Batch<K, V>): DataLoader<K, V | undefined> {
    const known = this.loaders.get(batch) as DataLoader<K, V | undefined> | undefined;
    if (known) return known;
    const made = new DataLoader<K, V | undefined>((keys) => batch(this, keys));
    this.loaders.set(batch, made);
    return made;
  }

  /** Forgets what was loaded, because something was written. */
  clearLoaders(): void {
    this.loaders.clear();
  }

  /**
   * The same context, transaction included, for another viewer: what the service itself does in
   * somebody's name.
   */
  as(viewer: Viewer): RequestContext {
    return new RequestContext(
      this.deps,
      { ...this.input, viewer },
      this.transaction,
      this.committed,
    );
  }

  /**
   * Runs when the transaction that is open has been committed, and not at all when it is rolled
   * back. For what may be lost.
   */
  afterCommit(work: () => void): void {
    this.committed.push(work);
  }

  /** The same context for a request that bears an Idempotency-Key. */
  under(idempotency: IdempotencyKey | undefined): RequestContext {
    return idempotency
      ? new RequestContext(this.deps, { ...this.input, idempotency }, this.transaction)
      : this;
  }

  get inTransaction(): boolean {
    return this.transaction !== undefined;
  }

  /** Runs `fn` with a context whose `db` is a new transaction; for `transact` alone. */
  async openTransaction<T>(fn: (inner: RequestContext) => Promise<T>): Promise<T> {
    this.refuseWhileOpen();
    this.transactionOpen = true;
    try {
      const committed: (() => void)[] = [];
      const made = await this.deps.database.prisma.$transaction((tx) =>
        fn(new RequestContext(this.deps, this.input, tx, committed)),
      );
      for (const work of committed) this.afterwards(work);
      return made;
    } finally {
      this.transactionOpen = false;
      this.clearLoaders();
    }
  }

  /** What fails after the commit is logged: the change stands. */
  private afterwards(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.deps.log.error(
        { err: error, request: this.input.requestId },
        'work after a commit failed',
      );
    }
  }

  private refuseWhileOpen(): void {
    if (this.transactionOpen)
      throw new Error('The outer context must not be used while its transaction is open.');
  }
}
