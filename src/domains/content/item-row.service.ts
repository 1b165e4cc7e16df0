import type { RequestContext } from '../../context.js';
import { Prisma } from '../../generated/prisma/client.js';
import { ALL_COLUMNS, type ItemColumns, type ItemRow, type Kind } from './item.row.js';
import { RENDERING } from './rendering/rendering.js';

const LIGHT = Prisma.raw(`p.id, p.kind, p.status, p.title, p.title_rendered AS "titleRendered", p.slug, p.password,
  p.author_id AS "authorId", p.published_at AS "publishedAt", p.floating, p.modified_at AS "modifiedAt",
  p.comments_open AS "commentsOpen", p.pings_open AS "pingsOpen", p.sticky, p.format, p.template, p.footnotes,
  p.featured_media_id AS "featuredMediaId", coalesce(p.parent_id, 0) AS "parentId", p.menu_order AS "menuOrder", p.guid, p.version,
  p.rendering, p.block_version AS "blockVersion", p.revision_count AS "revisionCount",
  p.latest_revision_id AS "latestRevisionId", p.excerpt, p.excerpt_rendered AS "excerptRendered"`);
const CONTENT = Prisma.raw(', p.content');
const STALE_CONTENT = Prisma.raw(`, CASE WHEN p.rendering <> ${RENDERING} THEN p.content END AS content`);
const CONTENT_RENDERED = Prisma.raw(', p.content_rendered AS "contentRendered"');
const termIds = (taxonomy: string, name: string) => `, ARRAY(SELECT t.id FROM content_term ct JOIN term t ON t.id = ct.term_id
  WHERE ct.item_id = p.id AND t.taxonomy = '${taxonomy}' ORDER BY t.name_key, t.id) AS "${name}"`;
const TERMS = Prisma.raw(termIds('category', 'categoryIds') + termIds('post_tag', 'tagIds'));
const CLASSES = Prisma.raw(`, ARRAY(SELECT CASE t.taxonomy WHEN 'post_tag' THEN 'tag' ELSE t.taxonomy END || '-' || t.slug
  FROM content_term ct JOIN term t ON t.id = ct.term_id WHERE ct.item_id = p.id ORDER BY t.taxonomy, t.name_key, t.id) AS "termClasses"`);
const NOTHING = Prisma.empty;

/** The select list of items `p`, with the heavy columns that are needed. */
export function itemColumns({ content, contentRendered, terms, classes }: ItemColumns): Prisma.Sql {
  return Prisma.sql`${LIGHT}${content ? CONTENT : STALE_CONTENT}${contentRendered ? CONTENT_RENDERED : NOTHING}${
    terms ? TERMS : NOTHING
  }${classes ? CLASSES : NOTHING}`;
}

async function rowsById(context: RequestContext, kind: Kind, ids: readonly number[]): Promise<(ItemRow | undefined)[]> {
  const rows = await context.rows<ItemRow>(Prisma.sql`
    SELECT ${itemColumns(ALL_COLUMNS)} FROM content_item p WHERE p.kind = ${kind} AND p.id = ANY(${ids}::int[])`);
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => found.get(id));
}

/** Posts by id, whole, for `context.loader`. */
export function postRowsById(context: RequestContext, ids: readonly number[]): Promise<(ItemRow | undefined)[]> {
  return rowsById(context, 'post', ids);
}
