import { deserialize, serialize } from 'node:v8';
import { Prisma } from '../generated/prisma/client.js';
import { hasOtherColumns, isOvertaken, isRetryable } from '../platform/database/database.js';
import type { IdempotencyKey, RequestContext } from './context.js';
import type { Deps } from './deps.js';
import { DomainError, type Refusal, refuse } from './errors.js';
import { prune } from './pruning.js';

const ATTEMPTS = 3;

/**
 * Opens a transaction; nothing else does. `fn` gets a context whose `db` is the transaction and
 * whose loaders are empty. A nested call joins the open transaction. Deadlocks and serialization
 * failures are tried again, twice. Where another transaction has meanwhile made or removed a row
 * that this one looked for, it is tried again once, and sees that. In a query the transaction has a
 * context of its own: the other fields of the document go on.
 *
 * `fn` returns the id of the row that it changed. With `replayable`, a request with an
 * Idempotency-Key is stored with that id in the same transaction. An identical later request
 * returns the id without a change. Throws IDEMPOTENCY_KEY_REUSED for another request with the same
 * key, and IDEMPOTENCY_KEY_IN_USE while an identical one runs. `timeout`: milliseconds after which
 * it is rolled back, instead of the limit that holds for requests.
 */
export async function transact<T extends number>(
  context: RequestContext,
  fn: (context: RequestContext) => Promise<T>,
  options?: { replayable?: boolean },
): Promise<T>;
export async function transact<T>(
  context: RequestContext,
  fn: (context: RequestContext) => Promise<T>,
  options?: { timeout?: number },
): Promise<T>;
export async function transact<T>(
  context: RequestContext,
  fn: (context: RequestContext) => Promise<T>,
  { replayable = false, timeout }: { replayable?: boolean; timeout?: number } = {},
): Promise<T> {
  if (context.inTransaction) return fn(context);
  if (!replayable) return opened(context, fn, timeout);
  const id = await openedOnce(context, fn, ROW_ID as Stored<T>);
  context.changed.push(id as number);
  return id;
}

/** What the deletion of a row says for a replay. */
export interface Replayed<T> {
  /**
   * Returns whom the row tells of: ids of accounts, keys and hashes of addresses. What is stored
   * is deleted when one of them is erased.
   */
  readonly about?: (row: T) => readonly (number | string)[];
  /** Returns why the viewer may not delete the row, where that depends on the row. */
  readonly refuse?: (
    inner: RequestContext,
    row: T,
  ) => Refusal | undefined | Promise<Refusal | undefined>;
}

/**
 * Opens a transaction in which `fn` deletes rows and returns them as they were, or changes many and
 * returns what became of each. With an Idempotency-Key that is stored for a day: an identical later
 * request changes nothing, and returns it again. It is plain: no class is stored. Throws as
 * `transact` does, and for a replay the refusal of `replayed`.
 */
export async function deleteOnce<T extends object>(
  context: RequestContext,
  fn: (context: RequestContext) => Promise<T>,
  replayed: Replayed<T> = {},
): Promise<T> {
  return context.inTransaction ? fn(context) : openedOnce(context, fn, deletedAs(replayed));
}

/** The columns in which what a change returns is stored under an Idempotency-Key. */
interface StoredColumns {
  readonly rowId: number;
  readonly deleted: Uint8Array<ArrayBuffer> | null;
  readonly about: string[];
}

/** How what a change returns becomes columns, and again what it was. */
interface Stored<T> extends Pick<Replayed<T>, 'refuse'> {
  readonly isDeletion: boolean;
  readonly columns: (result: T) => StoredColumns;
  readonly result: (columns: StoredColumns) => T;
}

const ROW_ID: Stored<unknown> = {
  isDeletion: false,
  columns: (id) => ({ rowId: id as number, deleted: null, about: [] }),
  result: ({ rowId }) => rowId,
};

const deletedAs = <T>({ about, refuse: refusal }: Replayed<T>): Stored<T> => ({
  isDeletion: true,
  columns: (row) => ({
    rowId: 0,
    deleted: new Uint8Array(serialize(row)),
    about: (about?.(row) ?? []).map(toldOf),
  }),
  result: ({ deleted }) => deserialize(deleted as Uint8Array) as T,
  ...(refusal && { refuse: refusal }),
});

/** Returns how somebody is stored: a user name may be a number too. */
const toldOf = (key: number | string) => (typeof key === 'number' ? `account ${key}` : key);

/**
 * Deletes what is stored under Idempotency-Keys and tells of somebody, whoever deleted it: `about`
 * as in `Replayed`. One statement.
 */
export async function forgetDeletionsAbout(
  { db }: RequestContext,
  about: readonly (number | string)[],
): Promise<void> {
  // The condition of the index
  await db.$executeRaw`DELETE FROM idempotent_change
    WHERE about <> '{}' AND about && ${about.map(toldOf)}::text[]`;
}

async function openedOnce<T>(
  context: RequestContext,
  fn: (context: RequestContext) => Promise<T>,
  stored: Stored<T>,
): Promise<T> {
  const idempotency = context.viewer.id ? context.input.idempotency : undefined;
  if (!idempotency) return opened(context, fn);
  const ordinal = ordinalOf(idempotency);
  idempotency.changes++;
  return opened(context, (inner) => once(inner, { ...idempotency, ordinal }, fn, stored));
}

