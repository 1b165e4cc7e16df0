import { serverAudits } from 'graphql-http';
import { pino } from 'pino';
import { QUOTAS } from '../../src/core/quota.js';
import { ConnectionError } from '../../src/platform/database/database-errors.js';
import { type Answer, errorCode, type Harness, useService } from '../support/harness.js';
import { whenOver } from '../support/running.js';

const list = (count: number, item: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => item(i)).join(' ');
const codes = ({ body }: Answer) =>
  body.errors?.map(({ extensions }: { extensions: { code: string } }) => extensions.code);
const PLAIN = { accept: 'application/json' };
const KEYED = { 'idempotency-key': 'a-key' };

describe('GraphQL over HTTP', () => {
  const service = useService();

  it('passes every audit of the graphql-http package, for an analyst whose client sends the preflight header', async () => {
    const headers = {
      ...(await service().authorization('analyst')),
      'apollo-require-preflight': '1',
    };
    const fetchFn = (url: string, init: RequestInit = {}) =>
      fetch(url, { ...init, headers: { ...init.headers, ...headers } });
    const failed: string[] = [];
    for (const audit of serverAudits({ url: `${service().url}/graphql`, fetchFn })) {
      const result = await audit.fn();
      if (result.status !== 'ok') failed.push(`${audit.id} ${audit.name}: ${result.reason}`);
    }
    expect(failed).toStrictEqual([]);
  });

  it('answers what does not fit with 400, and with 200 to whoever accepts application/json by its name alone', async () => {
    const wrong: [string, object][] = [
      ['{', {}],
      ['{ nonsense }', {}],
      ['query($first: Int) { posts(first: $first) { totalCount } }', { first: 'x' }],
      ['query A { __typename } query B { __typename }', {}],
    ];
    for (const [query, variables] of wrong) {
      const headers = [
        {},
        PLAIN,
        { accept: 'application/graphql-response+json' },
        { accept: 'application/graphql-response+json, application/json' },
      ];
      const statuses = [];
      for (const accepting of headers)
        statuses.push((await service().graphql(query, variables, { headers: accepting })).status);
      expect(statuses, query).toStrictEqual([400, 200, 400, 400]);
    }
  });

  it('judges introspection by what the document asks for, under whatever name, not by its text', async () => {
    for (const query of [
      '{ a: __schema { queryType { name } } }',
      '{ ...F } fragment F on Query { ... on Query { t: __type(name: "Post") { name } } }',
    ])
      expect(codes(await service().graphql(query)), query).toStrictEqual([
        'INTROSPECTION_FORBIDDEN',
      ]);
    const search =
      '{ posts(filter: { search: "__schema __type" }) { __typename totalCount } } # __schema';
    const { body } = await service().graphql(search);
    expect(body).toStrictEqual({
      data: { posts: { __typename: 'PostConnection', totalCount: 0 } },
    });
    expect((await service().graphql('query __schema { __typename }')).body).toStrictEqual({
      data: { __typename: 'Query' },
    });
  });

  it('answers 503 with Retry-After while the database cannot be reached, as REST does', async () => {
    const gone = () => Promise.reject(new ConnectionError('gone'));
    const model = new Proxy({}, { get: () => gone });
    const { database } = service();
    let down = false;
    const outage = new Proxy(database, {
      get: (target, name) => {
        if (down && name === 'db')
          return new Proxy(
            {},
            { get: (_, method) => (String(method).startsWith('$') ? gone : model) },
          );
        if (down && (name === 'query' || name === 'transaction')) return gone;
        return Reflect.get(target, name, target);
      },
    });
    const other = await besides(service(), { database: outage });
    expect((await other.graphql('{ posts { totalCount } }')).status).toBe(200);
    const outcome = ({ status, headers }: Answer) => [status, headers.get('retry-after')];
    down = true;
    // Within a second the settings of the site are still known, and it is the field that fails.
    const field = await other.graphql('{ posts { totalCount } }', {}, { headers: PLAIN });
    const partly = await other.graphql(
      '{ __typename mediaItem(id: 1) { id } }',
      {},
      { headers: PLAIN },
    );
    expect([partly.status, partly.body.data, codes(partly)]).toStrictEqual([
      200, // there are data
      { __typename: 'Query', mediaItem: null },
      ['UNAVAILABLE'],
    ]);
    other.now = () => Date.now() + 5_000;
    const context = await other.graphql('{ posts { totalCount } }', {}, { headers: PLAIN });
    for (const answer of [field, context]) {
      expect(outcome(answer)).toStrictEqual(outcome(await other.rest('GET', '/v1/posts')));
      expect([outcome(answer), codes(answer)]).toStrictEqual([[503, '1'], ['UNAVAILABLE']]);
    }
  });
});

