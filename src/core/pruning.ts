import { Prisma } from '../generated/prisma/client.js';
import type { Db } from '../platform/database/transaction.js';
import { giveWay } from '../platform/jobs/give-way.js';

/** Maximum number of rows that one statement deletes, unless the rows say otherwise. */
const AT_ONCE = 10_000;

/** Rows to delete. `by` are the columns of an index that finds them. */
export interface EndedRows {
  readonly table: Prisma.Sql;
  readonly where: Prisma.Sql;
  readonly by: Prisma.Sql;
  /** Maximum number by one statement: fewer than 10,000 where many rows go with each. */
  readonly atOnce?: number;
}

/**
 * Deletes rows in the order of an index, at most `atOnce` by a statement, until none is left or
 * `stopping` is aborted. Returns how many. For jobs: a backlog of any size never meets the time
 * limit of a statement, and holds no lock for long. A row that is renewed meanwhile stays, since it
 * is asked for `where` again.
 */
export async function prune(
  db: Pick<Db, '$executeRaw'>,
  { table, where, by, atOnce = AT_ONCE }: EndedRows,
  stopping?: AbortSignal,
): Promise<number> {
  for (let sum = 0; ; await giveWay()) {
    // The order makes the database use the index, although it cannot know that few rows match.
    const count = await db.$executeRaw(Prisma.sql`DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${table} WHERE ${where} ORDER BY ${by} LIMIT ${atOnce}::int)) AND ${where}`);
    sum += count;
    if (count < atOnce || stopping?.aborted) return sum;
  }
}
