import DataLoader from 'dataloader';
import type { Prisma } from '../generated/prisma/client.js';
import { type QueryOptions, TimeBudget, TimeLimitError } from '../platform/database/database.js';
import type { Db } from '../platform/database/transaction.js';
import type { Deps } from './deps.js';
import { type Refusal, refuse } from './errors.js';
import { pointsOfTime, Quota } from './quota.js';
import type { Role } from './roles.js';
import type { Site } from './site.js';
import type { VerifiedClaims } from './tokens.js';
import { Viewer } from './viewer.js';

/** The Idempotency-Key of a request for a change. `hash` covers the operation and its variables. */
export interface IdempotencyKey {
  readonly key: string;
  readonly hash: string;
  /** The place of the root field that runs among those of the request: see `numberChanges`. */
  field: number;
  /** How many changes that field has begun under the key. */
  changes: number;
}

/** The data of one request. */
export interface RequestInput {
  /** Changes when the request changes the viewer's own roles: see `viewerHas`. */
  viewer: Viewer;
  /**
   * Set when the caller's token is not valid. The viewer is then anonymous, and only operations
   * that issue tokens may run.
   */
  readonly refusal?: Refusal | undefined;
  /** The account of the invalid token, if the service issued that token. */
  readonly refusedId?: number | undefined;
  /**
   * When the caller's token expires, in milliseconds since 1970. Absent for credentials that do not
   * expire.
   */
  readonly expiresAt?: number | undefined;
  readonly site: Site;
  /**
   * Address of the site for this caller, without a trailing slash. That of edition B ends in /v3.
   */
  readonly siteUrl: string;
  /** Identifies the request in the log. */
  readonly requestId: string;
  readonly idempotency?: IdempotencyKey | undefined;
  /** The User-Agent header, for the list of sessions. */
  readonly userAgent?: string | undefined;
  /** A refresh token from a header, so that it need not be in the URL. */
  readonly refreshToken?: string | undefined;
  /**
   * The caller's network address; IPv6 as its /64 network. Absent for work of the service itself.
   * It is personal data: never log it.
   */
  readonly address?: string | undefined;
  /**
   * Returns the session of the access token that the caller sends, even when it has ended. It
   * proves that this device was signed in before.
   */
  readonly earlierSession?: (() => Promise<VerifiedClaims | undefined>) | undefined;
  /** The caller's quota. Absent for work of the service itself. */
  readonly quota?: Quota | undefined;
  /** The caller's Time-Zone header as sent. Valid values are IANA names. */
  readonly timeZone?: string | undefined;
}

const TOO_EXPENSIVE =
  'This takes longer than the 1 second that a request without an account may take in the ' +
  'database. Ask for less, search for longer or rarer words, or sign in.';
const TOO_EXPENSIVE_FOR_ALL =
  'This takes longer than a statement may take in the database. Ask for less, or search for ' +
  'longer or rarer words.';
const BUSY = 'The database is busy. Try again soon.';

type BatchLoad<K, V> = (
  context: RequestContext,
  keys: readonly K[],
) => Promise<readonly (V | undefined)[]>;

/** Time limit for all statements of a request by a guest or without an account, in milliseconds. */
const ANONYMOUS_TIME = 1_000;

/**
 * Everything that a resolver may use, for one request. Resolvers and services read the environment,
 * the time and the database only through it.
 */
export class RequestContext {
  // Not #private, because Apollo clones the context of each request.
  private transactionOpen = false;
  private readonly loaders = new Map<unknown, unknown>();
  /**
   * Ids of the rows whose changes (`replayable`) were committed through this context, in order.
   * Later errors do not undo them.
   */
  readonly changed: number[] = [];
  /**
   * Whether it belongs to a query, whose fields run side by side: `transact` then opens its
   * transaction in a context of its own, so that the other fields go on reading.
   */
  isQuery = false;
  /** Whether reads outside of transactions may go to the replica: see `mayLag`. */
  lags = false;
  private readonly budget: TimeBudget | undefined;
  /** That of statements on the replica: what it does not answer in time the primary is asked. */
  private readonly replicaBudget: TimeBudget | undefined;

  constructor(
    readonly deps: Deps,
    readonly input: RequestInput,
    private readonly transaction?: Db,
    private readonly committed: (() => void)[] = [],
  ) {
    // Work of the service itself has no quota, and so no time limit.
    const isBounded = input.quota && !input.viewer.isKnown;
    this.budget = isBounded ? new TimeBudget(ANONYMOUS_TIME) : undefined;
    this.replicaBudget = isBounded && deps.replica ? new TimeBudget(ANONYMOUS_TIME) : undefined;
  }

  get viewer(): Viewer {
    return this.input.viewer;
  }

  /** Makes what follows in the request go by other roles of the viewer, who changed the own ones. */
  viewerHas(roles: readonly Role[]): void {
    const { id, sessionId, applicationPasswordId } = this.viewer;
    this.input.viewer = new Viewer(id, roles, sessionId, applicationPasswordId);
  }

  get site(): Site {
    return this.input.site;
  }

  get siteUrl(): string {
    return this.input.siteUrl;
  }