describe('A document that asks for too much', () => {
  const service = useService();

  it('is refused before anything is read: an answer of more than 16 MiB, for which ten kilobytes of aliases would do', async () => {
    await service().post({ content: 'x'.repeat(900_000) });
    const aliases = (count: number) =>
      `{ posts { nodes { ${list(count, (i) => `a${i}: content`)} } } }`;
    const many = await service().graphql(aliases(150));
    expect([many.status, codes(many)]).toStrictEqual([400, ['DOCUMENT_TOO_LARGE']]);
    const two = `{ ${list(2, (i) => `p${i}: posts { nodes { ${list(10, (k) => `a${k}: content`)} } }`)} }`;
    const large = await service().graphql(two);
    expect([large.status, codes(large), large.body.data]).toStrictEqual([
      400,
      ['RESPONSE_TOO_LARGE'],
      undefined,
    ]);
    expect((await service().graphql(aliases(10))).status).toBe(200);
  });

  it('has changed what it was to change when only its answer is too large, and says so', async () => {
    const content = 'x'.repeat(900_000);
    const { id } = await service().post({ content });
    const texts = list(10, (i) => `a${i}: content b${i}: contentSource`);
    const mutation = `mutation($input: UpdatePostInput!) { updatePost(input: $input) { post { version ${texts} } } }`;
    const answer = await service().graphql(
      mutation,
      { input: { id, title: 'Changed' } },
      { as: 'editor' },
    );
    expect([answer.status, codes(answer)]).toStrictEqual([200, ['RESPONSE_TOO_LARGE']]);
    expect(answer.body.errors[0].message).toMatch(/has been changed/);
    const { body } = await service().graphql('query($id: ID!) { post(id: $id) { title } }', { id });
    expect(body.data.post.title).toBe('Changed');
  });

  it('pays for its texts: ten contents cost more points than ten ids', async () => {
    service().at(1_800_000_000_000);
    service().limit();
    const spent = async (selection: string) => {
      const limiter = service().limits.limiter(QUOTAS.anonymous);
      const { remaining } = await limiter.take('127.0.0.1', 0);
      await service().graphql(`{ posts(first: 100) { nodes { ${selection} } } }`);
      return remaining - (await limiter.take('127.0.0.1', 0)).remaining;
    };
    expect(await spent('id')).toBe(1);
    expect(await spent('content')).toBeGreaterThanOrEqual(10);
  });
});

