import { randomUUID } from 'node:crypto';
import { expandDue } from '../../../src/domains/notifications/delivery/delivery.service.js';
import {
  mailSignInCodes,
  requestSignInCode,
} from '../../../src/domains/sign-in/code/sign-in-code.service.js';
import { applicationPasswordHash } from '../../../src/domains/sign-in/session/credentials.service.js';
import { makeGuest, makeMember } from '../../support/factories.js';
import { bearer, type Caller, errorCode, useService } from '../../support/harness.js';

const EMAIL = 'mina@example.com';
const PASSWORD = 'correct horse battery';
const HOUR = 60 * 60 * 1000;
const INVITE =
  'mutation { inviteCarer(input: { to: "ben@example.com", right: SEE }) { careInvitation { id } } }';
const FEED = 'mutation { createCalendarFeed(input: {}) { calendarFeed { url } } }';

describe('An account whose e-mail address is not proven', () => {
  const service = useService();
  const mailedCode = async (): Promise<string> => {
    await requestSignInCode(await service().context(), { email: EMAIL });
    await mailSignInCodes(await service().context());
    const [mail] = await service().database.prisma.outgoingMail.findMany({
      where: { template: 'sign_in_code' },
    });
    return JSON.parse(mail?.values ?? '{}').code;
  };
  /** Signs in by the code that is mailed to the address: what only its owner can do. */
  const prove = async () => {
    const input = { email: EMAIL, code: await mailedCode() };
    const signIn =
      'mutation($input: SignInWithCodeInput!) { signInWithCode(input: $input) { token } }';
    return (await service().graphql(signIn, { input })).body.data.signInWithCode.token as string;
  };

  it('shares nothing and mails nobody but itself', async () => {
    const { token } = await makeMember(service(), { password: PASSWORD });
    for (const query of [INVITE, FEED])
      expect(errorCode(await service().ask(query, {}, { token })), query).toBe('EMAIL_UNPROVEN');
    expect(await service().mails()).toStrictEqual([]);
    expect(
      (await service().ask('{ careInvitations { id } }', {}, { token })).data.careInvitations,
    ).toStrictEqual([]);
    const proven = await prove();
    for (const query of [INVITE, FEED])
      expect((await service().ask(query, {}, { token: proven })).errors, query).toBeUndefined();
    expect((await service().mails()).map(({ headers }) => headers.get('to')).sort()).toStrictEqual([
      'ben@example.com',
      EMAIL,
    ]);
  });

  it('of a guest shares nothing either, nor when the guest signs up', async () => {
    const guest = await makeGuest(service());
    expect(errorCode(await service().ask(FEED, {}, guest))).toBe('EMAIL_UNPROVEN');
    const headers = bearer(guest.token);
    const { body } = await service().rest('POST', '/v1/signup', {
      headers,
      body: { email: EMAIL, language: 1 },
    });
    for (const query of [INVITE, FEED])
      expect(errorCode(await service().ask(query, {}, body)), query).toBe('EMAIL_UNPROVEN');
  });

  it('nor has any shares nothing, unless an identity provider has verified its owner', async () => {
    const guest = await makeGuest(service());
    const { body } = await service().rest('POST', '/v1/signup', {
      headers: bearer(guest.token),
      body: { name: 'Mina', language: 1 },
    });
    for (const query of [INVITE, FEED]) {
      const [{ message, extensions }] = (await service().ask(query, {}, body)).errors;
      expect(extensions.code, query).toBe('EMAIL_UNPROVEN');
      expect(message).not.toMatch(/code/);
    }
    const identity = { accountId: guest.user.id, issuer: 'https://idp.example', subject: 'mina' };
    const now = new Date();
    await service().database.prisma.identity.create({
      data: { ...identity, createdAt: now, usedAt: now },
    });
    expect(errorCode(await service().ask(FEED, {}, body))).toBeUndefined();
    expect(errorCode(await service().ask(INVITE, {}, body))).toBe('EMAIL_UNPROVEN');
  });

  /**
   * Everything that whoever signed up with the address of another can have left, also before
   * accounts had to be proven.
   */
  const leaveBehind = async () => {
    const { token, user } = await makeMember(service(), { password: PASSWORD });
    const { prisma } = service().database;
    const accountId: number = user.id;
    const familiar = { accountId, address: '203.0.113.9', seenAt: new Date() };
    await prisma.familiarAddress.create({ data: familiar });
    await prisma.account.update({
      where: { id: accountId },
      data: { emailProvenAt: new Date(), usernameKey: 'eve' },
    });
    const { id: accomplice } = await service().account('subscriber');
    const { id: victim } = await service().account('author');
    const { url } = (await service().ask(FEED, {}, { token })).data.createCalendarFeed.calendarFeed;
    await service().ask(INVITE, {}, { token });
    const [invitation] = await service().mails();
    const headers = await service().session('author');
    await service().graphql(
      'mutation { inviteCarer(input: { to: "eve", right: SEE }) { careInvitation { id } } }',
      {},
      { headers },
    );
    await service().ask(
      'mutation { registerDevice(input: { token: "ExponentPushToken[evesevesevesevesev]" }) { device { ' +
        'id } } }',
      {},
      { token },
    );
    const createdAt = new Date();
    const related = { right: 'edit', position: 1, createdAt };
    await prisma.careRelation.createMany({
      data: [
        { ...related, memberId: accountId, carerId: accomplice },
        { ...related, memberId: victim, carerId: accountId },
      ],
    });
    const later = new Date(Date.now() + HOUR).toISOString();
    const planned = (to: number) =>
      `sendNotification(input: { title: "Gotcha", recipientIds: [${to}], sendAt: "${later}" }) { deviceCount }`;
    await service().ask(
      `mutation { a: ${planned(accountId)} b: ${planned(victim)} }`,
      {},
      { token },
    );
    await prisma.identity.create({
      data: {
        accountId,
        issuer: 'https://idp.example',
        subject: 'eve',
        createdAt,
        usedAt: createdAt,
      },
    });
    const hash = applicationPasswordHash('evesapplication');
    await prisma.applicationPassword.create({
      data: { id: randomUUID(), accountId, name: 'Eve', hash },
    });
    await prisma.account.update({ where: { id: accountId }, data: { emailProvenAt: null } });
    const invited = /[A-Z0-9]{4}-[A-Z0-9]{4}/.exec(invitation?.text ?? '')?.[0];
    return { token, accountId, victim, url: new URL(url).pathname, invited };
  };

  it('loses all that whoever used it before has left, with the first proof', async () => {
    const { token: eves, accountId, victim, url, invited } = await leaveBehind();
    const { prisma } = service().database;
    expect((await service().fetch(url, {})).status).toBe(200);
    const calendarOf = (memberId: number) =>
      `{ calendar(memberId: ${memberId}) { events { id } } }`;
    const seen = async (as: Caller) =>
      errorCode((await service().graphql(calendarOf(accountId), {}, { as })).body);
    expect(await seen('subscriber')).toBeUndefined();

    const minas = await prove();
    const now = Date.now();
    service().at(now + 2000);
    expect(await seen('subscriber'), 'a carer of before sees nothing').toBe('FORBIDDEN');
    expect(
      errorCode(await service().ask(calendarOf(victim), {}, { token: minas })),
      'nor does the account care for whom Eve cared',
    ).toBe('FORBIDDEN');
    expect((await service().fetch(url, {})).status, 'the calendar feed is gone').toBe(404);
    expect(errorCode(await service().ask('{ viewer { id } }', {}, { token: eves }))).toBe(
      'TOKEN_INVALID',
    );
    const basic = Buffer.from(`${EMAIL}:evesapplication`).toString('base64');
    const byPassword = await service().graphql(
      '{ viewer { id } }',
      {},
      { headers: { authorization: `Basic ${basic}` } },
    );
    expect(byPassword.body.data.viewer).toBeNull();
    const { status } = await service().rest('POST', '/v1/login', {
      body: { username: EMAIL, password: PASSWORD },
    });
    expect(status).toBe(401);
    expect(
      (await service().mails()).some(
        ({ headers }) => headers.get('subject') === 'Reminders no longer reach you',
      ),
    ).toBe(true);
    const { data } = await service().ask(
      '{ devices { id } viewer { identities { id } } carers { id } careInvitations { id } }',
      {},
      { token: minas },
    );
    expect(data).toStrictEqual({
      devices: [],
      viewer: { identities: [] },
      carers: [],
      careInvitations: [],
    });
    const accept = `mutation { acceptCareInvitation(input: { code: "${invited}" }) { careRelation { id } } }`;
    expect(errorCode((await service().graphql(accept, {}, { as: 'editor' })).body)).toBe(
      'CARE_CODE_INVALID',
    );
    expect(
      await prisma.careInvitation.count({ where: { endedAt: null } }),
      'nor is one to the old user name open',
    ).toBe(0);
    service().at(now + 2 * HOUR);
    await expandDue(service().app.deps);
    expect(
      await prisma.notification.count({ where: { title: 'Gotcha' } }),
      'nobody gets what Eve planned',
    ).toBe(0);
    expect(
      await prisma.familiarAddress.count({ where: { accountId } }),
      'Eve is a stranger to the brakes',
    ).toBe(0);
    const audited = await prisma.auditEvent.findMany({
      where: { action: { in: ['care.end', 'calendar_feed.revoke'] } },
    });
    expect(audited).toHaveLength(3);
  });

  it('loses what is on its way from it to others, with the first proof', async () => {
    const { token, user } = await makeMember(service(), { password: PASSWORD });
    const { prisma } = service().database;
    const accountId: number = user.id;
    await prisma.account.update({ where: { id: accountId }, data: { emailProvenAt: new Date() } });
    await service().ask(INVITE, {}, { token });
    const { id: victim } = await service().account('author');
    const input = 'input: { token: "ExponentPushToken[victimvictimvictimvi]" }';
    await service().graphql(
      `mutation { registerDevice(${input}) { device { id } } }`,
      {},
      { as: 'author' },
    );
    const carer = { memberId: victim, carerId: accountId, right: 'edit' };
    await prisma.careRelation.create({ data: { ...carer, position: 1, createdAt: new Date() } });
    const message = `input: { title: "Gotcha", recipientIds: [${victim}] }`;
    const sent = await service().ask(
      `mutation { sendNotification(${message}) { deviceCount } }`,
      {},
      { token },
    );
    expect(sent.errors).toBeUndefined();
    const expiresAt = new Date(Date.now() + HOUR);
    const sendAt = expiresAt.toISOString();
    const later = `input: { title: "Later", recipientIds: [${victim}], sendAt: "${sendAt}" }`;
    await service().ask(`mutation { sendNotification(${later}) { deviceCount } }`, {}, { token });
    const attempt = { state: 'eve', verifier: 'x', redirectUri: 'x', accountId, expiresAt };
    await prisma.mailConnectionAttempt.create({ data: attempt });
    await prisma.account.update({ where: { id: accountId }, data: { emailProvenAt: null } });
    const waiting = { template: 'care_invitation', dueAt: { not: null } };
    const left = async () => [
      await prisma.outgoingMail.count({ where: waiting }),
      await prisma.delivery.count({ where: { state: 'planned' } }),
      await prisma.mailConnectionAttempt.count(),
      await prisma.notification.count({ where: { title: 'Later' } }),
    ];
    expect(await left()).toStrictEqual([1, 1, 1, 1]);
    await prove();
    expect(await left()).toStrictEqual([0, 0, 0, 0]);
    expect(await prisma.delivery.count({ where: { state: 'cancelled' } })).toBe(1);
  });

  it('lets nobody make a new way in while a session that has ended is still remembered', async () => {
    const { token } = await makeMember(service(), { password: PASSWORD });
    const now = Date.now();
    service().at(now); // who a request is from is remembered for a second
    expect((await service().ask('{ viewer { id } }', {}, { token })).errors).toBeUndefined();
    const owner = await prove();
    const attempts = [
      'mutation { createApplicationPassword(input: { name: "Eve" }) { password } }',
      'mutation { changePassword(input: { newPassword: "eves own password" }) { viewer { id } } }',
      'mutation { registerDevice(input: { token: "ExponentPushToken[evesevesevesevesev]" }) { device { ' +
        'id } } }',
      'mutation { eraseMyAccount(input: {}) { erasedAccountId } }',
      INVITE,
      FEED,
    ];
    for (const query of attempts)
      expect(errorCode(await service().ask(query, {}, { token })) ?? '', query).toMatch(
        /^(TOKEN_INVALID|SIGN_IN_AGAIN)$/,
      );
    const left =
      '{ viewer { applicationPasswords { nodes { id } } } devices { id } careInvitations { id } }';
    expect((await service().ask(left, {}, { token: owner })).data).toStrictEqual({
      viewer: { applicationPasswords: { nodes: [] } },
      devices: [],
      careInvitations: [],
    });
    expect(
      await service().database.prisma.account.count({ where: { passwordHash: { not: null } } }),
    ).toBe(0);
  });

  it('keeps an invitation that was mailed to the address itself', async () => {
    const invite = `mutation { inviteCarer(input: { to: "${EMAIL}", right: SEE }) { careInvitation { id } } }`;
    await service().graphql(invite, {}, { headers: await service().session('subscriber') });
    const [mail] = await service().mails();
    const invited = /[A-Z0-9]{4}-[A-Z0-9]{4}/.exec(mail?.text ?? '')?.[0];
    await makeMember(service(), { password: PASSWORD });
    const accept = `mutation { acceptCareInvitation(input: { code: "${invited}" }) { careRelation { right } } }`;
    expect(
      (await service().ask(accept, {}, { token: await prove() })).data.acceptCareInvitation
        .careRelation.right,
    ).toBe('SEE');
  });

  it('keeps an invitation to the address of somebody else that is its user name', async () => {
    const invite = `mutation { inviteCarer(input: { to: "ben@example.com", right: SEE }) { careInvitation { id } } }`;
    await service().graphql(invite, {}, { headers: await service().session('subscriber') });
    const { user } = await makeMember(service(), { password: PASSWORD });
    const { prisma } = service().database;
    const ben = { username: 'ben@example.com', usernameKey: 'ben@example.com' };
    await prisma.account.update({ where: { id: user.id }, data: ben });
    await prove();
    expect(await prisma.careInvitation.count({ where: { endedAt: null } })).toBe(1);
  });

  it('keeps everything when who made it proves it, by code and password together', async () => {
    const { token } = await makeMember(service(), { password: PASSWORD });
    await service().ask(
      'mutation { registerDevice(input: { token: "ExponentPushToken[minasminasminasmi]" }) { device { ' +
        'id } } }',
      {},
      { token },
    );
    const mailed = await mailedCode();
    const confirm = (given: string, password: string) =>
      service().ask(
        `mutation { confirmEmail(input: { code: "${given}", password: "${password}" }) { viewer { emailProvenAt } } }`,
        {},
        { token },
      );
    expect(errorCode(await confirm(mailed, 'wrong'))).toBe('PASSWORD_WRONG');
    expect(
      errorCode(
        await confirm(
          mailed.replace(/^./, (digit) => String((Number(digit) + 1) % 10)),
          PASSWORD,
        ),
      ),
    ).toBe('SIGN_IN_CODE_INVALID');
    expect(errorCode(await service().ask(FEED, {}, { token }))).toBe('EMAIL_UNPROVEN');
    expect((await confirm(mailed, PASSWORD)).data.confirmEmail.viewer.emailProvenAt).toBeTruthy();
    for (const query of [INVITE, FEED])
      expect((await service().ask(query, {}, { token })).errors, query).toBeUndefined();
    expect((await service().ask('{ devices { id } }', {}, { token })).data.devices.length).toBe(1);
    expect(
      (await service().rest('POST', '/v1/login', { body: { username: EMAIL, password: PASSWORD } }))
        .status,
    ).toBe(200);
  });

  it('is not proven by the code of another account', async () => {
    await makeMember(service(), { password: PASSWORD });
    const mailed = await mailedCode();
    const body = { email: 'eve@example.com', password: PASSWORD, language: 1 };
    const { token } = (await service().rest('POST', '/v1/signup', { body })).body;
    const query = `mutation { confirmEmail(input: { code: "${mailed}", password: "${PASSWORD}" }) { viewer { id } } }`;
    expect(errorCode(await service().ask(query, {}, { token }))).toBe('SIGN_IN_CODE_INVALID');
  });

  it('loses nothing with a second proof', async () => {
    await makeMember(service(), { password: PASSWORD });
    const token = await prove();
    const { url } = (await service().ask(FEED, {}, { token })).data.createCalendarFeed.calendarFeed;
    await service().database.prisma.outgoingMail.deleteMany({});
    const now = Date.now();
    service().at(now + HOUR);
    await prove();
    expect((await service().fetch(new URL(url).pathname, {})).status).toBe(200);
  });
});

