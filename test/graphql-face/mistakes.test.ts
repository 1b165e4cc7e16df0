import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { makeLog } from '../../src/platform/log.js';
import { type Answer, type Harness, useService } from '../support/harness.js';
import { nullDocuments } from './null-documents.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const ASKED = '{ __typename }';
/** Often enough that a query is compiled. */
const OFTEN = 5;
/** Subscriptions as a stream of events, others as usual. */
const STREAMS = { accept: 'text/event-stream, application/json' };
/** Levels of the log from which on it tells of a fault of ours. */
const ERROR = 50;

/** Documents in which $on decides what is selected. */
const CONDITIONS = [
  '{ posts @include(if: $on) { totalCount } }',
  '{ __typename posts @skip(if: $on) { totalCount } }',
  '{ posts { totalCount @include(if: $on) } }',
  '{ posts { ...F @skip(if: $on) } } fragment F on PostConnection { totalCount }',
  '{ posts { ...F } } fragment F on PostConnection { totalCount @include(if: $on) }',
  '{ posts { ... @include(if: $on) { totalCount } } }',
  '{ posts { ... on PostConnection @skip(if: $on) @include(if: true) { totalCount } } }',
];

/** What comes beside a document, and the place of the mistake in it. */
const BESIDE: readonly (readonly [object, readonly string[]])[] = [
  [{ query: 1 }, ['query']],
  [{ query: {} }, ['query']],
  ...['', null, undefined].map((query) => [{ query }, ['query']] as const),
  [{ query: '', extensions: {} }, ['query']],
  [{ query: '', extensions: { persistedQuery: null } }, ['query']],
  [{ operationName: '' }, ['operationName']],
  [
    { operationName: '', query: 'query A { __typename } query B { __typename }' },
    ['operationName'],
  ],
  ...[1, [], {}, false].map((operationName) => [{ operationName }, ['operationName']] as const),
  [{ variables: '{}' }, ['variables']],
  [{ variables: [] }, ['variables']],
  [{ variables: false }, ['variables']],
  [{ extensions: 'x' }, ['extensions']],
  [{ extensions: [1] }, ['extensions']],
  ...[2, '1', null, undefined, 0, 1.5, {}].map(
    (version) =>
      [
        { extensions: { persistedQuery: { version, sha256Hash: hashOf(ASKED) } } },
        ['extensions', 'persistedQuery', 'version'],
      ] as const,
  ),
  ...[1, true, 'x', [], 0, '', false].map(
    (persistedQuery) =>
      [{ extensions: { persistedQuery } }, ['extensions', 'persistedQuery', 'version']] as const,
  ),
  ...[hashOf('{ posts { totalCount } }'), hashOf(ASKED).toUpperCase(), '', 'x', 1, {}, null].map(
    (sha256Hash) =>
      [
        { extensions: { persistedQuery: { version: 1, sha256Hash } } },
        ['extensions', 'persistedQuery', 'sha256Hash'],
      ] as const,
  ),
  ...[1, {}, null, undefined, '', 'x', '0'.repeat(63), hashOf(ASKED).toUpperCase()].map(
    (sha256Hash) =>
      [
        { query: undefined, extensions: { persistedQuery: { version: 1, sha256Hash } } },
        ['extensions', 'persistedQuery', 'sha256Hash'],
      ] as const,
  ),
];

/** Any JSON, and what a request has at this place. */
const oddly = (...usual: unknown[]) =>
  fc.oneof(fc.constantFrom(...usual, undefined), fc.jsonValue({ maxDepth: 3 }));
const BODY = fc.oneof(
  fc.jsonValue(),
  fc.record({
    query: oddly(ASKED, '', 'query A { __typename } query B { __typename }', 'mutation { x }'),
    operationName: oddly('', 'A', 'x', null),
    variables: oddly({}, null, { on: null }),
    extensions: oddly(
      { persistedQuery: { version: 1, sha256Hash: hashOf(ASKED) } },
      { persistedQuery: { version: 1, sha256Hash: 'x' } },
      { persistedQuery: { version: 2 } },
      { persistedQuery: null },
    ),
  }),
);
/** Values of headers that a careless caller sends. */
const texts = (...usual: string[]) =>
  fc.constantFrom(...usual, '', 'x', ',;=', '"', '*', '0', '-1', 'x'.repeat(500), '\u00ff');
