import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';

const { sql } = Prisma;

/** Who changes items, and when; the service itself has the id 0. */
interface By {
  readonly viewer: Pick<RequestContext['viewer'], 'id'>;
  now(): Date;
}

/**
 * Returns the statement that notes what was done to items: the query `items` has their `id`, `kind`
 * and `author_id`, and `what`, a value of ContentChangeKind. Statements that change items end with it,
 * or have it as a WITH clause. The feed of content moves when the transaction commits.
 */
export const noteOf = (by: By, items: Prisma.Sql): Prisma.Sql => sql`
  INSERT INTO content_change (at, item_id, kind, author_id, what, by_id)
  SELECT ${by.now()}::timestamptz, id, kind, author_id, what, ${by.viewer.id || null}::int
  FROM (${items}) noted`;

/**
 * Returns the statement that updates rows of `content_item` by `update`, which returns `id`, `kind`
 * and `author_id` of them, and notes them as updated.
 */
export const notedUpdate = (by: By, update: Prisma.Sql): Prisma.Sql => sql`
  WITH changed AS (${update})
  ${noteOf(by, sql`SELECT id, kind, author_id, 'updated' AS what FROM changed`)} RETURNING item_id`;

/** Returns the statement that notes the items filed under terms as updated: they lose these. */
export const unfiledNote = (by: By, filed: Prisma.Sql): Prisma.Sql => sql`
  ${noteOf(
    by,
    sql`SELECT p.id, p.kind, p.author_id, 'updated' AS what FROM content_item p
      WHERE p.id IN (${filed})`,
  )} RETURNING item_id`;