describe('An address that an administrator vouches for', () => {
  const service = useService();

  it('is proven from the start, with a password and without, and the audit says who vouched', async () => {
    const { id: administrator } = await service().account('administrator');
    const query =
      'mutation($input: CreateUserInput!) { createUser(input: $input) { account { databaseId ' +
      'emailProvenAt } } }';
    const log =
      '{ auditEvents(filter: { action: "account.create" }) { nodes { detail actor { ' +
      'databaseId } subject { databaseId } } } }';
    for (const more of [{ password: 'long enough' }, {}]) {
      const name = `ada${Object.keys(more).length}`;
      const input = { username: name, email: `${name}@example.com`, ...more };
      const { body } = await service().graphql(query, { input }, { as: 'administrator' });
      expect(body.data.createUser.account.emailProvenAt).toBeTruthy();
      const { nodes } = (await service().graphql(log, {}, { as: 'administrator' })).body.data
        .auditEvents;
      const { databaseId } = body.data.createUser.account;
      expect(nodes[0]).toStrictEqual({
        detail: { addressVouched: true },
        actor: { databaseId: administrator },
        subject: { databaseId },
      });
    }
  });

  it('is told from one that nobody vouched for', async () => {
    const body = { email: 'eve@example.com', language: 1 };
    expect((await service().rest('POST', '/v1/signup', { body })).status).toBe(201);
    const log = '{ auditEvents(filter: { action: "account.create" }) { nodes { detail } } }';
    const { nodes } = (await service().graphql(log, {}, { as: 'administrator' })).body.data
      .auditEvents;
    expect(nodes).toStrictEqual([{ detail: null }]);
  });
});

