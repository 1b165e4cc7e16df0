import type { RequestContext } from '../../context.js';
import { refuse } from '../../errors.js';
import { Prisma } from '../../generated/prisma/client.js';
import { instantOf } from '../../platform/zone.js';
import type { SiteMoment } from '../../scalars.js';
import type { Viewer } from '../accounts/viewer.js';
import { ItemState, Relation, SearchColumn, Taxonomy } from './content.enums.js';
import { mayFilterByStatus } from './item.access.js';
import type { ItemFilter, TermFilter } from './item.inputs.js';
import { KINDS, type Kind } from './item.kinds.js';

const { sql, join } = Prisma;
const all = (conditions: readonly Prisma.Sql[]) => join(conditions as Prisma.Sql[], ' AND ');
const any = (conditions: readonly Prisma.Sql[]) => sql`(${join(conditions as Prisma.Sql[], ' OR ')})`;
const given = <T>(list: readonly T[] | null | undefined): list is readonly T[] =>
  list !== null && list !== undefined && list.length > 0;
const LARGEST_ID = 2 ** 31 - 1;
/** The original platform reads negative ids as positive ones. */
export const absolute = (ids: readonly number[]) => ids.map((id) => Math.min(Math.abs(id), LARGEST_ID));

/**
 * The WHERE of a list of items `p`: the kind, what the filter asks, and only what the caller may read; in `editing`, only what the
 * caller may edit. Throws FORBIDDEN_STATUS when a status is not the caller's to ask for.
 */
export function itemsMatching(context: RequestContext, kind: Kind, filter: ItemFilter, editing: boolean): Prisma.Sql {
  const { viewer, site } = context;
  const conditions = [
    sql`p.kind = ${kind}`,
    ...statusConditions(viewer, kind, filter.status),
    ...(editing ? editable(viewer, kind) : []),
  ];
  const instant = (moment: SiteMoment) => instantOf(moment, site.timeZone);
  if (filter.after) conditions.push(sql`p.published_at > ${instant(filter.after)}`);
  if (filter.before) conditions.push(sql`p.published_at < ${instant(filter.before)}`);
  if (filter.modifiedAfter) conditions.push(sql`p.modified_at > ${instant(filter.modifiedAfter)}`);
  if (filter.modifiedBefore) conditions.push(sql`p.modified_at < ${instant(filter.modifiedBefore)}`);
  if (given(filter.authorExclude)) conditions.push(sql`p.author_id <> ALL(${absolute(filter.authorExclude)}::int[])`);
  else if (given(filter.author)) conditions.push(sql`p.author_id = ANY(${absolute(filter.author)}::int[])`);
  if (given(filter.include)) conditions.push(sql`p.id = ANY(${absolute(filter.include)}::int[])`);
  else if (given(filter.exclude)) conditions.push(sql`p.id <> ALL(${absolute(filter.exclude)}::int[])`);
  if (given(filter.slug)) conditions.push(sql`p.slug = ANY(${filter.slug}::text[])`);
  if (typeof filter.menuOrder === 'number') conditions.push(sql`p.menu_order = ${filter.menuOrder}`);
  if (given(filter.parent)) conditions.push(sql`coalesce(p.parent_id, 0) = ANY(${absolute(filter.parent)}::int[])`);
  else if (given(filter.parentExclude))
    conditions.push(sql`coalesce(p.parent_id, 0) <> ALL(${absolute(filter.parentExclude)}::int[])`);
  if (filter.sticky === true || filter.sticky === false) conditions.push(sql`p.sticky = ${filter.sticky}`);
  conditions.push(...termConditions(filter), ...searchConditions(filter));
  // Whether a protected text matches would tell strangers what it says.
  if (!viewer.id && given(searchTerms(filter.search ?? ''))) conditions.push(sql`p.password = ''`);
  return all(conditions);
}

function statusConditions(viewer: Viewer, kind: Kind, asked: readonly ItemState[] | null | undefined): Prisma.Sql[] {
  const statuses = asked ?? [ItemState.PUBLISH];
  const refusal = mayFilterByStatus(kind)(viewer, statuses);
  if (refusal) throw refuse(refusal.reason, refusal.message, { param: 'status' });
  if (statuses.length === 1 && statuses[0] === ItemState.PUBLISH) return [sql`p.status = 'publish'`];
  const wanted =
    statuses.length === 0
      ? sql`p.status IN ('publish', ${viewer.id ? 'private' : 'publish'})`
      : statuses.includes(ItemState.ANY)
        ? sql`p.status NOT IN ('trash', 'auto-draft')`
        : sql`p.status = ANY(${statuses}::text[])`;
  return viewer.can('edit_others_posts')
    ? [wanted]
    : [wanted, KINDS[kind].owned ? sql`(p.status = 'publish' OR p.author_id = ${viewer.id})` : sql`p.status = 'publish'`];
}

