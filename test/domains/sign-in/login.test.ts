import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../../support/harness.js';

const LOGIN =
  'mutation($input: LoginInput!) { login(input: $input) { token refreshToken tokenType ' +
  'expiresIn user { id email roles guest } } }';
const CREATE = 'mutation($input: CreateUserInput!) { createUser(input: $input) { id } }';
const PASSWORD = 'correct horse battery';

describe('Signing in', () => {
  const service = useService();
  const create = (input: object) => service().graphql(CREATE, { input }, { as: 'administrator' });
  const login = (input: object) => service().graphql(LOGIN, { input });
  const mina = () => create({ username: 'Mina', email: 'Mina@Example.com', password: PASSWORD });

  it('takes the user name or the e-mail address, in any case', async () => {
    await mina();
    for (const username of ['Mina', 'mina', 'MINA@example.COM']) {
      const { body } = await login({ username, password: PASSWORD });
      assert.equal(body.data.login.tokenType, 'Bearer', username);
      assert.equal(body.data.login.expiresIn, 900);
      assert.deepEqual(body.data.login.user.roles, ['SUBSCRIBER']);
      assert.equal(body.data.login.user.email, 'Mina@Example.com');
    }
  });

  it('refuses a wrong password and an unknown account alike', async () => {
    await mina();
    const wrong = await login({ username: 'mina', password: 'wrong' });
    const unknown = await login({ username: 'nobody', password: PASSWORD });
    const none = await login({});
    assert.equal(wrong.body.errors[0].extensions.code, 'INVALID_CREDENTIALS');
    for (const other of [unknown, none])
      assert.deepEqual(other.body.errors[0].message, wrong.body.errors[0].message);
  });

  it('sends the same statements for known and unknown accounts', async () => {
    await mina();
    await login({ username: 'mina', password: 'wrong' });
    const known = await service().statements(() => login({ username: 'mina', password: 'wrong' }));
    assert.equal(
      await service().statements(() => login({ username: 'nobody', password: 'wrong' })),
      known,
    );
  });

  it('starts a session whose token signs requests in, on both faces', async () => {
    await mina();
    const { body } = await login({ username: 'mina', password: PASSWORD });
    const headers = { authorization: `Bearer ${body.data.login.token}` };
    const viewer = await service().graphql('{ viewer { id username } }', {}, { headers });
    assert.equal(viewer.body.data.viewer.username, 'Mina');
    const post = await service().rest('POST', '/v1/posts', { headers, body: { title: 'x' } });
    assert.equal(post.status, 403, 'a member is signed in, and may not write');
  });

  it('answers over REST what the specification names, and never lets it be stored', async () => {
    await mina();
    const { status, body, headers } = await service().rest('POST', '/v1/login', {
      body: { username: 'mina', password: PASSWORD },
    });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), [
      'token',
      'refreshToken',
      'token_type',
      'expires_in',
      'user',
    ]);
    assert.deepEqual(Object.keys(body.user), [
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
    assert.deepEqual(body.user.roles, ['subscriber']);
    assert.match(headers.get('cache-control') ?? '', /no-store/);
  });

  it('answers 401 invalid_credentials over REST, also for huge and strange passwords', async () => {
    await mina();
    for (const password of ['wrong', 'x'.repeat(4000), '\u0001💊', '']) {
      const { status, body } = await service().rest('POST', '/v1/login', {
        body: { username: 'mina', password },
      });
      assert.equal(status, 401, JSON.stringify(password).slice(0, 20));
      assert.equal(body.code, 'invalid_credentials');
    }
  });
});

describe('Making accounts', () => {
  const service = useService();
  const create = (input: object, as: 'administrator' | 'editor' | 'anonymous' = 'administrator') =>
    service().graphql(CREATE, { input }, { as });
  const code = (answer: { body: { errors?: { extensions: { code: string } }[] } }) =>
    answer.body.errors?.[0]?.extensions.code;

  it('is for administrators', async () => {
    const input = { username: 'new', email: 'new@example.com' };
    assert.equal(code(await create(input, 'editor')), 'FORBIDDEN');
    assert.equal(code(await create(input, 'anonymous')), 'FORBIDDEN');
  });

  it('refuses names and addresses that are taken, in any case', async () => {
    await create({ username: 'Zoë', email: 'zoe@example.com' });
    assert.equal(
      code(await create({ username: 'zOË', email: 'other@example.com' })),
      'USERNAME_EXISTS',
    );
    assert.equal(
      code(await create({ username: 'other', email: 'ZOE@example.com' })),
      'EMAIL_EXISTS',
    );
  });

  it('refuses what does not fit, and says what would', async () => {
    assert.equal(
      code(await create({ username: 'a', email: 'a@example.com', password: 'short' })),
      'PASSWORD_INVALID',
    );
    assert.equal(
      code(await create({ username: 'a<b', email: 'a@example.com' })),
      'USERNAME_INVALID',
    );
    assert.equal(
      code(await create({ username: 'a', email: 'a@example.com', language: 999 })),
      'LANGUAGE_UNKNOWN',
    );
    assert.equal(code(await create({ username: 'a', email: 'not an address' })), 'BAD_USER_INPUT');
    assert.equal(await service().database.prisma.account.count(), 1, 'the administrator alone');
  });

  it('shows e-mail, user name and roles to the account itself and to administrators only', async () => {
    await service().post({}, 'editor');
    const query = '{ posts { nodes { author { name email roles } } } }';
    const stranger = await service().graphql(query);
    assert.deepEqual(stranger.body.data.posts.nodes[0].author, {
      name: 'The editor',
      email: null,
      roles: null,
    });
    assert.equal(stranger.body.errors[0].extensions.code, 'FORBIDDEN');
    const administrator = await service().graphql(query, {}, { as: 'administrator' });
    assert.equal(administrator.body.data.posts.nodes[0].author.email, 'editor@example.com');
  });
});
