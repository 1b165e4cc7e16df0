/** A taxonomy: its name, where its terms stand, whether it is flat. */
type Taxonomy = readonly [name: string, base: string, flat: boolean];

/** Where content of a kind stands, and which relations it has. */
export interface Kind {
  readonly base: string;
  readonly taxonomies: readonly Taxonomy[];
  /** Author and comments. */
  readonly written: boolean;
  readonly revisions: boolean;
}

/** The kinds of content. */
export const KINDS: Readonly<Record<string, Kind>> = {
  post: {
    base: 'v1/posts',
    written: true,
    revisions: true,
    taxonomies: [
      ['category', 'categories', false],
      ['post_tag', 'tags', true],
    ],
  },
  page: { base: 'v1/pages', written: true, revisions: true, taxonomies: [] },
  healthcare: {
    base: 'v1/healthcare',
    written: false,
    revisions: false,
    taxonomies: [
      ['healthcare_category', 'healthcare_category', false],
      ['language', 'language', true],
      ['location', 'location', false],
      ['therapeutic_area', 'therapeutic_area', true],
    ],
  },
};

/** By taxonomy: the base of the content that it files, its own base, whether it is flat. */
export const TERMS = new Map(
  Object.values(KINDS).flatMap((kind) =>
    kind.taxonomies.map(([name, base, flat]) => [name, [kind.base, base, flat] as const]),
  ),
);