  /** The caller's quota; unlimited for work of the service itself. */
  get quota(): Quota {
    return this.input.quota ?? Quota.BOUNDLESS;
  }

  /**
   * Lets the reads of a public query go to the replica, if there is one: never for a caller who is
   * signed in or tried to be, nor for a network that has sent a write in the last half minute, nor
   * after a transaction of the request.
   */
  mayLag(): void {
    const { viewer, refusal, address = '' } = this.input;
    const { replica, writers } = this.deps;
    this.lags = !!replica && !viewer.id && !refusal && !writers.includes(address);
  }

  /** The present as a Date. */
  now(): Date {
    return new Date(this.deps.clock());
  }

  /**
   * SQL and the models of Prisma: in the transaction inside `transact`, else outside. Throws while
   * a transaction that was opened from this context runs.
   */
  get db(): Db {
    this.refuseWhileOpen();
    return this.transaction ?? this.deps.database.db;
  }

  /**
   * Reads rows by SQL. Inside a transaction it uses the transaction. Outside it uses the driver
   * directly, with a prepared statement unless `options` says otherwise. Select only int4, text,
   * timestamptz and arrays of them: these have the same form on every path. On a PostgreSQL server,
   * outside a transaction, all statements of a request by a guest or without an account may take
   * one second in total. Above that, and above DATABASE_STATEMENT_LIMIT, it throws TOO_EXPENSIVE
   * for what an idle database would not do in time either, else UNAVAILABLE. A statement of an
   * account costs points for what it takes beyond a second (`pointsOfTime`). The reads of a request that
   * `mayLag` go to the replica.
   */
  async rows<T extends object>(sql: Prisma.Sql, options?: QueryOptions): Promise<T[]> {
    this.refuseWhileOpen();
    if (this.transaction) return this.transaction.$queryRaw<T[]>(sql);
    const { budget } = this;
    const began = performance.now();
    try {
      const lagging = this.lags ? await this.readReplica<T>(sql, options) : undefined;
      if (lagging) return lagging;
      return await this.deps.database.query<T>(
        sql.text,
        sql.values,
        budget ? { ...options, budget } : options,
      );
    } catch (error) {
      if (!(error instanceof TimeLimitError)) throw error;
      if (!error.dear) throw refuse('UNAVAILABLE', BUSY);
      throw refuse('TOO_EXPENSIVE', budget ? TOO_EXPENSIVE : TOO_EXPENSIVE_FOR_ALL);
    } finally {
      const points = pointsOfTime(performance.now() - began);
      if (points > 0) await this.quota.charge(points);
    }
  }

  private readReplica<T extends object>({ text, values }: Prisma.Sql, options?: QueryOptions) {
    const budget = this.replicaBudget;
    return this.deps.replica?.read<T>(text, values, { ...options, ...(budget && { budget }) });
  }

  /**
   * Returns the loader that combines all keys requested within one tick into one call of `batch`.
   * There is one for each batch function and context.
   */
  loader<K, V>(batch: BatchLoad<K, V>): DataLoader<K, V | undefined> {
    const known = this.loaders.get(batch) as DataLoader<K, V | undefined> | undefined;
    if (known) return known;
    const made = new DataLoader<K, V | undefined>((keys) => batch(this, keys));
    this.loaders.set(batch, made);
    return made;
  }

  /** Clears all loaders, because rows have changed. */
  clearLoaders(): void {
    this.loaders.clear();
  }

  /**
   * Returns the same context, with the same transaction, for another viewer. For work that the
   * service does on behalf of an account. `quota` pays for it, by default that of the request.
   */
  as(viewer: Viewer, quota = this.input.quota): RequestContext {
    return new RequestContext(
      this.deps,
      { ...this.input, viewer, ...(quota && { quota }) },
      this.transaction,
      this.committed,
    );
  }

  /**
   * Runs `work` after the open transaction was committed; never when it is rolled back. `work` is
   * lost when the process ends, so it must not be important.
   */
  afterCommit(work: () => void): void {
    this.committed.push(work);
  }

  /** Returns the same context for a request that has an Idempotency-Key. */
  under(idempotency: IdempotencyKey | undefined): RequestContext {
    return idempotency
      ? new RequestContext(this.deps, { ...this.input, idempotency }, this.transaction)
      : this;
  }

  get inTransaction(): boolean {
    return this.transaction !== undefined;
  }

  /** Runs `fn` with a context whose `db` is a new transaction. Only `transact` may call it. */
  async openTransaction<T>(
    fn: (inner: RequestContext) => Promise<T>,
    timeout?: number,
  ): Promise<T> {
    this.refuseWhileOpen();
    this.transactionOpen = true;
    try {
      const committed: (() => void)[] = [];
      const made = await this.deps.database.transaction(
        (tx) => fn(new RequestContext(this.deps, this.input, tx, committed)),
        timeout === undefined ? {} : { timeout },
      );
      for (const work of committed) this.runAfterCommit(work);
      return made;
    } finally {
      this.transactionOpen = false;
      this.clearLoaders();
    }
  }

  /** Errors after the commit are logged only, because the change is already made. */
  private runAfterCommit(work: () => void): void {
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
