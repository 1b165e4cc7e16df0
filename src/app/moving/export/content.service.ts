import type { Kind } from '../../../domains/content/item/item.kinds.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { Db } from '../../../platform/database/transaction.js';
import { NOBODY } from '../stand-ins.js';
import type { WxrAuthor, WxrMedium, WxrOwnItem, WxrOwnTerm, WxrSite } from '../wxr/wxr-text.js';

const { sql } = Prisma;

/** Reads rows behind one, at most so many. */
export type Reading<Row> = (db: Db, last: Row | undefined, most: number) => Promise<Row[]>;

/** A term with how many are above it. */
export type DeepTerm = WxrOwnTerm & { readonly depth: number };

/** No vocabulary is deeper; terms whose parents are a circle come last. */
const DEEPEST = 1_000;

/** SQL of what is content: an item that was opened and never saved is none. */
const IS_CONTENT = sql`t.status <> 'auto-draft'`;
/** SQL of the user name of an author; nobody has none. */
const AUTHOR = sql`(SELECT username FROM account a WHERE a.id = t.author_id AND a.id <> ${NOBODY}) AS author`;

/** Returns what the site is called, and its clocks. */
export async function siteOf(db: Db, home: string): Promise<WxrSite> {
  const { title, tagline, timeZone } = await db.site.findUniqueOrThrow({ where: { id: 1 } });
  return { title, tagline, timeZone, home };
}

/** Returns how many elements the content of an export has. */
export async function countContent(db: Db): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>(sql`
    SELECT ((SELECT count(*) FROM account t WHERE ${IS_AUTHOR}) + (SELECT count(*) FROM term)
      + (SELECT count(*) FROM content_item t WHERE ${IS_CONTENT}) + (SELECT count(*) FROM media))::int AS count`);
  return row?.count ?? 0;
}

const IS_AUTHOR = sql`t.id <> ${NOBODY}
  AND (EXISTS (SELECT FROM content_item i WHERE i.author_id = t.id AND i.status <> 'auto-draft')
    OR EXISTS (SELECT FROM media m WHERE m.author_id = t.id))`;

/** Reads the accounts that have written something, by their numbers. */
export const authorsBehind: Reading<WxrAuthor> = (db, last, most) =>
  db.$queryRaw(sql`
    SELECT t.id, t.username, t.email, t.name FROM account t
    WHERE ${IS_AUTHOR} AND t.id > ${last?.id ?? 0} ORDER BY t.id LIMIT ${most}::int`);

/** Reads terms, none before its parent, then by their numbers. */
export const termsBehind: Reading<DeepTerm> = (db, last, most) =>
  db.$queryRaw(sql`
    WITH RECURSIVE deep(id, depth) AS (
      SELECT id, 0 FROM term WHERE parent_id IS NULL
      UNION ALL SELECT t.id, d.depth + 1 FROM term t JOIN deep d ON d.id = t.parent_id)
    SELECT t.id, t.taxonomy, t.slug, t.name, t.description, p.slug AS parent,
      COALESCE(d.depth, ${DEEPEST}::int) AS depth
    FROM term t LEFT JOIN deep d ON d.id = t.id
    LEFT JOIN term p ON p.id = t.parent_id AND p.taxonomy = t.taxonomy
    WHERE (COALESCE(d.depth, ${DEEPEST}::int), t.id) > (${last?.depth ?? -1}, ${last?.id ?? 0})
    ORDER BY depth, t.id LIMIT ${most}::int`);

/** Reads the items of a kind by their numbers. */
export const itemsBehind =
  (kind: Kind): Reading<WxrOwnItem> =>
  (db, last, most) =>
    db.$queryRaw(sql`
      SELECT t.id, t.kind, t.status, t.title, t.content, t.excerpt, t.slug, t.password, ${AUTHOR},
        t.published_at AS "publishedAt", t.floating, t.modified_at AS "modifiedAt",
        t.comments_open AS "commentsOpen", t.pings_open AS "pingsOpen", t.sticky, t.format, t.template,
        t.footnotes, t.featured_media_id AS "featuredMediaId", t.parent_id AS "parentId",
        t.menu_order AS "menuOrder", t.guid, t.trashed_from AS "trashedFrom", t.clocks, t.insets,
        (SELECT COALESCE(json_agg(json_build_object('taxonomy', m.taxonomy, 'slug', m.slug, 'name', m.name)
            ORDER BY m.id), '[]')
          FROM content_term f JOIN term m ON m.id = f.term_id WHERE f.item_id = t.id) AS terms
      FROM content_item t
      WHERE t.kind = ${kind} AND ${IS_CONTENT} AND t.id > ${last?.id ?? 0}
      ORDER BY t.id LIMIT ${most}::int`);

/** Reads media by their numbers. */
export const mediaBehind: Reading<WxrMedium> = (db, last, most) =>
  db.$queryRaw(sql`
    SELECT t.id, t.title, t.slug, t.description AS content, t.caption AS excerpt, ${AUTHOR},
      t.created_at AS "publishedAt", t.modified_at AS "modifiedAt", t.item_id AS "parentId",
      t.source_url AS "sourceUrl", t.mime_type AS "mimeType", t.width, t.height, t.sizes::json AS sizes, t.details,
      t.alt_text AS "altText", t.attachment, t.comments_open AS "commentsOpen", t.clocks
    FROM media t WHERE t.id > ${last?.id ?? 0} ORDER BY t.id LIMIT ${most}::int`);
