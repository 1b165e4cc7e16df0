import { setTimeout as sleep } from 'node:timers/promises';
import bcrypt from 'bcryptjs';
import { transact } from '../../../src/core/transact.js';
import {
  makePasswordLink,
  setPasswordByLink,
} from '../../../src/domains/passwords/password-link.service.js';
import { requestReset, resetPassword } from '../../../src/domains/passwords/reset.service.js';
import { issueResetCodes } from '../../../src/domains/passwords/reset-code.service.js';
import { proveEmail } from '../../../src/domains/sign-in/proof/email-proof.service.js';
import {
  accountByPassword,
  endAllSessions,
  endSessions,
  login,
  startSession,
} from '../../../src/domains/sign-in/session/session.service.js';
import { makeMember } from '../../support/factories.js';
import { bearer, errorCode, mutation, useService } from '../../support/harness.js';

const LOGIN =
  'mutation($input: LoginInput!) { login(input: $input) { token refreshToken ' +
  'expiresIn viewer { databaseId email roles isGuest } } }';
const CREATE =
  'mutation($input: CreateUserInput!) { createUser(input: $input) { account { databaseId } } }';
const PASSWORD = 'correct horse battery';
// The embedded database runs one transaction at a time.
const onServer = process.env.TEST_DATABASE_URL ? it : it.skip;

describe('Signing in', () => {
  const service = useService();
  const create = (input: object) => service().graphql(CREATE, { input }, { as: 'administrator' });
  const login = (input: object) => service().graphql(LOGIN, { input });
  const mina = () => create({ username: 'Mina', email: 'Mina@Example.com', password: PASSWORD });

  it('takes the user name or the e-mail address, in any case', async () => {
    await mina();
    for (const username of ['Mina', 'mina', 'MINA@example.COM']) {
      const { body } = await login({ username, password: PASSWORD });
      expect(body.data.login.expiresIn, username).toBe(900);
      expect(body.data.login.viewer.roles).toStrictEqual(['SUBSCRIBER']);
      expect(body.data.login.viewer.email).toBe('Mina@Example.com');
    }
  });

  it('takes four statements besides its limits: the account, the session, the key and the row of the audit', async () => {
    await mina();
    const signIn = () => login({ username: 'mina', password: PASSWORD });
    await signIn();
    expect(await service().statements(signIn)).toBe(4);
  });

  it('refuses a wrong password and an unknown account alike', async () => {
    await mina();
    const wrong = await login({ username: 'mina', password: 'wrong' });
    const unknown = await login({ username: 'nobody', password: PASSWORD });
    expect(errorCode(wrong.body)).toBe('INVALID_CREDENTIALS');
    expect(unknown.body.errors[0].message).toStrictEqual(wrong.body.errors[0].message);
    const blank = await login({ username: '', password: '' });
    expect(blank.body.errors[0].message).toStrictEqual(wrong.body.errors[0].message);
    expect(errorCode((await login({})).body), 'both are needed').toBe('BAD_USER_INPUT');
  });

  it('sends the same statements for known and unknown accounts', async () => {
    await mina();
    await login({ username: 'mina', password: 'wrong' });
    const known = await service().statements(() => login({ username: 'mina', password: 'wrong' }));
    expect(await service().statements(() => login({ username: 'nobody', password: 'wrong' }))).toBe(
      known,
    );
  });

  it('starts a session whose token signs requests in, on both faces', async () => {
    await mina();
    const { body } = await login({ username: 'mina', password: PASSWORD });
    const headers = bearer(body.data.login.token);
    const viewer = await service().graphql('{ viewer { id username } }', {}, { headers });
    expect(viewer.body.data.viewer.username).toBe('Mina');
    const post = await service().rest('POST', '/v1/posts', { headers, body: { title: 'x' } });
    expect(post.status, 'a member is signed in, and may not write').toBe(403);
  });

  it('answers over REST what the specification names, and never lets it be stored', async () => {
    await mina();
    const { status, body, headers } = await service().rest('POST', '/v1/login', {
      body: { username: 'mina', password: PASSWORD },
    });
    expect(status).toBe(200);
    expect(Object.keys(body)).toStrictEqual([
      'token',
      'refreshToken',
      'token_type',
      'expires_in',
      'user',
    ]);
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
    expect(body.user.roles).toStrictEqual(['subscriber']);
    expect(headers.get('cache-control') ?? '').toMatch(/no-store/);
  });

  it('answers 401 invalid_credentials over REST, also for huge and strange passwords', async () => {
    await mina();
    for (const password of ['wrong', 'x'.repeat(4000), '\u0001💊', '']) {
      const { status, body } = await service().rest('POST', '/v1/login', {
        body: { username: 'mina', password },
      });
      expect(status, JSON.stringify(password).slice(0, 20)).toBe(401);
      expect(body.code).toBe('invalid_credentials');
    }
  });
});