const HEADERS = fc.record(
  {
    accept: texts('application/json', 'text/event-stream', 'multipart/mixed', 'text/html;q=2'),
    'content-type': texts('application/json', 'application/json; charset="utf-8"', 'text/plain'),
    'content-encoding': texts('gzip', 'br, gzip', 'identity'),
    'accept-encoding': texts('gzip', 'GZIP;q=0', 'identity;q=0'),
    authorization: texts('Bearer', 'Bearer a.b.c', 'Basic', 'Basic !!', 'Digest x', 'Basic Og=='),
    'idempotency-key': texts('a-key', ' '),
    'time-zone': texts('Mars/Phobos', 'Europe/Vienna', '+25:00'),
    'x-forwarded-for': texts('1.2.3.4, x', '::::', '[::1]:x'),
    'if-none-match': texts('W/"x"', '"'),
    'x-apollo-operation-name': texts('A'),
    'refresh-token': texts('a.b.c'),
    'accept-language': texts('de;q=x'),
    origin: texts('null', 'https://['),
  },
  { requiredKeys: [] },
);
const PATHS = ['/graphql', '/graphql/', '/GraphQL', '/graphqlx', '/graphql//', '/graphql/x'].concat(
  ['/nothing', '/v3/graphql', '/%', '/%00', '/graphql/%ff', '/graphql/assets/x.js', '//x', '/?%'],
  ['/graphql/rest', '/calendar/x.ics', '/demo/x.svg', '/admin/x', '/v3/admin/%', '/posts/%ff/'],
);

