import type { Db } from '../platform/database/transaction.js';
import type { RequestContext } from './context.js';
import { type DomainError, refuse } from './errors.js';
import { deleteOnce, type Replayed, transact } from './transact.js';

/** Returns the first of some rows. Throws what `missing` makes when there is none. */
export function firstOf<T>([row]: readonly (T | undefined)[], missing: () => DomainError): T {
  if (row === undefined) throw missing();
  return row;
}

/** Makes a row in a transaction, once under an Idempotency-Key. Returns its id. */
export const createRow = (
  context: RequestContext,
  create: (db: Db) => Promise<{ readonly id: number }>,
): Promise<number> =>
  transact(context, async ({ db }) => (await create(db)).id, { replayable: true });

/** Throws CONFLICT for a change that is based on another version than the present one. */
export function refuseStale(
  what: string,
  { version: present }: { readonly version: number },
  version: number | null | undefined,
): void {
  if (typeof version === 'number' && version !== present) throw stale(what);
}

const stale = (what: string) =>
  refuse('CONFLICT', `The ${what} has changed since it was read.`, { param: 'version' });

/** Which row is changed, and on which version the change is based; null for the present one. */
interface Based {
  readonly id: number;
  readonly version?: number | null | undefined;
}

/** How rows with a version are changed: `update` returns how many it found. */
interface Versioned {
  /** Names a row in messages: "quote". */
  readonly what: string;
  readonly read: (inner: RequestContext, id: number) => Promise<unknown>;
  readonly update: (
    db: Db,
    where: { readonly id: number; readonly version?: number },
    version: { readonly increment: 1 },
  ) => Promise<{ readonly count: number }>;
}

/**
 * Changes a row in a transaction, once under an Idempotency-Key, and counts its version. Throws
 * what `read` throws, and CONFLICT for another version.
 */
export async function updateRow(
  context: RequestContext,
  { id, version }: Based,
  { what, read, update }: Versioned,
): Promise<void> {
  const work = async (inner: RequestContext) => {
    await read(inner, id);
    const where = { id, ...(typeof version === 'number' && { version }) };
    if ((await update(inner.db, where, { increment: 1 })).count === 0) throw stale(what);
    return id;
  };
  await transact(context, work, { replayable: true });
}

/**
 * Deletes a row in a transaction. Returns it as it was, and the same again under an
 * Idempotency-Key. Throws what `read` throws.
 */
export const deleteRow = <T extends object>(
  context: RequestContext,
  read: (inner: RequestContext) => Promise<T>,
  remove: (db: Db) => Promise<unknown>,
  replayed?: Replayed<T>,
): Promise<T> => {
  const work = async (inner: RequestContext) => {
    const row = await read(inner);
    await remove(inner.db);
    return row;
  };
  return deleteOnce(context, work, replayed);
};