function editable(viewer: Viewer, kind: Kind): Prisma.Sql[] {
  if (viewer.can('edit_others_posts')) return [];
  if (!KINDS[kind].owned) return [sql`false`];
  const own = sql`p.author_id = ${viewer.id}`;
  return viewer.can('edit_published_posts') ? [own] : [own, sql`p.status IN ('draft', 'pending', 'auto-draft')`];
}

/** The filters of each taxonomy: terms that must be there, terms that must not. */
export const CLAUSES = [
  [Taxonomy.CATEGORY, 'categories', 'categoriesExclude'],
  [Taxonomy.TAG, 'tags', 'tagsExclude'],
  [Taxonomy.HEALTHCARE_CATEGORY, 'healthcareCategory', 'healthcareCategoryExclude'],
  [Taxonomy.LANGUAGE, 'language', 'languageExclude'],
  [Taxonomy.LOCATION, 'location', 'locationExclude'],
  [Taxonomy.THERAPEUTIC_AREA, 'therapeuticArea', 'therapeuticAreaExclude'],
] as const;

/** Clauses of different taxonomies, and the formats, combine by `taxRelation`: all of them, or any. */
function termConditions(filter: ItemFilter): Prisma.Sql[] {
  const clauses = [
    ...CLAUSES.flatMap(([taxonomy, name, exclusion]) => [
      ...termClause(taxonomy, filter[name], false),
      ...termClause(taxonomy, filter[exclusion], true),
    ]),
    ...(given(filter.format) ? [sql`p.format = ANY(${filter.format}::text[])`] : []),
  ];
  return clauses.length > 1 && filter.taxRelation === Relation.OR ? [any(clauses)] : clauses;
}

function termClause(taxonomy: Taxonomy, filter: TermFilter | null | undefined, exclude: boolean): Prisma.Sql[] {
  if (!given(filter?.terms)) return [];
  const ids = [...new Set(absolute(filter.terms))];
  const below = filter.includeChildren
    ? sql`UNION SELECT t.id FROM term t JOIN subtree ON t.parent_id = subtree.id`
    : Prisma.empty;
  const bears = (wanted: Prisma.Sql) => sql`EXISTS (SELECT FROM content_term ct WHERE ct.item_id = p.id AND ct.term_id IN (
    WITH RECURSIVE subtree AS (SELECT id FROM term WHERE taxonomy = ${taxonomy} AND ${wanted} ${below}) SELECT id FROM subtree))`;
  if (exclude) return [sql`NOT ${bears(sql`id = ANY(${ids}::int[])`)}`];
  if (filter.operator !== Relation.AND) return [bears(sql`id = ANY(${ids}::int[])`)];
  return [sql`NOT EXISTS (SELECT FROM unnest(${ids}::int[]) AS wanted(term) WHERE NOT ${bears(sql`id = wanted.term`)})`];
}

const COLUMN: Readonly<Record<SearchColumn, Prisma.Sql>> = {
  [SearchColumn.TITLE]: sql`p.title`,
  [SearchColumn.EXCERPT]: sql`p.excerpt`,
  [SearchColumn.CONTENT]: sql`p.content`,
};
const EVERY_COLUMN = [SearchColumn.TITLE, SearchColumn.EXCERPT, SearchColumn.CONTENT];
/** Words that say nothing beside others. */
const STOP_WORDS = new Set(
  'about an are as at be by com for from how in is it of on or that the this to was what when where who will with www'.split(' '),
);

export interface SearchTerm {
  readonly text: string;
  readonly excluded: boolean;
}

/** Splits a search: "quoted phrases" are one term, -terms are excluded, stop words do not count among others. */
export function searchTerms(search: string): SearchTerm[] {
  const terms = [...search.matchAll(/(-?)"([^"]*)"|(\S+)/g)].map(([, minus, phrase, word]) => {
    if (phrase !== undefined) return { text: phrase.trim(), excluded: minus === '-' };
    const excluded = word !== undefined && word.length > 1 && word.startsWith('-');
    return { text: (word ?? '').replaceAll('"', '').slice(excluded ? 1 : 0), excluded };
  });
  const telling = terms.filter(({ text }) => text !== '');
  const useful = telling.filter(({ text }) => !STOP_WORDS.has(text.toLowerCase()));
  return telling.length > 1 && useful.length > 0 ? useful : telling;
}

/** A LIKE pattern that stands for the text itself. */
const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&');
export const containing = (text: string) => `%${literal(text)}%`;

/** What a search asks of the title, excerpt and content of rows `p`. */
export function searchConditions({ search, searchColumns, searchSemantics }: ItemFilter): Prisma.Sql[] {
  const terms = searchTerms(search ?? '');
  if (terms.length === 0) return [];
  const columns = (given(searchColumns) ? searchColumns : EVERY_COLUMN).map((column) => COLUMN[column]);
  const conditions = terms.map(({ text, excluded }) => {
    const pattern = searchSemantics ? literal(text) : containing(text);
    const found = any(columns.map((column) => sql`${column} ILIKE ${pattern}`));
    return excluded ? sql`NOT ${found}` : found;
  });
  return conditions;
}
