import type { Deps } from '../../../core/deps.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { ItemStatus } from '../content.enums.js';
import { TITLE_KEYS, titleKey } from '../rendering/collation.js';
import { KINDS } from './item.kinds.js';

const { sql, join, raw } = Prisma;

/** All statuses: the index of titles is by kind and status. */
const STATUSES = [...Object.values(ItemStatus), 'trash', 'auto-draft'];
/** Maximum number of items that one statement keys. */
const BATCH = 500;

/** By what an import knows whether an item was changed here. It had the key of the title once. */
const digestSql = (key: string) =>
  raw(`md5(jsonb_build_array(p.kind, p.status, p.title, ${key}p.title_rendered, p.content,
    p.content_rendered, p.excerpt, p.excerpt_rendered, p.rendering, p.block_version, p.slug, p.password,
    p.author_id, p.published_at, p.floating, p.created_at, p.modified_at, p.comments_open,
    p.pings_open, p.sticky, p.format, p.template, p.footnotes, p.featured_media_id, p.parent_id,
    p.menu_order, p.guid, p.version, p.clocks)::text)`);

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
        WITH r AS (SELECT * FROM jsonb_to_recordset(${JSON.stringify(keyed)}::jsonb) AS r(id int, title text, key text)),
        imported AS (UPDATE imported_row i SET own_digest = ${digestSql('')}
          FROM content_item p JOIN r USING (id, title)
          WHERE i.kind = p.kind AND i.id = p.id AND i.own_digest = ${digestSql('p.title_key, ')})
        UPDATE content_item p SET title_key = r.key FROM r
        WHERE p.id = r.id AND p.title = r.title`;
    }
}
