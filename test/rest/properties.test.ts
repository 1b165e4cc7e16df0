import fc from 'fast-check';
import { type Caller, type Harness, useService } from '../support/harness.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 1000);

/** A post as the model knows it. */
interface Item {
  id: number;
  date: number;
  modified: number;
  status: string;
  slug: string;
  author: number;
  title: string;
  content: string;
  excerpt: string;
  protected: boolean;
  sticky: boolean;
  format: string;
  categories: number[];
  tags: number[];
}

/** Terms as a list of ids, or as an object that says more. */
type Terms = number[] | { terms: number[]; include_children?: boolean; operator?: 'AND' | 'OR' };

interface Query {
  search?: string;
  search_columns?: string[];
  search_semantics?: 'exact';
  status?: string[];
  author?: number[];
  author_exclude?: number[];
  include?: number[];
  exclude?: number[];
  slug?: string[];
  categories?: Terms;
  categories_exclude?: Terms;
  tags?: Terms;
  tags_exclude?: Terms;
  tax_relation?: 'AND' | 'OR';
  sticky?: boolean;
  format?: string[];
  after?: string;
  before?: string;
  modified_after?: string;
  modified_before?: string;
  orderby?: string;
  order?: 'asc' | 'desc';
  per_page?: number;
  page?: number;
  offset?: number;
}

type Outcome = { ids: number[]; total: number; pages: number } | { code: string };

/** The site that the lists are of: who there is, the terms, and every post of every status. */
interface World {
  accounts: Record<'editor' | 'author' | 'contributor', number>;
  /** Categories: the default, one with a child, that child, its child, one that stands alone. */
  categories: number[];
  /** For each category all that stand below it. */
  below: Map<number, number[]>;
  tags: number[];
  items: Item[];
}

async function makeWorld(service: Harness): Promise<World> {
  const accounts = { editor: 0, author: 0, contributor: 0 };
  for (const role of ['editor', 'author', 'contributor'] as const)
    accounts[role] = (await service.account(role)).id;
  const parent = await service.term('CATEGORY', 'Parent');
  const child = await service.term('CATEGORY', 'Child', parent);
  const grandchild = await service.term('CATEGORY', 'Grandchild', child);
  const alone = await service.term('CATEGORY', 'Alone');
  const [red, blue] = [await service.term('TAG', 'Red'), await service.term('TAG', 'Blue')];
  const posts: [as: 'editor' | 'author' | 'contributor', fields: object][] = [
    [
      'editor',
      {
        title: 'Quiet sea',
        content: 'waves',
        categories: [parent],
        tags: [red, blue],
        sticky: true,
      },
    ],
    ['editor', { title: 'Sea quiet', content: 'stones', categories: [child], tags: [red] }],
    [
      'author',
      {
        title: 'quiet Morning',
        content: 'nothing but sea',
        categories: [grandchild],
        format: 'aside',
      },
    ],
    [
      'author',
      {
        title: 'Évening',
        content: 'A quiet sea at night',
        excerpt: 'stars',
        categories: [alone],
        tags: [blue],
      },
    ],
    [
      'editor',
      {
        title: 'evening',
        content: 'dark',
        excerpt: 'the quiet sea',
        categories: [parent, alone],
        format: 'quote',
      },
    ],
    [
      'author',
      { title: '', content: 'waves', categories: [], sticky: true, format: 'aside', tags: [red] },
    ],
    [
      'editor',
      {
        title: 'Waves 10',
        content: 'locked waves at sea',
        password: 'secret',
        categories: [child, alone],
      },
    ],
    ['editor', { title: 'Waves 2', content: 'x', categories: [parent, child], tags: [blue] }],
    ['author', { title: 'waves', content: 'y', status: 'draft', tags: [red], sticky: true }],
    ['contributor', { title: 'Sea of drafts', content: 'z', status: 'draft', categories: [child] }],
    ['contributor', { title: 'Pending', content: 'quiet', status: 'pending', slug: 'pending-one' }],
    ['author', { title: 'Private sea', content: 'w', status: 'private', categories: [alone] }],
    [
      'editor',
      { title: 'Private', content: 'waves', status: 'private', tags: [blue], format: 'quote' },
    ],
    [
      'editor',
      { title: 'Future sea', content: 'v', status: 'publish', date: '2090-01-01T00:00:00' },
    ],
    ['author', { title: 'Binned', content: 'sea', status: 'trash', categories: [parent] }],
    ['editor', { title: 'Binned', content: 'u', status: 'trash', tags: [red] }],
  ];
  const items: Item[] = [];
  for (const [i, [as, { status = 'publish', ...fields }]] of (
    posts as [Caller, { status?: string }][]
  ).entries()) {
    const date = `2026-01-0${1 + (i % 5)}T12:00:00`;
    const made = await service.posted(
      { date, ...fields, status: status === 'trash' ? 'publish' : status },
      as,
    );
    const path = `/v1/posts/${made.id}`;
    const { body } =
      status === 'trash' ? await service.rest('DELETE', path, { as: 'editor' }) : { body: made };
    items.push({
      id: body.id,
      date: Date.parse(`${body.date_gmt}Z`),
      modified: Date.parse(`${body.modified_gmt}Z`),
      status: body.status,
      slug: body.slug,
      author: body.author,
      title: body.title.raw,
      content: body.content.raw,
      excerpt: body.excerpt.raw,
      protected: body.password !== '',
      sticky: body.sticky,
      format: body.format,
      categories: body.categories,
      tags: body.tags,
    });
  }
  const below = new Map([
    [parent, [child, grandchild]],
    [child, [grandchild]],
  ]);
  return {
    accounts,
    categories: [1, parent, child, grandchild, alone],
    below,
    tags: [red, blue],
    items,
  };
}

