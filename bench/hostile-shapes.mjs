// Requests of odd shapes, for hostile.mjs: documents, headers, paths, cursors, dates, directions and
// bodies that stay within every bound and are as dear as these allow.

const JSON_TYPE = { 'content-type': 'application/json' };
const list = (count, item) => Array.from({ length: count }, (_, i) => item(i));
const get = (path, headers = {}) => ({ path: `/api/v1${path}`, headers });
const post = (path, body, headers = {}) => ({
  path: `/api${path}`,
  headers: { ...JSON_TYPE, ...headers },
  body: JSON.stringify(body),
});
const graphql = (query, variables, headers = {}) => ({
  path: '/graphql',
  headers: { ...JSON_TYPE, ...headers },
  body: JSON.stringify({ query, variables }),
});
const EVENTS = { accept: 'text/event-stream' };
const medicine = (i, more) =>
  post('/v1/medicine_reminder', { name: `x${i}`, start_date: '2026-03-01', ...more });
const FEEDS = 'subscription($s: [FeedSubjectInput!]!) { changes(subjects: $s) { __typename } }';
const deep = (depth, inner) => `${'... on Post { '.repeat(depth)}${inner}${' }'.repeat(depth)}`;
const field = (n) =>
  `--x\r\nContent-Disposition: form-data; name="meta[a][b][c][d][${n}]"\r\n\r\n1\r\n`;

/** A page of what a member has, after the rules and directions below were made for them. */
const OWN = [
  [
    'events of a month',
    'member',
    (i) => get(`/events?start_date=2026-03-01&end_date=2026-04-30&x=${i}`),
  ],
  ['100 medicines in whole', 'member', (i) => get(`/medicine_reminder?per_page=100&x=${i}`)],
  ...[
    '__typename',
    'days { events { reminder { ... on MedicineReminder { scheduleText } } } }',
  ].map((shown) => [
    `calendar: ${shown}`,
    'member',
    (i) => graphql(`query Q${i} { calendar(from: "2026-03-01", to: "2026-03-30") { ${shown} } }`),
  ]),
  [
    'adherence of a year',
    'member',
    (i) =>
      graphql(`query Q${i} { adherence(from: "2025-03-02", to: "2026-03-01") { __typename } }`),
  ],
  [
    'directions of 100 medicines',
    'member',
    (i) =>
      graphql(
        `query Q${i} { medicineReminders { nodes { scheduleText directionParts { __typename } } } }`,
      ),
  ],
];

/** Rules whose next occurrence is far, or that come often. */
const RULES = [
  'FREQ=HOURLY',
  'FREQ=YEARLY;BYWEEKNO=53;BYDAY=SU;BYHOUR=0,1,2,3',
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO',
  `FREQ=DAILY;BYHOUR=${list(24, (n) => n).join()};BYMINUTE=${list(60, (n) => n).join()}`,
];

