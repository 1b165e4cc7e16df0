// The dearest requests known, for hostile.mjs: what a careless or hostile caller may send that costs
// the service the most CPU. Each is another request whenever it is made, so that nothing is remembered.
import { gzipSync } from 'node:zlib';

const KIB = 1024;
const MIB = 1024 * KIB;
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

/** Texts one after the other until they have `most` characters. */
function filled(most, piece) {
  const pieces = [];
  for (let length = 0, i = 0; length < most; i++) {
    pieces.push(piece(i));
    length += pieces[i].length;
  }
  return pieces.join('').slice(0, most);
}

const list = (count, item) => Array.from({ length: count }, (_, i) => item(i));
const graphql = (query, variables) => ({
  path: '/graphql',
  headers: JSON_TYPE,
  body: JSON.stringify({ query, variables }),
});
const rest = (path, body, headers = JSON_TYPE) => ({
  path: `/api${path}`,
  headers,
  body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
});

/** HTML that takes the most to sanitise and to render, by its shape. */
const MARKUP = {
  attributes: (i) => `<p a${i} b c d e f g h i>`,
  tags: (i) => `<p id=a${i}>`,
  addresses: (i) => `<a href="j:${i}">`,
  depth: () => '<div>',
  bold: () => '<b>',
  quotes: () => '<a b="',
  breaks: () => '<br>\n',
  code: () => '<code>"',
  lines: () => 'a\n',
};
const html = (shape, length, i) => `${i}${filled(length, MARKUP[shape])}`;

const CREATE =
  'mutation($input: CreatePostInput!) { createPost(input: $input) { post { id excerpt } } }';
const ITEM = list(8, (n) => `t${n}: terms { id name slug }`).join(' ');

/** A document of some 2,000 words and signs that fits the schema: fields within fields. */
const wide = (i) => {
  const fragment = (n) => `fragment F${n} on Post { id title slug excerpt url terms { id name } }`;
  const spread = list(95, (n) => `...F${n}`).join(' ');
  return `query Q${i} { posts(first: 1) { nodes { ${spread} } } } ${list(95, fragment).join(' ')}`;
};
const roots = (i) =>
  list(10, (n) => `r${i}x${n}: posts(first: 1) { totalCount nodes { ${ITEM} } }`).join(' ');

function multipart(parts, headers, value) {
  const one = `--x\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${value}\r\n`;
  return rest('/v1/posts', `${one.repeat(parts)}--x--\r\n`, {
    'content-type': 'multipart/form-data; boundary=x',
  });
}

const post = (body, headers) => rest('/v1/posts', body, { ...JSON_TYPE, ...headers });
const batch = (requests, headers) => rest('/batch/v1', { requests }, { ...JSON_TYPE, ...headers });
/** The post whose revisions are read; hostile.mjs makes it with `revise`. */
export const REVISED = { id: 0 };
export const revise = (i) => post({ title: `x${i}`, content: html('tags', 300 * KIB, 0) });

/** The model with the HTML fields a, b and c, whose items are made; hostile.mjs makes it. */
export const MODEL = { id: 0 };
const modelItem = (values) =>
  graphql(
    'mutation($input: CreateModelItemInput!) { createModelItem(input: $input) { item { id } } }',
    { input: { modelId: MODEL.id, values } },
  );

/** What a batch sends along as 2 MiB of bodies in 25 requests. */
const EACH = 80 * KIB;

/**
 * The requests by name: who sends it (anonymous, contributor, member, editor), and what. `i` counts
 * the requests of the run.
 */
