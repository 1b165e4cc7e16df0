// Each root of Query and each route that reads, for hostile.mjs: as much as one request may ask of it.
import { readFileSync } from 'node:fs';
import { buildSchema, getNamedType, isCompositeType, isNonNullType, isObjectType } from 'graphql';

const JSON_TYPE = { 'content-type': 'application/json' };
const root = new URL('..', import.meta.url);
const schema = buildSchema(readFileSync(new URL('schema/schema.graphql', root), 'utf8'));
const routes = JSON.parse(
  readFileSync(new URL('test/conformance/routes.json', root), 'utf8'),
).routes;

/** Numbers of what hostile.mjs made: members whom the clinician cares for, and a calendar's feed. */
export const MADE = { firstCared: 0, cared: [], feed: '' };

/** What fields need of arguments. Others are called without. */
const ARGUMENTS = {
  calendar: 'from: "2026-11-01", to: "2026-11-30"',
  adherence: 'from: "2025-12-01", to: "2026-11-26"',
  terms: 'taxonomy: TAG',
  search: 'query: "water"',
  memberHomes: 'memberIds: [CARED]',
  contentEmbed: 'url: "http://localhost/post-1/"',
};
const SKIPPED = new Set(['diagnostics', 'embedPreview']);

/** A selection of a type, of all fields that need no arguments, so many levels deep. */
function selectionOf(type, depth, above = []) {
  const fields = Object.values(type.getFields?.() ?? {}).flatMap((field) => {
    if (field.args.some((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined))
      return [];
    const inner = getNamedType(field.type);
    if (!isCompositeType(inner)) return [field.name];
    const isPart = field.name === 'nodes';
    if (field.name === 'edges' || (!isPart && (depth <= 1 || above.includes(inner.name))))
      return [];
    if (!isObjectType(inner)) return [`${field.name} { __typename }`];
    const first = field.args.some(({ name }) => name === 'first') ? '(first: 10)' : '';
    return [
      `${field.name}${first} ${selectionOf(inner, isPart ? depth : depth - 1, [...above, type.name])}`,
    ];
  });
  return `{ ${fields.join(' ') || '__typename'} }`;
}

function document(field, first, depth) {
  const given = [
    field.args.some(({ name }) => name === 'first') && first && `first: ${first}`,
    ARGUMENTS[field.name],
    /Report$/.test(field.name) && 'range: LAST_12_MONTHS',
  ].filter(Boolean);
  const inner = getNamedType(field.type);
  const selection = isCompositeType(inner)
    ? isObjectType(inner)
      ? selectionOf(inner, depth)
      : '{ __typename }'
    : '';
  return `{ ${field.name}${given.length > 0 ? `(${given.join(', ')})` : ''} ${selection} }`;
}

/** What members ask of themselves. */
const OWN = /calendar|adherence|eminder|member|care|notification|event|doseReport|viewer/i;
const callersOf = (name) =>
  OWN.test(name)
    ? ['patient', 'hourly', 'clinician']
    : [/report/i.test(name) ? 'analyst' : 'admin'];

const asked = Object.values(schema.getQueryType().getFields()).filter(
  ({ name, args }) =>
    !SKIPPED.has(name) &&
    args.every(
      (arg) => !isNonNullType(arg.type) || arg.defaultValue !== undefined || ARGUMENTS[name],
    ),
);
export const ROOTS = asked.flatMap((field) =>
  [
    [100, 1],
    [100, 2],
    [10, 3],
  ]
    .filter(([first]) => first === 100 || field.args.some(({ name }) => name === 'first'))
    .flatMap(([first, depth]) =>
      callersOf(field.name).map((as) => [
        `root ${field.name}, ${first}, ${depth} deep`,
        as,
        () => ({
          path: '/graphql',
          headers: JSON_TYPE,
          body: JSON.stringify({
            query: document(field, first, depth).replace('CARED', MADE.cared.join()),
          }),
        }),
      ]),
    ),
);

/** Routes that read, with the queries that make them dear. */
const QUERIES = [
  '',
  'per_page=100',
  'per_page=100&context=edit&_embed',
  'per_page=100&orderby=title&order=asc&search=water',
  'start_date=2026-11-01&end_date=2026-11-30',
];
export const ROUTES = routes
  .filter(
    ({ method, path }) =>
      method === 'GET' && !path.includes('{') && !/test_tp|import_poll|outlook|proxy/.test(path),
  )
  .flatMap(({ path, editions }) =>
    QUERIES.flatMap((query) =>
      callersOf(path).map((as) => [
        `route ${path}?${query}`,
        as,
        (i) => ({ path: `${editions.includes('B') ? '/v3/api' : '/api'}${path}?${query}&x=${i}` }),
      ]),
    ),
  );

const graphql = (query) => ({
  path: '/graphql',
  headers: JSON_TYPE,
  body: JSON.stringify({ query }),
});
const report =
  (rows, more = '') =>
  () =>
    graphql(
      `{ doseReport(from: "2024-12-01", to: "2026-11-25", first: 1 ${more}) { rows { ${rows} } } }`,
    );

/** What no selection of all fields finds. */
export const LARGE = [
  ['cells of two years', 'analyst', report('day medicineType scheduled')],
  ['cells of two years, hour', 'analyst', report('day hour scheduled')],
  ['cells of two years, weekday hour', 'analyst', report('month weekday hour scheduled')],
  [
    'cells of two years, compared',
    'analyst',
    report('day medicineType scheduled previous { scheduled }', 'compare: PREVIOUS_PERIOD'),
  ],
  ['cells of two years, people', 'analyst', report('day medicineType members')],
  ['cells of two years, filled', 'analyst', report('day medicineType scheduled', 'fill: true')],
  [
    'own cells of a year',
    'hourly',
    () =>
      graphql(
        '{ doseReport(from: "2025-12-01", to: "2026-11-25", first: 1) { rows { day hour scheduled } } }',
      ),
  ],
  ['feed of a calendar', 'anonymous', () => ({ path: MADE.feed, hasQuota: true })],
  [
    'homes of 100 members',
    'clinician',
    () => graphql(`{ memberHomes(memberIds: [${MADE.cared}]) { timeZone } }`),
  ],
  [
    'homes of 100 members, today',
    'clinician',
    () => graphql(`{ memberHomes(memberIds: [${MADE.cared}]) { today { title } } }`),
  ],
  [
    'homes of members cared for',
    'clinician',
    () => graphql('{ caredForMembers(first: 100) { nodes { member { id name } } } }'),
  ],
];