/** What the rules of collections make of a query, in memory. */
class Model {
  constructor(
    private readonly world: World,
    private readonly as: Caller,
    private readonly query: Query,
  ) {}

  outcome(): Outcome {
    const { query } = this;
    const writes = this.as !== 'anonymous' && this.as !== 'subscriber';
    if (query.status?.some((status) => status !== 'publish') && !writes)
      return { code: 'rest_invalid_param' };
    if (query.orderby === 'relevance' && !query.search)
      return { code: 'rest_no_search_term_defined' };
    if (query.orderby === 'include' && !query.include?.length)
      return { code: 'rest_orderby_include_missing_include' };
    const found = this.world.items
      .filter((item) => this.holds(item))
      .sort((a, b) => this.compare(a, b));
    const size = query.per_page ?? 10;
    const pages = Math.ceil(found.length / size);
    if (query.offset !== undefined) {
      const start = Math.abs(query.offset);
      const ids = found.slice(start, start + size).map(({ id }) => id);
      return start >= found.length
        ? { ids: [], total: 0, pages: 0 }
        : { ids, total: found.length, pages };
    }
    const page = query.page ?? 1;
    if (page > pages && found.length > 0) return { code: 'rest_post_invalid_page_number' };
    return {
      ids: found.slice((page - 1) * size, page * size).map(({ id }) => id),
      total: found.length,
      pages,
    };
  }

  private holds(item: Item): boolean {
    const { query } = this;
    const among = (list: number[] | undefined, value: number) =>
      !list?.length || list.some((id) => Math.abs(id) === value);
    const outside = (list: number[] | undefined, value: number) =>
      !list?.some((id) => Math.abs(id) === value);
    return (
      this.shows(item) &&
      (query.author_exclude?.length
        ? outside(query.author_exclude, item.author)
        : among(query.author, item.author)) &&
      (query.include?.length ? among(query.include, item.id) : outside(query.exclude, item.id)) &&
      (!query.slug?.length || query.slug.includes(item.slug)) &&
      (query.sticky === undefined || query.sticky === item.sticky) &&
      (!query.after || item.date > instant(query.after)) &&
      (!query.before || item.date < instant(query.before)) &&
      (!query.modified_after || item.modified > instant(query.modified_after)) &&
      (!query.modified_before || item.modified < instant(query.modified_before)) &&
      this.filed(item) &&
      this.matches(item)
    );
  }

  /** The status asked for, and the right to read what has it. */
  private shows({ status, author }: Item): boolean {
    const asked = this.query.status ?? ['publish'];
    const signedIn = this.as !== 'anonymous';
    const wanted =
      asked.length === 0
        ? status === 'publish' || (signedIn && status === 'private')
        : asked.includes('any')
          ? status !== 'trash'
          : asked.includes(status);
    return wanted && (status === 'publish' || this.as === 'editor' || this.owns({ author }));
  }