describe('Values that no type expects', () => {
  const service = useService();
  const QUERY =
    'query($ids: [ID!], $data: JSONObject) { posts(filter: { ids: $ids }) { totalCount } }';
  const SEND =
    'mutation($input: SendNotificationInput!) { sendNotification(input: $input) { notificationIds } }';

  /** JSON of values so deep within each other that functions which recurse into them fail. */
  const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const send = async (query: string, variables: string, headers: Record<string, string> = {}) =>
    service().fetch('/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(await service().authorization('editor')),
        ...headers,
      },
      body: `{"query":${JSON.stringify(query)},"variables":${variables}}`,
    });

  it('are a 400 each, and the first fifty of them are named', async () => {
    const query =
      'query($formats: [PostFormat!]) { posts(filter: { formats: $formats }) { totalCount } }';
    for (const count of [1, 50, 51, 9_000]) {
      const answer = await service().graphql(query, { formats: Array(count).fill('x') });
      expect([answer.status, [...new Set(codes(answer))]], String(count)).toStrictEqual([
        400,
        ['BAD_USER_INPUT'],
      ]);
      expect(codes(answer).length).toBeLessThanOrEqual(51);
    }
  });

  it('are named with their places in the arguments', async () => {
    const placesOf = async (query: string, variables: object) => {
      const { body } = await service().graphql(query, variables);
      return body.errors[0].extensions.problems.map(({ path }: { path: string[] }) =>
        path.join('.'),
      );
    };
    const update =
      'mutation($change: UpdateProfileInput!) { updateProfile(input: $change) { __typename } }';
    const change = { timeZone: 'Mars/Olympus', name: 7, unknown: 1 };
    expect((await placesOf(update, { change })).sort()).toStrictEqual([
      'input',
      'input.name',
      'input.timeZone',
    ]);
    const query =
      'query($id: ID, $status: ContentStatus!, $to: LocalDate) { ' +
      'calendar(memberId: $id, to: $to) { version } ' +
      'posts(filter: { statuses: [DRAFT, $status] }) { totalCount } }';
    expect(await placesOf(query, { id: {}, to: 'soon', status: 'NONE' })).toStrictEqual([
      'memberId',
      'filter.statuses.1',
      'to',
    ]);
  });

  it('may not be nested deeply, with or without an Idempotency-Key, in whatever place', async () => {
    expect(QUERY).toMatch(/data/);
    for (const headers of [{}, KEYED]) {
      for (const variables of [
        `{"input":{"title":"T","data":${deep(20_000)}}}`,
        `{"input":{"title":${deep(20_000)}}}`,
        `{"input":{"title":"T"},"unknown":${deep(20_000)}}`,
        `{"input":{"title":"T","recipientIds":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`,
      ]) {
        const answer = await send(SEND, variables, headers);
        expect([answer.status, codes(answer)], variables.slice(0, 60)).toStrictEqual([
          400,
          ['BAD_USER_INPUT'],
        ]);
      }
    }
    const within = await send(SEND, `{"input":{"title":"T","data":${deep(20)}}}`, KEYED);
    expect([within.status, codes(within)]).toStrictEqual([200, undefined]);
  });

  it('may not be more than ten thousand', async () => {
    const query = 'query($ids: [ID!]) { posts(filter: { ids: $ids }) { totalCount } }';
    const ids = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
    expect((await service().graphql(query, { ids: ids(9_999) })).status).toBe(200);
    expect(codes(await service().graphql(query, { ids: ids(10_001) }))).toStrictEqual([
      'BAD_USER_INPUT',
    ]);
  });

  it('are counted before the body is parsed, whatever holds them', async () => {
    const many = (value: string, count = 170_000) =>
      Array.from({ length: count }, (_, i) => value.replace('#', String(i))).join();
    for (const raw of [
      `{"query":"{__typename}","variables":{${many('"k#":1')}}}`,
      `{"query":"{__typename}","extensions":{${many('"k#":1')}}}`,
      `{"query":"{__typename}","variables":{"a":"\\"","b":[${many('[]')}]}}`,
      `${'['.repeat(900_000)}${']'.repeat(900_000)}`,
    ]) {
      const response = await fetch(`${service().url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: raw,
      });
      const answer = (await response.json()) as { errors: { extensions: { code: string } }[] };
      expect([response.status, errorCode(answer)], raw.slice(0, 60)).toStrictEqual([
        400,
        'BAD_USER_INPUT',
      ]);
    }
    const text = JSON.stringify({ query: `{ __typename } # ${'[{,'.repeat(30_000)}` });
    const headers = { 'content-type': 'application/json' };
    expect(
      (await fetch(`${service().url}/graphql`, { method: 'POST', headers, body: text })).status,
    ).toBe(200);
  });

  it('within literals and names are a 400 too', async () => {
    const nested = `${'['.repeat(900)}${']'.repeat(900)}`;
    for (const query of [
      `{ posts(filter: { ids: ${nested} }) { totalCount } }`,
      `{ ${'a{'.repeat(600)}x${'}'.repeat(600)} }`,
      `{ posts(first: ${'['.repeat(1_990)}`,
      `{ posts(first: ${'{a:'.repeat(660)}`,
      `query($a: ${'['.repeat(1_990)}`,
      `{ ${'x'.repeat(1_000_000)} }`,
      `{ posts(first: "${'x'.repeat(1_000_000)}") { totalCount } }`,
    ]) {
      const answer = await service().graphql(query);
      expect(answer.status, query.slice(0, 40)).toBe(400);
      expect(answer.text.length).toBeLessThan(3_000);
    }
  });
});

