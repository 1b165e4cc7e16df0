import DataLoader from 'dataloader';
import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import type { Slot } from '../config/providers.js';
import type { FeedHub } from '../domains/live/feed.hub.js';
import type { SiteSettings } from '../domains/site/site.types.js';
import type { Prisma } from '../generated/prisma/client.js';
import type { Clock } from '../platform/clock.js';
import { type Database, isRetryable, type QueryOptions, TimeBudget, TimeLimitError } from '../platform/database/database.js';
import type { Readiness } from '../platform/http/readiness.js';
import type { IdentityProvider } from '../platform/identity/provider.js';
import type { Keys } from '../platform/keys.js';
import type { Limits } from '../platform/limits/limiter.js';
import type { MailTransport } from '../platform/mail/mail.js';
import type { Outlook } from '../platform/mail/outlook.js';
import type { PushTransports } from '../platform/push/transport.js';
import { type Refusal, refuse } from './errors.js';
import { Quota } from './quota.js';
import type { AccessClaims, Tokens } from './tokens.js';
import type { Viewer } from './viewer.js';

/** What lives as long as the process; `process.ts` and every test make one. */
export interface Deps {
  readonly config: Config;
  readonly database: Database;
  readonly tokens: Tokens;
  /** The identity providers that are configured. */
  readonly providers: ReadonlyMap<Slot, IdentityProvider>;
  /** What encrypts and seals: derived from SECRET_KEY, never in the database. */
  readonly keys: Keys;
  readonly limits: Limits;
  /** Where mail goes as the configuration says; a connected mailbox takes it instead. */
  readonly mail: MailTransport;
  /** For connecting a mailbox at Microsoft, when that is configured. */
  readonly outlook?: Outlook | undefined;
  readonly log: Logger;
  /** Tells watchers of changes. */
  readonly feeds: FeedHub;
  /** Why this process should not be sent requests now; what finds a reason adds it as a condition. */
  readonly readiness: Readiness;
  /** Ways to devices, by kind of token. */
  readonly push: PushTransports;
  /** The present, in milliseconds since 1970; the only clock there is. */
  readonly clock: () => number;
  /** Where `clock` comes from: says whether this process may do background work. */
  readonly watch: Clock;
}

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
  /** The caller's token is no longer good: the viewer is anonymous, and only operations that issue tokens may go on. */
  readonly refusal?: Refusal | undefined;
  /** Whose token that is, if it was one of ours. */
  readonly refusedId?: number | undefined;
  /** Until when the caller's token is good, in milliseconds since 1970; absent for credentials that do not expire. */
  readonly expiresAt?: number | undefined;
  readonly site: SiteSettings;
  /** Address of the site as this caller sees it, without a trailing slash: edition B's ends in /v3. */
  readonly siteUrl: string;
  /** Names the request in the log. */
  readonly requestId: string;
  readonly idempotency?: IdempotencyKey | undefined;
  /** What the client calls itself (User-Agent), for the list of sessions. */
  readonly userAgent?: string | undefined;
  /** A refresh token that came in a header, so that it need not stand in an address. */
  readonly refreshToken?: string | undefined;
  /** The caller's network address, IPv6 by its /64; absent for what the service does by itself. Personal: never logged. */
  readonly address?: string | undefined;
  /** The session, perhaps long over, whose access token the caller brings: proof that the device was signed in before. */
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
type Batch<K, V> = (context: RequestContext, keys: readonly K[]) => Promise<readonly (V | undefined)[]>;

/** What the statements of a request without an account, or of a guest's, may take together, in milliseconds. */
const ANONYMOUS_TIME = 1_000;

/** Everything a resolver may use, for one request. Nothing else reads the environment, the time or a module-level client. */
export class RequestContext {
  // Not #private: Apollo clones the context of each request.
  private transactionOpen = false;
  private readonly loaders = new Map<unknown, unknown>();
  /** Ids of the rows whose changes (`replayable`) were committed from here, in order: they stand, whatever fails afterwards. */
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

