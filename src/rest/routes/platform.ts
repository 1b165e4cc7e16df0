import type { Route } from '../router.js';

const TAXONOMIES = [
  ['categories', 'category'],
  ['tags', 'post_tag'],
  ['healthcare_category', 'healthcare_category'],
  ['language', 'language'],
  ['location', 'location'],
  ['therapeutic_area', 'therapeutic_area'],
] as const;

/** What the links of content point to: not of the specification, public, read-only. */
export const platform: readonly Route[] = [
  { on: 'GET /wp/v2/users', run: 'ListAuthors', source: 'platform' },
  { on: 'GET /wp/v2/users/{id}', run: 'GetAuthor', source: 'platform' },
  { on: 'GET /wp/v2/media', run: 'ListMedia', source: 'platform' },
  { on: 'GET /wp/v2/media/{id}', run: 'GetMedia', source: 'platform' },
  ...TAXONOMIES.flatMap(([base, taxonomy]): Route[] => [
    { on: `GET /wp/v2/${base}`, run: 'ListTerms', fixed: { taxonomy }, source: 'platform' },
    { on: `GET /wp/v2/${base}/{id}`, run: 'GetTerm', fixed: { taxonomy }, source: 'platform' },
  ]),
];
