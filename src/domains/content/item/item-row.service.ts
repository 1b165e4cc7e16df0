import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { RENDERING } from '../rendering/rendering.js';
import { type Kind, mapKinds } from './item.kinds.js';
import { ALL_COLUMNS, type ItemColumns, type ItemRow } from './item.row.js';

const LIGHT =
  Prisma.raw(`p.id, p.kind, p.status, p.title, p.title_rendered AS "titleRendered", p.slug, p.password,
  p.author_id AS "authorId", p.published_at AS "publishedAt", p.floating, p.modified_at AS "modifiedAt",
  p.comments_open AS "commentsOpen", p.pings_open AS "pingsOpen", p.sticky, p.format, p.template, p.footnotes,
  p.featured_media_id AS "featuredMediaId", coalesce(p.parent_id, 0) AS "parentId", p.menu_order AS "menuOrder", p.guid, p.version,
  p.rendering, p.block_version AS "blockVersion", p.revision_count AS "revisionCount",
  p.latest_revision_id AS "latestRevisionId", p.excerpt, p.excerpt_rendered AS "excerptRendered"`);
const CONTENT = Prisma.raw(', p.content');
const STALE_CONTENT = Prisma.raw(
  `, CASE WHEN p.rendering <> ${RENDERING} THEN p.content END AS content`,
);
const CONTENT_RENDERED = Prisma.raw(', p.content_rendered AS "contentRendered"');
/**
 * The terms of items `p`, joined once for all columns that show them. Kinds without taxonomies have
 * none.
 */
const FILED = mapKinds(({ taxonomies }) =>
  taxonomies.length === 0
    ? Prisma.empty
    : Prisma.raw(` CROSS JOIN LATERAL (SELECT ${taxonomies
        .map(
          (taxonomy) =>
            `coalesce(array_agg(t.id ORDER BY t.name_key, t.id) FILTER (WHERE t.taxonomy = '${taxonomy}'), '{}') AS ${taxonomy}`,
        )
        .join(', ')},
  coalesce(array_agg(CASE t.taxonomy WHEN 'post_tag' THEN 'tag' ELSE t.taxonomy END || '-' || t.slug
    ORDER BY t.taxonomy, t.name_key, t.id), '{}') AS classes
  FROM content_term ct JOIN term t ON t.id = ct.term_id WHERE ct.item_id = p.id) filed`),
);
/**
 * Slugs from the top of the tree down to the page itself. It ends after 100 steps, so even a cycle
 * ends.
 */
const PATH = `, (WITH RECURSIVE above AS (SELECT p.parent_id AS up, p.slug, 1 AS level
  UNION ALL SELECT q.parent_id, q.slug, level + 1 FROM above JOIN content_item q ON q.id = above.up WHERE level < 100)
  SELECT string_agg(slug, '/' ORDER BY level DESC) FROM above) AS path`;
const TERMS = mapKinds(({ taxonomies }) =>
  Prisma.raw(taxonomies.map((taxonomy) => `, filed.${taxonomy}`).join('')),
);
const PATHS = mapKinds(({ hierarchical }) => (hierarchical ? Prisma.raw(PATH) : Prisma.empty));
const CLASSES = mapKinds(({ taxonomies }) =>
  taxonomies.length ? Prisma.raw(', filed.classes AS "termClasses"') : Prisma.empty,
);
const NOTHING = Prisma.empty;
const ITEMS = Prisma.raw('content_item p');

const IN = mapKinds((_rules, kind) => Prisma.raw(`p.kind = '${kind}'`));

/**
 * Returns the SELECT of items `p` of a kind with the heavy columns that are needed. `more`: further
 * columns. `from`: where to read from, by default all items.
 */
export function selectItems(
  kind: Kind,
  { content, contentRendered, terms, classes }: ItemColumns,
  more: Prisma.Sql = NOTHING,
  from: Prisma.Sql = ITEMS,
): Prisma.Sql {
  return Prisma.sql`SELECT ${LIGHT}${PATHS[kind]}${content ? CONTENT : STALE_CONTENT}${contentRendered ? CONTENT_RENDERED : NOTHING}${
    terms ? TERMS[kind] : NOTHING
  }${classes ? CLASSES[kind] : NOTHING}${more} FROM ${from}${terms || classes ? FILED[kind] : NOTHING}`;
}

type RowsById = (
  context: RequestContext,
  ids: readonly number[],
) => Promise<(ItemRow | undefined)[]>;

/**
 * Returns items of a kind by id, with all columns, for `context.loader`; undefined for ids of other
 * kinds.
 */
export const rowsById: Readonly<Record<Kind, RowsById>> = mapKinds(
  (_rules, kind) => async (context, ids) => {
    // One id is so common that it has a statement of its own, of which PostgreSQL keeps the plan.
    const asked =
      ids.length === 1 ? Prisma.sql`p.id = ${ids[0]}` : Prisma.sql`p.id = ANY(${ids}::int[])`;
    const rows = await context.rows<ItemRow>(
      Prisma.sql`${selectItems(kind, ALL_COLUMNS)} WHERE ${IN[kind]} AND ${asked}`,
    );
    const found = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => found.get(id));
  },
);
