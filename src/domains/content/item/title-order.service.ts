import type { Deps } from '../../../core/deps.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { ItemStatus } from '../content.enums.js';
import { TITLE_KEYS, titleKey } from '../rendering/collation.js';
import { KINDS } from './item.kinds.js';

const { sql, join } = Prisma;

/** All statuses: the index of titles is by kind and status. */
const STATUSES = [...Object.values(ItemStatus), 'trash', 'auto-draft'];
/** Maximum number of items that one statement keys. */
const BATCH = 500;

/**
 * Makes the keys of titles that a version before stored: their first character tells them. Each batch is
 * committed, so that a run goes on where the one before ended. A title that is edited meanwhile is left
 * to the next batch.
 */
export async function orderTitles(
  { database: { db } }: Pick<Deps, 'database'>,
  stopping: AbortSignal,
): Promise<void> {
  const [first, behind] = TITLE_KEYS;
  for (const before of [sql`title_key < ${first}`, sql`title_key >= ${behind}`])
    while (!stopping.aborted) {
      const rows = await db.$queryRaw<{ id: number; title: string }[]>`
        SELECT id, title FROM content_item
        WHERE kind IN (${join(Object.keys(KINDS))}) AND status IN (${join(STATUSES)}) AND ${before}
        LIMIT ${BATCH}::int`;
      if (rows.length === 0) break;
      const keyed = rows.map(({ id, title }) => ({ id, title, key: titleKey(title) }));
      await db.$executeRaw`
        UPDATE content_item p SET title_key = r.key
        FROM jsonb_to_recordset(${JSON.stringify(keyed)}::jsonb) AS r(id int, title text, key text)
        WHERE p.id = r.id AND p.title = r.title`;
    }
}
