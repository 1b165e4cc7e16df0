import fc from 'fast-check';
import type { Caller } from '../../support/harness.js';
import type { Query, Terms, World } from './world.js';

const ORDERS = [
  'author',
  'date',
  'id',
  'include',
  'modified',
  'parent',
  'relevance',
  'slug',
  'include_slugs',
  'title',
];
/** Orders that need a filter, by that filter. */
const ORDER_OF: Readonly<Record<string, string>> = {
  search: 'relevance',
  include: 'include',
  slug: 'include_slugs',
};

/** Filters that say more together than alone. */
const GROUPS = [
  ['search'],
  ['search', 'search_columns'],
  ['search', 'search_semantics'],
  ['status'],
  ['status', 'sticky'],
  ['author'],
  ['author', 'author_exclude'],
  ['include'],
  ['exclude', 'slug'],
  ['include', 'exclude'],
  ['slug'],
  ['categories'],
  ['categories_exclude', 'tags'],
  ['tags_exclude'],
  ['tax_relation', 'categories', 'tags'],
  ['tax_relation', 'categories_exclude', 'tags_exclude', 'format'],
  ['format', 'sticky'],
  ['after', 'modified_before'],
  ['before', 'modified_after'],
];

/**
 * Queries over a world with up to two groups of filters, with ids that are there, unknown and
 * negative.
 */
export function queries({ items, categories, tags, accounts }: World): fc.Arbitrary<Query> {
  const some = <T>(values: readonly T[], maxLength = 3) =>
    fc.array(fc.constantFrom(...values), { maxLength });
  const ids = some(
    [...items.map(({ id }) => id), ...items.slice(0, 3).map(({ id }) => -id), 999],
    9,
  );
  const authors = some([...Object.values(accounts), -accounts.author, 0, 99]);
  const listOrObject = (
    terms: number[],
    more: Record<string, fc.Arbitrary<unknown>>,
  ): fc.Arbitrary<Terms> =>
    fc.oneof(
      fc.array(fc.constantFrom(...terms, -(terms[1] ?? 1), 0, 999), { minLength: 1, maxLength: 3 }),
      fc.record({ terms: some([...terms, 999]), ...more }) as fc.Arbitrary<Terms>,
    );
  const children = { include_children: fc.constantFrom(true, true, false) };
  const operator = { operator: fc.constantFrom('AND', 'OR', undefined) };
  const dates = fc.constantFrom(
    '2026-01-03T12:00:00',
    '2026-01-03T11:59:59',
    '2026-01-03T14:00:00+02:00',
    '2026-01-02T12:00:00Z',
    '2091-01-01T00:00:00',
  );
  const searches = [
    '',
    'sea',
    'SEA',
    'quiet sea',
    '"quiet sea"',
    'waves',
    'quiet -sea',
    'evening',
    'nowhere',
    'waves 2',
    '-waves',
    'a',
    '"a quiet"',
    'ight',
  ];
  const filters: Record<string, fc.Arbitrary<unknown>> = {
    search: fc.constantFrom(...searches),
    search_columns: some(['post_title', 'post_content', 'post_excerpt']),
    search_semantics: fc.constant('exact'),
    status: some([
      'publish',
      'publish',
      'draft',
      'pending',
      'private',
      'future',
      'trash',
      'any',
      'inherit',
      'auto-draft',
    ]),
    author: authors,
    author_exclude: authors,
    include: ids,
    exclude: ids,
    slug: some([...items.map(({ slug }) => slug).filter(Boolean), 'nowhere'], 5),
    // What AND means for descendants is not said, so the two do not meet.
    categories: fc.oneof(listOrObject(categories, children), listOrObject(categories, operator)),
    categories_exclude: listOrObject(categories, children),
    tags: listOrObject(tags, operator),
    tags_exclude: listOrObject(tags, {}),
    tax_relation: fc.constantFrom('AND', 'OR'),
    sticky: fc.boolean(),
    format: fc.uniqueArray(fc.constantFrom('standard', 'aside', 'quote', 'video'), {
      maxLength: 3,
    }),
    after: dates,
    before: dates,
    modified_after: dates,
    modified_before: dates,
  };
  return fc.subarray(GROUPS, { maxLength: 2 }).chain((groups) => {
    const names = [...new Set(groups.flat())];
    const fitting = names.flatMap((name) => Array<string>(5).fill(ORDER_OF[name] ?? 'date'));
    const shown = {
      orderby: fc.constantFrom(...ORDERS, ...fitting),
      order: fc.constantFrom('asc', 'desc'),
      per_page: fc.integer({ min: 1, max: 6 }),
      page: fc.integer({ min: 1, max: 3 }),
      offset: fc.integer({ min: -4, max: 9 }),
    };
    const chosen = Object.fromEntries(
      Object.entries(filters).filter(([name]) => names.includes(name)),
    );
    const fields: Record<string, fc.Arbitrary<unknown>> = { ...chosen, ...shown };
    return fc.record(fields, { requiredKeys: names }) as fc.Arbitrary<Query>;
  });
}

/** Whether the rules say what comes out: not for the relevance of words that must not be there. */
export const isSaid = ({ orderby, search = '' }: Query) =>
  orderby !== 'relevance' || !search.includes('-');

/** The query as a client writes it: lists in one of three spellings, objects in brackets. */
export function written(query: Query, spelling: number): string {
  const pairs: [string, string][] = [];
  const write = (name: string, value: unknown): void => {
    if (Array.isArray(value) && (spelling === 0 || value.length === 0))
      pairs.push([name, value.join(',')]);
    else if (Array.isArray(value))
      for (const [i, item] of value.entries()) write(`${name}[${spelling === 1 ? '' : i}]`, item);
    else if (typeof value === 'object' && value !== null)
      for (const [key, part] of Object.entries(value)) write(`${name}[${key}]`, part);
    else if (value !== undefined) pairs.push([name, String(value)]);
  };
  for (const [name, value] of Object.entries(query)) write(name, value);
  return new URLSearchParams(pairs).toString();
}

/** Combinations that chance finds too seldom. */
export function examples({
  categories: [, parent = 0, child = 0],
  items,
}: World): [Caller, Query, number][] {
  const [first = 0, second = 0] = items.map(({ id }) => id);
  const relevance = { search: 'quiet sea', orderby: 'relevance', status: ['any'] };
  return [
    ['anonymous', { search: 'waves' }, 0],
    ['subscriber', { search: 'waves' }, 0],
    ['editor', relevance, 0],
    ['editor', { ...relevance, order: 'asc' }, 0],
    ['author', { search: 'sea quiet', orderby: 'relevance' }, 0],
    ['author', { search: 'waves 2', orderby: 'relevance', search_columns: ['post_title'] }, 0],
    ['anonymous', { categories: { terms: [parent], include_children: true } }, 1],
    ['anonymous', { categories_exclude: { terms: [child], include_children: true } }, 1],
    [
      'anonymous',
      { tax_relation: 'OR', categories: [child], categories_exclude: [parent], format: ['aside'] },
      2,
    ],
    [
      'anonymous',
      { include: [second, first, -second], exclude: [first], orderby: 'include', order: 'asc' },
      1,
    ],
    ['contributor', { status: [], orderby: 'title' }, 0],
    ['anonymous', { offset: 0, page: 3, per_page: 6 }, 0],
    ['anonymous', { offset: 5, page: 2, per_page: 6 }, 0],
    ['anonymous', { offset: 99, page: 3, per_page: 6 }, 0],
    ['contributor', { status: ['any', 'trash'], orderby: 'modified' }, 0],
  ];
}
