import { QUOTAS } from '../../src/core/quota.js';
import { makeDevice, makeGuest } from '../support/factories.js';
import { gate, untilShared } from '../support/gate.js';
import { type Answer, bearer, errorCode, mutation, useService } from '../support/harness.js';
import { expoToken } from '../support/provider.js';

const REDIS = process.env.TEST_REDIS_URL;
const LOGIN = 'mutation($input: LoginInput!) { login(input: $input) { token } }';

/** The points that an answer says are left. */
const left = ({ headers }: { headers: Headers }) =>
  Number(/;r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1]);

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
    service().at(1_800_000_000_000);
    service().limit();
  }

  it('is told on every answer of both faces, and by nothing when limits are off', async () => {
    expect((await service().rest('GET', '/v1/posts')).headers.get('ratelimit')).toBeNull();
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
      expect(answer.headers.get('ratelimit')).toBe(`"anonymous";r=${999 - i};t=60`);
      expect(answer.headers.get('ratelimit-policy')).toBe('"anonymous";q=1000;qu="points";w=60');
      expect(answer.headers.get('access-control-expose-headers') ?? '').toMatch(
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
      expect([await rest(search), await graph(search)], search).toStrictEqual([points, points]);
    const { id } = await service().post();
    const path = `/v1/posts/${id}/revisions`;
    const asEditor = (search: string) => ({ as: 'editor', query: { search } }) as const;
    const revisions = async (search: string) =>
      left(await service().rest('GET', path, asEditor(search)));
    const before = await revisions('');
    expect(before - (await revisions('insulin'))).toBe(3);
    expect(before - (await revisions('in'))).toBe(3 + 11);
  });

  it('is 10,000 points a minute for an account, wherever it calls from, and the next minute all of them again', async () => {
    limit();
    const first = await service().rest('GET', '/v1/posts', { as: 'editor' });
    expect(first.headers.get('ratelimit')).toBe('"account";r=9999;t=60');
    expect(first.headers.get('ratelimit-policy')).toBe('"account";q=10000;qu="points";w=60');
    expect(left(await service().graphql('{ viewer { id } }', {}, { as: 'editor' }))).toBe(9998);
    expect(
      left(await service().rest('GET', '/v1/posts', { as: 'author' })),
      'another account has its own',
    ).toBe(9999);
    const now = service().now();
    service().at(now + 60_000);
    expect(left(await service().rest('GET', '/v1/posts', { as: 'editor' }))).toBe(9999);
  });

  it('of guests is that of their address, like that of the anonymous: a guest is free to make', async () => {
    service().at(1_800_000_000_000);
    const guest = async () => (await makeGuest(service())).token;
    const [first, second] = [await guest(), await guest()];
    limit();
    const ask = (token: string) => service().rest('GET', '/v1/posts', { headers: bearer(token) });
    const policy = '"anonymous";q=1000;qu="points";w=60';
    expect((await service().rest('GET', '/v1/posts')).headers.get('ratelimit-policy')).toBe(policy);
    expect([left(await ask(first)), left(await ask(second)), left(await ask(first))]).toStrictEqual(
      [998, 997, 996],
    );
    expect((await ask(first)).status).toBe(200);
    await spendUntil(0);
    for (const token of [first, second]) expect((await ask(token)).status).toBe(429);
    expect(
      (await service().rest('GET', '/v1/posts', { as: 'subscriber' })).status,
      'who signed up has their own',
    ).toBe(200);
  });

  it('charges a read 1, a write 10, a sign-in 20, and what never runs 1', async () => {
    limit();
    expect(await cost(() => service().rest('GET', '/v1/posts'))).toBe(1);
    expect(await cost(() => service().rest('POST', '/v1/posts', { body: { title: 'x' } }))).toBe(
      10,
    );
    expect(
      await cost(() => service().rest('POST', '/v1/posts', { body: { status: 7 } })),
      'validationError',
    ).toBe(1);
    expect(
      await cost(() =>
        service().rest('POST', '/v1/login', { body: { username: 'a', password: 'b' } }),
      ),
    ).toBe(20);
    expect(await cost(() => service().rest('GET', '/v1/nothing'))).toBe(1);
  });

  it('charges every sub-request of a batch, and answers 429 inside the envelope of those that it does not reach', async () => {
    limit();
    await service().account('editor');
    const write = { path: '/v1/posts', body: { title: 'x' } };
    const batch = (count: number) =>
      service().rest('POST', '/batch/v1', {
        body: { requests: Array.from({ length: count }, () => write) },
      });
    expect(await cost(() => batch(7))).toBe(70);
    await spendUntil(31);
    const { status, body, headers } = await batch(5);
    expect(status).toBe(207);
    expect(body.responses.map((response: { status: number }) => response.status)).toStrictEqual([
      401, 401, 401, 429, 429,
    ]);
    const [, , , refused] = body.responses;
    expect(refused.body.code).toBe('too_many_requests');
    expect(refused.headers['Retry-After']).toBe(60);
    expect(left({ headers })).toBe(0);
  });

  it('charges each field of the root of a document, aliases and fragments included, and its size', async () => {
    limit();
    const aliases = (field: string) =>
      `${Array.from({ length: 5 }, (_, i) => `a${i}: ${field}`).join(' ')}`;
    const login = 'login(input: { username: "a", password: "b" }) { token }';
    expect(await cost(() => service().graphql(`mutation { ${aliases(login)} }`))).toBe(100);
    expect(
      await cost(() =>
        service().graphql(`mutation { ...F } fragment F on Mutation { ${aliases(login)} }`),
      ),
    ).toBe(100);
    expect(await cost(() => service().graphql(`{ ${aliases('viewer { id }')} }`))).toBe(5);
    expect(await cost(() => service().graphql('{ __typename }'))).toBe(1);
    expect(await cost(() => service().graphql('{ posts(first: 10) { nodes { id } } }'))).toBe(1);
    const ten = 'id slug url author { id name slug url description link }';
    expect(await cost(() => service().graphql(`{ posts(first: 100) { nodes { ${ten} } } }`))).toBe(
      3,
    );
    const create = 'createTerm(input: { taxonomy: TAG, name: "x" }) { term { id } }';
    expect(await cost(() => service().graphql(`mutation { ${aliases(create)} }`))).toBe(50);
  });

  it('refuses with 429, Retry-After and what is left, before anything runs', async () => {
    limit();
    await service().rest('GET', '/v1/posts');
    await spendUntil(15);
    const tooDear = await service().graphql(LOGIN, { input: { username: 'a', password: 'b' } });
    expect([tooDear.status, errorCode(tooDear.body)]).toStrictEqual([429, 'TOO_MANY_REQUESTS']);
    expect(tooDear.headers.get('retry-after')).toBe('60');
    expect(tooDear.body.errors[0].extensions.retryAfter).toBe(60);

    const rest = await service().rest('GET', '/v1/posts');
    expect([rest.status, rest.body.code, rest.body.data.status]).toStrictEqual([
      429,
      'too_many_requests',
      429,
    ]);
    expect(rest.headers.get('retry-after')).toBe('60');
    expect(rest.headers.get('ratelimit')).toBe('"anonymous";r=0;t=60');
    const unread = await service().fetch('/graphql', {
      method: 'POST',
      body: '{',
      headers: { 'content-type': 'application/json' },
    });
    expect([unread.status, errorCode(unread.body)], 'the body is not even read').toStrictEqual([
      429,
      'TOO_MANY_REQUESTS',
    ]);
    expect(await service().statements(() => service().rest('GET', '/v1/posts'))).toBe(0);

    expect(
      (await service().rest('GET', '/v1/posts', { as: 'editor' })).status,
      'the signed in have their own',
    ).toBe(200);
    expect((await service().fetch('/healthz', {})).status).toBe(200);
  });

  it('does not believe X-Forwarded-For', async () => {
    limit();
    const from = (address: string) =>
      service().rest('GET', '/v1/posts', { headers: { 'x-forwarded-for': address } });
    expect(left(await from('203.0.113.1'))).toBe(999);
    expect(left(await from('203.0.113.2'))).toBe(998);
  });

  it('believes a trusted proxy, and counts IPv6 by its /64', async () => {
    limit();
    const url = await service().configured({ TRUSTED_PROXIES: '127.0.0.0/8' });
    const from = async (address: string) =>
      left(await fetch(`${url}/api/v1/posts`, { headers: { 'x-forwarded-for': address } }));
    expect(await from('203.0.113.1')).toBe(999);
    expect(await from('203.0.113.2')).toBe(999);
    expect(await from('203.0.113.9, 203.0.113.1'), 'only the right-most counts').toBe(998);
    expect(await from('2001:db8:1:2::1')).toBe(999);
    expect(await from('2001:db8:1:2:ffff::2')).toBe(998);
    expect(await from('2001:db8:1:3::1')).toBe(999);
  });

  it('counts wrong Basic credentials as anonymous, and reads no more of an address after 100 of them in a minute', async () => {
    limit();
    const { username, password } = await service().account('editor');
    const basic = (secret: string) => ({
      authorization: `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`,
    });
    const ask = (secret: string) => service().rest('GET', '/v1/posts', { headers: basic(secret) });
    expect((await ask(password)).headers.get('ratelimit')?.startsWith('"account"')).toBe(true);
    for (let i = 0; i < 100; i++) {
      const { status, headers } = await ask(`wrong ${i}`);
      expect(status, `guess ${i} is anonymous`).toBe(200);
      expect(left({ headers })).toBe(999 - i);
    }
    expect((await ask('wrong again')).status, 'what strangers may read').toBe(200);
    const refused = await service().rest('GET', '/v1/posts', {
      headers: basic('wrong again'),
      query: 'context=edit',
    });
    expect([refused.status, refused.body.code]).toStrictEqual([429, 'too_many_requests']);
    expect(refused.headers.get('retry-after')).toBe('60');
    const graphql = await service().graphql(
      '{ viewer { id } }',
      {},
      { headers: basic('wrong again') },
    );
    expect([
      graphql.status,
      errorCode(graphql.body),
      graphql.headers.get('retry-after'),
    ]).toStrictEqual([429, 'TOO_MANY_REQUESTS', '60']);
    expect((await ask(password)).status, 'whose credentials were right there goes on').toBe(200);
    expect((await service().rest('GET', '/v1/posts')).status, 'as do those without').toBe(200);
  });

  it('refuses a change by Basic credentials that were not read, which may be right', async () => {
    await makeDevice(service());
    const form = mutation('createForm', 'form { databaseId }');
    const fields = { name: 'Wellbeing', scoreLeast: 0, scoreMost: 27 };
    const made = await service().data(form, { input: fields }, 'administrator');
    const submission = { name: 'Ada', email: 'ada@example.com', phone: '030', platform: 'iOS' };
    const body = { ...submission, score: 12, form: made.createForm.form.databaseId };
    limit();
    const headers = await service().authorization('subscriber');
    for (let i = 0; i < 100; i++) {
      const wrong = `Basic ${Buffer.from(`somebody:wrong ${i}`).toString('base64')}`;
      await service().rest('GET', '/v1/posts', { headers: { authorization: wrong } });
    }
    const path = `/v1/push_token/${encodeURIComponent(expoToken('phone'))}`;
    const answers = [
      await service().rest('DELETE', path, { headers }),
      await service().rest('POST', '/v1/ncsm', { headers, body, edition: 'B' }),
    ];
    for (const { status, body: refused, headers: told } of answers)
      expect([status, refused.code, told.get('retry-after')]).toStrictEqual([
        429,
        'too_many_requests',
        '60',
      ]);
    service().at(service().now() + 60_000);
    const own = { headers };
    const { body: left } = await service().graphql('{ devices { suspendedAt } }', {}, own);
    expect(left.data.devices).toStrictEqual([{ suspendedAt: null }]);
    expect((await service().rest('DELETE', path, own)).status).toBe(200);
    const { body: none } = await service().graphql('{ devices { suspendedAt } }', {}, own);
    expect(none.data.devices).toStrictEqual([]);
  });

  const onRedis = REDIS ? it : it.skip;
  onRedis(
    'goes on being counted, by each process for itself, when Redis dies between two requests',
    async () => {
      const redis = await gate(REDIS ?? '');
      service().limit(redis.url);
      const ask = () => service().rest('GET', '/v1/posts', { as: 'editor' });
      const limiter = service().limits.limiter(QUOTAS.account);
      await untilShared(limiter);
      await limiter.take(String((await service().account('editor')).id), 5_000);
      expect(left(await ask()), 'Redis counts').toBeLessThan(5_000);
      await redis.die();
      const answers = await Promise.all([ask(), ask(), ask()]);
      expect(answers.map(({ status }) => status)).toStrictEqual([200, 200, 200]);
      expect(answers.every((answer) => left(answer) > 9_000)).toBe(true);
      expect(
        (await service().graphql(LOGIN, { input: { username: 'a', password: 'b' } })).status,
      ).toBe(200);
    },
  );
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
    service().at(1_800_000_000_000);
    service().limit();
    expect(
      await statuses(31, (i) => post('/v1/signup', { email: `a${i}@example.com`, language: 1 })),
    ).toStrictEqual([
      [201, 30],
      [429, 1],
    ]);
    service().limit();
    expect(await statuses(31, () => post('/v1/guest', { language: 1 }))).toStrictEqual([
      [201, 30],
      [429, 1],
    ]);
    service().limit();
    expect(
      await statuses(31, (i) => service().rest('DELETE', `/v1/push_token/token-${i}`)),
    ).toStrictEqual([
      [200, 30],
      [429, 1],
    ]);
    service().limit();
    expect(
      await statuses(6, () => post('/pwreset/v1/reset-password', { email: 'a@example.com' })),
    ).toStrictEqual([
      [200, 5],
      [429, 1],
    ]);
    const code = { email: 'b@example.com', code: '00000000' };
    expect(await statuses(11, () => post('/pwreset/v1/validate-code', code))).toStrictEqual([
      [400, 10],
      [429, 1],
    ]);
  });

  it('is what guests may do: they remove no more tokens than the address that they come from', async () => {
    service().at(1_800_000_000_000);
    const { token } = (await post('/v1/guest', { language: 1 })).body;
    service().limit();
    const headers = bearer(token);
    const remove = (i: number, more: object = {}) =>
      service().rest('DELETE', `/v1/push_token/token-${i}`, more);
    expect(await statuses(15, (i) => remove(i))).toStrictEqual([[200, 15]]);
    expect(await statuses(16, (i) => remove(i, { headers }))).toStrictEqual([
      [200, 15],
      [429, 1],
    ]);
    const member = { headers: await service().session('subscriber') };
    expect((await remove(0, member)).status, 'who signed up is not bounded so').toBe(200);
  });
});
