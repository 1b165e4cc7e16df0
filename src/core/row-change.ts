import type { RequestContext } from './context.js';
import { DomainError, type Refusal } from './errors.js';
import type { NodeKey } from './node.js';
import { deleteOnce } from './transact.js';

/**
 * How rows of a noun are changed, one or many at once. Each function takes a constant number of
 * statements, whatever the number of rows.
 */
export interface RowChange<Row extends object> {
  /** The refusal of a row that is not there. */
  readonly missing: Refusal;
  /** Locks rows, and returns them in the order of their keys; undefined for what is not there. */
  readonly lock: (
    inner: RequestContext,
    keys: readonly never[],
  ) => Promise<readonly (Row | undefined)[]>;
  /** Returns why the viewer may not change a row, or why it cannot be. Runs no statement. */
  readonly refuse: (context: RequestContext, row: Row) => Refusal | undefined;
  readonly write: (inner: RequestContext, rows: readonly Row[]) => Promise<unknown>;
  /**
   * Does what is too much for the transaction that changes many rows, in transactions of its own
   * before it, for those that will not be refused. Not done for a change that is atomic.
   */
  readonly prepare?: (context: RequestContext, keys: readonly never[]) => Promise<void>;
}

/** Changes a row, inside a transaction. Returns it as it was. Throws the refusals of the change. */
export async function changeRow<Row extends object>(
  inner: RequestContext,
  change: RowChange<Row>,
  key: NodeKey,
  version?: number | null,
): Promise<Row> {
  const [row] = await change.lock(inner, [key] as never);
  const refusal = refusalOf(inner, change, row, version);
  if (refusal) throw new DomainError(refusal);
  await change.write(inner, [row as Row]);
  return row as Row;
}

/** Which rows are changed at once. */
export interface RowsChanged {
  readonly ids: readonly NodeKey[];
  /** The versions that the change is based on, in the order of `ids`. */
  readonly versions?: readonly (number | null)[] | null;
  /** Whether a refusal of one keeps all others as they are. Default false. */
  readonly atomic?: boolean | null;
}

/**
 * Changes many rows in one transaction. Returns the refusal of each in the order of `ids`, null for
 * those that were changed, and the same again under an Idempotency-Key. With `atomic` and a refusal
 * nothing is changed, and all others are ROLLED_BACK.
 */
export async function changeRows<Row extends object>(
  context: RequestContext,
  change: RowChange<Row>,
  { ids, versions, atomic }: RowsChanged,
): Promise<(Refusal | null)[]> {
  if (!context.inTransaction && !atomic) await change.prepare?.(context, ids as never);
  return deleteOnce(context, async (inner) => {
    const rows = await change.lock(inner, ids as never);
    const refusals = ids.map((_, i) => refusalOf(inner, change, rows[i], versions?.[i]) ?? null);
    if (atomic && refusals.some(Boolean)) return refusals.map((refusal) => refusal ?? ROLLED_BACK);
    const changed = rows.flatMap((row, i) => (row && !refusals[i] ? [row] : []));
    if (changed.length > 0) await change.write(inner, changed);
    return refusals;
  });
}

const ROLLED_BACK: Refusal = {
  reason: 'ROLLED_BACK',
  message: 'Nothing was changed, because another of the list was refused.',
};

function refusalOf<Row extends object>(
  context: RequestContext,
  { missing, refuse }: RowChange<Row>,
  row: Row | undefined,
  version: number | null | undefined,
): Refusal | undefined {
  if (!row) return missing;
  const { version: present } = row as { readonly version?: number };
  const isStale = typeof version === 'number' && version !== present;
  return refuse(context, row) ?? (isStale ? stale(present) : undefined);
}

const stale = (version: number | undefined): Refusal => ({
  reason: 'CONFLICT',
  message: `It has changed since it was read: its version is ${version}.`,
  param: 'version',
  detail: { version },
});
