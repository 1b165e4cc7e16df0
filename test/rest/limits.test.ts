import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { QUOTAS } from '../../src/core/quota.js';
import { gate, untilShared } from '../support/gate.js';
import { type Answer, useService } from '../support/harness.js';

const REDIS = process.env.TEST_REDIS_URL;
const LOGIN = 'mutation($input: LoginInput!) { login(input: $input) { token } }';

/** The points that an answer says are left. */
const left = ({ headers }: { headers: Headers }) =>
  Number(/;r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1]);
const code = ({ body }: Answer) => body.errors?.[0]?.extensions.code;

describe('The quota', () => {
  const service = useService();

  /** What some requests cost together. */
  async function cost(ask: () => Promise<{ headers: Headers }>): Promise<number> {
    const before = left(await service().rest('GET', '/v1/posts'));
    return before - left(await ask());
  }
  /** Spends the points of the anonymous caller until so many are left. */
  async function spendUntil(points: number): Promise<void> {
    const limiter = service().limits.limiter(QUOTAS.anonymous);
    const { remaining } = await limiter.take('127.0.0.1', 0);
    await limiter.take('127.0.0.1', remaining - points);
  }
  function limit(): void {
    service().now = () => 1_800_000_000_000;
    service().limit();
  }

  it('is told on every answer of both faces, and by nothing when limits are off', async () => {
    assert.equal((await service().rest('GET', '/v1/posts')).headers.get('ratelimit'), null);
    limit();
    const answers = [
      await service().rest('GET', '/v1/posts'),
      await service().rest('GET', '/v1/nothing'),
      await service().rest('POST', '/v1/posts', {
        raw: '{',
        headers: { 'content-type': 'application/json' },
      }),
      await service().rest('OPTIONS', '/v1/posts'),
      await service().rest('GET', '/'),
      await service().graphql('{ viewer { id } }'),
      await service().graphql('{ nonsense }'),
      await service().graphql('{'),
      await service().fetch('/graphql', {
        method: 'POST',
        body: '{',
        headers: { 'content-type': 'application/json' },
      }),
    ];
    for (const [i, answer] of answers.entries()) {
      assert.equal(answer.headers.get('ratelimit'), `"anonymous";r=${999 - i};t=60`);
      assert.equal(answer.headers.get('ratelimit-policy'), '"anonymous";q=1000;qu="points";w=60');
      assert.match(
        answer.headers.get('access-control-expose-headers') ?? '',
        /\bRateLimit\b.*\bRetry-After\b/,
      );
    }
  });

  it('is spent by the words of a search, on both faces and in every list that is searched', async () => {
    limit();
    const rest = (search: string) =>
      cost(() => service().rest('GET', '/v1/posts', { query: { search } }));
    const graph = (search: string) =>
      cost(() => service().graphql(`{ pages(filter: { search: "${search}" }) { totalCount } }`));
    const prices: [string, number][] = [
      ['', 1],
      ['insulin', 3],
      ['insulin -tablets', 5],
      ['insulin in', 13],
      ['a b c d e f g h i j', 101],
    ];
    for (const [search, points] of prices)
      assert.deepEqual([await rest(search), await graph(search)], [points, points], search);
    const { id } = await service().post();
    const path = `/v1/posts/${id}/revisions`;
    const asEditor = (search: string) => ({ as: 'editor', query: { search } }) as const;
    const revisions = async (search: string) =>
      left(await service().rest('GET', path, asEditor(search)));
    const before = await revisions('');
    assert.equal(before - (await revisions('insulin')), 3);
    assert.equal(before - (await revisions('in')), 3 + 11);
  });

  it('is 10,000 points a minute for an account, wherever it calls from, and the next minute all of them again', async () => {
    limit();
    const first = await service().rest('GET', '/v1/posts', { as: 'editor' });
    assert.equal(first.headers.get('ratelimit'), '"account";r=9999;t=60');
    assert.equal(first.headers.get('ratelimit-policy'), '"account";q=10000;qu="points";w=60');
    assert.equal(left(await service().graphql('{ viewer { id } }', {}, { as: 'editor' })), 9998);
    assert.equal(
      left(await service().rest('GET', '/v1/posts', { as: 'author' })),
      9999,
      'another account has its own',
    );
    const now = service().now();
    service().now = () => now + 60_000;
    assert.equal(left(await service().rest('GET', '/v1/posts', { as: 'editor' })), 9999);
  });

  it('of guests is that of their address, like that of the anonymous: a guest is free to make', async () => {
    service().now = () => 1_800_000_000_000;
    const guest = async () =>
      (await service().rest('POST', '/v1/guest', { edition: 'B', body: { language: 1 } })).body
        .token;
    const [first, second] = [await guest(), await guest()];
    limit();
    const ask = (token: string) =>
      service().rest('GET', '/v1/posts', { headers: { authorization: `Bearer ${token}` } });
    const policy = '"anonymous";q=1000;qu="points";w=60';
    assert.equal(
      (await service().rest('GET', '/v1/posts')).headers.get('ratelimit-policy'),
      policy,
    );
    assert.deepEqual(
      [left(await ask(first)), left(await ask(second)), left(await ask(first))],
      [998, 997, 996],
    );
    assert.equal((await ask(first)).status, 200);
    await spendUntil(0);
    for (const token of [first, second]) assert.equal((await ask(token)).status, 429);
    assert.equal(
      (await service().rest('GET', '/v1/posts', { as: 'subscriber' })).status,
      200,
      'who signed up has their own',
    );
  });

  it('charges a read 1, a write 10, a sign-in 20, and what never runs 1', async () => {
    limit();
    assert.equal(await cost(() => service().rest('GET', '/v1/posts')), 1);
    assert.equal(
      await cost(() => service().rest('POST', '/v1/posts', { body: { title: 'x' } })),
      10,
    );
    assert.equal(
      await cost(() => service().rest('POST', '/v1/posts', { body: { status: 7 } })),
      1,
      'misfit',
    );
    assert.equal(
      await cost(() =>
        service().rest('POST', '/v1/login', { body: { username: 'a', password: 'b' } }),
      ),
      20,
    );
    assert.equal(await cost(() => service().rest('GET', '/v1/nothing')), 1);
  });

  it('charges every sub-request of a batch, and answers 429 inside the envelope of those that it does not reach', async () => {
    limit();
    await service().account('editor');
    const write = { path: '/v1/posts', body: { title: 'x' } };
    const batch = (count: number) =>
      service().rest('POST', '/batch/v1', {
        body: { requests: Array.from({ length: count }, () => write) },
      });
    assert.equal(await cost(() => batch(7)), 70);
    await spendUntil(31);
    const { status, body, headers } = await batch(5);
    assert.equal(status, 207);
    assert.deepEqual(
      body.responses.map((response: { status: number }) => response.status),
      [401, 401, 401, 429, 429],
    );
    const [, , , refused] = body.responses;
    assert.equal(refused.body.code, 'too_many_requests');
    assert.equal(refused.headers['Retry-After'], 60);
    assert.equal(left({ headers }), 0);
  });

  it('charges each field of the root of a document, aliases and fragments included, and its size', async () => {
    limit();
    const aliases = (field: string) =>
      `${Array.from({ length: 5 }, (_, i) => `a${i}: ${field}`).join(' ')}`;
    const login = 'login(input: { username: "a", password: "b" }) { token }';
    assert.equal(await cost(() => service().graphql(`mutation { ${aliases(login)} }`)), 100);
    assert.equal(
      await cost(() =>
        service().graphql(`mutation { ...F } fragment F on Mutation { ${aliases(login)} }`),
      ),
      100,
    );
    assert.equal(await cost(() => service().graphql(`{ ${aliases('viewer { id }')} }`)), 5);
    assert.equal(await cost(() => service().graphql('{ __typename }')), 1);
    assert.equal(await cost(() => service().graphql('{ posts(first: 10) { nodes { id } } }')), 1);
    const ten = 'id slug link author { id name slug url description link }';
    assert.equal(
      await cost(() => service().graphql(`{ posts(first: 100) { nodes { ${ten} } } }`)),
      3,
    );
    const create = 'createTerm(input: { taxonomy: TAG, name: "x" }) { id }';
    assert.equal(await cost(() => service().graphql(`mutation { ${aliases(create)} }`)), 50);
  });

  it('refuses with 429, Retry-After and what is left, before anything runs', async () => {
    limit();
    await service().rest('GET', '/v1/posts');
    await spendUntil(15);
    const tooDear = await service().graphql(LOGIN, { input: { username: 'a', password: 'b' } });
    assert.deepEqual([tooDear.status, code(tooDear)], [429, 'TOO_MANY_REQUESTS']);
    assert.equal(tooDear.headers.get('retry-after'), '60');
    assert.equal(tooDear.body.errors[0].extensions.retryAfter, 60);

    const rest = await service().rest('GET', '/v1/posts');
    assert.deepEqual(
      [rest.status, rest.body.code, rest.body.data.status],
      [429, 'too_many_requests', 429],
    );
    assert.equal(rest.headers.get('retry-after'), '60');
    assert.equal(rest.headers.get('ratelimit'), '"anonymous";r=0;t=60');
    const unread = await service().fetch('/graphql', {
      method: 'POST',
      body: '{',
      headers: { 'content-type': 'application/json' },
    });
    assert.deepEqual(
      [unread.status, code(unread)],
      [429, 'TOO_MANY_REQUESTS'],
      'the body is not even read',
    );
    assert.equal(await service().statements(() => service().rest('GET', '/v1/posts')), 0);

    assert.equal(
      (await service().rest('GET', '/v1/posts', { as: 'editor' })).status,
      200,
      'the signed in have their own',
    );
    assert.equal((await service().fetch('/healthz', {})).status, 200);
  });

  it('does not believe X-Forwarded-For', async () => {
    limit();
    const from = (address: string) =>
      service().rest('GET', '/v1/posts', { headers: { 'x-forwarded-for': address } });
    assert.equal(left(await from('203.0.113.1')), 999);
    assert.equal(left(await from('203.0.113.2')), 998);
  });

  it('believes a trusted proxy, and counts IPv6 by its /64', async (test: TestContext) => {
    limit();
    const url = await service().configured({ TRUSTED_PROXIES: '127.0.0.0/8' }, test);
    const from = async (address: string) =>
      left(await fetch(`${url}/api/v1/posts`, { headers: { 'x-forwarded-for': address } }));
    assert.equal(await from('203.0.113.1'), 999);
    assert.equal(await from('203.0.113.2'), 999);
    assert.equal(await from('203.0.113.9, 203.0.113.1'), 998, 'only the right-most counts');
    assert.equal(await from('2001:db8:1:2::1'), 999);
    assert.equal(await from('2001:db8:1:2:ffff::2'), 998);
    assert.equal(await from('2001:db8:1:3::1'), 999);
  });

  it('counts wrong Basic credentials as anonymous, and refuses an address after 100 of them in a minute', async () => {
    limit();
    const { username, password } = await service().account('editor');
    const basic = (secret: string) => ({
      authorization: `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`,
    });
    const ask = (secret: string) => service().rest('GET', '/v1/posts', { headers: basic(secret) });
    assert.equal((await ask(password)).headers.get('ratelimit')?.startsWith('"account"'), true);
    for (let i = 0; i < 100; i++) {
      const { status, headers } = await ask(`wrong ${i}`);
      assert.equal(status, 200, `guess ${i} is anonymous`);
      assert.equal(left({ headers }), 999 - i);
    }
    const refused = await ask('wrong again');
    assert.deepEqual([refused.status, refused.body.code], [429, 'too_many_requests']);
    assert.equal(refused.headers.get('retry-after'), '60');
    const graphql = await service().graphql(
      '{ viewer { id } }',
      {},
      { headers: basic('wrong again') },
    );
    assert.deepEqual(
      [graphql.status, code(graphql), graphql.headers.get('retry-after')],
      [429, 'TOO_MANY_REQUESTS', '60'],
    );
    assert.equal((await ask(password)).status, 200, 'whose credentials were right there goes on');
    assert.equal((await service().rest('GET', '/v1/posts')).status, 200, 'as do those without');
  });

  it('goes on being counted, by each process for itself, when Redis dies between two requests', {
    skip: !REDIS && 'TEST_REDIS_URL is not set',
  }, async () => {
    const redis = await gate(REDIS ?? '');
    service().limit(redis.url);
    const ask = () => service().rest('GET', '/v1/posts', { as: 'editor' });
    const limiter = service().limits.limiter(QUOTAS.account);
    await untilShared(limiter);
    await limiter.take(String((await service().account('editor')).id), 5_000);
    assert.ok(left(await ask()) < 5_000, 'Redis counts');
    await redis.die();
    const answers = await Promise.all([ask(), ask(), ask()]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    assert.ok(answers.every((answer) => left(answer) > 9_000));
    assert.equal(
      (await service().graphql(LOGIN, { input: { username: 'a', password: 'b' } })).status,
      200,
    );
  });
});

describe('What the anonymous ask for over REST', () => {
  const service = useService();
  const statuses = async (times: number, ask: (i: number) => Promise<Answer>) => {
    const seen: number[] = [];
    for (let i = 0; i < times; i++) seen.push((await ask(i)).status);
    return [...new Set(seen)].map((status) => [
      status,
      seen.filter((one) => one === status).length,
    ]);
  };
  const post = (path: string, body: object) => service().rest('POST', path, { body, edition: 'B' });

  it('is bounded by address: sign-ups, guests, removed tokens, codes that are mailed and codes that are tried', async () => {
    service().now = () => 1_800_000_000_000;
    service().limit();
    assert.deepEqual(
      await statuses(31, (i) => post('/v1/signup', { email: `a${i}@example.com`, language: 1 })),
      [
        [201, 30],
        [429, 1],
      ],
    );
    service().limit();
    assert.deepEqual(await statuses(31, () => post('/v1/guest', { language: 1 })), [
      [201, 30],
      [429, 1],
    ]);
    service().limit();
    assert.deepEqual(
      await statuses(31, (i) => service().rest('DELETE', `/v1/push_token/token-${i}`)),
      [
        [200, 30],
        [429, 1],
      ],
    );
    service().limit();
    assert.deepEqual(
      await statuses(6, () => post('/pwreset/v1/reset-password', { email: 'a@example.com' })),
      [
        [200, 5],
        [429, 1],
      ],
    );
    const code = { email: 'b@example.com', code: '00000000' };
    assert.deepEqual(await statuses(11, () => post('/pwreset/v1/validate-code', code)), [
      [400, 10],
      [429, 1],
    ]);
  });

  it('is what guests may do: they remove no more tokens than the address that they come from', async () => {
    service().now = () => 1_800_000_000_000;
    const { token } = (await post('/v1/guest', { language: 1 })).body;
    service().limit();
    const headers = { authorization: `Bearer ${token}` };
    const remove = (i: number, more: object = {}) =>
      service().rest('DELETE', `/v1/push_token/token-${i}`, more);
    assert.deepEqual(await statuses(15, (i) => remove(i)), [[200, 15]]);
    assert.deepEqual(await statuses(16, (i) => remove(i, { headers })), [
      [200, 15],
      [429, 1],
    ]);
    const member = { headers: await service().session('subscriber') };
    assert.equal((await remove(0, member)).status, 200, 'who signed up is not bounded so');
  });
});
