import type { Db } from '../platform/database/transaction.js';
import type { RequestContext } from './context.js';
import { type DomainError, refuse } from './errors.js';
import { deleteOnce, type Replayed, transact } from './transact.js';

/** Returns the first of some rows. Throws what `missing` makes when there is none. */
export function firstOf<T>([row]: readonly (T | undefined)[], missing: () => DomainError): T {
  if (row === undefined) throw missing();
  return row;
}

/** Reads a row by its id, as GraphQL shows it. Throws the reason when there is none. */
type Read<T> = (context: RequestContext, id: number) => Promise<T>;

/** Makes a row in a transaction, once under an Idempotency-Key. Returns what `read` reads. */
export async function createRow<T>(
  context: RequestContext,
  read: Read<T>,
  create: (db: Db) => Promise<{ readonly id: number }>,
): Promise<T> {
  const make = async ({ db }: RequestContext) => (await create(db)).id;
  return read(context, await transact(context, make, { replayable: true }));
}

/** Throws CONFLICT for a change that is based on another version than the present one. */
export function refuseStale(
  what: string,
  { version: present }: { readonly version: number },
  version: number | null | undefined,
): void {
  if (typeof version === 'number' && version !== present) throw stale(what, present);
}

const stale = (what: string, version: number) =>
  refuse('CONFLICT', `The ${what} has changed since it was read.`, {
    param: 'version',
    detail: { version },
  });

/** Which row is changed, and on which version the change is based; null for the present one. */
interface Based {
  readonly id: number;
  readonly version?: number | null | undefined;
}

/** How rows with a version are changed: `update` returns how many it found. */
interface Versioned<T> {
  /** Names a row in messages: "quote". */
  readonly what: string;
  readonly read: Read<T>;
  readonly update: (
    inner: RequestContext,
    where: { readonly id: number; readonly version?: number },
    version: { readonly increment: 1 },
  ) => Promise<{ readonly count: number }>;
}

/**
 * Changes a row in a transaction, once under an Idempotency-Key, and counts its version. Returns it
 * as it is then. Throws what `read` throws, and CONFLICT for another version.
 */
export async function updateRow<T extends { readonly version: number }>(
  context: RequestContext,
  { id, version }: Based,
  { what, read, update }: Versioned<T>,
): Promise<T> {
  const work = async (inner: RequestContext) => {
    const before = await read(inner, id);
    refuseStale(what, before, version);
    const where = { id, ...(typeof version === 'number' && { version }) };
    if ((await update(inner, where, { increment: 1 })).count === 0)
      throw stale(what, (await read(inner, id)).version);
    return id;
  };
  await transact(context, work, { replayable: true });
  return read(context, id);
}

/** How rows are deleted. `made` makes what GraphQL shows of a row, which has no class. */
interface Deletable<T, Shown> extends Replayed<T> {
  readonly read: Read<T>;
  readonly remove: (db: Db, where: { readonly id: number }) => Promise<unknown>;
  readonly made: (row: T) => Shown;
}

/**
 * Deletes a row in a transaction. Returns it as it was, and the same again under an
 * Idempotency-Key. Throws what `read` throws.
 */
export async function deleteRow<T extends object, Shown>(
  context: RequestContext,
  id: number,
  { read, remove, made, ...replayed }: Deletable<T, Shown>,
): Promise<Shown> {
  const work = async (inner: RequestContext) => {
    const row = await read(inner, id);
    await remove(inner.db, { id });
    return row;
  };
  return made(await deleteOnce(context, work, replayed));
}
