import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { createApp } from '../../../src/app/app.js';
import { QUOTAS, Quota } from '../../../src/core/quota.js';
import { transact } from '../../../src/core/transact.js';
import { issueResetCodes } from '../../../src/domains/passwords/reset-code.service.js';
import { proveEmail } from '../../../src/domains/sign-in/proof/email-proof.service.js';
import { forgetExpiredTokens } from '../../../src/domains/sign-in/provider/provider-sign-in.service.js';
import { makeLog } from '../../../src/platform/log.js';
import { makeListener } from '../../../src/process/listener.js';
import { bearer, type Sending, useService } from '../../support/harness.js';
import { CLIENT, type Claims, TestIssuer } from '../../support/issuer.js';
import { OpenIdProvider } from '../../support/openid.js';

const SIGN_IN =
  'mutation($input: SignInWithProviderInput!) { signInWithProvider(input: $input) { token ' +
  'viewer { databaseId username name email isGuest roles } } }';
const LOGIN = 'mutation($input: LoginInput!) { login(input: $input) { token } }';
const CREATE =
  'mutation($input: CreateUserInput!) { createUser(input: $input) { account { databaseId } } }';
const AUDIT =
  'query($action: String!) { auditEvents(filter: { action: $action }) { nodes { subject ' +
  '{ databaseId } detail } } }';
const PASSWORD = 'correct horse battery';
const MINUTE = 60_000;
const withoutSession = ({ session: _, ...detail }: Record<string, unknown>) => detail;

describe('A real OpenID Connect provider', () => {
  let provider: OpenIdProvider;
  beforeAll(async () => {
    provider = await OpenIdProvider.start();
  });
  afterAll(() => provider.stop());
  const service = useService(async () => provider.variables('B', 'clinic'));

  it('signs in by its id token: the same account each time, in both editions, by the slot and by its name', async () => {
    const first = await service().rest('GET', '/v1/idp_b_login', {
      query: { token: await provider.idToken('anna'), language: '1' },
    });
    expect(first.status, first.text).toBe(200);
    expect(Object.keys(first.body)).toStrictEqual([
      'token',
      'refreshToken',
      'token_type',
      'expires_in',
      'user',
    ]);
    expect(first.body.user.email).toBe('anna@example.com');
    expect(first.body.user.name).toBe('The anna');
    expect(first.body.user.roles).toStrictEqual(['subscriber']);
    const second = await service().rest('GET', '/v1/clinic_login', {
      query: { token: await provider.idToken('anna'), language: '1' },
      edition: 'B',
    });
    expect(second.body.user.id).toBe(first.body.user.id);
    const viewer = await service().graphql(
      '{ viewer { databaseId } }',
      {},
      { headers: bearer(second.body.token) },
    );
    expect(viewer.body.data.viewer.databaseId).toBe(first.body.user.id);
  });

  it('adds a route by its name, which the descriptor lists', async () => {
    for (const edition of ['A', 'B'] as const) {
      const { routes } = (await service().rest('GET', '/', { edition })).body;
      expect(routes['/v1/clinic_login'].endpoints).toStrictEqual(
        routes['/v1/idp_b_login'].endpoints,
      );
      expect(routes['/v1/clinic_login'].endpoints[0].args.language.required).toBe(true);
    }
  });
});

