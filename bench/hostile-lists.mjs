// Long lists and long texts in a request, for hostile.mjs: what is read, compared or folded item by item.
// Each list is as long as a request line, a document or its bound allows.

const JSON_TYPE = { 'content-type': 'application/json' };
const list = (count, item) => Array.from({ length: count }, (_, i) => item(i));
const get = (path) => ({ path: `/api/v1${path}` });
const graphql = (query, variables) => ({
  path: '/graphql',
  headers: JSON_TYPE,
  body: JSON.stringify({ query, variables }),
});
const encoded = (text) => encodeURIComponent(text);

/** Slugs of ten letters beyond ASCII each, no two alike. */
const slug = (i, n) => `приветмир${i}x${n}`;
/** A letter that folding makes eighteen of. */
const LIGATURE = 'ﷺ';
const POSTS = 'query($f: PostFilter) { posts(filter: $f, first: 1) { nodes { id } } }';
/** One that measures as something else for each request of a run. */
const posts = (filter) => graphql(POSTS, { f: filter });

/** The requests by name: who sends it, and what. `i` counts the requests of the run. */
export const LISTS = [
  ...[60, 150, 300].map((count) => [
    `${count} slugs`,
    'anonymous',
    (i) => get(`/posts?slug=${list(count, (n) => `s${i}-${n}`).join()}`),
  ]),
  [
    '120 slugs of Cyrillic letters',
    'anonymous',
    (i) => get(`/posts?slug=${list(120, (n) => encoded(slug(i, n))).join()}`),
  ],
  [
    '120 slugs of Cyrillic letters, in their order',
    'anonymous',
    (i) => get(`/posts?orderby=include_slugs&slug=${list(120, (n) => encoded(slug(i, n))).join()}`),
  ],
  [
    '5,000 slugs over GraphQL',
    'anonymous',
    (i) => posts({ slugs: list(5_000, (n) => slug(i, n)) }),
  ],
  [
    '5,000 ids of nodes',
    'anonymous',
    (i) => {
      const id = (n) => Buffer.from(`Post:${i * 5_000 + n + 1}`).toString('base64');
      return graphql('query($v: [ID!]!) { nodes(ids: $v) { id } }', { v: list(5_000, id) });
    },
  ],
  [
    '5,000 ids of nodes that are none',
    'anonymous',
    (i) =>
      graphql('query($v: [ID!]!) { nodes(ids: $v) { id } }', {
        v: list(5_000, (n) => `${i}x${n}`),
      }),
  ],
  [
    '1,500 _fields',
    'anonymous',
    (i) => get(`/posts?_fields=${list(1_500, (n) => `x${n}`).join()}&x=${i}`),
  ],
  [
    '1,500 _fields of 100 posts',
    'anonymous',
    (i) => get(`/posts?per_page=100&_fields=${list(1_500, (n) => `x${n}`).join()},id&x=${i}`),
  ],
  [
    '1,000 _fields that are names of ours',
    'anonymous',
    (i) => get(`/posts/1?_fields=${'title.raw,'.repeat(1_000)}&x=${i}`),
  ],
  [
    '1,200 _fields of the index',
    'anonymous',
    (i) => ({ path: `/api?_fields=${list(1_200, (n) => `routes.x${n}`).join()}&x=${i}` }),
  ],
  [
    '2,000 relations of _embed',
    'anonymous',
    (i) => get(`/posts?_embed=${list(2_000, (n) => `x${n}`).join()}&x=${i}`),
  ],
  ...['include', 'exclude', 'author', 'categories', 'tags_exclude'].map((name) => [
    `2,500 ids of ${name}`,
    'anonymous',
    (i) => get(`/posts?${name}=${list(2_500, (n) => n + 1).join()}&x=${i}`),
  ]),
  [
    '2,500 ids of include, in their order',
    'anonymous',
    (i) => get(`/posts?orderby=include&include=${list(2_500, (n) => n + 1).join()}&x=${i}`),
  ],
  [
    '5,000 ids of a filter over GraphQL',
    'anonymous',
    (i) => posts({ excludeIds: list(5_000, (n) => `${i * 5_000 + n + 1}`) }),
  ],
  [
    '2,500 terms of categories over GraphQL',
    'anonymous',
    (i) => posts({ categories: { anyOf: list(2_500, (n) => `${i * 2_500 + n + 1}`) } }),
  ],
  ['4,000 statuses', 'anonymous', (i) => get(`/posts?status=${'publish,'.repeat(1_900)}&x=${i}`)],
  [
    '900 parameters of orderby',
    'anonymous',
    (i) => get(`/posts?${list(900, () => 'orderby[]=date').join('&')}&x=${i}`),
  ],
  ['100 posts, in whole', 'anonymous', (i) => get(`/posts?per_page=100&x=${i}`)],
  ['100 posts with embeds', 'anonymous', (i) => get(`/posts?per_page=100&_embed&x=${i}`)],
  [
    'search of 160 ligatures',
    'anonymous',
    (i) => get(`/posts?search=${i}${encoded(LIGATURE.repeat(160))}`),
  ],
  [
    'search of ten times 160 ligatures',
    'anonymous',
    (i) => get(`/posts?search=${list(10, (n) => i + n + encoded(LIGATURE.repeat(160))).join('+')}`),
  ],
  [
    'search of ten times 200 letters',
    'anonymous',
    (i) => get(`/posts?search=${list(10, (n) => i + n + 'abcdefghij'.repeat(19)).join('+')}`),
  ],
  [
    'search of phrases of sixty short words',
    'anonymous',
    (i) => {
      const words = (m) => list(60, (n) => (i * 600 + m * 60 + n).toString(36).slice(-2)).join('+');
      return get(`/posts?search=${list(4, (m) => `%22abc+${words(m)}%22`).join('+')}`);
    },
  ],
  [
    'known document of literals',
    'anonymous',
    () => graphql(`query { posts(filter: {ids: [${'1 '.repeat(1_900)}]}) { totalCount } }`),
  ],
  [
    'known document of 2,000 tokens',
    'anonymous',
    () =>
      graphql(
        `{ posts(first: 1) { nodes { ${list(48, (n) => `a${n}: terms { id name }`).join(' ')} } } }`,
      ),
  ],
  [
    'GET with a body of 5,000 slugs',
    'anonymous',
    (i) => ({
      ...get('/posts'),
      headers: JSON_TYPE,
      body: JSON.stringify({ slug: list(5_000, (n) => slug(i, n)) }),
      method: 'GET',
    }),
  ],
  [
    'search of ten short words',
    'anonymous',
    (i) => get(`/posts?search=${list(10, (n) => `${n}-${i % 10}`).join('+')}`),
  ],
  [
    'search of authors: 16,000 letters',
    'anonymous',
    (i) => ({ path: `/api/wp/v2/users?search=${i}${'a'.repeat(15_000)}` }),
  ],
  ...['users', 'media', 'categories', 'tags'].map((name) => [
    `2,500 ids of ${name}`,
    'anonymous',
    (i) => ({ path: `/api/wp/v2/${name}?include=${list(2_500, (n) => n + 1).join()}&x=${i}` }),
  ]),
  [
    '100 categories by 1,000 slugs',
    'anonymous',
    (i) => ({ path: `/api/wp/v2/categories?slug=${list(1_000, (n) => `s${i}-${n}`).join()}` }),
  ],
  [
    'batch of 25 with 1,500 _fields and 1,000 categories',
    'editor',
    (i) => ({
      path: '/api/batch/v1',
      headers: JSON_TYPE,
      body: JSON.stringify({
        requests: list(25, (m) => ({
          path: `/v1/posts/1?_fields=${list(1_500, (n) => `x${n}y${m}`).join()}&x=${i}`,
          method: 'PUT',
          body: { categories: list(1_000, (n) => n) },
        })),
      }),
    }),
  ],
  [
    'post of 14,000 tags',
    'editor',
    (i) => ({
      path: '/api/v1/posts',
      headers: JSON_TYPE,
      body: JSON.stringify({ title: `x${i}`, tags: list(14_000, (n) => n + 1) }),
    }),
  ],
  [
    'post of 14,000 keys of meta',
    'editor',
    (i) => ({
      path: '/api/v1/posts',
      headers: JSON_TYPE,
      body: JSON.stringify({
        title: `x${i}`,
        meta: Object.fromEntries(list(14_000, (n) => [`k${n}`, n])),
      }),
    }),
  ],
];