export const REQUESTS = [
  ...Object.keys(MARKUP).map((shape) => [
    `1 MiB of HTML of a contributor: ${shape}`,
    'contributor',
    (i) => post({ title: `x${i}`, content: html(shape, MIB - 20, i) }),
  ]),
  ...['attributes', 'tags', 'depth', 'lines'].map((shape) => [
    `64 KiB of HTML of a contributor: ${shape}`,
    'contributor',
    (i) => post({ title: `x${i}`, content: html(shape, 64 * KIB - 500, i) }),
  ]),
  ...['attributes', 'tags', 'addresses', 'depth', 'lines'].map((shape) => [
    `item of a model with 1 MiB of HTML: ${shape}`,
    'editor',
    (i) => modelItem([{ field: 'a', value: html(shape, MIB - 20, i) }]),
  ]),
  [
    'item of a model with HTML in three fields: tags',
    'editor',
    (i) => modelItem(['a', 'b', 'c'].map((field) => ({ field, value: html('tags', 60 * KIB, i) }))),
  ],
  [
    'content and excerpt of 1 MiB together, over GraphQL',
    'contributor',
    (i) =>
      graphql(CREATE, {
        input: {
          title: `x${i}`,
          content: html('attributes', MIB - 20, i),
          excerpt: html('attributes', 900 * KIB, i),
        },
      }),
  ],
  [
    'title of 64 KiB: addresses',
    'contributor',
    (i) => post({ title: html('addresses', 64 * KIB - 20, i) }),
  ],
  [
    'footnotes of 64 KiB',
    'contributor',
    (i) =>
      post({
        title: `x${i}`,
        meta: {
          footnotes: JSON.stringify(list(1_500, (n) => ({ id: 'a', content: `<p a${n} b>` }))),
        },
      }),
  ],
  [
    'batch of 25 contents of 80 KiB',
    'contributor',
    (i) =>
      batch(
        list(25, (n) => ({
          path: '/v1/posts',
          body: { title: `x${i}`, content: html('attributes', EACH, `${i}.${n}`) },
        })),
      ),
  ],
  ['unknown document of 2,000 tokens', 'anonymous', (i) => graphql(wide(i))],
  ['unknown document of 10 roots', 'anonymous', (i) => graphql(`query Q${i} { ${roots(i)} }`)],
  [
    'unknown document of 2,000 tokens with mistakes',
    'anonymous',
    (i) => graphql(`query Q${i} { ${list(950, (n) => `x${n}`).join(' ')} }`),
  ],
  [
    'unknown document of many definitions',
    'anonymous',
    (i) => graphql(list(110, (n) => `query Q${i}x${n}($v: ID!) { post(id: $v) { id } }`).join(' ')),
  ],
  [
    'unknown document of literals',
    'anonymous',
    (i) => graphql(`query Q${i} { posts(filter: {ids: [${'1 '.repeat(1_900)}]}) { totalCount } }`),
  ],
  [
    'document with one more mistake than are told, in arguments',
    'anonymous',
    (i) =>
      graphql(
        `query Q${i} { ${list(10, (n) => `r${n}: posts(${list(60, (m) => `a${m}: 1`).join(' ')}) { x }`).join(' ')} }`,
      ),
  ],
  [
    'document that comes for the third time',
    'anonymous',
    (i) => graphql(wide(Math.floor(i / 3) * 1_000_000)),
  ],
  ['introspection as tools ask for it', 'clinician', (i) => graphql(`${INTROSPECTION} # ${i}`)],
  [
    '10,000 variables that do not fit',
    'anonymous',
    (i) =>
      graphql(`query Q${i % 2}($v: [ID!]) { nodes(ids: $v) { id } }`, {
        v: list(9_900, () => [{}]),
      }),
  ],
  [
    '10,000 variables that fit',
    'anonymous',
    () =>
      graphql('query($v: [ID!]!) { nodes(ids: $v) { id } }', { v: list(9_900, (n) => `x${n}`) }),
  ],
  [
    'body of 2 MiB that is no document',
    'anonymous',
    (i) => graphql(`# ${i}${' '.repeat(2 * MIB - 100)}`),
  ],
  [
    'body of 2 MiB, a variable',
    'anonymous',
    (i) => graphql('query($v: String) { site { title } }', { v: `${i}${'é'.repeat(MIB - 200)}` }),
  ],
  [
    'body of 2 MiB as gzip',
    'anonymous',
    (i) => {
      const { body, ...whole } = graphql('{ site { title } }', {
        v: `${i}${'\\n'.repeat(MIB - 200)}`,
      });
      return {
        ...whole,
        headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
        body: gzipSync(body.slice(0, 2 * MIB)),
      };
    },
  ],
  [
    'JSON of 30,000 values',
    'anonymous',
    (i) => post({ title: `x${i}`, meta: list(29_000, (n) => ({ a: n })).slice(0, 14_000) }),
  ],
  [
    'JSON of 2 MiB with lone surrogates',
    'anonymous',
    (i) => post(`{"title": "${i}${'\\u00e9'.repeat(MIB / 4)}", "x": "\\ud800"}`),
  ],
  [
    'JSON of 2 MiB that breaks off',
    'anonymous',
    (i) => post(`{"title": "${i}${'x'.repeat(2 * MIB - 100)}`),
  ],
  [
    'JSON of 2 MiB under an Idempotency-Key',
    'contributor',
    (i) => post({ x: `${i}${'\n'.repeat(MIB - 100)}` }, { 'idempotency-key': `k${i}` }),
  ],
  [
    'form of 2 MiB',
    'anonymous',
    (i) => rest('/v1/posts', `title=${i}${'%C3%A9'.repeat(MIB / 3 - 10)}`, FORM_TYPE),
  ],
  [
    'form of 1,000 parameters of 8 levels',
    'anonymous',
    () =>
      rest('/v1/posts', list(1_000, (n) => `meta${'[a]'.repeat(7)}[]=${n}`).join('&'), FORM_TYPE),
  ],
  [
    'form of 2 MiB of brackets',
    'anonymous',
    () => rest('/v1/posts', list(1_000, () => `a${'[a]'.repeat(690)}=1`).join('&'), FORM_TYPE),
  ],
  [
    'page of revisions of 300 KiB',
    'contributor',
    (i) => ({ path: `/api/v1/posts/${REVISED.id}/revisions?per_page=100&x=${i}` }),
  ],
  ['multipart of 30,000 parts', 'anonymous', () => multipart(30_000, 'name="a"', 'b')],
  [
    'multipart of 25,000 files',
    'anonymous',
    () => multipart(25_000, 'name="a"; filename="b"', 'c'),
  ],
  [
    'multipart of 2 MiB of half a boundary',
    'anonymous',
    () => ({
      ...multipart(
        1,
        'name="a"',
        filled(2 * MIB - 200, () => '\r\n--'),
      ),
    }),
  ],
  [
    'batch of 25 paths of 80 KiB',
    'anonymous',
    (i) => batch(list(25, () => ({ path: `/v1/posts?${i}${'a[]=%41&'.repeat(EACH / 8)}` }))),
  ],
  [
    'batch of 25 hosts of 80 KiB',
    'anonymous',
    () => batch(list(25, () => ({ path: `//${'a@'.repeat(EACH / 2)}/v1/posts` }))),
  ],
  [
    'batch of 25 with 1,000 parameters',
    'anonymous',
    (i) =>
      batch(
        list(25, () => ({ path: `/v1/posts?${list(999, (n) => `include[]=${i}${n}`).join('&')}` })),
      ),
  ],
  [
    'list of 100 posts with embeds',
    'anonymous',
    (i) => ({ path: `/api/v1/posts?per_page=100&_embed&x=${i}` }),
  ],
  [
    'list of 100 posts, 1,000 _fields',
    'anonymous',
    (i) => ({
      path: `/api/v1/posts?per_page=100&_fields=${list(1_000, (n) => `a${n}.b`).join()}&x=${i}`,
    }),
  ],
  ['index of the API', 'anonymous', (i) => ({ path: `/api?x=${i}` })],
  ['index of a namespace in help', 'anonymous', (i) => ({ path: `/api/v1?context=help&x=${i}` })],
  [
    'search of ten words',
    'anonymous',
    (i) => ({
      path: `/api/v1/posts?search=${list(10, (n) => `word${i}${n}`).join('+')}&per_page=100`,
    }),
  ],
  [
    'token that is none',
    'anonymous',
    (i) => ({
      path: `/api/v1/posts?x=${i}`,
      headers: { authorization: `Bearer ${'a'.repeat(5_000)}.${i}.${'b'.repeat(5_000)}` },
    }),
  ],
  [
    'password that is wrong',
    'anonymous',
    (i) => ({
      ...graphql('mutation($i: LoginInput!) { login(input: $i) { token } }', {
        i: { username: `nobody${i}`, password: 'a wrong password' },
      }),
    }),
  ],
  [
    'directions of 64 KiB',
    'member',
    (i) =>
      rest('/v1/medicine_reminder', {
        name: `x${i}`,
        start_date: '2026-03-01',
        frequency_type: filled(
          64 * KIB - 100,
          (n) => `${n % 9} tablets every ${n % 9}-6 hours then `,
        ),
      }),
  ],
  ...['1-', '()', '1/', '1-0-1 '].map((sign) => [
    `directions of 64 KiB: ${sign}`,
    'member',
    (i) =>
      rest('/v1/medicine_reminder', {
        name: `x${i}`,
        start_date: '2026-03-01',
        frequency_type: `${i} ${filled(64 * KIB - 100, () => sign)}`,
      }),
  ]),
  [
    'directions of 255 bytes',
    'member',
    (i) =>
      rest('/v1/medicine_reminder', {
        name: `x${i}`,
        start_date: '2026-03-01',
        frequency_type: filled(240, (n) => `${n % 9} tablets every ${n % 9}-6 hours then `),
      }),
  ],
  [
    'a rule of many instants',
    'member',
    (i) =>
      rest('/v1/medicine_reminder', {
        name: `x${i}`,
        start_date: '2026-03-01',
        frequency_type: `FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;BYHOUR=${list(24, (n) => n).join()}`,
      }),
  ],
  [
    'calendar of a year',
    'member',
    (i) => graphql(`query Q${i} { calendar(from: "2026-03-01", to: "2026-04-30") { __typename } }`),
  ],
];

const INTROSPECTION = `query IntrospectionQuery { __schema { queryType { name } mutationType { name } subscriptionType { name }
  types { ...FullType } directives { name description locations args { ...InputValue } } } }
fragment FullType on __Type { kind name description fields(includeDeprecated: true) { name description args { ...InputValue } type { ...TypeRef } isDeprecated deprecationReason }
  inputFields { ...InputValue } interfaces { ...TypeRef } enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } possibleTypes { ...TypeRef } }
fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue }
fragment TypeRef on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } }`;
