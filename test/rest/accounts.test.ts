import { request } from 'node:http';
import { type Answer, bearer, useService } from '../support/harness.js';

const PASSWORD = 'correct horse battery';
const USER = [
  'id',
  'username',
  'name',
  'email',
  'language',
  'time_zone',
  'roles',
  'guest',
  'created_date',
];
const MINUTE = 60_000;

describe('Accounts over REST', () => {
  const service = useService();
  const post = (
    path: string,
    body: object,
    headers: Record<string, string> = {},
    edition: 'A' | 'B' = 'B',
  ) => service().rest('POST', path, { body, headers, edition });
  const signup = (body: object, headers?: Record<string, string>) =>
    post('/v1/signup', { language: 1, ...body }, headers);
  const login = (username: string, password: string) => post('/v1/login', { username, password });
  const guest = async () => (await post('/v1/guest', { language: 2 })).body;
  const refresh = (refreshToken: string, query: Record<string, string> = {}) =>
    service().rest('GET', '/v1/refreshToken', { query: { refreshToken, ...query } });
  const failed = ({ status, body }: Answer) => [status, body.code];
  /** What is said of one parameter that does not fit. */
  const validationError = ({ status, body }: Answer) => [
    status,
    body.code,
    Object.entries(body.data.details)[0]?.[0],
  ];

  function assertSession(answer: Answer, status: number): void {
    expect(answer.status, answer.text).toBe(status);
    expect(Object.keys(answer.body)).toStrictEqual([
      'token',
      'refreshToken',
      'token_type',
      'expires_in',
      'user',
    ]);
    expect(Object.keys(answer.body.user)).toStrictEqual(USER);
    expect([answer.body.token_type, answer.body.expires_in]).toStrictEqual(['Bearer', 900]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('etag')).toBeNull();
  }

  describe('signup', () => {
    it('makes a member and signs it in: 201, in both editions', async () => {
      for (const edition of ['A', 'B'] as const) {
        const email = `mina.${edition}@Example.com`;
        const answer = await post(
          '/v1/signup',
          { name: 'Mina', email, password: PASSWORD, language: 2 },
          {},
          edition,
        );
        assertSession(answer, 201);
        const { id, created_date, ...user } = answer.body.user;
        expect(id && created_date).toBeTruthy();
        const shown = {
          username: email,
          name: 'Mina',
          email,
          language: 2,
          time_zone: null,
          roles: ['subscriber'],
          guest: false,
        };
        expect(user).toStrictEqual(shown);
        assertSession(await login(email.toLowerCase(), PASSWORD), 200);
      }
    });

    it('takes the name from the e-mail address when none is given', async () => {
      for (const name of [undefined, null, '   ']) {
        await service().clean();
        expect((await signup({ email: 'mina.okoro@example.com', name })).body.user.name).toBe(
          'mina.okoro',
        );
      }
    });

    it('takes names and addresses of all scripts', async () => {
      const { status, body } = await signup({
        email: 'zoë@münchen.example',
        name: 'Zoë 李 🌸',
        password: 'пароль пароль',
      });
      expect([status, body.user.name, body.user.email]).toStrictEqual([
        201,
        'Zoë 李 🌸',
        'zoë@münchen.example',
      ]);
      assertSession(await login('ZOE\u0308@MÜNCHEN.example', 'пароль пароль'), 200);
    });

    it('without a password leaves an account that no password signs in', async () => {
      await signup({ email: 'mina@example.com' });
      for (const password of ['', 'null', PASSWORD])
        expect(failed(await login('mina@example.com', password))).toStrictEqual([
          401,
          'invalid_credentials',
        ]);
    });

    it('is 400 for what does not fit, and says what', async () => {
      const email = 'mina@example.com';
      expect(failed(await post('/v1/signup', { email }))).toStrictEqual([
        400,
        'rest_missing_callback_param',
      ]);
      expect(validationError(await signup({}))).toStrictEqual([400, 'rest_invalid_param', 'email']);
      expect(validationError(await signup({ email: null }))).toStrictEqual([
        400,
        'rest_invalid_param',
        'email',
      ]);
      for (const invisible of ['\u200b', '\u00ad', '\u2060'])
        expect(
          validationError(await signup({ email: `mi${invisible}na@example.com` })),
        ).toStrictEqual([400, 'rest_invalid_param', 'email']);
      expect(validationError(await signup({ email, password: 'short' }))).toStrictEqual([
        400,
        'rest_invalid_param',
        'password',
      ]);
      expect(validationError(await signup({ email, password: 'x'.repeat(257) }))).toStrictEqual([
        400,
        'rest_invalid_param',
        'password',
      ]);
      for (const language of [0, -1, 999, 99999999999])
        expect(validationError(await signup({ email, language })), String(language)).toStrictEqual([
          400,
          'rest_invalid_param',
          'language',
        ]);
      const untyped = [
        { email: 'x' },
        { email: 'a@b' },
        { email: `${'x'.repeat(250)}@example.com` },
        { email: ['x'] },
        { email, password: 'x'.repeat(4097) },
        { email, password: ['x'] },
        { email, name: 'x'.repeat(201) },
        { email, name: {} },
        { email, language: 'en' },
        { email, language: 1.5 },
      ];
      for (const body of untyped)
        expect(failed(await signup(body)), JSON.stringify(body)).toStrictEqual([
          400,
          'rest_invalid_param',
        ]);
      expect(await service().database.prisma.account.count()).toBe(0);
    });

    it('is 409 for an address that has an account, in any case', async () => {
      await signup({ email: 'Mina@example.com' });
      for (const email of ['Mina@example.com', 'mina@EXAMPLE.com']) {
        const answer = await signup({ email, password: PASSWORD });
        expect(failed(answer)).toStrictEqual([409, 'email_exists']);
        expect('token' in answer.body).toBe(false);
      }
    });

    it('with the token of a guest keeps id and data, and replaces the tokens', async () => {
      const now = Date.now();
      service().at(now);
      const first = await guest();
      const answer = await signup(
        { email: 'mina@example.com', password: PASSWORD, language: 3 },
        bearer(first.token),
      );
      assertSession(answer, 201);
      const { id, roles, guest: still, name, language } = answer.body.user;
      expect([id, roles, still, name, language]).toStrictEqual([
        first.user.id,
        ['subscriber'],
        false,
        'mina',
        3,
      ]);
      service().at(now + 1000);
      const old = await service().rest('GET', '/v1/events', { headers: bearer(first.token) });
      expect(failed(old)).toStrictEqual([401, 'token_invalid']);
      expect(failed(await refresh(first.refreshToken))).toStrictEqual([
        401,
        'refresh_token_invalid',
      ]);
      expect(
        (await service().rest('GET', '/v1/posts', { headers: bearer(answer.body.token) })).status,
      ).toBe(200);
      expect((await login('mina@example.com', PASSWORD)).body.user.id).toBe(id);
    });

    it('of a guest needs no e-mail address', async () => {
      const first = await guest();
      const { status, body } = await signup({ name: 'Mina' }, bearer(first.token));
      expect([status, body.user.id, body.user.name, body.user.email]).toStrictEqual([
        201,
        first.user.id,
        'Mina',
        null,
      ]);
    });

    it('of a guest to an address that has an account is 409, and leaves the guest as it was', async () => {
      await signup({ email: 'mina@example.com' });
      const first = await guest();
      expect(
        failed(await signup({ email: 'MINA@example.com' }, bearer(first.token))),
      ).toStrictEqual([409, 'email_exists']);
      expect((await refresh(first.refreshToken)).body.user.guest).toBe(true);
    });

    it('is 401 for a guest whose token has expired or ended, since its data would be left behind', async () => {
      const now = Date.now();
      const first = await guest();
      service().at(now + 16 * MINUTE);
      const expired = await signup({ email: 'mina@example.com' }, bearer(first.token));
      expect(failed(expired)).toStrictEqual([401, 'token_expired']);
      service().at(now);
      await service().database.prisma.session.updateMany({ data: { endedAt: new Date() } });
      const ended = await signup({ email: 'mina@example.com' }, bearer(first.token));
      expect(failed(ended)).toStrictEqual([401, 'token_invalid']);
      expect(await service().database.prisma.account.count()).toBe(1);
    });

    it('ignores every other token, good or bad', async () => {
      const now = Date.now();
      const { token } = (await signup({ email: 'one@example.com' })).body;
      expect((await signup({ email: 'two@example.com' }, bearer(token))).status).toBe(201);
      expect((await signup({ email: 'three@example.com' }, bearer('x.y.z'))).status).toBe(201);
      service().at(now + 16 * MINUTE);
      expect((await signup({ email: 'four@example.com' }, bearer(token))).status).toBe(201);
      expect(await service().database.prisma.account.count()).toBe(4);
    });
  });

  describe('login', () => {
    it('is 200 with user name or e-mail address, in any case, from JSON, a form or the query', async () => {
      await signup({ email: 'Mina@example.com', password: PASSWORD });
      assertSession(await login('mina@EXAMPLE.com', PASSWORD), 200);
      const form = new URLSearchParams({ username: 'mina@example.com', password: PASSWORD });
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      assertSession(
        await service().rest('POST', '/v1/login', { raw: form.toString(), headers }),
        200,
      );
      assertSession(await service().rest('POST', '/v1/login', { query: form.toString() }), 200);
    });

    it('is 401 for missing and wrong credentials alike', async () => {
      await signup({ email: 'mina@example.com', password: PASSWORD });
      const email = 'mina@example.com';
      const wrong = [
        {},
        { username: email },
        { password: PASSWORD },
        { username: email, password: '' },
        { username: email, password: PASSWORD.toUpperCase() },
        { username: email, password: 'x'.repeat(4096) },
        { username: `${email}\u0301`, password: PASSWORD },
        { username: 'nobody', password: PASSWORD },
        { username: 5, password: 12345678 },
      ];
      const answers = await Promise.all(wrong.map((body) => post('/v1/login', body)));
      for (const [i, answer] of answers.entries())
        expect(failed(answer), JSON.stringify(wrong[i]).slice(0, 80)).toStrictEqual([
          401,
          'invalid_credentials',
        ]);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    });

    it('is 400 for what cannot be credentials', async () => {
      for (const body of [
        { username: ['x'] },
        { username: 'x', password: {} },
        { password: 'x'.repeat(4097) },
        { username: 'a\0' },
      ])
        expect(
          failed(await post('/v1/login', body)),
          JSON.stringify(body).slice(0, 60),
        ).toStrictEqual([400, 'rest_invalid_param']);
    });

    it('ignores a bad token', async () => {
      await signup({ email: 'mina@example.com', password: PASSWORD });
      assertSession(
        await post('/v1/login', { username: 'mina@example.com', password: PASSWORD }, bearer('x')),
        200,
      );
    });
  });

  describe('guest', () => {
    it('is 201 in edition B, and unknown to edition A', async () => {
      const answer = await post('/v1/guest', { language: 2 });
      assertSession(answer, 201);
      const { email, roles, guest, language } = answer.body.user;
      expect([email, roles, guest, language]).toStrictEqual([null, ['guest'], true, 2]);
      expect(failed(await post('/v1/guest', { language: 1 }, {}, 'A'))).toStrictEqual([
        404,
        'rest_no_route',
      ]);
    });

    it('is 400 without a language, and for one that does not exist', async () => {
      expect(failed(await post('/v1/guest', {}))).toStrictEqual([
        400,
        'rest_missing_callback_param',
      ]);
      expect(validationError(await post('/v1/guest', { language: 999 }))).toStrictEqual([
        400,
        'rest_invalid_param',
        'language',
      ]);
    });

    it('ignores a bad token', async () => {
      assertSession(await post('/v1/guest', { language: 1 }, bearer('x')), 201);
    });
  });

  describe('refreshToken', () => {
    it('is 200 in both editions', async () => {
      const { refreshToken } = await guest();
      for (const edition of ['A', 'B'] as const)
        assertSession(
          await service().rest('GET', '/v1/refreshToken', { query: { refreshToken }, edition }),
          200,
        );
    });

    it('is 400 without a token, and 401 for one that is not ours', async () => {
      expect(failed(await service().rest('GET', '/v1/refreshToken'))).toStrictEqual([
        400,
        'rest_missing_callback_param',
      ]);
      expect(failed(await refresh(''))).toStrictEqual([401, 'refresh_token_invalid']);
      expect(failed(await refresh((await guest()).token))).toStrictEqual([
        401,
        'refresh_token_invalid',
      ]);
      expect(failed(await refresh('x'.repeat(4097)))).toStrictEqual([400, 'rest_invalid_param']);
    });

    it('ignores the expired token that it is there to replace', async () => {
      const now = Date.now();
      const { token, refreshToken } = await guest();
      service().at(now + 16 * MINUTE);
      const answer = await service().rest('GET', '/v1/refreshToken', {
        query: { refreshToken },
        headers: bearer(token),
      });
      assertSession(answer, 200);
    });

    it('in an envelope is still not to be stored', async () => {
      const { refreshToken } = await guest();
      const answer = await refresh(refreshToken, { _envelope: '1' });
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.body.body.token_type).toBe('Bearer');
    });

    it('is answered in full, whatever the caller says it has', async () => {
      const { refreshToken } = await guest();
      const query = { refreshToken };
      assertSession(
        await service().rest('GET', '/v1/refreshToken', {
          query,
          headers: { 'if-none-match': '*' },
        }),
        200,
      );
    });
  });

  it('answers below 500 to any bytes for a body', async () => {
    for (const path of ['/v1/login', '/v1/signup', '/v1/guest']) {
      for (const raw of [
        '{',
        '[]',
        'null',
        '"x"',
        '{"language":"x","email":{"a":1}}',
        '\u0000',
        `{"name":"${'x'.repeat(70_000)}"}`,
      ]) {
        const { status } = await service().rest('POST', path, {
          raw,
          headers: { 'content-type': 'application/json' },
          edition: 'B',
        });
        expect(status < 500 && status >= 400, `${path} ${raw.slice(0, 20)}: ${status}`).toBe(true);
      }
    }
  });

  it('remembers what a client calls itself, and no more of it than fits', async () => {
    await post('/v1/guest', { language: 1 }, { 'user-agent': 'x'.repeat(5000) });
    const { port } = new URL(service().url);
    const body = '{"language":1}';
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    await new Promise<void>((resolve) => {
      const sent = request({ port, method: 'POST', path: '/v3/api/v1/guest', headers }, (answer) =>
        answer.resume().on('end', resolve),
      );
      sent.end(body);
    });
    const sessions = await service().database.prisma.session.findMany({
      orderBy: { createdAt: 'asc' },
    });
    expect(sessions.map(({ userAgent }) => userAgent.length)).toStrictEqual([200, 0]);
  });
});
