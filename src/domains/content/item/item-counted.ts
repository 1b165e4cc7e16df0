import type { RequestContext } from '../../../core/context.js';
import type { Viewer } from '../../../core/viewer.js';
import { ItemState, Relation } from '../content.enums.js';
import { absolute, given } from './conditions.sql.js';
import type { Kind } from './item.kinds.js';
import { CLAUSES, clausesOf, type OtherClause } from './item-clause.js';
import type { ItemFilter } from './item-filter.inputs.js';
import { datesOf, type Matching, sourceOf } from './item-filter.service.js';
import type { Search } from './item-search.service.js';
import type { Combination } from './item-set.sql.js';

/** They do not change which items match, or are read apart. */
const NEUTRAL: ReadonlySet<string> = new Set([
  'statuses',
  'search',
  'searchIn',
  'searchSemantics',
  'ignoreSticky',
  'taxRelation',
  'formats',
  'authorIds',
  'excludeAuthorIds',
  'publishedAfter',
  'publishedBefore',
  'siteTimeAfter',
  'siteTimeBefore',
]);
/** Milliseconds between two dates below which the rows between them are counted. */
const LONG = 60 * 86_400_000;
const NAMES: ReadonlySet<string> = new Set(
  CLAUSES.flatMap(([, name, wanted, excluded]) => [name, wanted, excluded]),
);

/**
 * Returns how the items of a list are counted without reading them; undefined when they cannot be.
 * Counts are of statuses, terms, formats and common words, without some authors, and between dates.
 */
export function countedOf(
  context: RequestContext,
  { kind, filter, editing }: Matching,
  search: Search | undefined,
): Combination | undefined {
  const { viewer } = context;
  const statuses = statusesOf(viewer, filter);
  const { excludeAuthorIds: excluded, authorIds } = filter;
  const narrowed = Object.entries(filter).some(
    ([name, value]) => !NEUTRAL.has(name) && !NAMES.has(name) && isGiven(value),
  );
  if (!statuses || narrowed || (!given(excluded) && given(authorIds))) return undefined;
  if (editing && !viewer.can('edit_others_posts')) return undefined;
  const clauses = clausesOf(filter);
  const either = filter.taxRelation === Relation.OR && clauses.length > 1;
  const found = search ? wordsOf(viewer, search, statuses) : [];
  if (!found) return undefined;
  const others: OtherClause[] = [
    ...found,
    ...(given(excluded) ? [{ authors: absolute(excluded), excluded: true }] : []),
  ];
  const { after, before } = datesOf(context, filter);
  const length = (before?.getTime() ?? Infinity) - (after?.getTime() ?? -Infinity);
  if (after || before) {
    if (clauses.length + others.length === 0 && length < LONG) return undefined;
    others.push({ after, before, excluded: false });
  }
  if (either && others.length > 0) return undefined;
  return {
    kinds: [kind],
    statuses,
    source: sourceOf(search),
    clauses: [...clauses, ...others],
    either,
  };
}

/** Returns how what is published of some kinds and found by a search is counted; undefined as `countedOf`. */
export function countedSearch(
  { viewer }: RequestContext,
  kinds: readonly Kind[],
  search: Search,
): Combination | undefined {
  const statuses = [ItemState.PUBLISH];
  const clauses = wordsOf(viewer, search, statuses);
  return clauses && { kinds, statuses, source: sourceOf(search), clauses, either: false };
}

/** Undefined where sets do not say what is found, or where who asks may search items of their own that are protected. */
function wordsOf(
  viewer: Viewer,
  { clauses }: Search,
  statuses: readonly string[],
): readonly OtherClause[] | undefined {
  if (!clauses || viewer.can('edit_others_posts')) return clauses;
  return statuses.length === 1 && !viewer.can('edit_published_posts')
    ? [...clauses, { shut: true, excluded: true }]
    : undefined;
}

const isGiven = (value: unknown) =>
  Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined;

/** Undefined where which items match depends on who asks. */
function statusesOf(viewer: Viewer, filter: ItemFilter): readonly string[] | undefined {
  const statuses = filter.statuses ?? [ItemState.PUBLISH];
  if (statuses.length === 1 && statuses[0] === ItemState.PUBLISH) return statuses;
  if (!viewer.can('edit_others_posts')) return undefined;
  if (statuses.length === 0) return [ItemState.PUBLISH, ItemState.PRIVATE];
  return statuses.includes(ItemState.ANY) ? SHOWN : statuses;
}

/** What ANY stands for: not the trash, and nothing that was never saved. */
const SHOWN = [
  ItemState.PUBLISH,
  ItemState.FUTURE,
  ItemState.DRAFT,
  ItemState.PENDING,
  ItemState.PRIVATE,
];
