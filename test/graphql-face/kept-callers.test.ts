import { gunzipSync } from 'node:zlib';
import { QUOTAS } from '../../src/core/quota.js';
import { ConnectionError } from '../../src/platform/database/database-errors.js';
import { errorCode, useService } from '../support/harness.js';
import {
  ANEW,
  clock,
  elsewhere,
  exchange,
  holding,
  limitBeside,
  loseChange,
  PERSONAL,
  plain,
  reading,
  stampede,
} from '../support/kept.js';

const PREFLIGHT = { 'apollo-require-preflight': '1' };
const POSTS = 'query Stream { posts(first: 3) { nodes { title content } } }';

/** Returns the address of a document. */
const addressOf = (query: string, more: Record<string, string> = {}) =>
  `/graphql?${new URLSearchParams({ query, ...more })}`;

describe('Answers to queries by GET that many ask for at once', () => {
  const service = useService();
  const keeping = useService(() => ({ RESPONSE_CACHE: 'on' }));

  it.each([
    ['', 3, false],
    [', also when that one breaks off', 4, true],
  ])('are made by one statement, for the first who asks%s', async (_, size, breaks) => {
    await service().post({ title: 'One' });
    const path = addressOf(`{ posts(first: ${size}) { nodes { title } } }`);
    const { answers, statements } = await stampede(
      keeping(),
      { path, headers: PREFLIGHT },
      { callers: 45, breaks },
    );
    expect(statements).toBe(1);
    const alone = await exchange(keeping(), path, { ...PREFLIGHT, ...ANEW });
    for (const answer of answers) expect(answer).toStrictEqual(alone);
  });
});