describe('Names that others read', () => {
  const service = useService();
  const BAD = [
    'Your bank: https://evil.example/login',
    'Visit www.evil.example',
    'evil.example',
    'EVIL.COM',
    'x.co',
    'evil．com',
    'evil。com',
    'evil\u200b.com',
    'mina@evil.example',
    'Mina\r\nYour account was closed',
    'Mina\u2028Your account was closed',
    '\u202emoc.live',
    'x'.repeat(201),
    '',
  ];
  const GOOD = [
    'Mina Okoro',
    'Dr. Clara Weiss',
    'J. R. Müller-Lüdenscheidt',
    "O'Neil",
    '田中 美奈',
    'نازنین\u200cزهرا',
    'Mina 👩‍⚕️',
    'Ward 3.2',
  ];
  const QUERIES = {
    signUp:
      'mutation($name: String) { signUp(input: { email: "x@example.com", name: $name, language: 1 }) ' +
      '{ token } }',
    updateProfile:
      'mutation($name: String) { updateProfile(input: { name: $name }) { viewer { id } } }',
    createUser:
      'mutation($name: String) { createUser(input: { username: "y", email: "y@example.com", ' +
      'name: $name }) { account { databaseId } } }',
    createApplicationPassword:
      'mutation($name: String!) { createApplicationPassword(input: { name: $name }) { password } }',
  };

  it('are one line, and bear no address of a web page', async () => {
    for (const [field, query] of Object.entries(QUERIES)) {
      for (const name of BAD) {
        const headers = await service().session('administrator');
        const { data, errors } = await service().ask(query, { name }, { headers });
        expect(data, `${field}: ${JSON.stringify(name)}`).toStrictEqual({ [field]: null });
        expect(errors[0].extensions.problems).toMatchObject([
          { path: ['input', 'name'], code: 'BAD_USER_INPUT' },
        ]);
      }
    }
    const { status, body } = await service().rest('POST', '/v1/signup', {
      body: { email: 'x@example.com', language: 1, name: 'www.evil.example' },
    });
    expect([status, body.code, Object.keys(body.data.params)]).toStrictEqual([
      400,
      'rest_invalid_param',
      ['name'],
    ]);
    expect(await service().database.prisma.account.count(), 'nobody was made').toBe(1);
  });

  it('may be what people are called', async () => {
    for (const name of GOOD) {
      const { body } = await service().graphql(
        QUERIES.updateProfile,
        { name },
        { as: 'subscriber' },
      );
      expect(body.errors, name).toBeUndefined();
    }
  });

  it('are made fit where an address stands in for a name', async () => {
    const name = async (email: string) =>
      (await service().rest('POST', '/v1/signup', { body: { email, language: 1 } })).body.user.name;
    expect(await name('mina@example.com')).toBe('mina');
    expect(await name('mina.okoro@example.com')).toBe('mina.okoro');
    expect(await name('www.evil.example@example.com')).toBe('www evil example');
    expect(await name('evil.com@example.com')).toBe('evil com');
    const query =
      'mutation { createUser(input: { username: "evil.example", email: "z@example.com" }) { ' +
      'account { name } } }';
    expect(
      (await service().graphql(query, {}, { as: 'administrator' })).body.data.createUser.account
        .name,
    ).toBe('evil example');
  });

  it('of before these rules reach no mail as they are', async () => {
    const { id } = await service().account('subscriber');
    const name = 'Your bank: https://evil.example\r\nLog in';
    await service().database.prisma.account.update({ where: { id }, data: { name } });
    await service().graphql(INVITE, {}, { headers: await service().session('subscriber') });
    const [mail] = await service().mails();
    expect(mail?.text ?? '').toMatch(/Your bank: https evil example Log in invites you/);
    expect(`${mail?.headers.get('subject')}${mail?.text}${mail?.html}`).not.toMatch(
      /evil\.example|:\/\/evil/,
    );
  });
});
