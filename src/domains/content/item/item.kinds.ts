import { type ItemKind, Taxonomy } from '../content.enums.js';

export type Kind = `${ItemKind}`;

/** In what the kinds of content differ. */
export interface KindRules {
  /** The right to write items of the kind at all. */
  readonly capability: 'edit_posts' | 'edit_pages';
  /** Whether authors own what they write; pages are the editors' alike. */
  readonly owned: boolean;
  /** Excerpt, discussion, author and meta: what is written to be read as an article. */
  readonly written: boolean;
  readonly hierarchical: boolean;
  readonly revisions: boolean;
  /** Whether comments and pings are open on a new item. */
  readonly discussed: boolean;
  /** The vocabularies that file it, in the order of its links. */
  readonly taxonomies: readonly Taxonomy[];
  /** Addresses: of an item by its slug or path, and of one that has no public address yet. */
  readonly path: (slug: string) => string;
  readonly plain: (id: number | string) => string;
}

export const KINDS: Readonly<Record<Kind, KindRules>> = {
  post: {
    capability: 'edit_posts',
    owned: true,
    written: true,
    hierarchical: false,
    revisions: true,
    discussed: true,
    taxonomies: [Taxonomy.CATEGORY, Taxonomy.TAG],
    path: (slug) => `/${slug}/`,
    plain: (id) => `/?p=${id}`,
  },
  page: {
    capability: 'edit_pages',
    owned: false,
    written: true,
    hierarchical: true,
    revisions: true,
    discussed: false,
    taxonomies: [],
    path: (slug) => `/${slug}/`,
    plain: (id) => `/?page_id=${id}`,
  },
  healthcare: {
    capability: 'edit_posts',
    owned: true,
    written: false,
    hierarchical: false,
    revisions: false,
    discussed: false,
    taxonomies: [
      Taxonomy.HEALTHCARE_CATEGORY,
      Taxonomy.LANGUAGE,
      Taxonomy.LOCATION,
      Taxonomy.THERAPEUTIC_AREA,
    ],
    path: (slug) => `/healthcare/${slug}/`,
    plain: (id) => `/?post_type=healthcare&p=${id}`,
  },
};

/** Returns a value for each kind, made from its rules. */
export function mapKinds<T>(make: (rules: KindRules, kind: Kind) => T): Record<Kind, T> {
  return Object.fromEntries(
    Object.entries(KINDS).map(([kind, rules]) => [kind, make(rules, kind as Kind)]),
  ) as Record<Kind, T>;
}