describe('Signing in by an identity provider', () => {
  let issuer: TestIssuer;
  beforeAll(async () => {
    issuer = await TestIssuer.start();
  });
  afterAll(() => issuer.stop());
  const service = useService(() => ({
    ...issuer.variables('A'),
    ...issuer.variables('C', {
      ISSUER: '',
      AUDIENCE: CLIENT,
      TOKENINFO_URL: `${issuer.url}/tokeninfo?token={token}&secret=s3cret`,
    }),
  }));
  beforeEach(() => {
    issuer.fault = undefined;
    issuer.opaque.clear();
    issuer.asked.clear();
  });

  const rest = (token: string | undefined, sending: Sending = {}, slot = 'a') =>
    service().rest('GET', `/v1/idp_${slot}_login`, {
      query: { ...(token !== undefined && { token }), language: '1' },
      ...sending,
    });
  const enter = async (claims: Claims = {}, sending: Sending = {}) =>
    rest(await issuer.token(claims, service().now()), sending);
  const graphql = async (claims: Claims, headers = {}) =>
    service().graphql(
      SIGN_IN,
      { input: { provider: 'A', token: await issuer.token(claims, service().now()), language: 1 } },
      { headers },
    );
  const member = (email: string) =>
    service().graphql(
      CREATE,
      { input: { username: 'mina', email, password: PASSWORD } },
      { as: 'administrator' },
    );
  const audited = async (action: string) => {
    const { body } = await service().graphql(AUDIT, { action }, { as: 'administrator' });
    const events = body.data.auditEvents.nodes as {
      subject: { databaseId: number };
      detail: Record<string, unknown>;
    }[];
    return events.map(({ subject, detail }) => ({
      subjectId: subject.databaseId,
      ...withoutSession(detail),
    }));
  };

  async function guest(): Promise<{ id: number; headers: { authorization: string } }> {
    const { id } = await service().account('subscriber', 'visitor');
    const { database, app } = service();
    await database.prisma.account.update({
      where: { id },
      data: { roles: ['guest'], email: null, emailKey: null },
    });
    const session = { id: crypto.randomUUID(), accountId: id };
    await database.prisma.session.create({ data: session });
    const token = await app.deps.tokens.signAccess(
      { accountId: id, sessionId: session.id, counter: 0 },
      service().now(),
    );
    return { id, headers: bearer(token) };
  }

  it('answers 501 provider_not_configured for a slot without a provider, in both editions', async () => {
    for (const edition of ['A', 'B'] as const) {
      const { status, body } = await rest('x', { edition }, 'b');
      expect(status).toBe(501);
      expect(body.code).toBe('provider_not_configured');
    }
  });

  it('needs the language, and a known one', async () => {
    const without = await service().rest('GET', '/v1/idp_a_login', { query: { token: 'x' } });
    expect(without.status).toBe(400);
    expect(without.body.data.params).toStrictEqual(['language']);
    const unknown = await enter({}, { query: { token: await issuer.token(), language: '999' } });
    expect(unknown.status).toBe(400);
    expect(unknown.body.code).toBe('rest_invalid_param');
  });

  it('pays from the account, not from the address that a ward shares, and makes it familiar', async () => {
    service().at(Date.now());
    service().limit();
    const statuses = [];
    for (let i = 0; i < 60; i++) statuses.push((await enter({ sub: `member-${i}` })).status);
    expect(new Set(statuses)).toStrictEqual(new Set([200]));
    expect(await service().database.prisma.familiarAddress.count()).toBe(60);
  });

  it('answers a session also when the account has no points left, since the token is used up', async () => {
    service().at(Date.now());
    service().limit();
    const { user } = (await enter()).body;
    await Quota.of(service().limits, user.id, '').charge(QUOTAS.account.points);
    const { status, body } = await enter();
    expect([status, body.user?.id]).toStrictEqual([200, user.id]);
  });

  it('is never stored by anybody between, whatever the caller has', async () => {
    const { status, headers } = await enter({}, { headers: { 'if-none-match': '*' } });
    expect(status).toBe(200);
    expect(headers.get('cache-control') ?? '').toMatch(/no-store/);
    expect(headers.get('etag')).toBeNull();
  });

  it('runs nothing for HEAD', async () => {
    const { status } = await service().rest('HEAD', '/v1/idp_a_login', {
      query: { token: await issuer.token(), language: '1' },
    });
    expect(status).toBe(404);
    expect(await service().database.prisma.account.count()).toBe(0);
  });

  describe('refuses as 401 invalid_credentials', () => {
    const refused = async (token: string | undefined) => {
      const { status, body } = await rest(token);
      expect(status, JSON.stringify(body)).toBe(401);
      expect(body.code).toBe('invalid_credentials');
      expect(await service().database.prisma.account.count()).toBe(0);
    };
    const seconds = () => Math.floor(service().now() / 1000);
    const coded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const claims = () => ({ iss: issuer.url, aud: CLIENT, sub: 'x', exp: seconds() + 600 });

    it('no token', () => refused(undefined));
    it('an empty token', () => refused(''));
    it('what is no token', () => refused('a b c\u0007'));
    it('a token for another application', async () => refused(await issuer.token({ aud: 'else' })));
    it('a token for several, of which none of ours asked', async () =>
      refused(await issuer.token({ aud: ['else', CLIENT], azp: 'else' })));
    it('a token of another issuer', async () =>
      refused(await issuer.token({ iss: 'https://elsewhere.example' })));
    it('a token without a subject', async () => refused(await issuer.token({ sub: undefined })));
    it('a token with an empty subject', async () => refused(await issuer.token({ sub: '' })));
    it('a token without an expiry', async () => refused(await issuer.token({ exp: undefined })));
    it('a token that is good for years', async () => refused(await issuer.token({ exp: 1e11 })));
    it('a token that expired more than a minute ago', async () =>
      refused(await issuer.token({ exp: seconds() - 61 })));
    it('a token that is not good yet', async () =>
      refused(await issuer.token({ nbf: seconds() + 120 })));
    it('a logout token', async () =>
      refused(await issuer.token({}, service().now(), { typ: 'logout+jwt' })));
    it('alg none', () => refused(`${coded({ alg: 'none' })}.${coded(claims())}.`));
    it('a signature by another key', async () => {
      const { privateKey } = await generateKeyPair('ES256');
      await refused(
        await new SignJWT(claims())
          .setProtectedHeader({ alg: 'ES256', kid: issuer.key.kid })
          .sign(privateKey),
      );
    });
    it('a claim changed after signing', async () => {
      const [header, , signature] = (await issuer.token()).split('.');
      await refused(`${header}.${coded({ ...claims(), sub: 'other' })}.${signature}`);
    });
    it('HS256 with the public key as its secret', async () => {
      const input = `${coded({ alg: 'HS256', kid: issuer.key.kid })}.${coded(claims())}`;
      const secret = await exportSPKI(issuer.key.publicKey);
      await refused(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`);
    });
    it('a key that the token brings along', async () => {
      const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
      const jwk = await crypto.subtle.exportKey('jwk', publicKey);
      const header = { alg: 'ES256', jwk: jwk as never, jku: 'https://attacker.example/keys' };
      await refused(await new SignJWT(claims()).setProtectedHeader(header).sign(privateKey));
    });
  });

  it('forgives clocks a minute', async () => {
    const exp = Math.floor(service().now() / 1000) - 50;
    expect((await enter({ exp })).status).toBe(200);
  });

  it('takes a token once, also with its signature written in another way, and says so', async () => {
    const token = await issuer.token();
    expect((await rest(token)).status).toBe(200);
    const again = await rest(token);
    expect(again.status).toBe(401);
    expect(again.body.message).toMatch(/has signed in before/);
    const other = token.slice(0, -1) + String.fromCharCode(token.charCodeAt(token.length - 1) + 1);
    expect((await rest(other)).status).toBe(401);
  });

  it('takes a token once when it comes many times at once', async () => {
    const token = await issuer.token();
    const statuses = (await Promise.all(Array.from({ length: 6 }, () => rest(token)))).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toStrictEqual([200, 401, 401, 401, 401, 401]);
  });

  it('makes one account for an identity that comes twice at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => enter({ sub: 'twin', email: 't@example.com' })),
    );
    expect(new Set(answers.map(({ status }) => status))).toStrictEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1);
  });

  it('forgets used tokens when they have expired by themselves', async () => {
    const now = Date.now();
    service().at(now);
    await enter();
    expect(await forgetExpiredTokens(service().app.deps)).toBe(0);
    service().at(now + 62 * MINUTE);
    expect(await forgetExpiredTokens(service().app.deps)).toBe(1);
  });

  it('signs nobody in who is suspended, in both editions and the graph, and joins no new identity to them', async () => {
    const { body: first } = await enter({ sub: 'one', email: 'mina@example.com' });
    const suspend = async (name: string) =>
      service().graphql(
        `mutation($userId: ID!) { ${name}(input: { userId: $userId }) { account { databaseId } } }`,
        { userId: first.user.id },
        { headers: await service().session('administrator') },
      );
    expect((await suspend('suspendUser')).body.errors).toBeUndefined();
    const sessions = () => service().database.prisma.session.count({ where: { endedAt: null } });
    const before = await sessions();
    for (const edition of ['A', 'B'] as const) {
      const { status, body } = await enter({ sub: 'one' }, { edition });
      expect([status, body.code]).toStrictEqual([403, 'account_suspended']);
    }
    const { body } = await graphql({ sub: 'one' });
    expect(body.errors[0].extensions.code).toBe('ACCOUNT_SUSPENDED');
    const joined = await enter({ sub: 'two', email: 'mina@example.com', email_verified: true });
    expect(joined.body.code).toBe('account_suspended');
    expect(await sessions()).toBe(before);
    expect(await service().database.prisma.identity.count()).toBe(1);
    await suspend('reinstateUser');
    expect((await enter({ sub: 'one' })).body.user.id).toBe(first.user.id);
  });

  it('knows the identity by its subject, whatever its e-mail becomes', async () => {
    const first = await enter({ email: 'old@example.com', email_verified: true });
    const second = await enter({ email: 'new@example.com', email_verified: true });
    expect(second.body.user.id).toBe(first.body.user.id);
    expect(second.body.user.email, 'the account keeps its own').toBe('old@example.com');
  });

  it('takes an e-mail without the blanks around it', async () => {
    const { body } = await enter({ email: ' mina@example.com ', email_verified: true });
    expect(body.user.email).toBe('mina@example.com');
  });

  it('makes an account without an e-mail for an identity without one', async () => {
    const { status, body } = await enter({ sub: 'quiet' });
    expect(status).toBe(200);
    expect(body.user.email).toBeNull();
    expect(body.user.username).toMatch(/^member-/);
  });

  it('joins the account whose e-mail the provider vouches for, in any case', async () => {
    const { body } = await member('Mina@Example.com');
    const joined = await enter({ sub: 'mina', email: 'mina@EXAMPLE.com', email_verified: true });
    expect(joined.body.user.id).toBe(body.data.createUser.account.databaseId);
    expect(await audited('session.start')).toStrictEqual([
      { subjectId: joined.body.user.id, by: 'provider A' },
    ]);
    const login = await service().graphql(LOGIN, {
      input: { username: 'mina', password: PASSWORD },
    });
    expect(
      login.body.data,
      'the password goes on working: an administrator vouched for the address',
    ).toBeTruthy();
    expect(await audited('identity.link')).toStrictEqual([
      { subjectId: joined.body.user.id, identityId: 1, issuer: issuer.url },
    ]);
  });

  for (const email_verified of [false, undefined, 'no', 0]) {
    it(`never joins by an e-mail with email_verified ${email_verified}: 409 email_exists`, async () => {
      await member('mina@example.com');
      const { status, body } = await enter({
        sub: 'thief',
        email: 'mina@example.com',
        email_verified,
      });
      expect(status).toBe(409);
      expect(body.code).toBe('email_exists');
    });
  }

  it('never joins by an address that only looks like the one of an account, though both are found by one key', async () => {
    await member('mina@example.com');
    const { status, body } = await enter({
      sub: 'thief',
      email: 'ｍina@example.com',
      email_verified: true,
    });
    expect([status, body.code]).toStrictEqual([409, 'email_exists']);
  });

  it('takes as a name what a provider says, without an address of a web page', async () => {
    const { body } = await enter({
      sub: 'new',
      email: 'new@example.com',
      name: 'Win at https://evil.example',
    });
    expect(body.user.name).toBe('Win at https evil example');
  });

  it('makes a new account with an e-mail that nobody has, vouched for or not', async () => {
    const { status, body } = await enter({ sub: 'new', email: 'new@example.com' });
    expect(status).toBe(200);
    expect(body.user.email).toBe('new@example.com');
  });

  it('gives an account whose e-mail was never proven to who proves it: earlier ways in end', async () => {
    const early = await graphql({ sub: 'early', email: 'victim@example.com' });
    const { databaseId: id } = early.body.data.signInWithProvider.viewer;
    const late = await enter({ sub: 'victim', email: 'victim@example.com', email_verified: true });
    expect(late.body.user.id).toBe(id);
    const stale = await service().rest('GET', '/v1/events', {
      headers: bearer(early.body.data.signInWithProvider.token),
    });
    expect(stale.status).toBe(401);
    const back = await enter({ sub: 'early' });
    expect(back.body.user.id, 'the identity that came first is gone from the account').not.toBe(id);
    expect(await audited('account.update')).toStrictEqual([
      { subjectId: id, fields: 'emailProvenAt' },
    ]);
  });

  for (const [by, prove] of Object.entries({
    'a reset by mail': async () => {
      await service().rest('POST', '/pwreset/v1/reset-password', {
        body: { email: 'victim@example.com' },
      });
      await issueResetCodes(service().app.deps);
      const code = /\b\d{8}\b/.exec((await service().mails())[0]?.text ?? '')?.[0];
      const body = { email: 'victim@example.com', code, password: PASSWORD };
      expect((await service().rest('POST', '/pwreset/v1/set-password', { body })).status).toBe(200);
    },
    'a mailed code': async () => {
      await transact(await service().context(), (inner) => proveEmail(inner, 1));
    },
  })) {
    it(`takes the identities that came before the proof of an e-mail from the account: ${by}`, async () => {
      const early = await enter({ sub: 'early', email: 'victim@example.com' });
      expect(early.body.user.id).toBe(1);
      await prove();
      expect((await enter({ sub: 'early' })).body.user.id).not.toBe(1);
    });
  }

  describe('with a guest’s token', () => {
    it('makes the guest a member by an identity that is new: account and data stay, the old session ends', async () => {
      const now = Date.now();
      service().at(now);
      const { id, headers } = await guest();
      const { body } = await graphql(
        { sub: 'g', email: 'g@example.com', email_verified: true, name: 'Gerda' },
        headers,
      );
      const { token, viewer } = body.data.signInWithProvider;
      const { username, ...rest } = viewer;
      expect(username).toMatch(/^member-/);
      expect(rest).toStrictEqual({
        databaseId: id,
        name: 'Gerda',
        email: 'g@example.com',
        isGuest: false,
        roles: ['SUBSCRIBER'],
      });
      service().at(now + 1000);
      expect((await service().rest('GET', '/v1/events', { headers })).status).toBe(401);
      expect((await service().rest('GET', '/v1/posts', { headers: bearer(token) })).status).toBe(
        200,
      );
    });

    it('signs in to the account that the identity has, and leaves the guest as it is', async () => {
      const known = await enter({ sub: 'known' });
      const { id, headers } = await guest();
      const { body } = await enter({ sub: 'known' }, { headers });
      expect(body.user.id).toBe(known.body.user.id);
      const viewer = await service().graphql('{ viewer { databaseId isGuest } }', {}, { headers });
      expect(viewer.body.data.viewer).toStrictEqual({ databaseId: id, isGuest: true });
    });

    it('that has expired, makes no new account that would leave the guest’s data behind', async () => {
      const { headers } = await guest();
      const now = Date.now();
      service().at(now + 16 * MINUTE);
      const fresh = await enter({ sub: 'fresh' }, { headers });
      expect(fresh.status).toBe(401);
      expect(fresh.body.code).toBe('token_expired');
      expect((await enter({ sub: 'fresh' })).status).toBe(200);
      expect(
        (await enter({ sub: 'fresh' }, { headers })).status,
        'a known identity needs no guest',
      ).toBe(200);
    });

    it('and that of a member who is no guest any more is ignored when it has expired', async () => {
      const { id, headers } = await guest();
      await service().database.prisma.account.update({
        where: { id },
        data: { roles: ['subscriber'] },
      });
      const now = Date.now();
      service().at(now + 16 * MINUTE);
      const { status, body } = await enter({ sub: 'fresh' }, { headers });
      expect(status).toBe(200);
      expect(body.user.id).not.toBe(id);
    });
  });

  it('lets no token reach the log, whether it is taken or refused', async () => {
    const lines: string[] = [];
    const log = makeLog('trace', { write: (line: string) => void lines.push(line) });
    const http = createServer();
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const { listener } = await makeListener(
      createApp({ ...service().app.deps, log }),
      http,
      service().url,
    );
    http.on('request', listener);
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const good = await issuer.token({ email: 'anna@example.com', email_verified: true });
    const opaque = 'EAAB-opaque-token';
    for (const [slot, token] of [
      ['a', good],
      ['a', good],
      ['a', `${good}x`],
      ['a', await issuer.token({ aud: 'else' }, undefined, { kid: 'made-up-key' })],
      ['b', good],
      ['c', opaque],
    ] as const)
      await fetch(
        `${url}/api/v1/idp_${slot}_login?${new URLSearchParams({ token, language: '1' })}`,
      );
    issuer.fault = (response) => void response.destroy();
    await fetch(
      `${url}/api/v1/idp_c_login?${new URLSearchParams({ token: opaque, language: '1' })}`,
    );
    const body = JSON.stringify({
      query: `mutation { signInWithProvider(input: { provider: C, token: "${opaque}", language: 1 }) { token } }`,
    });
    await fetch(`${url}/graphql`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
    const all = lines.join('');
    expect(lines.length, `${lines.length} lines`).toBeGreaterThanOrEqual(12);
    for (const part of [...good.split('.'), opaque, 's3cret', 'anna@example.com', 'made-up-key'])
      expect(all, `${part} is in the log`).not.toContain(part);
    expect(all).toMatch(/provider token refused/);
    expect(all).toMatch(/identity provider unavailable/);
  });

  it('sends the same number of statements however many accounts and identities there are', async () => {
    await enter({ sub: 'one' });
    const once = async () => {
      const token = await issuer.token({ sub: 'one' }, service().now());
      return service().statements(() => rest(token));
    };
    const few = await once();
    for (const sub of ['two', 'three', 'four']) await enter({ sub });
    expect(await once()).toBe(few);
  });

  describe('whose tokens are opaque', () => {
    const info = (more: object = {}) => ({ sub: 'opaque', aud: CLIENT, expires_in: 600, ...more });
    const opaque = (answer: object, token = 'EAAB-opaque') => {
      issuer.opaque.set(token, answer);
      return rest(token, {}, 'c');
    };

    it('is asked about them', async () => {
      const { status, body } = await opaque(
        info({ name: 'Olga', email: 'olga@example.com', email_verified: 'true' }),
      );
      expect(status).toBe(200);
      expect(body.user.name).toBe('Olga');
      expect((await rest('EAAB-opaque', {}, 'c')).status, 'once').toBe(401);
    });

    it('may answer as Facebook does', async () => {
      const data = { app_id: CLIENT, user_id: '1234', is_valid: true, expires_at: 0 };
      expect((await opaque({ data })).status).toBe(200);
    });

    for (const [what, answer] of Object.entries({
      'made for another application': info({ aud: 'else' }),
      'made for nobody in particular': { sub: 'x', expires_in: 600 },
      'made for another, which ours stands beside': info({ aud: 'else', azp: CLIENT }),
      'without a subject': { aud: CLIENT },
      expired: info({ expires_in: 0 }),
      'with an expiry that is none': info({ expires_in: 'soon' }),
      'that is withdrawn': { data: { app_id: CLIENT, user_id: '1', is_valid: false } },
      'with an error': info({ error: 'bad' }),
    })) {
      it(`refuses one ${what}`, async () => {
        const { status, body } = await opaque(answer);
        expect(status, JSON.stringify(body)).toBe(401);
        expect(body.code).toBe('invalid_credentials');
      });
    }

    it('refuses one that it does not know', async () => {
      expect((await rest('unknown', {}, 'c')).status).toBe(401);
    });

    it('never joins by an e-mail that comes without a word on its verification', async () => {
      await member('mina@example.com');
      expect((await opaque(info({ email: 'mina@example.com' }))).status).toBe(409);
      expect(
        (await opaque(info({ email: 'mina@example.com', email_verified: true }), 'other')).status,
      ).toBe(200);
    });

    it('is told to come back when it fails', async () => {
      issuer.fault = (response) => void response.writeHead(500).end('oops');
      const { status, body, headers } = await rest('any', {}, 'c');
      expect(status).toBe(503);
      expect(body.code).toBe('provider_unavailable');
      expect(headers.get('retry-after')).toBe('5');
      expect(JSON.stringify(body)).not.toMatch(/s3cret|127\.0\.0\.1/);
    });
  });
});