  private owns({ author }: Pick<Item, 'author'>): boolean {
    return (
      this.as !== 'anonymous' &&
      this.as !== 'subscriber' &&
      this.world.accounts[this.as as 'author'] === author
    );
  }

  private filed(item: Item): boolean {
    const { query } = this;
    const clauses = [
      ...this.clause(query.categories, item.categories, false),
      ...this.clause(query.categories_exclude, item.categories, true),
      ...this.clause(query.tags, item.tags, false),
      ...this.clause(query.tags_exclude, item.tags, true),
      ...(query.format?.length ? [query.format.includes(item.format)] : []),
    ];
    return (
      clauses.length === 0 ||
      (query.tax_relation === 'OR' ? clauses.includes(true) : !clauses.includes(false))
    );
  }

  private clause(filter: Terms | undefined, own: number[], exclude: boolean): boolean[] {
    const { terms, include_children, operator } =
      Array.isArray(filter) || !filter
        ? { terms: filter ?? [] }
        : { include_children: false, operator: 'OR', ...filter };
    if (terms.length === 0) return [];
    const wanted = terms
      .map(Math.abs)
      .flatMap((id) => [id, ...(include_children ? (this.world.below.get(id) ?? []) : [])]);
    if (exclude) return [!wanted.some((id) => own.includes(id))];
    return [
      operator === 'AND'
        ? wanted.every((id) => own.includes(id))
        : wanted.some((id) => own.includes(id)),
    ];
  }

  private get terms(): { text: string; negative: boolean }[] {
    const parts = this.query.search?.match(/-?"[^"]+"|\S+/g) ?? [];
    return parts.map((part) => ({
      text: part.replace(/^-/, '').replaceAll('"', '').toLowerCase(),
      negative: part.startsWith('-'),
    }));
  }

  private matches(item: Item): boolean {
    const { search, search_semantics, search_columns } = this.query;
    if (!search) return true;
    if (item.protected && this.as !== 'editor' && !this.owns(item)) return false;
    const texts = {
      post_title: item.title,
      post_content: item.content,
      post_excerpt: item.excerpt,
    };
    const columns = (search_columns?.length ? search_columns : Object.keys(texts)).map((name) =>
      texts[name as keyof typeof texts].toLowerCase(),
    );
    return this.terms.every(({ text, negative }) => {
      const found = columns.some((column) =>
        search_semantics ? column === text : column.includes(text),
      );
      return found !== negative;
    });
  }

  private compare(a: Item, b: Item): number {
    const { query } = this;
    const sign = query.order === 'asc' ? 1 : -1;
    const byId = sign * (a.id - b.id);
    const inText = (text: (item: Item) => string) => sign * order(text(a), text(b)) || byId;
    switch (query.orderby) {
      case 'id':
      case 'parent':
        return byId;
      case 'author':
        return sign * (a.author - b.author) || byId;
      case 'modified':
        return sign * (a.modified - b.modified) || byId;
      case 'title':
        return inText(({ title }) => title.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase());
      case 'slug':
        return inText(({ slug }) => slug);
      case 'include': {
        const place = ({ id }: Item) =>
          (query.include ?? []).findIndex((wanted) => Math.abs(wanted) === id);
        return place(a) - place(b);
      }
      case 'include_slugs':
        return (
          (query.slug ?? []).indexOf(a.slug) - (query.slug ?? []).indexOf(b.slug) || a.id - b.id
        );
      case 'relevance':
        return this.rank(a) - this.rank(b) || sign * (a.date - b.date) || byId;
      default:
        return sign * (a.date - b.date) || byId;
    }
  }

