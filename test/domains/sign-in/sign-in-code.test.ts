import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mailSignInCodes } from '../../../src/domains/sign-in/code/sign-in-code.service.js';
import { useService } from '../../support/harness.js';

const MINUTE = 60_000;
const REQUEST = 'mutation($input: RequestSignInCodeInput!) { requestSignInCode(input: $input) }';
const SIGN_IN =
  'mutation($input: SignInWithCodeInput!) { signInWithCode(input: $input) { token refreshToken ' +
  'user { id emailProvenAt } } }';

describe('A mailed code', () => {
  const service = useService();
  const start = Date.parse('2026-03-01T08:00:00Z');
  const at = (after: number) => {
    service().now = () => start + after;
  };
  const signup = async (email = 'Mina@example.com') =>
    (await service().rest('POST', '/v1/signup', { body: { email, language: 2 } })).body.user
      .id as number;
  const ask = (email = 'mina@example.com') => service().graphql(REQUEST, { input: { email } });
  const mails = () =>
    service().database.prisma.outgoingMail.findMany({ orderBy: { createdAt: 'asc' } });
  const mail = async () => mailSignInCodes(await service().context());
  const newest = async () => JSON.parse((await mails()).at(-1)?.values ?? '{}').code as string;
  const signIn = async (code: string, email = 'mina@example.com') =>
    (await service().graphql(SIGN_IN, { input: { email, code } })).body;
  const refused = async (code: string, email?: string) =>
    (await signIn(code, email)).errors?.[0].extensions.code;
  const other = (code: string) => code.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));

  it('of eight digits signs in an account without a password, in its language', async () => {
    at(0);
    const id = await signup();
    assert.equal((await ask()).body.data.requestSignInCode, true);
    assert.equal(await mail(), 1);
    const [{ to, template, language, values } = { values: '{}' }] = (await mails()) as Partial<
      Awaited<ReturnType<typeof mails>>[0]
    >[];
    assert.deepEqual([to, template, language], ['Mina@example.com', 'sign_in_code', 'de']);
    assert.match(JSON.parse(values ?? '{}').code, /^\d{8}$/);
    const code = await newest();
    const { data } = await signIn(`${code.slice(0, 4)} ${code.slice(4)}`, 'MINA@example.com');
    assert.equal(data.signInWithCode.user.id, id);
    assert.equal(data.signInWithCode.user.emailProvenAt, new Date(start).toISOString());
  });

  it('is answered alike, after the same statements, whether or not there is an account', async () => {
    at(0);
    await signup();
    const known = await service().statements(async () =>
      assert.deepEqual((await ask()).body, { data: { requestSignInCode: true } }),
    );
    const unknown = await service().statements(async () =>
      assert.deepEqual((await ask('nobody@example.com')).body, {
        data: { requestSignInCode: true },
      }),
    );
    assert.equal(known, unknown);
    assert.equal(await mail(), 1);
    const wrong = await service().statements(() => signIn(other('12345678')));
    assert.equal(await service().statements(() => signIn('12345678', 'nobody@example.com')), wrong);
    assert.deepEqual(
      await signIn('12345678', 'nobody@example.com'),
      await signIn(other(await newest())),
    );
  });

  it('takes an account over, the first time, from whoever signed up with the address of another', async () => {
    at(0);
    const body = { email: 'mina@example.com', password: 'of the intruder', language: 1 };
    const intruder = (await service().rest('POST', '/v1/signup', { body })).body;
    const login = async (password: string) =>
      (await service().rest('POST', '/v1/login', { body: { username: body.email, password } }))
        .status;
    await ask();
    await mail();
    const { token } = (await signIn(await newest())).data.signInWithCode;
    assert.equal(await login(body.password), 401);
    const query = { refreshToken: intruder.refreshToken };
    assert.equal((await service().rest('GET', '/v1/refreshToken', { query })).status, 401);
    const change = 'mutation { changePassword(input: { newPassword: "of the owner" }) { id } }';
    const headers = { authorization: `Bearer ${token}` };
    assert.ok((await service().graphql(change, {}, { headers })).body.data);
    at(2 * MINUTE);
    await ask();
    await mail();
    assert.ok((await signIn(await newest())).data);
    assert.equal(await login('of the owner'), 200, 'what was set after the proof stays');
  });

  it('signs in once', async () => {
    at(0);
    await signup();
    await ask();
    await mail();
    const code = await newest();
    assert.ok((await signIn(code)).data);
    assert.equal(await refused(code), 'SIGN_IN_CODE_INVALID');
  });

  it('is good for 10 minutes', async () => {
    for (const [after, good] of [
      [10 * MINUTE - 1, true],
      [10 * MINUTE, false],
    ] as const) {
      await service().clean();
      at(0);
      await signup();
      await ask();
      await mail();
      const code = await newest();
      at(after);
      assert.equal((await refused(code)) === undefined, good);
    }
  });

  it('is good for 5 tries', async () => {
    for (const [wrong, good] of [
      [4, true],
      [5, false],
    ] as const) {
      await service().clean();
      at(0);
      await signup();
      await ask();
      await mail();
      const code = await newest();
      for (let i = 0; i < wrong; i++)
        assert.equal(await refused(other(code)), 'SIGN_IN_CODE_INVALID');
      assert.equal((await refused(code)) === undefined, good, `after ${wrong} wrong ones`);
    }
  });

  it('is another address’s business alone', async () => {
    at(0);
    await signup();
    await signup('other@example.com');
    await ask();
    await mail();
    assert.equal(await refused(await newest(), 'other@example.com'), 'SIGN_IN_CODE_INVALID');
  });

  it('is mailed once a minute at most, and the next one takes its place', async () => {
    at(0);
    await signup();
    await ask();
    await mail();
    const first = await newest();
    at(MINUTE - 1);
    await ask();
    assert.equal(await mail(), 0);
    at(MINUTE);
    await ask();
    assert.equal(await mail(), 1);
    assert.equal(await refused(first), 'SIGN_IN_CODE_INVALID');
    assert.ok((await signIn(await newest())).data);
  });

  it('stands nowhere in the database but in its mail, and is forgotten when it is over', async () => {
    at(0);
    await signup();
    await ask();
    await ask('nobody@example.com');
    await mail();
    const code = await newest();
    const rows = await service().database.prisma.signInCode.findMany();
    assert.equal(rows.length, 2);
    assert.ok(!JSON.stringify(rows).includes(code));
    at(11 * MINUTE);
    await mail();
    assert.equal(await service().database.prisma.signInCode.count(), 0);
  });

  it('that is no code is refused, and no failure', async () => {
    at(0);
    await signup();
    await ask();
    await mail();
    for (const code of ['', ' ', '0', '💊'.repeat(8), 'x'.repeat(4096)])
      assert.equal(await refused(code), 'SIGN_IN_CODE_INVALID', code.slice(0, 20));
  });

  it('that cannot be made holds up no other, and whoever asks again begins anew', async () => {
    at(0);
    await signup('bad@example.com');
    await signup('good@example.com');
    await ask('bad@example.com');
    await ask('good@example.com');
    const { prisma } = service().database;
    await prisma.$executeRawUnsafe(
      `ALTER TABLE outgoing_mail ADD CONSTRAINT bad CHECK ("to" <> 'bad@example.com')`,
    );
    try {
      assert.equal(await mail(), 1);
      assert.equal(await mail(), 0);
    } finally {
      await prisma.$executeRawUnsafe('ALTER TABLE outgoing_mail DROP CONSTRAINT bad');
    }
    assert.deepEqual(
      (await mails()).map(({ to }) => to),
      ['good@example.com'],
    );
    at(2 * MINUTE);
    await ask('bad@example.com');
    assert.equal(await mail(), 1);
  });
});