/** The requests by name: who sends it, and what. `i` counts the requests of the run. */
export const SHAPES = [
  ...RULES.map((rule) => [
    `rule ${rule.slice(0, 40)}`,
    'member',
    (i) => medicine(i, { frequency_type: rule }),
  ]),
  [
    'directions in three scripts',
    'member',
    (i) =>
      medicine(i, {
        frequency_type: `${'по 2 таблетки 3 раза в день 每日三次 ثلاث مرات '.repeat(18)}${i}`,
      }),
  ],
  [
    'directions of numbers',
    'member',
    (i) =>
      medicine(i, {
        frequency_type: `${i} ${list(240, (n) => n)
          .join(' ')
          .slice(0, 950)}`,
      }),
  ],
  ...OWN,
  [
    'inline fragments in each other',
    'anonymous',
    (i) => graphql(`query Q${i} { posts(first: 1) { nodes { ${deep(9, 'id')} } } }`),
  ],
  [
    '300 variables that are declared',
    'anonymous',
    (i) => {
      const declared = list(300, (n) => `$v${n}: ID`).join(' ');
      const given = Object.fromEntries(list(300, (n) => [`v${n}`, 1]));
      return graphql(`query Q${i}(${declared}) { site { title } }`, given);
    },
  ],
  [
    'block string of a document',
    'anonymous',
    (i) =>
      graphql(`query Q${i} { search(query: """${'\n   a'.repeat(12_000)}""") { totalCount } }`),
  ],
  ...['statistics', 'chart'].map((name) => [
    `report by REST: ${name}`,
    'analyst',
    (i) => get(`/report/${name}?x=${i}`),
  ]),
  [
    'filter of 9,600 authors, tags and ids',
    'anonymous',
    (i) => {
      const ids = list(2_400, (n) => `${n + i}`);
      const f = { authorIds: ids, excludeIds: ids, tags: { anyOf: ids, noneOf: ids } };
      return graphql('query($f: PostFilter) { posts(filter: $f) { totalCount } }', { f });
    },
  ],
  [
    '1,000 parameters in brackets',
    'anonymous',
    (i) => get(`/posts?${list(999, (n) => `a[${n}][b]=${i}`).join('&')}`),
  ],
  [
    'Accept of 1,000 types',
    'anonymous',
    (i) =>
      graphql(
        `query Q${i} { site { title } }`,
        {},
        { accept: list(1_000, (n) => `a/b${n};q=0.1`).join() },
      ),
  ],
  [
    'If-None-Match of 1,800 tags',
    'anonymous',
    (i) => get(`/posts?x=${i}`, { 'if-none-match': list(1_800, (n) => `"${n}"`).join(', ') }),
  ],
  [
    'JSON of 29,000 keys',
    'anonymous',
    (i) => post('/v1/posts', Object.fromEntries(list(29_000, (n) => [`k${i}-${n}`, 0]))),
  ],
  [
    'post of 29,000 categories',
    'contributor',
    (i) => post('/v1/posts', { title: `${i}`, categories: list(29_000, (n) => n) }),
  ],
  [
    'batch of 25 lists in whole',
    'anonymous',
    (i) =>
      post('/batch/v1', {
        requests: list(25, (n) => ({ path: `/v1/posts?per_page=100&x=${i}${n}` })),
      }),
  ],
  [
    'multipart of 900 fields in brackets',
    'anonymous',
    () => ({
      path: '/api/v1/posts',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: `${list(900, field).join('')}--x--\r\n`,
    }),
  ],
  ...[EVENTS, { ...EVENTS, accept: 'text/event-stream, */*' }].map((headers) => [
    `subscription with 3,300 feeds: ${headers.accept}`,
    'anonymous',
    (i) => {
      const s = list(3_300, (n) => ({ feed: 'CALENDAR', memberId: `${n + i}` }));
      return graphql(`${FEEDS} # ${i % 2}`, { s }, headers);
    },
  ]),
  [
    'mutation with 9,000 ids',
    'member',
    (i) =>
      graphql(
        'mutation($v: [ID!]!) { deleteNotifications(input: { ids: $v }) { deletedNotificationIds } }',
        { v: list(9_000, (n) => `${n + i}`) },
      ),
  ],
  [
    'post of 5,000 tags over GraphQL',
    'editor',
    (i) =>
      graphql('mutation($i: CreatePostInput!) { createPost(input: $i) { post { id } } }', {
        i: { title: `x${i}`, tagIds: list(5_000, (n) => `${n + 1}`) },
      }),
  ],
  [
    'item of a model of 3,000 fields that are none',
    'editor',
    (i) =>
      graphql(
        'mutation($i: CreateModelItemInput!) { createModelItem(input: $i) { item { id } } }',
        { i: { modelId: 1, values: list(3_000, (n) => ({ field: `f${n}`, value: `${i}` })) } },
      ),
  ],
];
