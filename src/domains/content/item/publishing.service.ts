import type { Deps } from '../../../core/deps.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { noteOf } from '../change/change.sql.js';

/**
 * SQL of the items that wait for their time. One that was imported a day or more after its time, and
 * that the original never published, waits until somebody gives it another date.
 */
const SCHEDULED = `status = 'future' AND NOT EXISTS (SELECT FROM imported_row i
  WHERE i.kind = content_item.kind AND i.id = content_item.id
    AND i.imported_at > content_item.published_at + interval '1 day')`;

/** SQL of the instant for which the first item is scheduled. */
export const NEXT_PUBLICATION = `SELECT min(published_at) FROM content_item WHERE ${SCHEDULED}`;

/** SQL of the items whose time has come: see `Queue`. */
export const WAITING_PUBLICATIONS = `
  SELECT published_at AS since FROM content_item
  WHERE ${SCHEDULED} AND published_at <= $1::timestamptz ORDER BY published_at`;

/** Maximum number of items that one statement publishes. */
const BATCH = 500;

/**
 * Publishes items that were scheduled for a time that has come, by the injected clock. Returns how
 * many. Each batch is one statement, so that a crash or a second process publishes nothing by half
 * or twice. An item that is being edited is left to the next run.
 */
export async function publishDue({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): Promise<number> {
  const now = new Date(clock());
  for (let sum = 0; ; ) {
    const count = await database.db.$executeRaw`
      WITH published AS (UPDATE content_item SET status = 'publish', version = version + 1
        WHERE id = ANY(ARRAY(
          SELECT id FROM content_item WHERE ${Prisma.raw(SCHEDULED)} AND published_at <= ${now}
          ORDER BY published_at LIMIT ${BATCH}::int FOR NO KEY UPDATE SKIP LOCKED))
        RETURNING id, kind, author_id, 'updated' AS what)
      ${noteOf({ viewer: { id: 0 }, now: () => now }, Prisma.sql`SELECT * FROM published`)}`;
    sum += count;
    if (count < BATCH) return sum;
  }
}