describe('Cached responses of GraphQL', () => {
  const service = useService();
  const keeping = useService(() => ({ RESPONSE_CACHE: 'on', CORS_ORIGINS: 'https://app.example' }));
  const pass = clock();
  beforeEach(() => pass(70_000));

  const PATH = addressOf(POSTS);
  const { get, keep, isKept, left } = reading(keeping, pass, PREFLIGHT);

  it('are the bytes and headers of one that is made now, as text and as gzip', async () => {
    await service().post({ title: 'Ünë', content: 'Wörds. '.repeat(300) });
    await keep(PATH);
    for (const encoding of ['identity', 'gzip']) {
      const headers = { ...PREFLIGHT, 'accept-encoding': encoding };
      expect(await isKept(PATH, headers)).toBe(true);
      const kept = await exchange(keeping(), PATH, headers);
      const made = await exchange(keeping(), PATH, { ...headers, ...ANEW });
      expect(kept).toStrictEqual(made);
      const fromOrigin = { ...headers, origin: 'https://app.example' };
      expect(await exchange(keeping(), PATH, fromOrigin)).toStrictEqual(
        await exchange(keeping(), PATH, { ...fromOrigin, ...ANEW }),
      );
      expect(kept.headers['content-encoding']).toBe(encoding === 'gzip' ? 'gzip' : undefined);
      const text = encoding === 'gzip' ? gunzipSync(kept.bytes) : kept.bytes;
      expect(JSON.parse(text.toString()).data.posts.nodes[0].title).toBe('Ünë');
    }
  });

  it('are told apart by every parameter: the operation, extensions, and unknown ones', async () => {
    await service().post({ title: 'One' });
    const query = 'query A { a: posts { totalCount } } query B { b: posts { totalCount } }';
    const [a, b] = ['A', 'B'].map((operationName) => addressOf(query, { operationName }));
    for (const path of [a, b]) await keep(path as string);
    expect([(await get(a as string)).body, (await get(b as string)).body]).toStrictEqual([
      { data: { a: { totalCount: 1 } } },
      { data: { b: { totalCount: 1 } } },
    ]);
    expect([await isKept(a as string), await isKept(b as string)]).toStrictEqual([true, true]);
    const { text } = await keep(PATH);
    const others: Record<string, string>[] = [
      { extensions: '{}' },
      { extensions: '{"x":[1]}' },
      { unknown: '1' },
    ];
    for (const more of others) {
      const path = addressOf(POSTS, more);
      expect(await isKept(path)).toBe(false);
      expect((await keep(path)).text).toBe(text);
      expect(await isKept(path)).toBe(true);
    }
    const variables = 'query($n: Int) { posts(first: $n) { nodes { title } } }';
    for (const n of [1, 2]) await keep(addressOf(variables, { variables: `{"n":${n}}` }));
    expect(await isKept(addressOf(variables, { variables: '{"n":3}' }))).toBe(false);
  });

  it.each<[string, Record<string, string>]>([
    ['an operation that is not there', { operationName: 'Other' }],
    ['extensions that are no JSON', { extensions: '{' }],
    ['extensions that are no object', { extensions: '[]' }],
    ['variables that are no JSON', { variables: '{' }],
    [
      'a hash that is not of the document',
      {
        extensions: '{"persistedQuery":{"version":1,"sha256Hash":"0"}}',
      },
    ],
  ])('are none for %s', async (_, more) => {
    await keep(PATH);
    const path = addressOf(POSTS, more);
    const { status, headers } = await keep(path);
    expect([status < 500, headers.get('cache-control') ?? 'no-store']).toStrictEqual([
      true,
      'no-store',
    ]);
    expect(await isKept(path)).toBe(false);
  });

  it.each([
    ['INTERNAL_ERROR', new Error('broken')],
    ['UNAVAILABLE', new ConnectionError('gone')],
  ])('are none that failed: %s', async (code, failure) => {
    await service().post({ title: 'One' });
    await keep(addressOf('{ languages { code } }'));
    const hold = holding(keeping(), failure);
    hold.release();
    const failed = [await get(PATH), await get(PATH)];
    hold.restore();
    expect(
      failed.map(({ body, headers }) => [errorCode(body), headers.get('cache-control')]),
    ).toStrictEqual([
      [code, 'no-store'],
      [code, 'no-store'],
    ]);
    expect((await get(PATH)).body.data.posts.nodes[0].title).toBe('One');
  });

  it('show a change of another process a second later, and one that is lost after a minute', async () => {
    await service().post({ title: 'Before' });
    await keep(PATH);
    await elsewhere(keeping(), "UPDATE content_item SET title_rendered = 'After'");
    pass(1_000);
    expect((await get(PATH)).text).toContain('After');
    await keep(PATH);
    await loseChange(keeping());
    pass(50_000);
    expect((await get(PATH)).text).toContain('After');
    pass(10_000);
    expect((await get(PATH)).text).toContain('Lost');
  });

  it.each(['text/plain', 'x', 'multipart/form-data', 'application/json, text/plain'])(
    'are sent only where one that is made now would be: not with the type %s',
    async (type) => {
      const headers = { 'content-type': type };
      const before = await get(PATH, headers);
      await keep(PATH);
      const after = await get(PATH, headers);
      expect([after.status, after.text]).toStrictEqual([before.status, before.text]);
      expect(after.status).toBe(415);
      expect((await get(PATH, { 'content-type': 'application/json' })).status).toBe(200);
    },
  );

  it('are those of GET alone', async () => {
    await service().post({ title: 'One' });
    const kept = await keep(PATH);
    const head = await exchange(keeping(), PATH, PREFLIGHT, 'HEAD');
    expect([head.status, head.bytes.length]).toStrictEqual([405, 0]);
    const posted = await keeping().graphql(POSTS);
    expect([posted.headers.get('cache-control'), posted.headers.get('etag')]).toStrictEqual([
      'no-store',
      null,
    ]);
    expect(plain(await get(PATH))).toStrictEqual(plain(kept));
    for (const range of ['bytes=0-3', 'lines=1'])
      expect(await get(PATH, { range })).toMatchObject({ status: 200, text: kept.text });
  });

  it.each(PERSONAL)('are not sent to who brings %s', async (_, headers) => {
    await service().post({ title: 'One' });
    await keep(PATH);
    expect(await isKept(PATH, headers)).toBe(false);
    expect(await isKept(PATH)).toBe(true);
  });

  it('are sent whatever cookies come along, which mean nothing', async () => {
    await service().post({ title: 'One' });
    const kept = await keep(PATH);
    expect(await isKept(PATH, { cookie: 'session=1' })).toBe(true);
    expect(plain(await get(PATH, { cookie: 'session=1' }))).toStrictEqual(plain(kept));
  });

  it('are counted by this process alone, and refused once the points are spent', async () => {
    await service().post({ title: 'One' });
    await keep(PATH);
    const own = limitBeside(keeping());
    const { points } = QUOTAS.anonymous;
    expect([await left(PATH), await left(PATH), await left(PATH, ANEW)]).toStrictEqual([
      points - 1,
      points - 2,
      points - 1,
    ]);
    own.local(QUOTAS.anonymous).take('127.0.0.1', points);
    const { status, body, headers } = await get(PATH);
    expect([status, errorCode(body), headers.get('cache-control')]).toStrictEqual([
      429,
      'TOO_MANY_REQUESTS',
      null,
    ]);
  });

  it('are 304 for who names their tag, in whatever list, and for no one else', async () => {
    await service().post({ title: 'One' });
    const tag = (await get(PATH)).headers.get('etag') ?? '';
    const bare = tag.slice(2);
    const others = Array.from({ length: 300 }, (_, i) => `W/"${i}"`);
    const known = ['*', tag, bare, `"a,b", ${tag}`, [...others, tag].join(', ')];
    const unknown = ['', others.join(), bare.slice(1), bare.slice(1, -1), '"*"', '"a,*,b"', 'W/*'];
    const statuses = async () => {
      const found: [string, number, boolean][] = [];
      for (const tags of [...known, ...unknown]) {
        const answer = await get(PATH, { 'if-none-match': tags });
        found.push([tags, answer.status, answer.text === '']);
      }
      return found;
    };
    const expected = [
      ...known.map((tags) => [tags, 304, true]),
      ...unknown.map((tags) => [tags, 200, false]),
    ];
    expect(await statuses()).toStrictEqual(expected);
    await keep(PATH);
    expect(await statuses()).toStrictEqual(expected);
    expect(await isKept(PATH, { 'if-none-match': tag })).toBe(true);
  });
});
