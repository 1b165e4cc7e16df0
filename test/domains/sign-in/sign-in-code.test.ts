import { QUOTAS, Quota } from '../../../src/core/quota.js';
import { mailSignInCodes } from '../../../src/domains/sign-in/code/sign-in-code.service.js';
import { makeMember } from '../../support/factories.js';
import { bearer, errorCode, useService } from '../../support/harness.js';

const MINUTE = 60_000;
const REQUEST =
  'mutation($input: RequestSignInCodeInput!) { requestSignInCode(input: $input) { ' +
  'expiresIn } }';
const SIGN_IN =
  'mutation($input: SignInWithCodeInput!) { signInWithCode(input: $input) { token refreshToken ' +
  'viewer { databaseId emailProvenAt } } }';

describe('A mailed code', () => {
  const service = useService();
  const start = Date.parse('2026-03-01T08:00:00Z');
  const at = (after: number) => {
    service().at(start + after);
  };
  const signup = async (email = 'Mina@example.com') =>
    (await makeMember(service(), { email, language: 2 })).user.id as number;
  const ask = (email = 'mina@example.com') => service().graphql(REQUEST, { input: { email } });
  const mails = () =>
    service().database.prisma.outgoingMail.findMany({ orderBy: { createdAt: 'asc' } });
  const mail = async () => mailSignInCodes(await service().context());
  const newest = async () => JSON.parse((await mails()).at(-1)?.values ?? '{}').code as string;
  const signIn = async (code: string, email = 'mina@example.com') =>
    (await service().graphql(SIGN_IN, { input: { email, code } })).body;
  const refused = async (code: string, email?: string) => errorCode(await signIn(code, email));
  const other = (code: string) => code.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));

  it('of eight digits signs in an account without a password, in its language', async () => {
    at(0);
    const id = await signup();
    expect((await ask()).body.data.requestSignInCode).toStrictEqual({ expiresIn: 600 });
    expect(await mail()).toBe(1);
    const [{ to, template, language, values } = { values: '{}' }] = (await mails()) as Partial<
      Awaited<ReturnType<typeof mails>>[0]
    >[];
    expect([to, template, language]).toStrictEqual(['Mina@example.com', 'sign_in_code', 'de']);
    expect(JSON.parse(values ?? '{}').code).toMatch(/^\d{8}$/);
    const code = await newest();
    const { data } = await signIn(`${code.slice(0, 4)} ${code.slice(4)}`, 'MINA@example.com');
    expect(data.signInWithCode.viewer.databaseId).toBe(id);
    expect(data.signInWithCode.viewer.emailProvenAt).toBe(new Date(start).toISOString());
  });

  it('is not used up when no session starts, but is when the account has no points left', async () => {
    at(0);
    const id = await signup();
    const suspend = (suspendedAt: Date | null) =>
      service().database.prisma.account.update({ where: { id }, data: { suspendedAt } });
    await ask();
    await mail();
    const code = await newest();
    await suspend(new Date(start));
    expect(await refused(code)).toBe('ACCOUNT_SUSPENDED');
    await suspend(null);
    service().limit();
    await Quota.of(service().limits, id, '').charge(QUOTAS.account.points);
    expect((await signIn(code)).data.signInWithCode.viewer.databaseId).toBe(id);
    expect(await refused(code)).toBe('SIGN_IN_CODE_INVALID');
  });

  it('is answered alike, after the same statements, whether or not there is an account', async () => {
    at(0);
    await signup();
    const asked = { data: { requestSignInCode: { expiresIn: 600 } } };
    const known = await service().statements(async () =>
      expect((await ask()).body).toStrictEqual(asked),
    );
    const unknown = await service().statements(async () =>
      expect((await ask('nobody@example.com')).body).toStrictEqual(asked),
    );
    expect(known).toBe(unknown);
    expect(await mail()).toBe(1);
    const wrong = await service().statements(() => signIn(other('12345678')));
    expect(await service().statements(() => signIn('12345678', 'nobody@example.com'))).toBe(wrong);
    expect(await signIn('12345678', 'nobody@example.com')).toStrictEqual(
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
    expect(await login(body.password)).toBe(401);
    const query = { refreshToken: intruder.refreshToken };
    expect((await service().rest('GET', '/v1/refreshToken', { query })).status).toBe(401);
    const change =
      'mutation { changePassword(input: { newPassword: "of the owner" }) { viewer { id } } }';
    const headers = bearer(token);
    expect((await service().graphql(change, {}, { headers })).body.data).toBeTruthy();
    at(2 * MINUTE);
    await ask();
    await mail();
    expect((await signIn(await newest())).data).toBeTruthy();
    expect(await login('of the owner'), 'what was set after the proof stays').toBe(200);
  });

  it('signs in once', async () => {
    at(0);
    await signup();
    await ask();
    await mail();
    const code = await newest();
    expect((await signIn(code)).data).toBeTruthy();
    expect(await refused(code)).toBe('SIGN_IN_CODE_INVALID');
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
      expect((await refused(code)) === undefined).toBe(good);
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
        expect(await refused(other(code))).toBe('SIGN_IN_CODE_INVALID');
      expect((await refused(code)) === undefined, `after ${wrong} wrong ones`).toBe(good);
    }
  });

  it('is another address’s business alone', async () => {
    at(0);
    await signup();
    await signup('other@example.com');
    await ask();
    await mail();
    expect(await refused(await newest(), 'other@example.com')).toBe('SIGN_IN_CODE_INVALID');
  });

  it('is mailed once a minute at most, and the next one takes its place', async () => {
    at(0);
    await signup();
    await ask();
    await mail();
    const first = await newest();
    at(MINUTE - 1);
    await ask();
    expect(await mail()).toBe(0);
    at(MINUTE);
    await ask();
    expect(await mail()).toBe(1);
    expect(await refused(first)).toBe('SIGN_IN_CODE_INVALID');
    expect((await signIn(await newest())).data).toBeTruthy();
  });

  it('stands nowhere in the database but in its mail, and is forgotten when it is over', async () => {
    at(0);
    await signup();
    await ask();
    await ask('nobody@example.com');
    await mail();
    const code = await newest();
    const rows = await service().database.prisma.signInCode.findMany();
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain(code);
    at(11 * MINUTE);
    await mail();
    expect(await service().database.prisma.signInCode.count()).toBe(0);
  });

  it('that is no code is refused, and no failure', async () => {
    at(0);
    await signup();
    await ask();
    await mail();
    for (const code of ['', ' ', '0', '💊'.repeat(8), 'x'.repeat(4096)])
      expect(await refused(code), code.slice(0, 20)).toBe('SIGN_IN_CODE_INVALID');
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
      expect(await mail()).toBe(1);
      expect(await mail()).toBe(0);
    } finally {
      await prisma.$executeRawUnsafe('ALTER TABLE outgoing_mail DROP CONSTRAINT bad');
    }
    expect((await mails()).map(({ to }) => to)).toStrictEqual(['good@example.com']);
    at(2 * MINUTE);
    await ask('bad@example.com');
    expect(await mail()).toBe(1);
  });
});
