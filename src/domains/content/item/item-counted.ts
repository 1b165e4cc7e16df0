import type { Viewer } from '../../../core/viewer.js';
import { ItemState } from '../content.enums.js';
import { absolute, given } from './conditions.sql.js';
import type { Counted } from './item-count.sql.js';
import type { ItemFilter } from './item-filter.inputs.js';
import { CLAUSES, type Matching } from './item-filter.service.js';

/** They do not change which items match, or are read apart. */
const NEUTRAL: ReadonlySet<string> = new Set([
  'statuses',
  'search',
  'searchIn',
  'searchSemantics',
  'ignoreSticky',
  'taxRelation',
]);
const NAMES: ReadonlySet<string> = new Set(
  CLAUSES.flatMap(([, name, wanted, excluded]) => [name, wanted, excluded]),
);

/**
 * Returns which count is the total of a list without a search; undefined when none is. Counts are
 * of statuses, and of one term that items have, or do not have.
 */
export function countedOf(
  viewer: Viewer,
  { kind, filter, editing }: Matching,
): Counted | undefined {
  const statuses = statusesOf(viewer, filter);
  const narrowed = Object.entries(filter).some(
    ([name, value]) => !NEUTRAL.has(name) && !NAMES.has(name) && isGiven(value),
  );
  const [term, ...others] = termsOf(filter);
  if (!statuses || narrowed || others.length > 0) return undefined;
  if (editing && !viewer.can('edit_others_posts')) return undefined;
  if (!term) return { kind, statuses };
  const [id, ...further] = [...new Set(absolute(term.ids))];
  if (id === undefined || further.length > 0 || term.deep) return undefined;
  return { kind, statuses, term: { id, taxonomy: term.taxonomy, excluded: term.excluded } };
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

interface Clause {
  readonly taxonomy: string;
  readonly ids: readonly number[];
  readonly excluded: boolean;
  /** Whether terms below count too. */
  readonly deep: boolean;
}

const termsOf = (filter: ItemFilter): Clause[] =>
  CLAUSES.flatMap(([taxonomy, name, wanted, excluded]) => {
    const [having, lacking, other] = [filter[wanted], filter[excluded], filter[name]];
    const deep = other?.includeDescendants ?? false;
    const children = (clause: object | null | undefined) =>
      Boolean((clause as { includeChildren?: boolean | null } | undefined)?.includeChildren);
    const clause = (ids: readonly number[] | null | undefined, not: boolean, below: boolean) =>
      given(ids) ? [{ taxonomy, ids, excluded: not, deep: below }] : [];
    return [
      ...clause(having?.terms, false, children(having)),
      ...clause(lacking?.terms, true, children(lacking)),
      ...clause(other?.anyOf, false, deep),
      ...clause(other?.allOf, false, deep),
      ...clause(other?.noneOf, true, deep),
    ];
  });
