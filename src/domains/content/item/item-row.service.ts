import { isAmong } from '../../../core/among.sql.js';
import type { RequestContext } from '../../../core/context.js';
import type { Selection } from '../../../core/selection.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { QueryOptions } from '../../../platform/database/database.js';
import { accountAsJson, keepAccount } from '../../accounts/account.service.js';
import { Taxonomy } from '../content.enums.js';
import { USUAL_WORDS } from '../rendering/excerpt.js';
import { RENDERING } from '../rendering/rendering.js';
import { keepTerms } from '../term/term.service.js';
import { termsAsJson } from '../term/term.sql.js';
import { KINDS, type Kind, mapKinds } from './item.kinds.js';
import {
  ALL_COLUMNS,
  type ItemColumns,
  type ItemRow,
  type LeanRow,
  readAsLean,
  type Shown,
} from './item.row.js';

const LEAN = Prisma.raw(`p.id, p.kind, p.status, p.trashed_from AS "trashedFrom", p.password,
  p.author_id AS "authorId", p.sticky, p.rendering, p.insets`);
const LIGHT =
  Prisma.raw(`, p.title, p.title_rendered AS "titleRendered", p.slug, p.published_at AS "publishedAt", p.floating,
  p.modified_at AS "modifiedAt", p.clocks,
  p.comments_open AS "commentsOpen", p.pings_open AS "pingsOpen", p.format, p.template,
  p.footnotes,
  p.featured_media_id AS "featuredMediaId", coalesce(p.parent_id, 0) AS "parentId",
  p.menu_order AS "menuOrder", p.guid, p.version, p.block_version AS "blockVersion",
  p.revision_count AS "revisionCount",
  p.latest_revision_id AS "latestRevisionId", p.excerpt, p.excerpt_rendered AS "excerptRendered"`);
const CONTENT = Prisma.raw(', p.content');
const STALE_CONTENT = Prisma.raw(
  `, CASE WHEN p.rendering <> ${RENDERING} OR p.insets IS NOT NULL THEN p.content END AS content`,
);
const CONTENT_RENDERED = Prisma.raw(', p.content_rendered AS "contentRendered"');
/**
 * Returns the terms of items `p`, joined once for all columns that show them. `pairs`: the table of
 * items and terms.
 */
const filedUnder = (taxonomies: readonly Taxonomy[], pairs = 'content_term') =>
  Prisma.raw(` CROSS JOIN LATERAL (SELECT ${taxonomies
    .map(
      (taxonomy) =>
        `coalesce(array_agg(t.id ORDER BY t.name_key, t.id) FILTER (WHERE t.taxonomy = '${taxonomy}'), '{}') AS ${taxonomy}`,
    )
    .join(', ')},
  coalesce(array_agg(CASE t.taxonomy WHEN 'post_tag' THEN 'tag' ELSE t.taxonomy END || '-' || t.slug
    ORDER BY t.taxonomy, t.name_key, t.id), '{}') AS classes
  FROM ${pairs} ct JOIN term t ON t.id = ct.term_id WHERE ct.item_id = p.id) filed`);
/**
 * Slugs from the top of the tree down to the page itself. It has at most 100 steps, and ends where a
 * page would come again.
 */
export const ITEM_PATH = `(WITH RECURSIVE above AS (
    SELECT p.parent_id AS up, p.slug, 1 AS level, ARRAY[p.id] AS seen
  UNION ALL SELECT q.parent_id, q.slug, level + 1, seen || q.id
    FROM above JOIN content_item q ON q.id = above.up WHERE level < 100 AND q.id <> ALL(seen))
  SELECT string_agg(nullif(slug, ''), '/' ORDER BY level DESC) FROM above)`;
const AUTHOR = Prisma.raw(`, ${accountAsJson('p.author_id')} AS "authorJson"`);
const TERMS = Prisma.raw(`, ${termsAsJson('p.id')} AS "termsJson"`);
const SEEN = Prisma.raw(', p.xmin::text AS seen');
const NOTHING = Prisma.empty;
const ID = Prisma.raw('p.id');
const ITEMS = Prisma.raw('content_item p');

/** What is read of items beyond the columns of their table. */
interface Parts {
  readonly site: Prisma.Sql;
  readonly path: Prisma.Sql;
  readonly terms: Prisma.Sql;
  readonly classes: Prisma.Sql;
  readonly stamp: Prisma.Sql;
  readonly filed: Prisma.Sql;
  readonly filedNow: Prisma.Sql;
}

const SERVES_SITE = Prisma.raw(
  ', EXISTS (SELECT FROM site s WHERE p.id IN (s.front_page_id, s.posts_page_id)) AS "servesSite"',
);

