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
