import { issueResetCodes } from '../../src/domains/passwords/reset-code.service.js';
import { type Sending, useService } from '../support/harness.js';

const MINA = 'subscriber@example.com';
const PASSWORD = 'a brand new one';

describe('Password reset over REST', () => {
  const service = useService();
  const post = (route: string, body: object, more: Sending = {}) =>
    service().rest('POST', `/pwreset/v1/${route}`, { body, ...more });
  const codeOf = async (edition: 'A' | 'B' = 'A') => {
    await service().account('subscriber');
    await post('reset-password', { email: MINA }, { edition });
    await issueResetCodes(service().app.deps);
    const [mail] = await service().mails();
    return /^\d{8}$/m.exec(mail?.text ?? '')?.[0] ?? '';
  };

  for (const edition of ['A', 'B'] as const) {
    it(`answers each step as the original does, in edition ${edition}`, async () => {
      await service().account('subscriber');
      const asked = await post('reset-password', { email: MINA }, { edition });
      expect(asked.status).toBe(200);
      expect(asked.text).toBe(
        '{"data":{"status":200},"message":"A password reset email has been sent to your email ' +
          'address."}',
      );
      const code = await codeOf(edition);
      const checked = await post('validate-code', { email: MINA, code }, { edition });
      expect(checked.text).toBe('{"data":{"status":200},"message":"The code supplied is valid."}');
      const set = await post(
        'set-password',
        { email: MINA, code, password: PASSWORD },
        { edition },
      );
      expect(set.status).toBe(200);
      expect(set.text).toBe('{"data":{"status":200},"message":"Password reset successfully."}');
      const login = await service().rest('POST', '/v1/login', {
        body: { username: MINA, password: PASSWORD },
      });
      expect(login.status).toBe(200);
    });
  }

  it('takes a form as well as JSON', async () => {
    const code = await codeOf();
    const raw = new URLSearchParams({ email: MINA, code, password: PASSWORD }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(
      (await service().rest('POST', '/pwreset/v1/set-password', { raw, headers })).status,
    ).toBe(200);
  });

  it('answers 400 with the code of what is missing, in the order e-mail, code, password', async () => {
    const cases: [string, object, string, string][] = [
      ['reset-password', {}, 'no_email', 'You must provide an email address.'],
      ['reset-password', { email: '' }, 'no_email', 'You must provide an email address.'],
      ['reset-password', { email: null }, 'no_email', 'You must provide an email address.'],
      ['validate-code', {}, 'no_email', 'You must provide an email address.'],
      ['validate-code', { email: MINA }, 'no_code', 'You must provide a code.'],
      [
        'set-password',
        { code: 'x', password: 'y' },
        'no_email',
        'You must provide an email address.',
      ],
      [
        'set-password',
        { email: MINA, code: '', password: 'y' },
        'no_code',
        'You must provide a code.',
      ],
      ['set-password', { email: MINA, code: 'x' }, 'no_code', 'You must provide a new password.'],
      [
        'set-password',
        { email: MINA, code: 'x', password: '' },
        'no_code',
        'You must provide a new password.',
      ],
    ];
    for (const [route, body, code, message] of cases) {
      const answer = await post(route, body);
      expect([answer.status, answer.body], `${route} ${JSON.stringify(body)}`).toStrictEqual([
        400,
        { code, message, data: { status: 400 } },
      ]);
    }
  });

  it('gives one answer for every address that a reset is asked for', async () => {
    await service().account('administrator');
    const answers = [];
    for (const email of [
      'administrator@example.com',
      'nobody@example.com',
      'administrator',
      'not an address',
      'ünïcødé@exämple.com',
      '0',
      7,
    ])
      answers.push(await post('reset-password', { email }));
    expect(
      [...new Set(answers.map(({ status, text }) => `${status} ${text}`))].length,
    ).toStrictEqual(1);
    expect(answers[0]?.status).toBe(200);
  });

  it('gives one answer for every wrong code', async () => {
    const code = await codeOf();
    const wrong = [
      await post('validate-code', {
        email: MINA,
        code: '00000000' === code ? '11111111' : '00000000',
      }),
      await post('validate-code', { email: 'nobody@example.com', code }),
      await post('validate-code', { email: 'subscriber', code }),
      await post('validate-code', { email: MINA, code: `${code}\u0000` }),
      await post('validate-code', { email: MINA, code: [code] }),
      await post('set-password', { email: MINA, code: { code }, password: PASSWORD }),
      await post('set-password', { email: 'nobody@example.com', code, password: PASSWORD }),
    ];
    for (const { status, body } of wrong) {
      expect(status).toBe(400);
      expect(body).toStrictEqual({
        code: 'bad_request',
        message: 'The reset code provided is not valid.',
        data: { status: 400 },
      });
    }
  });

  it('compares codes in type too: a JSON number is none', async () => {
    const code = await codeOf();
    const raw = `{"email":"${MINA}","code":${Number(code)}}`;
    const headers = { 'content-type': 'application/json' };
    expect(
      (await service().rest('POST', '/pwreset/v1/validate-code', { raw, headers })).body.code,
    ).toBe('bad_request');
  });

  it('answers 400 for what no address, code or password can be, and never 500', async () => {
    await service().account('subscriber');
    const email = MINA;
    const strange = [
      ['reset-password', { email: [MINA] }],
      ['reset-password', { email: { a: MINA } }],
      ['reset-password', { email: `${'x'.repeat(300)}@example.com` }],
      ['reset-password', { email: `${MINA}\u0000` }],
      ['validate-code', { email: [MINA], code: '12345678' }],
      ['validate-code', { email, code: 'x'.repeat(100_000) }],
      ['set-password', { email, code: '12345678', password: ['a', 'b'] }],
      ['set-password', { email, code: '12345678', password: 'short' }],
      ['set-password', { email, code: '12345678', password: 'x'.repeat(100_000) }],
      ['set-password', { email, code: '12345678', password: 'nul\u0000nul nul' }],
    ] as const;
    for (const [route, body] of strange) {
      const answer = await post(route, body);
      expect(
        answer.status,
        `${route} ${JSON.stringify(body).slice(0, 60)}: ${answer.text.slice(0, 200)}`,
      ).toBe(400);
      expect(answer.body.code).toMatch(/^(rest_invalid_param|bad_request)$/);
    }
  });

  it('says of a password that does not fit which parameter it is', async () => {
    const { body } = await post('set-password', {
      email: MINA,
      code: '12345678',
      password: 'short',
    });
    expect(body.code).toBe('rest_invalid_param');
    expect(body.data.params.password).toBe('A password has 8 to 256 characters.');
  });

  it('is POST alone, anonymous, and lists no parameters', async () => {
    for (const route of ['reset-password', 'validate-code', 'set-password']) {
      expect((await service().rest('GET', `/pwreset/v1/${route}`)).status).toBe(404);
      const { status, body, headers } = await service().rest('OPTIONS', `/pwreset/v1/${route}`);
      expect(status).toBe(200);
      expect(body.endpoints).toStrictEqual([{ methods: ['POST'], args: {} }]);
      expect(headers.get('allow')).toBe('POST');
    }
  });

  it('makes a code for everybody else when one cannot be made, and for that one when asked again', async () => {
    await service().account('subscriber');
    await service().account('editor');
    const asked = ['editor@example.com', MINA];
    for (const email of asked) await post('reset-password', { email });
    const { prisma } = service().database;
    await prisma.$executeRawUnsafe(
      `ALTER TABLE outgoing_mail ADD CONSTRAINT bad CHECK ("to" <> 'editor@example.com')`,
    );
    try {
      expect(await issueResetCodes(service().app.deps)).toBe(1);
      expect(await issueResetCodes(service().app.deps)).toBe(0);
    } finally {
      await prisma.$executeRawUnsafe('ALTER TABLE outgoing_mail DROP CONSTRAINT bad');
    }
    const mails = () => prisma.outgoingMail.findMany({ orderBy: { createdAt: 'asc' } });
    expect((await mails()).map(({ to }) => to)).toStrictEqual([MINA]);
    await post('reset-password', { email: 'editor@example.com' });
    expect(await issueResetCodes(service().app.deps)).toBe(1);
    expect(await mails()).toHaveLength(2);
  });
});