  get site(): SiteSettings {
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

  /** Prisma: the transaction's client inside `transact`, the database's outside. Throws while a transaction opened from here runs. */
  get db(): Db {
    this.refuseWhileOpen();
    return this.transaction ?? this.deps.database.prisma;
  }

  /**
   * Reads rows by SQL: outside a transaction straight through the driver, prepared unless said otherwise; inside, on the transaction.
   * Ask for int4, text, timestamptz and arrays of them: those come back alike on every path. Outside a transaction the statements of a
   * request without an account, or of a guest's, take a second together on a PostgreSQL server: TOO_EXPENSIVE beyond it.
   */
  async rows<T extends object>(sql: Prisma.Sql, options?: QueryOptions): Promise<T[]> {
    this.refuseWhileOpen();
    if (this.transaction) return this.transaction.$queryRaw<T[]>(sql);
    const { budget } = this;
    try {
      return await this.deps.database.query<T>(sql.text, sql.values, budget ? { ...options, budget } : options);
    } catch (error) {
      throw error instanceof TimeLimitError ? refuse('TOO_EXPENSIVE', TOO_EXPENSIVE) : error;
    }
  }

  /** The loader that collects the keys asked for within one tick into one call of `batch`; one per batch function and context. */
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

  /** The same context, transaction included, for another viewer: what the service itself does in somebody's name. */
  as(viewer: Viewer): RequestContext {
    return new RequestContext(this.deps, { ...this.input, viewer }, this.transaction, this.committed);
  }

  /** Runs when the transaction that is open has been committed, and not at all when it is rolled back. For what may be lost. */
  afterCommit(work: () => void): void {
    this.committed.push(work);
  }

  /** The same context for a request that bears an Idempotency-Key. */
  under(idempotency: IdempotencyKey | undefined): RequestContext {
    return idempotency ? new RequestContext(this.deps, { ...this.input, idempotency }, this.transaction) : this;
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
      this.deps.log.error({ err: error, request: this.input.requestId }, 'work after a commit failed');
    }
  }

  private refuseWhileOpen(): void {
    if (this.transactionOpen) throw new Error('The outer context must not be used while its transaction is open.');
  }
}

const ATTEMPTS = 3;

/**
 * The only way to open a transaction. `fn` gets a context whose `db` is the transaction and whose loaders are fresh; a nested call
 * joins the transaction that is open. Deadlocks and serialization failures are tried again, twice.
 *
 * `fn` answers the id of the row it changed. With `replayable`, a request under an Idempotency-Key is remembered with that id in the
 * same transaction: the same request again answers the id without changing anything; another request under the key is refused with
 * IDEMPOTENCY_KEY_REUSED, a twin still running with IDEMPOTENCY_KEY_IN_USE.
 */
export async function transact<T extends number>(
  context: RequestContext,
  fn: (context: RequestContext) => Promise<T>,
  options?: { replayable?: boolean },
): Promise<T>;
export async function transact<T>(context: RequestContext, fn: (context: RequestContext) => Promise<T>): Promise<T>;
export async function transact<T>(
  context: RequestContext,
  fn: (context: RequestContext) => Promise<T>,
  { replayable = false } = {},
): Promise<T> {
  if (context.inTransaction) return fn(context);
  const idempotency = replayable && context.viewer.id ? context.input.idempotency : undefined;
  const ordinal = idempotency ? idempotency.ordinal++ : 0;
  for (let attempt = 1; ; attempt++) {
    try {
      const made = await context.openTransaction((inner) => (idempotency ? once(inner, idempotency, ordinal, fn) : fn(inner)));
      if (replayable) context.changed.push(made as number);
      return made;
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryable(error)) throw error;
    }
  }
}

/** Holds a name until the transaction ends: whoever else wants it waits, in whatever process. One statement. */
export async function hold({ db, inTransaction }: RequestContext, name: string): Promise<void> {
  if (!inTransaction) throw new Error('A name is held inside a transaction.');
  await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}

const KEY_LIFETIME = 24 * 60 * 60 * 1000;

async function once<T>(
  context: RequestContext,
  { key, hash }: IdempotencyKey,
  ordinal: number,
  fn: (context: RequestContext) => Promise<T>,
): Promise<T> {
  const accountId = context.viewer.id;
  const [lock] = await context.db.$queryRaw<{ got: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${`${accountId}:${ordinal}:${key}`}, 0)) AS got`;
  if (!lock?.got) throw refuse('IDEMPOTENCY_KEY_IN_USE', 'A request with this Idempotency-Key is still running.');
  const where = { accountId_key_ordinal: { accountId, key, ordinal } };
  const known = await context.db.idempotentChange.findUnique({ where });
  if (known && context.deps.clock() - known.createdAt.getTime() < KEY_LIFETIME) {
    if (known.hash !== hash) throw refuse('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another request.');
    return known.rowId as T;
  }
  const rowId = await fn(context);
  const change = { accountId, key, ordinal, hash, rowId: rowId as number, createdAt: context.now() };
  await context.db.idempotentChange.upsert({ where, create: change, update: change });
  return rowId;
}
