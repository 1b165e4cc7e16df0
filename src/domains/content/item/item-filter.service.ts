import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import type { Site } from '../../../core/site.js';
import type { SiteMoment } from '../../../core/site-time.js';
import type { Viewer } from '../../../core/viewer.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { instantOf } from '../../../platform/zone.js';
import { ItemState, Relation, Taxonomy } from '../content.enums.js';
import { absolute, all, any, given } from './conditions.sql.js';
import { mayFilterByStatus } from './item.access.js';
import { KINDS, type Kind } from './item.kinds.js';
import type { ItemFilter } from './item-filter.inputs.js';
import type { Search } from './item-search.service.js';
import type { TermFilter } from './term-filter.inputs.js';

const { sql, raw } = Prisma;

/** More ids or slugs than fit into an address. */
const LONGEST_LIST = 5_000;

/**
 * Throws TOO_MANY for a filter with a list of more than 5,000 ids or slugs: to compare with them
 * would cost more than the list of items.
 */
export function refuseLongLists(filter: object): void {
  for (const [param, value] of Object.entries(filter) as [string, unknown][]) {
    const list = Array.isArray(value) ? value : (value as TermFilter | null | undefined)?.terms;
    if (!list || list.length <= LONGEST_LIST) continue;
    throw refuse(
      'TOO_MANY',
      `${param} must contain at most ${LONGEST_LIST.toLocaleString('en')} items.`,
      { param },
    );
  }
}

/**
 * Where a list of items is read from: the items `p`, or for a search their words `s`. A search
 * joins `p` for the columns that `s` lacks.
 */
export interface Source {
  readonly from: Prisma.Sql;
  /** Has the id, kind, status, author and date. */
  readonly at: Prisma.Sql;
}
const ITEMS: Source = { from: raw('content_item p'), at: raw('p') };
/**
 * PostgreSQL leaves out an outer join of which nothing is read, so most totals do not read items.
 */
const WORDS: Source = {
  from: raw('item_search s LEFT JOIN content_item p ON p.id = s.id'),
  at: raw('s'),
};

export const sourceOf = (search: Search | undefined): Source => (search ? WORDS : ITEMS);

/**
 * Returns the WHERE of a list of items: the kind, the filter with its search, and what the caller
 * may read; in `editing`, what the caller may edit. Throws FORBIDDEN_STATUS for a status that the
 * caller may not filter by.
 */
export function itemsMatching(
  context: RequestContext,
  kind: Kind,
  filter: ItemFilter,
  editing: boolean,
  search: Search | undefined,
): Prisma.Sql {
  const { viewer, site } = context;
  const { at } = sourceOf(search);
  const conditions = [
    raw(`${at.sql}.kind = '${kind}'`),
    ...statusConditions(viewer, kind, filter.status, at),
    ...(editing ? editable(viewer, kind, at) : []),
    ...dateConditions(site, filter, at),
    ...columnConditions(filter, at),
    ...termConditions(filter, at),
    ...(search?.conditions ?? []),
  ];
  // Whether a protected text matches would tell whoever may not edit it what it says.
  if (search && !viewer.can('edit_others_posts'))
    conditions.push(any([sql`s.open`, all(editable(viewer, kind, at))]));
  return all(conditions);
}

function dateConditions({ timeZone }: Site, filter: ItemFilter, at: Prisma.Sql): Prisma.Sql[] {
  const instant = (moment: SiteMoment) => instantOf(moment, timeZone);
  const conditions: Prisma.Sql[] = [];
  if (filter.after) conditions.push(sql`${at}.published_at > ${instant(filter.after)}`);
  if (filter.before) conditions.push(sql`${at}.published_at < ${instant(filter.before)}`);
  if (filter.modifiedAfter) conditions.push(sql`p.modified_at > ${instant(filter.modifiedAfter)}`);
  if (filter.modifiedBefore)
    conditions.push(sql`p.modified_at < ${instant(filter.modifiedBefore)}`);
  return conditions;
}

/** Returns the conditions of the filters that compare a column other than a date. */
function columnConditions(filter: ItemFilter, at: Prisma.Sql): Prisma.Sql[] {
  const conditions: Prisma.Sql[] = [];
  if (given(filter.authorExclude))
    conditions.push(sql`${at}.author_id <> ALL(${absolute(filter.authorExclude)}::int[])`);
  else if (given(filter.author))
    conditions.push(sql`${at}.author_id = ANY(${absolute(filter.author)}::int[])`);
  if (given(filter.include))
    conditions.push(sql`${at}.id = ANY(${absolute(filter.include)}::int[])`);
  else if (given(filter.exclude))
    conditions.push(sql`${at}.id <> ALL(${absolute(filter.exclude)}::int[])`);
  if (given(filter.slug)) conditions.push(sql`p.slug = ANY(${filter.slug}::text[])`);
  if (typeof filter.menuOrder === 'number')
    conditions.push(sql`p.menu_order = ${filter.menuOrder}`);
  if (given(filter.parent))
    conditions.push(sql`coalesce(p.parent_id, 0) = ANY(${absolute(filter.parent)}::int[])`);
  else if (given(filter.parentExclude))
    conditions.push(sql`coalesce(p.parent_id, 0) <> ALL(${absolute(filter.parentExclude)}::int[])`);
  if (filter.sticky === true || filter.sticky === false)
    conditions.push(sql`p.sticky = ${filter.sticky}`);
  return conditions;
}