  /**
   * The phrase in the title, all terms there, some there, the phrase in the excerpt, in the
   * content.
   */
  private rank({ title, excerpt, content }: Item): number {
    const phrase = (this.query.search ?? '').replaceAll('"', '').toLowerCase();
    const inTitle = this.terms.map(({ text }) => title.toLowerCase().includes(text));
    const ranks = [
      title.toLowerCase().includes(phrase),
      !inTitle.includes(false),
      inTitle.includes(true),
      excerpt.toLowerCase().includes(phrase),
      content.toLowerCase().includes(phrase),
      true,
    ];
    return ranks.indexOf(true);
  }
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const instant = (text: string) => Date.parse(/[Z+]/.test(text) ? text : `${text}Z`);

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
function queries({ items, categories, tags, accounts }: World): fc.Arbitrary<Query> {
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

/**
 * Whether the rules say what comes out: not for an offset beside a page, nor for the relevance of
 * words that must not be there.
 */
const isSaid = ({ offset, page = 1, orderby, search = '' }: Query) =>
  (offset === undefined || page === 1) && (orderby !== 'relevance' || !search.includes('-'));

/** The query as a client writes it: lists in one of three spellings, objects in brackets. */
function written(query: Query, spelling: number): string {
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
function examples({
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
    ['contributor', { status: ['any', 'trash'], orderby: 'modified' }, 0],
  ];
}

describe('Any combination of collection parameters', () => {
  const service = useService();

  it(`gives the posts and totals that the rules give, in ${RUNS} combinations`, async () => {
    const world = await makeWorld(service());
    const callers = fc.constantFrom<Caller>(
      'anonymous',
      'subscriber',
      'contributor',
      'author',
      'editor',
    );
    let found = 0;
    await fc.assert(
      fc.asyncProperty(callers, queries(world), fc.nat({ max: 2 }), async (as, query, spelling) => {
        fc.pre(isSaid(query));
        const expected = new Model(world, as, query).outcome();
        const text = written(query, spelling);
        const { status, body, headers } = await service().rest('GET', '/v1/posts', {
          as,
          query: `${text}&_fields=id`,
        });
        const got: Outcome =
          status === 200
            ? {
                ids: body.map(({ id }: { id: number }) => id),
                total: Number(headers.get('x-wp-total')),
                pages: Number(headers.get('x-wp-totalpages')),
              }
            : { code: body.code };
        expect(got, `${as}: ${decodeURIComponent(text)}`).toStrictEqual(expected);
        if ('ids' in got && got.ids.length > 0) found++;
      }),
      { numRuns: RUNS, examples: examples(world) },
    );
    expect(found, `only ${found} combinations found anything`).toBeGreaterThan(RUNS / 5);
  });

  it('gives every item exactly once over the pages of a list', async () => {
    const world = await makeWorld(service());
    const orders = fc.constantFrom('author', 'date', 'id', 'modified', 'parent', 'slug', 'title');
    await fc.assert(
      fc.asyncProperty(
        orders,
        fc.constantFrom('asc', 'desc'),
        fc.integer({ min: 1, max: 5 }),
        async (orderby, direction, size) => {
          const seen: number[] = [];
          let pages = 1;
          for (let page = 1; page <= pages; page++) {
            const query = {
              orderby,
              order: direction,
              per_page: String(size),
              page: String(page),
              status: 'any',
              _fields: 'id',
            };
            const { body, headers } = await service().rest('GET', '/v1/posts', {
              as: 'editor',
              query,
            });
            pages = Number(headers.get('x-wp-totalpages'));
            seen.push(...body.map(({ id }: { id: number }) => id));
          }
          const all = world.items.filter(({ status }) => status !== 'trash').map(({ id }) => id);
          expect([...seen].sort((a, b) => a - b)).toStrictEqual(all);
        },
      ),
      { numRuns: Math.ceil(RUNS / 50) },
    );
  });
});

/** A kind of content as GraphQL lists it, with the orders that mean something for it. */
const KINDS = {
  posts: { filter: 'PostFilter', path: '/v1/posts', order: 'ContentOrder', orders: [] },
  pages: {
    filter: 'PageFilter',
    path: '/v1/pages',
    order: 'PageOrder',
    orders: ['MENU_ORDER'],
  },
  healthcareItems: {
    filter: 'HealthcareItemFilter',
    path: '/v1/healthcare',
    order: 'ContentOrder',
    orders: [],
  },
} as const;
const ALWAYS = ['PUBLISHED_AT', 'MODIFIED_AT', 'SLUG', 'TITLE', 'RELEVANCE'];

/** What a list can differ in; few values, so that many rows are equal in every key but the id. */
const fields = fc.record({
  title: fc.constantFrom('Sea', 'sea', 'Éte', 'ete', 'Zebra', '10', '9'),
  content: fc.constantFrom('the sea', 'quiet', 'A sea of "words", \\'),
  status: fc.constantFrom('publish', 'publish', 'publish', 'private', 'draft'),
  date: fc.constantFrom('2026-01-01T00:00:00', '2026-01-02T00:00:00', '2026-01-03T00:00:00'),
  menu_order: fc.constantFrom(0, 1, -1),
});

describe('Paging by cursors', () => {
  const service = useService();

  for (const [name, { filter, path, order, orders }] of Object.entries(KINDS)) {
    const write = async (item: object, as: Caller, parent = 0) => {
      const body = { ...item, ...(parent && { parent }) };
      const {
        body: made,
        status,
        text,
      } = await service().rest('POST', path, { as, body, edition: 'B' });
      expect(status, text).toBe(201);
      return made.id as number;
    };
    const ask = async (as: Caller, variables: object) => {
      const query = `query($first: Int, $after: String, $last: Int, $before: String, $orderBy: ${order}, $filter: ${filter}) {
        list: ${name}(first: $first, after: $after, last: $last, before: $before, orderBy: $orderBy, filter: $filter) {
          nodes { databaseId } pageInfo { hasNextPage endCursor hasPreviousPage startCursor } } }`;
      const { body } = await service().graphql(query, variables, { as });
      expect(body.data, JSON.stringify(body.errors)).toBeTruthy();
      const { nodes, pageInfo } = body.data.list;
      return {
        ids: nodes.map(({ databaseId }: { databaseId: number }) => databaseId) as number[],
        after: pageInfo.hasNextPage && pageInfo.endCursor,
        before: pageInfo.hasPreviousPage && pageInfo.startCursor,
      };
    };

    it(`visits every one of the ${name} that are there exactly once, in any order, while others are written`, async () => {
      const writers: Caller[] = name === 'pages' ? ['editor'] : ['editor', 'author'];
      const ids: number[] = [];
      for (const [i, item] of fc.sample(fields, { numRuns: 14, seed: 3 }).entries()) {
        const parent = name === 'pages' && i % 3 === 0 ? (ids[1] ?? 0) : 0;
        ids.push(await write(item, writers[i % writers.length] as Caller, parent));
      }
      const lists = fc.record({
        by: fc.constantFrom(...ALWAYS, ...orders),
        direction: fc.constantFrom('ASC', 'DESC'),
        first: fc.integer({ min: 1, max: 5 }),
        as: fc.constantFrom<Caller>('anonymous', 'author', 'editor'),
        written: fc.array(fields, { maxLength: 3 }),
      });
      let visited = 0;
      await fc.assert(
        fc.asyncProperty(lists, async ({ by, direction, first, as, written }) => {
          const asked = {
            ...(as === 'editor' && { statuses: ['PUBLISH', 'PRIVATE', 'DRAFT'] }),
            ...(by === 'RELEVANCE' && { search: 'sea' }),
          };
          const list = { orderBy: { field: by, direction }, filter: asked };
          const variables = { ...list, first };
          const whole = await ask(as, { ...list, first: 100 });
          const backwards: number[] = [];
          for (let before: string | false | null = null; before !== false; ) {
            const page: { ids: number[]; before: string | false } = await ask(as, {
              ...list,
              last: first,
              before,
            });
            backwards.unshift(...page.ids);
            before = page.before;
          }
          expect(backwards, `${by} ${direction} by ${first}, from the end`).toStrictEqual(
            whole.ids,
          );
          const added: number[] = [];
          const seen: number[] = [];
          for (let after: string | undefined; ; ) {
            const page: { ids: number[]; after: string | false } = await ask(as, {
              ...variables,
              after,
            });
            for (const id of page.ids)
              expect(seen, `${id} comes twice, by ${by} ${direction}`).not.toContain(id);
            seen.push(...page.ids);
            if (!page.after) break;
            after = page.after;
            const next = written[added.length];
            if (next) added.push(await write(next, 'editor'));
          }
          const { prisma } = service().database;
          if (added.length > 0)
            await prisma.contentItem.deleteMany({ where: { id: { in: added } } });
          const before = seen.filter((id) => !added.includes(id));
          expect(before, `${by} ${direction} by ${first}`).toStrictEqual(whole.ids);
          visited += before.length;
        }),
        { numRuns: Math.ceil(RUNS / 30) },
      );
      expect(visited, `only ${visited} rows were visited`).toBeGreaterThan(RUNS / 10);
    });
  }
});
