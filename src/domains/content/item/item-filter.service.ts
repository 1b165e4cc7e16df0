import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import type { SiteMoment } from '../../../core/site-time.js';
import type { Viewer } from '../../../core/viewer.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { instantOf } from '../../../platform/zone.js';
import { ItemState, Relation } from '../content.enums.js';
import { slugsMeantBy } from '../rendering/slug.js';
import { absolute, all, any, given } from './conditions.sql.js';
import { mayFilterByStatus } from './item.access.js';
import { KINDS, type Kind } from './item.kinds.js';
import { clausesOf } from './item-clause.js';
import { filedUnder } from './item-clause.sql.js';
import type { ItemFilter } from './item-filter.inputs.js';
import type { Search } from './item-search.service.js';

const { sql, raw } = Prisma;

/** More ids or slugs than fit into an address. */
const LONGEST_LIST = 5_000;

/**
 * Throws TOO_MANY for a filter with a list of more than 5,000 ids or slugs: to compare with them
 * would cost more than the list of items.
 */
export function refuseLongLists(filter: object): void {
  for (const [param, value] of Object.entries(filter) as [string, unknown][]) {
    const lists = Array.isArray(value) ? [value] : Object.values((value as object | null) ?? {});
    if (lists.every((list) => !Array.isArray(list) || list.length <= LONGEST_LIST)) continue;
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
  /** The same from some rows of its table instead of all: SQL of a WHERE and what follows it. */
  some(rows: Prisma.Sql): Prisma.Sql;
}
const ITEMS: Source = {
  from: raw('content_item p'),
  at: raw('p'),
  some: (rows) => sql`(SELECT * FROM content_item p ${rows}) p`,
};
/**
 * PostgreSQL leaves out an outer join of which nothing is read, so most totals do not read items.
 */
const WORDS: Source = {
  from: raw('item_search s LEFT JOIN content_item p ON p.id = s.id'),
  at: raw('s'),
  some: (rows) =>
    sql`(SELECT * FROM item_search s ${rows}) s LEFT JOIN content_item p ON p.id = s.id`,
};

export const sourceOf = (search: Search | undefined): Source => (search ? WORDS : ITEMS);

/** Which items a list is of. */
export interface Matching {
  readonly kind: Kind;
  readonly filter: ItemFilter;
  /** Only what the caller may edit. */
  readonly editing: boolean;
}

/**
 * Returns the WHERE of a list of items: the kind, the filter with its search, and what the caller
 * may read. `each` looks at the terms of one item after the other, for lists that read few items.
 * Throws FORBIDDEN_STATUS for a status that the caller may not filter by.
 */
export function itemsMatching(
  context: RequestContext,
  { kind, filter, editing }: Matching,
  search: Search | undefined,
  each = false,
): Prisma.Sql {
  const { viewer } = context;
  const { at } = sourceOf(search);
  const dates = datesOf(context, filter);
  return all([
    raw(`${at.sql}.kind = '${kind}'`),
    ...statusConditions(viewer, kind, filter.statuses, at),
    ...(editing ? editable(viewer, [kind], at) : []),
    ...publishedConditions(dates, at),
    ...modifiedConditions(dates),
    ...idConditions(filter, at),
    ...placeConditions(filter),
    ...clauseConditions(filter, at, each),
    ...searchConditionsOf(viewer, [kind], search, at),
  ]);
}

/**
 * Returns the part of the WHERE of a list of what is published that an index in the order of dates has:
 * with a search, of the words of items.
 */
export function indexedMatching(
  context: RequestContext,
  { kind, filter }: Matching,
  search: Search | undefined,
): Prisma.Sql {
  const { at } = sourceOf(search);
  const dates = datesOf(context, filter);
  return all([
    raw(`${at.sql}.kind = '${kind}' AND ${at.sql}.status = 'publish'`),
    ...publishedConditions(dates, at),
    ...(search ? [] : modifiedConditions(dates)),
  ]);
}

/** Returns the WHERE of what is published of several kinds and found by a search. */
export function publishedMatching(
  { viewer }: RequestContext,
  kinds: readonly Kind[],
  search: Search,
): Prisma.Sql {
  const { at } = sourceOf(search);
  return all([
    sql`${at}.kind = ANY(${kinds}::text[])`,
    sql`${at}.status = 'publish'`,
    ...searchConditionsOf(viewer, kinds, search, at),
  ]);
}

/** The instants between which items were published and changed, without these. */
export interface Dates {
  readonly after: Date | undefined;
  readonly before: Date | undefined;
  readonly modifiedAfter: Date | undefined;
  readonly modifiedBefore: Date | undefined;
}

/**
 * Returns the dates of a filter. Site times have whole seconds, as REST shows dates: what is after
 * one is after its last millisecond, or an item would be after the date that it shows.
 */
export function datesOf({ site }: RequestContext, filter: ItemFilter): Dates {
  const instant = (moment: SiteMoment | null | undefined) =>
    moment ? instantOf(moment, site.timeZone) : undefined;
  const end = (moment: SiteMoment | null | undefined) => {
    const start = instant(moment);
    return start && new Date(start.getTime() + 999);
  };
  return {
    after: filter.publishedAfter ?? end(filter.siteTimeAfter),
    before: filter.publishedBefore ?? instant(filter.siteTimeBefore),
    modifiedAfter: filter.modifiedAfter ?? end(filter.siteTimeModifiedAfter),
    modifiedBefore: filter.modifiedBefore ?? instant(filter.siteTimeModifiedBefore),
  };
}

function publishedConditions({ after, before }: Dates, at: Prisma.Sql): Prisma.Sql[] {
  return [
    ...(after ? [sql`${at}.published_at > ${after}`] : []),
    ...(before ? [sql`${at}.published_at < ${before}`] : []),
  ];
}

function modifiedConditions({ modifiedAfter, modifiedBefore }: Dates): Prisma.Sql[] {
  return [
    ...(modifiedAfter ? [sql`p.modified_at > ${modifiedAfter}`] : []),
    ...(modifiedBefore ? [sql`p.modified_at < ${modifiedBefore}`] : []),
  ];
}

function idConditions(filter: ItemFilter, at: Prisma.Sql): Prisma.Sql[] {
  return [
    ...oneOf(sql`${at}.author_id`, undefined, filter.excludeAuthorIds, filter.authorIds),
    ...oneOf(sql`${at}.id`, filter.ids, filter.excludeIds),
    ...(given(filter.slugs)
      ? [sql`p.slug = ANY(${filter.slugs.flatMap(slugsMeantBy)}::text[])`]
      : []),
  ];
}

/** Only the first list that is given counts: `wanted`, then `excluded`, then `others`. */
function oneOf(
  value: Prisma.Sql,
  wanted: number[] | null | undefined,
  excluded: number[] | null | undefined,
  others?: number[] | null,
): Prisma.Sql[] {
  if (given(wanted)) return [sql`${value} = ANY(${absolute(wanted)}::int[])`];
  if (given(excluded)) return [sql`${value} <> ALL(${absolute(excluded)}::int[])`];
  return given(others) ? [sql`${value} = ANY(${absolute(others)}::int[])`] : [];
}

function placeConditions(filter: ItemFilter): Prisma.Sql[] {
  const { menuOrder, isSticky, isTopLevel } = filter;
  return [
    ...(typeof menuOrder === 'number' ? [sql`p.menu_order = ${menuOrder}`] : []),
    ...oneOf(sql`coalesce(p.parent_id, 0)`, filter.parentIds, filter.excludeParentIds),
    ...(typeof isTopLevel === 'boolean' ? [sql`(p.parent_id IS NULL) = ${isTopLevel}`] : []),
    ...(typeof isSticky === 'boolean' ? [sql`p.sticky = ${isSticky}`] : []),
  ];
}

/** Whether a protected text matches would tell whoever may not edit it what it says. */
function searchConditionsOf(
  viewer: Viewer,
  kinds: readonly Kind[],
  search: Search | undefined,
  at: Prisma.Sql,
): Prisma.Sql[] {
  if (!search) return [];
  const open = viewer.can('edit_others_posts')
    ? []
    : [any([sql`s.open`, all(editable(viewer, kinds, at))])];
  return [...search.conditions, ...open];
}

function statusConditions(
  viewer: Viewer,
  kind: Kind,
  asked: readonly ItemState[] | null | undefined,
  at: Prisma.Sql,
): Prisma.Sql[] {
  const statuses = asked ?? [ItemState.PUBLISH];
  const refusal = mayFilterByStatus(kind)(viewer, statuses);
  if (refusal) throw refuse(refusal.reason, refusal.message, { param: 'statuses' });
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

function editable(viewer: Viewer, kinds: readonly Kind[], at: Prisma.Sql): Prisma.Sql[] {
  if (viewer.can('edit_others_posts')) return [];
  const owned = kinds.filter((kind) => KINDS[kind].owned);
  if (owned.length === 0) return [sql`false`];
  const own = [
    sql`${at}.author_id = ${viewer.id}`,
    ...(owned.length < kinds.length ? [sql`${at}.kind = ANY(${owned}::text[])`] : []),
  ];
  return viewer.can('edit_published_posts')
    ? own
    : [...own, sql`${at}.status IN ('draft', 'pending', 'auto-draft')`];
}

/** `taxRelation` combines the clauses of taxonomies and formats: all of them, or any. */
function clauseConditions(filter: ItemFilter, at: Prisma.Sql, each: boolean): Prisma.Sql[] {
  const conditions = clausesOf(filter).map((clause) =>
    'formats' in clause
      ? sql`p.format = ANY(${clause.formats}::text[])`
      : sql`${clause.excluded ? sql`NOT ` : Prisma.empty}${filedUnder(clause, at, each)}`,
  );
  return conditions.length > 1 && filter.taxRelation === Relation.OR
    ? [any(conditions)]
    : conditions;
}
