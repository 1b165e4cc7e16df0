import { isRetryable } from '../platform/database/database.js';
import type { IdempotencyKey, RequestContext } from './context.js';
import { refuse } from './errors.js';

const ATTEMPTS = 3;

/**
 * The only way to open a transaction. `fn` gets a context whose `db` is the transaction and whose
 * loaders are fresh; a nested call joins the transaction that is open. Deadlocks and serialization
 * failures are tried again, twice.
 *
 * `fn` answers the id of the row it changed. With `replayable`, a request under an Idempotency-Key
 * is remembered with that id in the same transaction: the same request again answers the id without
 * changing anything; another request under the key is refused with IDEMPOTENCY_KEY_REUSED, a twin
 * still running with IDEMPOTENCY_KEY_IN_USE.
 */
export async function transact<T extends number>(
  context: RequestContext,
  fn: (context: RequestContext) => Promise<T>,
  options?: { replayable?: boolean },
): Promise<T>;
export async function transact<T>(
  context: RequestContext,
  fn: (context: RequestContext) => Promise<T>,
): Promise<T>;
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
      const made = await context.openTransaction((inner) =>
        idempotency ? once(inner, idempotency, ordinal, fn) : fn(inner),
      );
      if (replayable) context.changed.push(made as number);
      return made;
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryable(error)) throw error;
    }
  }
}

/**
 * Holds a name until the transaction ends: whoever else wants it waits, in whatever process. One
 * statement.
 */
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
  if (!lock?.got)
    throw refuse('IDEMPOTENCY_KEY_IN_USE', 'A request with this Idempotency-Key is still running.');
  const where = { accountId_key_ordinal: { accountId, key, ordinal } };
  const known = await context.db.idempotentChange.findUnique({ where });
  if (known && context.deps.clock() - known.createdAt.getTime() < KEY_LIFETIME) {
    if (known.hash !== hash)
      throw refuse('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another request.');
    return known.rowId as T;
  }
  const rowId = await fn(context);
  const change = {
    accountId,
    key,
    ordinal,
    hash,
    rowId: rowId as number,
    createdAt: context.now(),
  };
  await context.db.idempotentChange.upsert({ where, create: change, update: change });
  return rowId;
}
