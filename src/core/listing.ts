import { Prisma } from '../generated/prisma/client.js';
import type { QueryOptions } from '../platform/database/database.js';
import type { RequestContext } from './context.js';
import { refuse } from './errors.js';
import { type OrderKey, orderOf, within } from './keyset.js';
import { type Page, type PageArgs, pageOf, windowOf } from './paging.js';

const { sql } = Prisma;

/** A list of rows of which pages are read by SQL. */
export interface Listing<T> {
  /** Names the list and its order; cursors carry it. */
  readonly name: string;
  readonly order: readonly OrderKey[];
  /** How many rows a page has unless said otherwise. Default 20. */
  readonly usual?: number;
  /** What stands behind FROM when the list is counted. */
  readonly from: Prisma.Sql;
  /** The condition of the rows that belong to the list. Default: all. */
  readonly where?: Prisma.Sql;
  /** Reads rows: `condition` follows WHERE, `rest` is the order and the limit behind it. */
  readonly read: (
    context: RequestContext,
    condition: Prisma.Sql,
    rest: Prisma.Sql,
  ) => Promise<readonly T[]>;
  /** Returns the values of a row that the list is ordered by. */
  readonly keysOf: (row: T) => readonly (string | number | Date)[];
}

/** Which page is asked for: by cursors, or by its number from 1. */
export type ListedPage = PageArgs & { readonly page?: number | null };

/**
 * Returns a page of a list with one call of `read`, and counts the list with a statement of its own
 * where the count is selected. A number beyond the last page gives an empty page. Throws
 * CURSOR_INVALID, PAGE_SIZES_BOTH.
 */
export async function listPage<T>(
  context: RequestContext,
  { page, ...args }: ListedPage,
  { name, order, usual = 20, from, where = sql`TRUE`, read, keysOf }: Listing<T>,
): Promise<Page<T>> {
  const window = windowOf(args, name, order, usual);
  const skipped = ((page ?? 1) - 1) * window.size;
  const rows = await read(
    context,
    sql`${where} AND ${within(order, window)}`,
    sql`${orderOf(order, window)} LIMIT ${window.size + 1}::int ${
      skipped > 0 ? sql`OFFSET ${skipped}::bigint` : Prisma.empty
    }`,
  );
  return pageOf(rows, window, keysOf, () => countRows(context, sql`${from} WHERE ${where}`));
}

/** Throws PAGE_OUT_OF_RANGE for a page without rows that is not the first. */
export function refuseBeyond(rows: readonly unknown[], page: number | null | undefined): void {
  if (rows.length === 0 && (page ?? 1) > 1)
    throw refuse('PAGE_OUT_OF_RANGE', 'The page number requested is larger than there are pages.');
}

/** Returns how many rows there are. `from` is what stands behind FROM, with its condition. */
export async function countRows(
  context: RequestContext,
  from: Prisma.Sql,
  options?: QueryOptions,
): Promise<number> {
  const [row] = await context.rows<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM ${from}`,
    options,
  );
  return row?.count ?? 0;
}
