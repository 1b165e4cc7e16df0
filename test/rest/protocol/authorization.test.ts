import { type Answer, bearer, useService } from '../../support/harness.js';
import { basic, failed, PASSWORD } from '../wire.js';

describe('Bearer tokens', () => {
  const service = useService();

  /** Signs in an editor with a password; the answer of /v1/login. */
  async function signIn(headers: Record<string, string> = {}): Promise<Answer> {
    const query =
      'mutation($input: CreateUserInput!) { createUser(input: $input) { account { databaseId } } }';
    const input = {
      username: 'Ada',
      email: 'ada@example.com',
      password: PASSWORD,
      roles: ['EDITOR'],
    };
    await service().graphql(
      query,
      { input },
      { headers: await service().session('administrator') },
    );
    return service().rest('POST', '/v1/login', {
      headers,
      body: { username: 'ada', password: PASSWORD },
    });
  }
  const read = (token: string, path = '/v1/medicine_reminder', query = '') =>
    service().rest('GET', path, { headers: bearer(token), query });

  it('are answered to who signs in, and kept out of caches', async () => {
    const { status, body, headers } = await signIn();
    expect(status).toBe(200);
    expect(Object.keys(body)).toStrictEqual([
      'token',
      'refreshToken',
      'token_type',
      'expires_in',
      'user',
    ]);
    expect([body.token_type, body.expires_in]).toStrictEqual(['Bearer', 900]);
    expect(Object.keys(body.user)).toStrictEqual([
      'id',
      'username',
      'name',
      'email',
      'language',
      'time_zone',
      'roles',
      'guest',
      'created_date',
    ]);
    expect(headers.get('cache-control') ?? '').toMatch(/no-store/);
  });

  it('are not answered for a wrong password, or for nobody', async () => {
    await signIn();
    for (const body of [
      { username: 'ada', password: 'wrong' },
      { username: 'nobody', password: PASSWORD },
      {},
    ]) {
      expect(failed(await service().rest('POST', '/v1/login', { body }))).toStrictEqual([
        401,
        'invalid_credentials',
      ]);
    }
  });

  it('sign a request in, and keep its answer out of caches', async () => {
    const { token } = (await signIn()).body;
    const answer = await read(token, '/v1/posts', 'context=edit');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control') ?? '').toMatch(/no-store/);
    const { status } = await service().rest('POST', '/v1/posts', {
      headers: { authorization: `bearer ${token}` },
      body: { title: 'T' },
    });
    expect(status).toBe(201);
  });

  it('that are malformed are refused, not anonymous', async () => {
    const { token } = (await signIn()).body;
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1]}.`;
    for (const bad of [
      'x',
      'x.y.z',
      `${token}x`,
      token.slice(0, -2),
      unsigned,
      token.split('.').slice(0, 2).join('.'),
    ]) {
      expect(failed(await read(bad)), bad).toStrictEqual([401, 'token_invalid']);
    }
  });

  it('that are refresh tokens are refused', async () => {
    const { refreshToken } = (await signIn()).body;
    expect(failed(await read(refreshToken))).toStrictEqual([401, 'token_invalid']);
  });

  it('are good for 15 minutes', async () => {
    const { token } = (await signIn()).body;
    const later = (minutes: number) => {
      service().now = () => Date.now() + minutes * 60_000;
    };
    later(14);
    expect((await read(token)).status).toBe(200);
    later(16);
    expect(failed(await read(token))).toStrictEqual([401, 'token_expired']);
  });

  it('end with their session', async () => {
    const { token } = (await signIn()).body;
    await service().database.prisma.session.updateMany({ data: { endedAt: new Date() } });
    expect(failed(await read(token))).toStrictEqual([401, 'token_invalid']);
  });

  it('that are bad are ignored where tokens are issued', async () => {
    expect((await signIn({ authorization: 'Bearer x.y.z' })).status).toBe(200);
  });
});

describe('Application passwords', () => {
  const service = useService();
  /** Whether the credentials sign an editor in: to the anonymous this list is 401. */
  const status = async (headers: Record<string, string>) =>
    (await service().rest('GET', '/v1/posts', { headers, query: { context: 'edit' } })).status;

  it('sign in by user name or e-mail address, in any case', async () => {
    const { username, password } = await service().account('editor');
    for (const name of [username, 'EDITOR', 'editor@example.com', 'Editor@Example.COM']) {
      expect(await status(basic(`${name}:${password}`)), name).toBe(200);
    }
  });

  it('are taken with spaces and other signs between their letters', async () => {
    const { username, password } = await service().account('editor');
    const grouped = password.replace(/(.{4})/g, '$1 ');
    for (const form of [grouped, password.replace(/(.{6})/g, '$1-'), ` ${password}!`]) {
      expect(await status(basic(`${username}:${form}`)), form).toBe(200);
    }
  });

  it('are taken under a scheme in any case', async () => {
    const { username, password } = await service().account('editor');
    for (const scheme of ['basic', 'BASIC'])
      expect(await status(basic(`${username}:${password}`, scheme)), scheme).toBe(200);
  });

  it('are case-sensitive', async () => {
    const query =
      'mutation($input: CreateApplicationPasswordInput!) { createApplicationPassword(input: ' +
      '$input) { password } }';
    const { id, username } = await service().account('editor');
    const { body } = await service().graphql(
      query,
      { input: { userId: id, name: 'App' } },
      { headers: await service().session('editor') },
    );
    const { password } = body.data.createApplicationPassword;
    expect(password).toMatch(/^([A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/);
    expect(await status(basic(`${username}:${password}`))).toBe(200);
    const swapped = password.replace(/[a-zA-Z]/g, (letter: string) =>
      letter < 'a' ? letter.toLowerCase() : letter.toUpperCase(),
    );
    expect(await status(basic(`${username}:${swapped}`))).toBe(401);
  });

  it("the account's own password is none", async () => {
    const query =
      'mutation($input: CreateUserInput!) { createUser(input: $input) { account { databaseId } } }';
    const input = {
      username: 'ada',
      email: 'ada@example.com',
      password: PASSWORD,
      roles: ['EDITOR'],
    };
    await service().graphql(
      query,
      { input },
      { headers: await service().session('administrator') },
    );
    expect(await status(basic(`ada:${PASSWORD}`))).toBe(401);
  });

  it('that are wrong are anonymous: public reads succeed, others fail as they do to the anonymous', async () => {
    const { username } = await service().account('editor');
    const { password } = await service().account('author');
    const wrong = [
      basic(`${username}:wrong`),
      basic('nobody:wrong'),
      basic(`${username}:${password}`),
      basic(`${username}:`),
      basic(':'),
      basic(''),
      basic(username),
      { authorization: 'Basic ???' },
      { authorization: 'Basic' },
      { authorization: 'Digest username="editor"' },
      basic(`${username}\0:${password}`),
    ];
    for (const headers of wrong) {
      const list = await service().rest('GET', '/v1/posts', { headers });
      expect([list.status, list.headers.get('expires')], headers.authorization).toStrictEqual([
        200,
        null,
      ]);
      expect(
        failed(await service().rest('POST', '/v1/posts', { headers, body: { title: 'T' } })),
      ).toStrictEqual([401, 'rest_cannot_create']);
    }
  });

  it('in the query mean nothing', async () => {
    const { username, password } = await service().account('editor');
    const answer = await service().rest('GET', '/v1/posts', {
      query: { context: 'edit', username, password },
    });
    expect(answer.status).toBe(401);
  });
});