function statusConditions(
  viewer: Viewer,
  kind: Kind,
  asked: readonly ItemState[] | null | undefined,
  at: Prisma.Sql,
): Prisma.Sql[] {
  const statuses = asked ?? [ItemState.PUBLISH];
  const refusal = mayFilterByStatus(kind)(viewer, statuses);
  if (refusal) throw refuse(refusal.reason, refusal.message, { param: 'status' });
  const published = sql`${at}.status = 'publish'`;
  if (statuses.length === 1 && statuses[0] === ItemState.PUBLISH) return [published];
  const wanted =
    statuses.length === 0
      ? sql`${at}.status IN ('publish', ${viewer.id ? 'private' : 'publish'})`
      : statuses.includes(ItemState.ANY)
        ? sql`${at}.status NOT IN ('trash', 'auto-draft')`
        : sql`${at}.status = ANY(${statuses}::text[])`;
  if (viewer.can('edit_others_posts')) return [wanted];
  return [
    wanted,
    KINDS[kind].owned ? any([published, sql`${at}.author_id = ${viewer.id}`]) : published,
  ];
}

function editable(viewer: Viewer, kind: Kind, at: Prisma.Sql): Prisma.Sql[] {
  if (viewer.can('edit_others_posts')) return [];
  if (!KINDS[kind].owned) return [sql`false`];
  const own = sql`${at}.author_id = ${viewer.id}`;
  return viewer.can('edit_published_posts')
    ? [own]
    : [own, sql`${at}.status IN ('draft', 'pending', 'auto-draft')`];
}

/**
 * By taxonomy: the filter for terms that an item must have, and for those that it must not have.
 */
export const CLAUSES = [
  [Taxonomy.CATEGORY, 'categories', 'categoriesExclude'],
  [Taxonomy.TAG, 'tags', 'tagsExclude'],
  [Taxonomy.HEALTHCARE_CATEGORY, 'healthcareCategory', 'healthcareCategoryExclude'],
  [Taxonomy.LANGUAGE, 'language', 'languageExclude'],
  [Taxonomy.LOCATION, 'location', 'locationExclude'],
  [Taxonomy.THERAPEUTIC_AREA, 'therapeuticArea', 'therapeuticAreaExclude'],
] as const;

/** Whether a filter names terms. */
export const isFiled = (filter: ItemFilter): boolean =>
  CLAUSES.some(
    ([, name, exclusion]) => given(filter[name]?.terms) || given(filter[exclusion]?.terms),
  );

/** `taxRelation` combines the clauses of taxonomies and formats: all of them, or any. */
function termConditions(filter: ItemFilter, at: Prisma.Sql): Prisma.Sql[] {
  const clauses = [
    ...CLAUSES.flatMap(([taxonomy, name, exclusion]) => [
      ...termClause(taxonomy, filter[name], false, at),
      ...termClause(taxonomy, filter[exclusion], true, at),
    ]),
    ...(given(filter.format) ? [sql`p.format = ANY(${filter.format}::text[])`] : []),
  ];
  return clauses.length > 1 && filter.taxRelation === Relation.OR ? [any(clauses)] : clauses;
}

function termClause(
  taxonomy: Taxonomy,
  filter: TermFilter | null | undefined,
  exclude: boolean,
  at: Prisma.Sql,
): Prisma.Sql[] {
  if (!given(filter?.terms)) return [];
  const ids = [...new Set(absolute(filter.terms))];
  const roots = sql`SELECT id AS root, id FROM term WHERE taxonomy = ${taxonomy} AND id = ANY(${ids}::int[])`;
  const terms = filter.includeChildren
    ? sql`WITH RECURSIVE subtree AS (${roots} UNION SELECT root, t.id FROM term t JOIN subtree ON t.parent_id = subtree.id)
      SELECT root, id FROM subtree`
    : roots;
  // Read from the terms to the items: there are fewer of those that have a term than of all.
  const having =
    filter.operator === Relation.AND && !exclude
      ? sql`SELECT ct.item_id FROM content_term ct JOIN (${terms}) wanted ON wanted.id = ct.term_id
        GROUP BY ct.item_id HAVING count(DISTINCT wanted.root) = ${ids.length}`
      : sql`SELECT ct.item_id FROM content_term ct WHERE ct.term_id = ANY(ARRAY(SELECT id FROM (${terms}) wanted))`;
  return [exclude ? sql`NOT ${at}.id IN (${having})` : sql`${at}.id IN (${having})`];
}
