import { Prisma } from '../generated/prisma/client.js';
import type { RequestContext } from './context.js';
import { hold } from './transact.js';

const { raw, sql } = Prisma;

/**
 * Locks rows of a tree that are to go, and those directly below them, which move. Deletions in one
 * table wait for each other: one moves rows below those that another deletes.
 */
export async function lockTree(
  inner: RequestContext,
  table: string,
  going: readonly number[],
): Promise<void> {
  await hold(inner, `tree:${table}`);
  await inner.rows(sql`SELECT id FROM ${raw(table)}
    WHERE id = ANY(${going}::int[]) OR parent_id = ANY(${going}::int[]) ORDER BY id FOR UPDATE`);
}

/**
 * Returns the SELECT of where rows of a tree move when the rows above them go: `id` of each that is
 * directly below one that goes and stays itself, and `parent`, the nearest row above it that stays;
 * null at the top, and for a row that would be above itself. `table` has the columns id and parent_id.
 */
export const movedUp = (table: string, going: readonly number[]): Prisma.Sql => sql`
  WITH RECURSIVE above AS (SELECT id, parent_id, 1 AS level FROM ${raw(table)}
      WHERE parent_id = ANY(${going}::int[]) AND id <> ALL(${going}::int[])
    UNION ALL SELECT above.id, p.parent_id, level + 1 FROM above
      JOIN ${raw(table)} p ON p.id = above.parent_id
      WHERE above.parent_id = ANY(${going}::int[]) AND level <= 101)
  SELECT id, nullif(parent_id, id) AS parent FROM above
  WHERE parent_id IS NULL OR parent_id <> ALL(${going}::int[])`;