describe('A mistake of a caller of GraphQL', () => {
  const service = useService();
  const lines: string[] = [];
  let watched: Harness;
  beforeAll(async () => {
    const log = makeLog('info', { write: (line: string) => void lines.push(line) });
    watched = await service().beside({ log });
  });
  beforeEach(() => void lines.splice(0));
  afterAll(() => watched.stop());

  const faults = () => lines.filter((line) => JSON.parse(line).level >= ERROR);
  const post = (asked: object | string, headers: object = {}) =>
    watched.fetch('/graphql', {
      method: 'POST',
      headers: { ...JSON_TYPE, ...headers },
      body: typeof asked === 'string' ? asked : JSON.stringify(asked),
    });
  const get = (asked: object) => {
    const pairs = Object.entries(asked).filter(([, value]) => value !== undefined);
    const search = pairs.map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    return watched.fetch(`/graphql?${new URLSearchParams(search)}`, {
      headers: { 'apollo-require-preflight': '1' },
    });
  };
  const errorsOf = ({ body, text }: Answer) =>
    (body ?? JSON.parse(/^data: (.+)/m.exec(text)?.[1] ?? '{}')).errors ?? [];
  /** Expects one mistake, and that it points at a place of the document. */
  const expectPlaced = (answer: Answer, about: string) => {
    const [error] = errorsOf(answer);
    expect([about, error?.extensions.code]).toStrictEqual([about, 'BAD_USER_INPUT']);
    expect(error.locations, about).toMatchObject([{ line: 1 }]);
    expect(error.message, about).toMatch(/^Argument /);
  };

  it('is told with its place where null takes the place of a default, anywhere in the schema', async () => {
    const documents = [...nullDocuments(service().app.schema)];
    expect(documents.length).toBeGreaterThan(300);
    for (const query of documents)
      for (let i = 0; i < (query.startsWith('query') ? OFTEN : 1); i++)
        expectPlaced(await post({ query, variables: { v: null } }, STREAMS), query);
    expect(faults()).toStrictEqual([]);
  });

  for (const selection of CONDITIONS)
    it(`is told with its place where null decides what is selected: ${selection}`, async () => {
      const query = `query($on: Boolean = true) ${selection}`;
      const told = [];
      // Both forms have been compiled before null comes.
      for (const on of [true, false, null])
        for (let i = 0; i < OFTEN; i++) {
          const answer = await post({ query, variables: { on } });
          if (on === null) told.push(answer.text);
          if (on === null) expectPlaced(answer, query);
          else expect(errorsOf(answer)).toStrictEqual([]);
        }
      expect(new Set(told).size).toBe(1);
      expect(faults()).toStrictEqual([]);
    });

  for (const [asked, path] of BESIDE)
    it(`is told with its place beside the document: ${JSON.stringify(asked)}`, async () => {
      const sent = { query: ASKED, ...asked };
      // In a query string, a number or a text for JSON is another thing.
      const byGet =
        'extensions' in asked || ('operationName' in asked && asked.operationName === '');
      for (const answer of [await post(sent), ...(byGet ? [await get(sent)] : [])]) {
        expect([answer.status, errorsOf(answer)[0]?.extensions]).toMatchObject([
          400,
          { code: 'BAD_REQUEST', problems: [{ path, code: 'BAD_REQUEST' }] },
        ]);
      }
      const stream = await post(sent, { accept: 'text/event-stream' });
      expect(stream.text).toContain('"code":"BAD_REQUEST"');
      expect(faults()).toStrictEqual([]);
    });

  it.each([
    ['several operations', '[{"query":"{ __typename }"}]', /^query must be sent alone/],
    ['a text', '"{ __typename }"', /must be a JSON object/],
    ['null', 'null', /must be a JSON object/],
    ['no bytes', '', /^query must hold a document/],
    ['half of an object', '{', /is not valid JSON/],
    [
      'more levels than variables may have',
      '['.repeat(200_000),
      /^Variables may be nested 64 deep/,
    ],
  ])('is told with what to send for a body of %s', async (_, body, message) => {
    const answer = await post(body);
    const [error] = errorsOf(answer);
    expect([answer.status, error.message]).toStrictEqual([400, expect.stringMatching(message)]);
    if (/^(query|Variables)/.test(error.message))
      expect(error.extensions.problems[0].path).toHaveLength(1);
    expect(faults()).toStrictEqual([]);
  });

  it('is told as such for an unknown path, with the path', async () => {
    for (const path of ['/graphqlx', '/graphql/x', '/nothing', '/v3/graphql', '/calendar/x.ics'])
      for (const method of ['GET', 'POST', 'PUT']) {
        const { status, body } = await watched.fetch(path, { method });
        expect([status, body?.errors?.[0]]).toMatchObject([
          404,
          { message: `There is nothing at ${path}.`, extensions: { code: 'BAD_REQUEST' } },
        ]);
      }
    expect(faults()).toStrictEqual([]);
  });

  it('is never told or logged as a fault of ours, whatever is sent', async () => {
    const asking = fc.record({
      method: fc.constantFrom('POST', 'POST', 'POST', 'GET', 'PUT', 'DELETE', 'OPTIONS'),
      path: fc.oneof({ weight: 5, arbitrary: fc.constant('/graphql') }, fc.constantFrom(...PATHS)),
      body: fc.oneof(
        BODY.map((value) => JSON.stringify(value)),
        fc.string(),
        fc.constant(''),
      ),
      headers: fc.oneof(fc.constant({}), HEADERS),
    });
    const runs = fc.asyncProperty(asking, async ({ method, path, body, headers }) => {
      const isGet = method === 'GET';
      const sent = { ...JSON_TYPE, 'apollo-require-preflight': '1', ...headers };
      const search = isGet && body.startsWith('{') ? queryOf(body) : '';
      const answer = await watched.fetch(path + search, {
        method,
        headers: sent,
        ...(!isGet && { body }),
      });
      expect(answer.status).toBeLessThan(500);
      expect(answer.text).not.toContain('INTERNAL');
      expect(faults()).toStrictEqual([]);
    });
    await fc.assert(runs, { numRuns: 400, seed: 12, endOnFailure: true });
  });
});

/** Returns the query string of what the JSON of a body asks. */
function queryOf(body: string): string {
  const pairs = Object.entries(JSON.parse(body) as object).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return `?${new URLSearchParams(pairs)}`;
}