describe('A sign-in by a password that is changed meanwhile', () => {
  const service = useService();
  const NEW = 'another correct horse';

  it.each(['changePassword', 'resetPassword', 'a link', 'the first proof'])(
    'starts no session: %s',
    async (way) => {
      const { user, token } = await makeMember(service(), { password: PASSWORD });
      const context = await service().context();
      const username = 'mina@example.com';
      const { account, passwordHash } = await accountByPassword(context, {
        username,
        password: PASSWORD,
      });
      const ways: Record<string, () => Promise<unknown>> = {
        changePassword: () =>
          service().data(
            mutation('changePassword', 'endedSessions'),
            { input: { currentPassword: PASSWORD, newPassword: NEW } },
            { token },
          ),
        resetPassword: async () => {
          await requestReset(context, { email: username });
          await issueResetCodes(service().app.deps);
          const mail = await service().database.prisma.outgoingMail.findFirstOrThrow({
            where: { template: 'password_reset' },
          });
          const { code } = JSON.parse(mail.values);
          await resetPassword(context, { email: username, code, password: NEW });
        },
        'a link': async () =>
          setPasswordByLink(context, await makePasswordLink(context, user.id), NEW),
        'the first proof': () => transact(context, (inner) => proveEmail(inner, user.id)),
      };
      await ways[way]?.();
      const open = () =>
        service().database.prisma.session.count({ where: { accountId: user.id, endedAt: null } });
      const before = await open();
      await expect(startSession(context, account, { passwordHash })).rejects.toMatchObject({
        refusal: { reason: 'INVALID_CREDENTIALS' },
      });
      expect([before, await open()]).toStrictEqual(way === 'changePassword' ? [1, 1] : [0, 0]);
    },
  );

  onServer('waits for a change that is under way', async () => {
    const { user } = await makeMember(service(), { password: PASSWORD });
    const context = await service().context();
    const { account, passwordHash } = await accountByPassword(context, {
      username: 'mina@example.com',
      password: PASSWORD,
    });
    const where = { accountId: user.id, endedAt: null };
    const starting = await transact(await service().context(), async (inner) => {
      const data = { passwordHash: 'another' };
      await inner.db.account.update({ where: { id: user.id }, data, select: { id: true } });
      const started = startSession(context, account, { passwordHash }).then(
        () => 'started',
        ({ refusal }) => refusal.reason as string,
      );
      await sleep(500);
      await endSessions(inner, user.id);
      return { started };
    });
    expect(await starting.started).toBe('INVALID_CREDENTIALS');
    expect(await service().database.prisma.session.count({ where })).toBe(0);
  });

  onServer('ends when all sessions of the account end', async () => {
    const { user } = await makeMember(service(), { password: PASSWORD });
    const where = { accountId: user.id, endedAt: null };
    const starting = await transact(await service().context(), async (inner) => {
      const { account } = await accountByPassword(await service().context(), {
        username: 'mina@example.com',
        password: PASSWORD,
      });
      await startSession(inner, account);
      const ending = service()
        .context()
        .then((context) => transact(context, (other) => endAllSessions(other, user.id)));
      await sleep(500);
      return { ending };
    });
    expect(await starting.ending).toBe(2);
    expect(await service().database.prisma.session.count({ where })).toBe(0);
  });

  it('starts one while another sign-in replaces the hash of an import', async () => {
    const { user } = await makeMember(service(), { password: PASSWORD });
    await service().database.prisma.account.update({
      where: { id: user.id },
      data: { passwordHash: bcrypt.hashSync(PASSWORD, 4) },
    });
    const signIn = async () =>
      login(await service().context(), { username: 'mina@example.com', password: PASSWORD });
    const sessions = await Promise.all([signIn(), signIn(), signIn()]);
    expect(sessions.map(({ user: { id } }) => id)).toStrictEqual([user.id, user.id, user.id]);
  });
});