const partsOf = (path: string, taxonomies: readonly Taxonomy[]): Parts => {
  const none = taxonomies.length === 0;
  return {
    site: path ? SERVES_SITE : NOTHING,
    path: path ? Prisma.raw(`, ${path} AS path`) : NOTHING,
    terms: Prisma.raw(taxonomies.map((taxonomy) => `, filed.${taxonomy}`).join('')),
    classes: none ? NOTHING : Prisma.raw(', filed.classes AS "termClasses"'),
    stamp: Prisma.raw(
      `, concat_ws(' ', p.id, p.xmin, p.version, ${path || 'NULL'}${none ? '' : ', filed'}) AS stamp`,
    ),
    filed: none ? NOTHING : filedUnder(taxonomies),
    filedNow: none ? NOTHING : filedUnder(taxonomies, 'filing'),
  };
};

const PARTS: Readonly<Record<Kind | 'any', Parts>> = {
  ...mapKinds(({ hierarchical, taxonomies }) => partsOf(hierarchical ? ITEM_PATH : '', taxonomies)),
  any: partsOf(`CASE WHEN p.kind = 'page' THEN ${ITEM_PATH} END`, Object.values(Taxonomy)),
};

/**
 * Returns the SELECT of items `p` of a kind, or of any, with the heavy columns that are needed.
 * `more`: further columns. `from`: where to read from, by default all items.
 */
export function selectItems(
  kind: Kind | 'any',
  {
    lean,
    content,
    contentRendered,
    terms,
    classes,
    authorJson,
    termsJson,
    ...columns
  }: ItemColumns,
  more: Prisma.Sql = NOTHING,
  from: Prisma.Sql = ITEMS,
): Prisma.Sql {
  const parts = PARTS[kind];
  const { seen, stamp } = columns;
  const filed = terms || classes || stamp;
  return Prisma.sql`SELECT
    ${LEAN}${parts.site}${lean ? NOTHING : Prisma.sql`${LIGHT}${parts.path}${content ? CONTENT : STALE_CONTENT}`}
    ${contentRendered ? CONTENT_RENDERED : NOTHING}${terms ? parts.terms : NOTHING}
    ${classes ? parts.classes : NOTHING}
    ${authorJson ? AUTHOR : NOTHING}${termsJson ? TERMS : NOTHING}${seen ? SEEN : NOTHING}${stamp ? parts.stamp : NOTHING}${more}
    FROM ${from}${filed ? parts.filed : NOTHING}`;
}

/**
 * Returns the SELECT of what a statement finds out about the items that it makes: it has their rows
 * as `item`, and their terms as `filing`.
 */
export function selectMade(kind: Kind): Prisma.Sql {
  const { path, terms, classes, filedNow } = PARTS[kind];
  return Prisma.sql`SELECT p.id, p.slug, p.guid${path}${terms}${classes} FROM item p${filedNow}`;
}

/** The fields that show the terms of each taxonomy by their ids. */
const TERM_FIELDS: Readonly<Record<Taxonomy, string>> = {
  [Taxonomy.CATEGORY]: 'categoryIds',
  [Taxonomy.TAG]: 'tagIds',
  [Taxonomy.HEALTHCARE_CATEGORY]: 'healthcareCategoryIds',
  [Taxonomy.LANGUAGE]: 'languageIds',
  [Taxonomy.LOCATION]: 'locationIds',
  [Taxonomy.THERAPEUTIC_AREA]: 'therapeuticAreaIds',
};

/** The fields that show whole terms. */
const WHOLE_TERMS = [
  'terms',
  'categories',
  'tags',
  'healthcareCategories',
  'languages',
  'locations',
  'therapeuticAreas',
];

/** Of more items, authors and terms are read faster by statements of their own. */
const FEW = 20;

/** Returns the heavy columns that a selection reads of so many items. */
export function columnsFor(
  kind: Kind | 'any',
  item: Selection | undefined,
  { excerptWords = 0 }: Pick<Shown, 'excerptWords'>,
  items = 1,
): ItemColumns {
  const lengthened = excerptWords > USUAL_WORDS && item?.has('excerptText') === true;
  const text = item?.get('contentText');
  const taxonomies = kind === 'any' ? Object.values(Taxonomy) : KINDS[kind].taxonomies;
  const stamped = item?.has('stamp') === true;
  return {
    content: lengthened || text?.has('raw') === true || item?.has('contentSource') === true,
    contentRendered: text?.has('rendered') === true || item?.has('content') === true,
    terms: taxonomies.some((taxonomy) => item?.has(TERM_FIELDS[taxonomy]) === true),
    classes: item?.has('classList') === true,
    authorJson: items <= FEW && item?.has('author') === true,
    termsJson: items <= FEW && WHOLE_TERMS.some((field) => item?.has(field) === true),
    seen: false,
    stamp: stamped,
    lean: stamped && item.size === 1,
  };
}

