import { issueResetCodes, pruneResets } from '../../../src/domains/passwords/reset-code.service.js';
import type { Answer } from '../../support/harness.js';
import { bearer, errorCode, useService } from '../../support/harness.js';

const MINUTE = 60_000;
const REQUEST =
  'mutation($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { ' +
  'expiresIn } }';
const CHECK =
  'mutation($input: CheckPasswordResetCodeInput!) { checkPasswordResetCode(input: $input) { ' +
  'expiresAt } }';
const RESET =
  'mutation($input: ResetPasswordInput!) { resetPassword(input: $input) { ' + 'endedSessions } }';
const LOGIN = 'mutation($input: LoginInput!) { login(input: $input) { token } }';
const NEW_PASSWORD = 'a new password, ünïcode 💊';
const MINA = 'subscriber@example.com';
const NOBODY = 'nobody@example.com';

describe('Resetting a password', () => {
  const service = useService();
  const reasonOf = ({ body }: Answer) => errorCode(body);
  const issue = () => issueResetCodes(service().app.deps);
  const request = async (email: unknown) => service().graphql(REQUEST, { input: { email } });
  const check = (code: unknown, email = MINA) =>
    service().graphql(CHECK, { input: { email, code } });
  const reset = (code: unknown, { email = MINA, password = NEW_PASSWORD as unknown } = {}) =>
    service().graphql(RESET, { input: { email, code, password } });
  const login = (password: string) =>
    service().graphql(LOGIN, { input: { username: MINA, password } });
  const mails = async () =>
    (await service().mails()).filter(({ headers }) => headers.get('to') === MINA);
  const codeIn = (text: string) => /^\d{8}$/m.exec(text)?.[0] ?? '';
  const actions = async () => {
    const rows = await service().database.prisma.auditEvent.findMany({ orderBy: { id: 'asc' } });
    return rows.filter(({ action }) => action.startsWith('password.')).map(({ action }) => action);
  };
  /** A code that was asked for and mailed. */
  const mailed = async (email = MINA) => {
    await service().account('subscriber');
    const before = new Set((await mails()).map(({ text }) => text));
    await request(email);
    await issue();
    return codeIn((await mails()).find(({ text }) => !before.has(text))?.text ?? '');
  };
  const wrong = (code: string) => String((Number(code) + 1) % 10 ** 8).padStart(8, '0');

  it('mails a code of eight digits that says until when it is good', async () => {
    service().at(Date.UTC(2026, 2, 1, 8, 0));
    const code = await mailed('  Subscriber@EXAMPLE.com ');
    expect(code).toMatch(/^\d{8}$/);
    const [mail] = await mails();
    expect(mail?.text ?? '').toMatch(/until 08:10 \(UTC\)/);
    expect(mail?.headers.get('subject')).toBe('Your password reset code');
  });

  it('names what is refused by its path', async () => {
    const code = await mailed();
    const told = async (answer: Promise<Answer>) =>
      (await answer).body.errors[0].extensions.problems.map(
        (problem: { path: string[]; code: string }) => [problem.path, problem.code],
      );
    expect(await told(request(''))).toStrictEqual([[['input', 'email'], 'RESET_EMAIL_REQUIRED']]);
    expect(await told(check(''))).toStrictEqual([[['input', 'code'], 'CODE_REQUIRED']]);
    expect(await told(check(wrong(code)))).toStrictEqual([[['input', 'code'], 'RESET_CODE_WRONG']]);
    expect(await told(reset(code, { password: '' }))).toStrictEqual([
      [['input', 'password'], 'NEW_PASSWORD_REQUIRED'],
    ]);
  });

  it('names the time by the clock of the account', async () => {
    await service().account('subscriber');
    await service().database.prisma.account.updateMany({
      data: { timeZone: 'Asia/Kathmandu', languageId: 2 },
    });
    service().at(Date.UTC(2026, 2, 1, 8, 0));
    await mailed();
    const [mail] = await mails();
    expect(mail?.text ?? '').toMatch(/bis 13:55 \(Asia\/Kathmandu\)/);
  });

  it('sets the new password, for administrators too', async () => {
    await service().account('administrator');
    await request('administrator@example.com');
    await issue();
    const [mail] = await service().mails();
    const done = await reset(codeIn(mail?.text ?? ''), { email: 'administrator@example.com' });
    expect(done.body.data.resetPassword).toStrictEqual({ endedSessions: 0 });
    const { body } = await service().graphql(LOGIN, {
      input: { username: 'administrator', password: NEW_PASSWORD },
    });
    expect(body.data.login.token).toBeTruthy();
  });

  it('checks a code without using it up, and then takes it once', async () => {
    const code = await mailed();
    for (let i = 0; i < 7; i++) expect(reasonOf(await check(code)), `check ${i}`).toBeUndefined();
    expect(reasonOf(await reset(code))).toBeUndefined();
    expect(reasonOf(await reset(code, { password: 'another one' }))).toBe('RESET_CODE_WRONG');
    expect(reasonOf(await check(code))).toBe('RESET_CODE_WRONG');
    expect((await login(NEW_PASSWORD)).body.data.login.token).toBeTruthy();
  });

  it('takes a code once, however many come with it at the same time', async () => {
    const code = await mailed();
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) => reset(code, { password: `new password ${n}` })),
    );
    expect(answers.filter((answer) => !reasonOf(answer))).toHaveLength(1);
  });

  it('ends every session, keeps application passwords, and has the owner told', async () => {
    await service().account('subscriber');
    await service().database.prisma.account.updateMany({ data: { emailProvenAt: new Date() } });
    const start = Date.now();
    service().at(start);
    await reset(await mailed());
    const token = (await login(NEW_PASSWORD)).body.data.login.token as string;
    const headers = bearer(token);
    expect(
      (await service().graphql('{ viewer { id } }', {}, { headers })).body.data.viewer,
    ).toBeTruthy();
    await reset(await mailed());
    service().at(start + 1000);
    expect((await service().graphql('{ viewer { id } }', {}, { headers })).status).toBe(401);
    expect(
      (await service().graphql('{ viewer { id } }', {}, { as: 'subscriber' })).body.data.viewer,
      'by application password',
    ).toBeTruthy();
    expect(
      (await mails()).filter(
        ({ headers }) => headers.get('subject') === 'Your password was changed',
      ),
    ).toHaveLength(2);
  });

  it('ends a code after five wrong ones, counted over checking and setting together', async () => {
    const code = await mailed();
    for (const i of [1, 2, 3])
      expect(reasonOf(await check(wrong(code))), `try ${i}`).toBe('RESET_CODE_WRONG');
    expect(reasonOf(await reset(wrong(code)))).toBe('RESET_CODE_WRONG');
    expect(reasonOf(await check(code)), 'four wrong ones do not end it').toBeUndefined();
    expect(reasonOf(await reset(wrong(code)))).toBe('RESET_CODE_WRONG');
    expect(reasonOf(await check(code))).toBe('RESET_CODE_WRONG');
    expect(reasonOf(await reset(code))).toBe('RESET_CODE_WRONG');
  });

  it('counts wrong codes that come at the same time one by one', async () => {
    const code = await mailed();
    await Promise.all([1, 2, 3, 4, 5].map(() => check(wrong(code))));
    expect(reasonOf(await check(code))).toBe('RESET_CODE_WRONG');
  });

  it('takes no code after ten minutes', async () => {
    const start = Date.now();
    service().at(start);
    const code = await mailed();
    service().at(start + 10 * MINUTE - 1);
    expect(reasonOf(await check(code))).toBeUndefined();
    service().at(start + 10 * MINUTE);
    expect(reasonOf(await check(code))).toBe('RESET_CODE_WRONG');
    expect(reasonOf(await reset(code))).toBe('RESET_CODE_WRONG');
  });

  it('takes the newest code alone', async () => {
    const first = await mailed();
    const second = await mailed();
    expect(first).not.toBe(second);
    expect(reasonOf(await check(first))).toBe('RESET_CODE_WRONG');
    expect(reasonOf(await check(second))).toBeUndefined();
  });

  it('mails three codes in fifteen minutes and says nothing of the others; the last code stays good', async () => {
    const start = Date.now();
    service().at(start);
    await mailed();
    await mailed();
    const third = await mailed();
    const answer = await request(MINA);
    await issue();
    expect(answer.body.data.requestPasswordReset).toStrictEqual({ expiresIn: 600 });
    expect(await mails()).toHaveLength(3);
    expect(reasonOf(await check(third))).toBeUndefined();
    service().at(start + 15 * MINUTE + 1);
    await mailed();
    expect(await mails()).toHaveLength(4);
  });

  it('gives nobody more than 60 tries an hour, however many codes are asked for', async () => {
    await service().account('subscriber');
    const start = Date.now();
    let tried = 0;
    for (let minute = 0; minute < 60; minute += 2) {
      service().at(start + minute * MINUTE);
      await request(MINA);
      await issue();
      for (let i = 0; i < 6; i++) {
        const before = await service().database.prisma.auditEvent.count({
          where: { action: 'password.reset_refused' },
        });
        await check('no code');
        tried +=
          (await service().database.prisma.auditEvent.count({
            where: { action: 'password.reset_refused' },
          })) - before;
      }
    }
    expect(tried).toBe(60);
  });

  it("refuses another account's code, and a code for an address that was changed", async () => {
    const code = await mailed();
    await service().account('editor');
    await request('editor@example.com');
    await issue();
    expect(reasonOf(await check(code, 'editor@example.com'))).toBe('RESET_CODE_WRONG');
    const data = { email: 'moved@example.com', emailKey: 'moved@example.com' };
    await service().database.prisma.account.updateMany({ where: { emailKey: MINA }, data });
    expect(reasonOf(await reset(code))).toBe('RESET_CODE_WRONG');
  });

  it('refuses without a code outstanding, with a user name, and for an address that nobody has, in the same words', async () => {
    await service().account('subscriber');
    const answers = [
      await check('12345678'),
      await check('12345678', 'subscriber'),
      await check('12345678', NOBODY),
    ];
    const code = await mailed();
    answers.push(await check(wrong(code)), await reset(wrong(code)), await check(code, NOBODY));
    for (const { body } of answers) {
      expect(body.errors[0].message).toBe('The reset code provided is not valid.');
      const [code, message] = ['RESET_CODE_WRONG', body.errors[0].message];
      const problems = [{ path: ['input', 'code'], code, message }];
      expect(body.errors[0].extensions).toStrictEqual({ code, problems });
    }
  });

  it('names what is missing, in the order e-mail, code, password', async () => {
    for (const email of ['', '   '])
      expect(reasonOf(await request(email))).toBe('RESET_EMAIL_REQUIRED');
    expect(reasonOf(await reset('', { email: '', password: '' }))).toBe('RESET_EMAIL_REQUIRED');
    expect(reasonOf(await reset('', { password: '' }))).toBe('CODE_REQUIRED');
    expect(reasonOf(await reset('12345678', { password: '' }))).toBe('NEW_PASSWORD_REQUIRED');
    for (const absent of [undefined, null]) {
      expect(reasonOf(await request(absent))).toBe('BAD_USER_INPUT');
      expect(reasonOf(await reset(absent))).toBe('BAD_USER_INPUT');
      expect(reasonOf(await reset('12345678', { password: absent ?? null }))).toBe(
        'BAD_USER_INPUT',
      );
    }
  });

  it('judges the password before the code, so that a password that does not fit costs no try and no code', async () => {
    const code = await mailed();
    for (const password of ['short', 'x'.repeat(257)])
      expect(reasonOf(await reset(code, { password }))).toBe('PASSWORD_INVALID');
    expect(reasonOf(await reset(code))).toBeUndefined();
  });

  it('takes any other shape of a code for a wrong one, and counts it', async () => {
    const code = await mailed();
    for (const other of [`${code} `, `${code}\0`, '9'.repeat(5000), '١٢٣٤٥٦٧٨', `x${code}`])
      expect(reasonOf(await check(other)), String(other).slice(0, 20)).toBe('RESET_CODE_WRONG');
    expect(reasonOf(await check(code)), 'five tries are over').toBe('RESET_CODE_WRONG');
    expect(reasonOf(await check(12_345_678)), 'a number is no text').toBe('BAD_USER_INPUT');
  });

  it('keeps neither the code nor the address of a request, and empties a mail that was sent', async () => {
    const code = await mailed();
    await request(NOBODY);
    await issue();
    const prisma = service().database.prisma;
    const kept = JSON.stringify(
      [
        await prisma.passwordReset.findMany(),
        await prisma.outgoingMail.findMany(),
        await prisma.auditEvent.findMany(),
      ],
      (_, value) => (typeof value === 'bigint' ? String(value) : value),
    );
    expect(kept).not.toContain(code);
    expect(kept).not.toContain(NOBODY);
  });

  it('forgets a request after an hour', async () => {
    await mailed();
    service().at(Date.now() + 61 * MINUTE);
    expect(await pruneResets(service().app.deps)).toBe(1);
    expect(await service().database.prisma.passwordReset.count()).toBe(0);
  });

  it('leaves a trace in the audit of what was asked for, refused and done', async () => {
    const code = await mailed();
    await check(wrong(code));
    await check(code);
    await reset(code);
    expect(await actions()).toStrictEqual([
      'password.reset_requested',
      'password.reset_refused',
      'password.reset',
    ]);
    const subjects = new Set(
      (await service().database.prisma.auditEvent.findMany()).map(({ subjectId }) => subjectId),
    );
    expect([...subjects]).toStrictEqual([(await service().account('subscriber')).id]);
  });

  it('makes one code of requests that come at the same time, by however many processes', async () => {
    await service().account('subscriber');
    await Promise.all([request(MINA), request(MINA), request(MINA)]);
    const dealt = await Promise.all([issue(), issue(), issue()]);
    expect(dealt.reduce((sum, count) => sum + count)).toBe(1);
    expect(await mails()).toHaveLength(1);
  });

  it('answers and works the same for an address that nobody has', async () => {
    await service().account('subscriber');
    const both = async (work: (email: string) => Promise<Answer>) => {
      const [known, unknown] = [
        { statements: 0, body: '' },
        { statements: 0, body: '' },
      ];
      for (const [email, seen] of [
        [MINA, known],
        [NOBODY, unknown],
      ] as const) {
        seen.statements = await service().statements(async () => {
          seen.body = (await work(email)).text;
        });
      }
      expect(unknown).toStrictEqual(known);
      return known.statements;
    };
    await both((email) => check('12345678', email)); // nothing was asked for
    expect(await both(request)).toBe(1);
    await both((email) => check('12345678', email)); // the job has not come by yet
    await issue();
    expect(
      await both((email) => check('no code', email)),
      'a try is counted and audited',
    ).toBeGreaterThanOrEqual(3);
    await both((email) => reset('no code', { email }));
    await both((email) => check('no code', email));
    await both((email) => check('no code', email));
    await both((email) => check('no code', email)); // the fifth
    await both((email) => check('no code', email)); // no try is left
    await both(request); // again
  });
});