describe('Making accounts', () => {
  const service = useService();
  const create = (input: object, as: 'administrator' | 'editor' | 'anonymous' = 'administrator') =>
    service().ask(CREATE, { input }, as);

  it('is for administrators', async () => {
    const input = { username: 'new', email: 'new@example.com' };
    expect(errorCode(await create(input, 'editor'))).toBe('FORBIDDEN');
    expect(errorCode(await create(input, 'anonymous'))).toBe('FORBIDDEN');
  });

  it('refuses names and addresses that are taken, in any case', async () => {
    await create({ username: 'Zoë', email: 'zoe@example.com' });
    expect(errorCode(await create({ username: 'zOË', email: 'other@example.com' }))).toBe(
      'USERNAME_EXISTS',
    );
    expect(errorCode(await create({ username: 'other', email: 'ZOE@example.com' }))).toBe(
      'EMAIL_EXISTS',
    );
  });

  it('takes a name that looks like another in addresses, and gives it an address of its own', async () => {
    const slugs = [];
    for (const username of ['anna.b', 'anna b', 'Anna..B', 'anna-b']) {
      const input = { username, email: `${slugs.length}@example.com` };
      const { data } = await service().ask(
        mutation('createUser', 'account { slug }'),
        { input },
        'administrator',
      );
      slugs.push(data.createUser.account.slug);
    }
    expect(slugs[0]).toBe('anna-b');
    expect(new Set(slugs).size).toBe(4);
    for (const slug of slugs) expect(slug).toMatch(/^anna-b(-[\da-f]{8})?$/);
  });

  it('refuses what does not fit, and says what would', async () => {
    expect(
      errorCode(await create({ username: 'a', email: 'a@example.com', password: 'short' })),
    ).toBe('PASSWORD_INVALID');
    expect(errorCode(await create({ username: 'a<b', email: 'a@example.com' }))).toBe(
      'USERNAME_INVALID',
    );
    expect(errorCode(await create({ username: 'a', email: 'a@example.com', language: 999 }))).toBe(
      'LANGUAGE_UNKNOWN',
    );
    expect(errorCode(await create({ username: 'a', email: 'not an address' }))).toBe(
      'BAD_USER_INPUT',
    );
    expect(await service().database.prisma.account.count(), 'the administrator alone').toBe(1);
  });

  it('shows e-mail, user name and roles to the account itself and to administrators only', async () => {
    await service().post({}, 'editor');
    const query = '{ posts { nodes { author { name email roles } } } }';
    const stranger = await service().graphql(query);
    expect(stranger.body.data.posts.nodes[0].author).toStrictEqual({
      name: 'The editor',
      email: null,
      roles: null,
    });
    expect(stranger.body.errors, 'without an error').toBeUndefined();
    const administrator = await service().graphql(query, {}, { as: 'administrator' });
    expect(administrator.body.data.posts.nodes[0].author.email).toBe('editor@example.com');
  });
});
