import type { RequestContext } from '../../../core/context.js';
import {
  headsOf,
  latestCheckpoint,
  looseRows,
  rowsOfSeal,
  sealsAfter,
  strayRows,
} from '../audit-row.service.js';
import type { AuditSource } from './verification.js';

const ROWS = 1_000;
const SEALS = 20;
/** Values below every id and every number. */
const FIRST = '-9223372036854775808';
const LOWEST = -(2 ** 31);

/**
 * Returns the audit in the database as a source for `verify`. Reads in batches, so memory does not
 * grow with the audit.
 */
export function databaseSource(context: RequestContext): AuditSource {
  return {
    checkpoint: () => latestCheckpoint(context),
    seals: () =>
      batches(
        LOWEST,
        SEALS,
        (number) => sealsAfter(context, number, SEALS),
        ({ number }) => number,
      ),
    heads: (numbers) => headsOf(context, numbers),
    rows: (seal) => byId((id) => rowsOfSeal(context, seal, id, ROWS)),
    loose: () => byId((id) => looseRows(context, id, ROWS)),
    stray: (pruned) => byId((id) => strayRows(context, pruned, id, ROWS)),
  };
}

const byId = <T extends { id: string }>(read: (after: string) => Promise<T[]>) =>
  batches(FIRST, ROWS, read, ({ id }) => id);

async function* batches<T, K>(
  first: K,
  size: number,
  read: (after: K) => Promise<T[]>,
  keyOf: (row: T) => K,
): AsyncGenerator<T> {
  for (let after = first; ; ) {
    const rows = await read(after);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < size) return;
    after = keyOf(last);
  }
}