/** More than a request has root fields. */
const MOST_FIELDS = 1_000;

/**
 * Returns the number of the next change among those of a request. It depends on the place of its root field
 * alone: were changes counted that others have begun, one that is refused the first time and made the
 * next would take what another field has made for its own.
 */
const ordinalOf = ({ field, changes }: IdempotencyKey): number =>
  Math.max(0, field) + changes * MOST_FIELDS;

async function opened<T>(
  context: RequestContext,
  fn: (context: RequestContext) => Promise<T>,
  timeout?: number,
): Promise<T> {
  const opening = context.isQuery ? context.as(context.viewer) : context;
  context.lags = false; // It reads what it writes.
  for (let failed = 1, overtaken = 1; ; ) {
    try {
      return await opening.openTransaction(fn, timeout);
    } catch (error) {
      const isLast =
        isRetryable(error) || hasOtherColumns(error)
          ? failed++ >= ATTEMPTS
          : !isOvertaken(error) || overtaken++ > 1;
      if (isLast) throw error;
    }
  }
}

/**
 * Runs a change that is whole by itself, or opens its transaction where it needs one. With an
 * Idempotency-Key it runs inside one transaction as with `transact` and `replayable`.
 */
export async function changeOnce(
  context: RequestContext,
  fn: (context: RequestContext) => Promise<number>,
): Promise<number> {
  if (context.inTransaction) return fn(context);
  if (context.viewer.id && context.input.idempotency)
    return transact(context, fn, { replayable: true });
  const id = await fn(context);
  context.changed.push(id);
  return id;
}

/**
 * Takes an exclusive lock on a name until the transaction ends. Other processes that want it wait.
 * Costs one statement.
 */
export async function hold({ db, inTransaction }: RequestContext, name: string): Promise<void> {
  if (!inTransaction) throw new Error('A name is held inside a transaction.');
  await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}

/**
 * Takes a shared lock on a name until the transaction ends: who `hold`s it waits, and others that
 * share it do not. Costs one statement.
 */
export async function share({ db, inTransaction }: RequestContext, name: string): Promise<void> {
  if (!inTransaction) throw new Error('A name is shared inside a transaction.');
  await db.$executeRaw`SELECT pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`;
}

const KEY_LIFETIME = 24 * 60 * 60 * 1000;

/**
 * Returns whether the request is a deletion that was made before under its Idempotency-Key: what it
 * names is not there any more. Costs one statement, and none without a key.
 */
export async function wasDeleted({ db, deps, input, viewer }: RequestContext): Promise<boolean> {
  if (!viewer.id || !input.idempotency) return false;
  const { key, hash } = input.idempotency;
  const ordinal = ordinalOf(input.idempotency);
  const createdAt = { gt: new Date(deps.clock() - KEY_LIFETIME) };
  const where = { accountId: viewer.id, key, ordinal, hash, createdAt, deleted: { not: null } };
  return (await db.idempotentChange.count({ where })) > 0;
}

/**
 * Returns whether the next change of the request was made before under its Idempotency-Key, so that
 * work that goes before it can be left out. Costs one statement, and none without a key.
 */
export async function wasMade({ db, deps, input, viewer }: RequestContext): Promise<boolean> {
  if (!viewer.id || !input.idempotency) return false;
  const { key } = input.idempotency;
  const ordinal = ordinalOf(input.idempotency);
  const createdAt = { gt: new Date(deps.clock() - KEY_LIFETIME) };
  const where = { accountId: viewer.id, key, ordinal, createdAt };
  return (await db.idempotentChange.count({ where })) > 0;
}

async function once<T>(
  context: RequestContext,
  { key, hash, ordinal }: IdempotencyKey & { readonly ordinal: number },
  fn: (context: RequestContext) => Promise<T>,
  stored: Stored<T>,
): Promise<T> {
  const accountId = context.viewer.id;
  const [lock] = await context.db.$queryRaw<{ got: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${`${accountId}:${ordinal}:${key}`}, 0))
      AS got`;
  if (!lock?.got)
    throw refuse('IDEMPOTENCY_KEY_IN_USE', 'A request with this Idempotency-Key is still running.');
  const where = { accountId_key_ordinal: { accountId, key, ordinal } };
  const known = await context.db.idempotentChange.findUnique({ where });
  if (known && context.deps.clock() - known.createdAt.getTime() < KEY_LIFETIME) {
    // A request that a version without stored deletions answered is no longer told apart.
    if (known.hash !== hash || stored.isDeletion !== (known.deleted !== null))
      throw refuse('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another request.');
    const again = stored.result({ ...known, rowId: Number(known.rowId) });
    const refusal = await stored.refuse?.(context, again);
    if (refusal) throw new DomainError(refusal);
    return again;
  }
  const result = await fn(context);
  const columns = stored.columns(result);
  const change = { accountId, key, ordinal, hash, ...columns, createdAt: context.now() };
  await context.db.idempotentChange.upsert({ where, create: change, update: change });
  return result;
}

/** Deletes what is stored under Idempotency-Keys of more than a day ago. For a job. */
export async function forgetRetries(
  { database, clock }: Deps,
  stopping: AbortSignal,
): Promise<void> {
  const where = Prisma.sql`created_at < ${new Date(clock() - KEY_LIFETIME)}`;
  const by = Prisma.sql`created_at`;
  await prune(database.db, { table: Prisma.sql`idempotent_change`, where, by }, stopping);
}
