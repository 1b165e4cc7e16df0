import type { Route } from '../router.js';

const TAXONOMIES = [
  ['categories', 'category'],
  ['tags', 'post_tag'],
  ['healthcare_category', 'healthcare_category'],
  ['language', 'language'],
  ['location', 'location'],
  ['therapeutic_area', 'therapeutic_area'],
] as const;

/**
 * Routes that the specification does not have (docs/interface.md 10.6): the targets of the links of
 * content, public and read-only, and the caller's own application passwords.
 */
export const platform: readonly Route[] = [
  { on: 'GET /wp/v2/users', run: 'ListAuthors', kept: true, source: 'platform' },
  { on: 'GET /wp/v2/users/{id}', run: 'GetAuthor', kept: true, source: 'platform' },
  {
    on: 'GET /wp/v2/users/me/application-passwords',
    run: 'ListApplicationPasswords',
    source: 'platform',
  },
  {
    on: 'POST /wp/v2/users/me/application-passwords',
    run: 'CreateApplicationPassword',
    status: 201,
    source: 'platform',
  },
  {
    on: 'GET /wp/v2/users/me/application-passwords/introspect',
    run: 'GetPresentApplicationPassword',
    source: 'platform',
  },
  { on: 'GET /wp/v2/media', run: 'ListMedia', kept: true, source: 'platform' },
  { on: 'GET /wp/v2/media/{id}', run: 'GetMedia', kept: true, source: 'platform' },
  ...TAXONOMIES.flatMap(([base, taxonomy]): Route[] => [
    {
      on: `GET /wp/v2/${base}`,
      run: 'ListTerms',
      fixed: { taxonomy },
      kept: true,
      source: 'platform',
    },
    {
      on: `GET /wp/v2/${base}/{id}`,
      run: 'GetTerm',
      fixed: { taxonomy },
      kept: true,
      source: 'platform',
    },
  ]),
];
