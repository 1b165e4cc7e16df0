import { Relation, Taxonomy } from '../content.enums.js';
import { absolute, given } from './conditions.sql.js';
import type { ItemFilter } from './item-filter.inputs.js';
import type { TermClause as TermsInput } from './term-filter.inputs.js';

/**
 * By taxonomy: the filter for its terms; that of REST for terms that an item must have, and for
 * those that it must not have; and the input of the ids that it is filed under.
 */
export const CLAUSES = [
  [Taxonomy.CATEGORY, 'categories', 'inCategories', 'notInCategories', 'categoryIds'],
  [Taxonomy.TAG, 'tags', 'inTags', 'notInTags', 'tagIds'],
  [
    Taxonomy.HEALTHCARE_CATEGORY,
    'healthcareCategories',
    'inHealthcareCategories',
    'notInHealthcareCategories',
    'healthcareCategoryIds',
  ],
  [Taxonomy.LANGUAGE, 'languages', 'inLanguages', 'notInLanguages', 'languageIds'],
  [Taxonomy.LOCATION, 'locations', 'inLocations', 'notInLocations', 'locationIds'],
  [
    Taxonomy.THERAPEUTIC_AREA,
    'therapeuticAreas',
    'inTherapeuticAreas',
    'notInTherapeuticAreas',
    'therapeuticAreaIds',
  ],
] as const;

/** Terms of one taxonomy that items have, or do not have. */
export interface TermClause {
  readonly taxonomy: Taxonomy;
  readonly ids: readonly number[];
  /** Whether each stands for the terms below it, too. */
  readonly deep: boolean;
  /** Whether items have all of them, not only one. */
  readonly every: boolean;
  /** Whether items have none of them. */
  readonly excluded: boolean;
}

/** A condition on terms, or on the format. */
export type Clause = TermClause | { readonly formats: readonly string[] };

/**
 * Groups of words of each of which items have one, in their title or anywhere, or do not; that items are
 * protected; who wrote them; or the instants between which they were published, without these.
 */
export type OtherClause = { readonly excluded: boolean } & (
  | { readonly words: readonly (readonly number[])[]; readonly inTitle?: boolean }
  | { readonly shut: true }
  | { readonly authors: readonly number[] }
  | { readonly after: Date | undefined; readonly before: Date | undefined }
);

/** Returns the conditions of a filter on terms and formats; none for those without values. */
export const clausesOf = (filter: ItemFilter): Clause[] => [
  ...CLAUSES.flatMap(([taxonomy, name, wanted, excluded]) => {
    const clause = (terms: TermsInput | null | undefined, not: boolean): Clause[] =>
      given(terms?.terms)
        ? [
            {
              taxonomy,
              ids: [...new Set(absolute(terms.terms))],
              excluded: not,
              deep: terms.includeChildren ?? false,
              every: !not && terms.operator === Relation.AND,
            },
          ]
        : [];
    const { anyOf, allOf, noneOf, includeDescendants: includeChildren } = filter[name] ?? {};
    return [
      ...clause(filter[wanted], false),
      ...clause(filter[excluded], true),
      ...clause({ terms: anyOf, includeChildren }, false),
      ...clause({ terms: allOf, includeChildren, operator: Relation.AND }, false),
      ...clause({ terms: noneOf, includeChildren }, true),
    ];
  }),
  ...(given(filter.formats) ? [{ formats: filter.formats }] : []),
];