/** An item with all of its columns. */
export interface WholeRow extends ItemRow {
  readonly content: string;
  readonly seen: string;
}

type RowsById = (
  context: RequestContext,
  ids: readonly number[],
) => Promise<(WholeRow | undefined)[]>;

const IN = mapKinds((_rules, kind) => Prisma.raw(`p.kind = '${kind}' AND `));

/** Reads items by id with some columns. They are known to `knownRows` afterwards. */
const rowsIn =
  (kind: Kind | 'any', within: Prisma.Sql, columns: ItemColumns) =>
  async (context: RequestContext, ids: readonly number[]): Promise<(ItemRow | undefined)[]> => {
    const query = Prisma.sql`${selectItems(kind, columns)} WHERE ${within}${isAmong(ID, ids)}`;
    const rows = columns.lean
      ? readAsLean(await context.rows<LeanRow>(query))
      : await context.rows<ItemRow>(query);
    keepRelations(context, rows);
    const found = new Map(rows.map((row) => [row.id, row]));
    if (kind !== 'any') for (const id of ids) keepKnown(context, kind, id, found.get(id));
    return ids.map((id) => found.get(id));
  };

/**
 * Returns items of a kind by id, with all columns, for `context.loader`; undefined for ids of other
 * kinds.
 */
export const rowsById: Readonly<Record<Kind, RowsById>> = mapKinds(
  (_rules, kind) => rowsIn(kind, IN[kind], ALL_COLUMNS) as RowsById,
);

/** The same for items of any kind. */
export const rowsOfAnyKind: RowsById = rowsIn('any', NOTHING, ALL_COLUMNS) as RowsById;

type LightRows = (
  context: RequestContext,
  ids: readonly number[],
) => Promise<(ItemRow | undefined)[]>;

/**
 * Returns items of a kind by id, as any statement of this request has read them: without heavy
 * columns when none has. For rules, which need no more.
 */
export const knownRows: Readonly<Record<Kind, LightRows>> = mapKinds((_rules, kind) =>
  rowsIn(kind, IN[kind], columnsFor(kind, undefined, {})),
);

/** Keeps an item, or that there is none, for `knownRows`. */
export function keepKnown(
  context: RequestContext,
  kind: Kind,
  id: number,
  row: ItemRow | undefined,
): void {
  context.loader(knownRows[kind]).clear(id).prime(id, row);
}

const MOVABLE: ItemColumns = { ...columnsFor('any', undefined, {}), terms: true };

/** Returns items of a kind by id, with what is read to move them to another status. */
export const movableRows: Readonly<Record<Kind, LightRows>> = mapKinds((_rules, kind) =>
  rowsIn(kind, IN[kind], MOVABLE),
);

const shownRows = mapKinds(() => new Map<string, LightRows>());

/** Returns items of a kind by id, with the columns that a selection shows, for `context.loader`. */
export function rowsShowing(
  kind: Kind,
  item: Selection,
  shown: Pick<Shown, 'excerptWords'>,
): LightRows {
  const columns = columnsFor(kind, item, shown);
  const key = Object.values(columns).join();
  const known = shownRows[kind].get(key);
  if (known) return known;
  const rows = rowsIn(kind, IN[kind], columns);
  shownRows[kind].set(key, rows);
  return rows;
}

/** Keeps authors and terms that were read along for the loaders of `author` and `terms`. */
export function keepRelations(context: RequestContext, rows: readonly ItemRow[]): void {
  const authors = new Set<number>();
  for (const { id, authorId, authorJson, termsJson } of rows) {
    if (termsJson !== undefined) keepTerms(context, id, termsJson);
    if (authorJson === undefined || authors.has(authorId)) continue;
    authors.add(authorId);
    keepAccount(context, authorId, authorJson);
  }
}

interface Listed {
  readonly total?: number;
  readonly cursorKeys?: string[];
}

/** A row of a list. */
export type ListedRow = ItemRow & Listed;

/** Reads the rows of a list with some columns. */
export const readListed = async (
  context: RequestContext,
  query: Prisma.Sql,
  { lean }: ItemColumns,
  options?: QueryOptions,
): Promise<ListedRow[]> =>
  lean
    ? readAsLean(await context.rows<LeanRow & Listed>(query, options))
    : context.rows<ListedRow>(query, options);