describe('A cursor that somebody made up', () => {
  const service = useService();
  const cursor = (...keys: unknown[]) => Buffer.from(JSON.stringify(keys)).toString('base64url');
  const BEYOND = [2 ** 31, '9999999999', 9_999_999_999, 10 ** 18, '1e3', ' 1', ''];

  it('is CURSOR_INVALID in every list, whatever its numbers', async () => {
    const AT = '2026-01-01T00:00:00.000Z';
    const lists: [string, unknown[][]][] = [
      ['accounts', BEYOND.map((key) => ['accounts', key])],
      ['caredForMembers', BEYOND.map((key) => ['cared for', key])],
      [
        'careAssignments',
        BEYOND.flatMap((key) => [
          ['assignments', 1, key],
          ['assignments', key, 1],
        ]),
      ],
      [
        'auditEvents',
        [
          ['audit', 10 ** 17, 1],
          ['audit', AT, '1e3'],
          ['audit', AT, '1'.repeat(19)],
          ['audit', AT, -1],
        ],
      ],
      ['viewer.auditEvents', [['audit', 10 ** 17, 1]]],
      [
        'notifications',
        [
          ['notifications', AT, 10 ** 18],
          ['notifications', '+275760-09-13T00:00:00.001Z', 1],
          ['notifications', '-271821-04-20T00:00:00.000Z', 1],
          ['cared for', AT, 1],
        ],
      ],
      [
        'pages(orderBy: { field: MENU_ORDER, direction: ASC })',
        BEYOND.slice(0, 4).map((key) => ['page.menu_order.asc', String(key), '1']),
      ],
      [
        'posts',
        [
          '2026-02-30T00:00:00.000000Z',
          '2026-99-99T99:99:99.000000Z',
          '0000-01-01T00:00:00.000000Z',
          '999999-01-01T00:00:00.000000Z',
          '2026-01-01T::::::::.Z',
        ].map((time) => ['post.date.desc', time, '1']),
      ],
    ];
    for (const [name, cursors] of lists) {
      for (const keys of cursors) {
        const [path = '', args = ''] = name.split(/(?=\()/);
        const asked = args ? args.replace(')', ', after: $after)') : '(after: $after)';
        const list = path.split('.').join(' { ');
        const ends = ' }'.repeat(path.split('.').length);
        const query = `query($after: String) { ${list}${asked} { nodes { __typename } }${ends}`;
        const answer = await service().graphql(
          query,
          { after: cursor(...keys) },
          { as: 'administrator' },
        );
        // A field that may be null is refused alone: the draft of GraphQL over HTTP says 200.
        const [root = '', below] = path.split('.');
        const held = answer.body.data?.[root];
        const given = [answer.status, below ? held?.[below] : held, codes(answer)];
        expect(given, `${name} ${JSON.stringify(keys)}`).toStrictEqual([
          200,
          null,
          ['CURSOR_INVALID'],
        ]);
      }
    }
  });
});

describe('The log', () => {
  const service = useService();

  it('holds at most 100 characters of the name of an operation, and no name of none', async () => {
    const lines: string[] = [];
    const log = pino(
      { level: 'info', base: undefined },
      { write: (line: string) => void lines.push(line) },
    );
    const other = await besides(service(), { log });
    const name = 'N'.repeat(100_000);
    await other.graphql(`query ${name} { __typename }`);
    await other.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'query A { __typename }', operationName: name }),
    });
    const logged = lines.map((line) => JSON.parse(line));
    expect(logged.map(({ operation, errors }) => [operation, errors])).toStrictEqual([
      ['N'.repeat(100), undefined],
      [undefined, 1],
    ]);
  });
});

async function besides(
  service: Harness,
  changes: Parameters<Harness['beside']>[0],
): Promise<Harness> {
  const other = await service.beside(changes);
  whenOver(() => other.stop());
  return other;
}
