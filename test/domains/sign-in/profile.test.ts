import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../../support/harness.js';

const PASSWORD = 'correct horse battery';
const MINUTE = 60_000;

describe('A member', () => {
  const service = useService();
  const start = Date.parse('2026-03-01T08:00:00Z');
  const at = (after: number) => {
    service().now = () => start + after;
  };
  const signup = async (body: object = { password: PASSWORD }) => {
    at(0);
    const signingUp = { email: 'mina@example.com', language: 1, ...body };
    return (
      await service().rest('POST', '/v1/signup', {
        body: signingUp,
        headers: { 'user-agent': 'Phone' },
      })
    ).body;
  };
  const login = async (userAgent: string, password = PASSWORD) =>
    service().rest('POST', '/v1/login', {
      body: { username: 'mina@example.com', password },
      headers: { 'user-agent': userAgent },
    });
  const ask = async (token: string, query: string, input?: object) =>
    (
      await service().graphql(query, input && { input }, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).body;
  const code = (body: { errors?: { extensions: { code: string } }[] }) =>
    body.errors?.[0]?.extensions.code;
  const refresh = async (refreshToken: string) =>
    (await service().rest('GET', '/v1/refreshToken', { query: { refreshToken } })).status;
  const audited = async () =>
    (await service().database.prisma.auditEvent.findMany({ orderBy: { id: 'asc' } })).map(
      ({ action }) => action,
    );

  const SESSIONS = '{ sessions { id device createdAt lastUsedAt current } }';
  const END = 'mutation($input: EndSessionInput!) { endSession(input: $input) { id device } }';

  it('sees where it is signed in, the last used first, and nothing of others', async () => {
    const phone = await signup();
    await service().rest('POST', '/v1/guest', { edition: 'B', body: { language: 1 } });
    at(MINUTE);
    await login('Laptop');
    at(2 * MINUTE);
    await refresh(phone.refreshToken);
    const { sessions } = (await ask(phone.token, SESSIONS)).data;
    const iso = (after: number) => new Date(start + after).toISOString();
    assert.deepEqual(
      sessions.map(({ id: _, ...session }: { id: string }) => session),
      [
        { device: 'Phone', createdAt: iso(0), lastUsedAt: iso(2 * MINUTE), current: true },
        { device: 'Laptop', createdAt: iso(MINUTE), lastUsedAt: iso(MINUTE), current: false },
      ],
    );
  });

  it('sees its sessions by one statement, however many there are', async () => {
    const { token } = await signup();
    await ask(token, SESSIONS);
    const one = await service().statements(() => ask(token, SESSIONS));
    for (let i = 0; i < 5; i++) await login('Laptop');
    assert.equal(await service().statements(() => ask(token, SESSIONS)), one);
  });

  it('ends another of its sessions, and no session of somebody else', async () => {
    const phone = await signup();
    const laptop = (await login('Laptop')).body;
    const stranger = (
      await service().rest('POST', '/v1/guest', { edition: 'B', body: { language: 1 } })
    ).body;
    const { sessions } = (await ask(phone.token, SESSIONS)).data;
    const { id } = sessions.find(({ device }: { device: string }) => device === 'Laptop');
    assert.equal(code(await ask(stranger.token, END, { id })), 'SESSION_NOT_FOUND');
    assert.equal(
      (await ask(phone.token, END, { id: id.toUpperCase() })).data.endSession.device,
      'Laptop',
    );
    assert.equal(await refresh(laptop.refreshToken), 401);
    assert.equal(await refresh(phone.refreshToken), 200);
    assert.equal(
      code(await ask(phone.token, END, { id })),
      'SESSION_NOT_FOUND',
      'it has ended already',
    );
    assert.equal(code(await ask(phone.token, END, { id: 'x' })), 'BAD_USER_INPUT');
    assert.equal((await ask(phone.token, SESSIONS)).data.sessions.length, 1);
  });

  it('signs out, or out everywhere', async () => {
    const phone = await signup();
    const laptop = (await login('Laptop')).body;
    const tablet = (await login('Tablet')).body;
    assert.equal(
      (await ask(laptop.token, 'mutation { signOut { device } }')).data.signOut.device,
      'Laptop',
    );
    assert.equal(await refresh(laptop.refreshToken), 401);
    assert.equal(
      (await ask(phone.token, 'mutation { signOutEverywhere }')).data.signOutEverywhere,
      2,
    );
    for (const { refreshToken } of [phone, tablet]) assert.equal(await refresh(refreshToken), 401);
    at(1000);
    assert.equal(code(await ask(phone.token, SESSIONS)), 'TOKEN_INVALID');
  });

  it('cannot sign out of a session when an application password signed it in', async () => {
    const { body } = await service().graphql(
      'mutation { signOut { id } }',
      {},
      { as: 'subscriber' },
    );
    assert.equal(code(body), 'SESSION_NOT_FOUND');
  });

  it('is asked to sign in for all of this', async () => {
    for (const query of [
      SESSIONS,
      '{ applicationPasswords { id } }',
      'mutation { signOut { id } }',
      'mutation { signOutEverywhere }',
      'mutation { exportMyData { exportedAt } }',
      'mutation { eraseMyAccount(input: {}) }',
      'mutation { updateProfile(input: {}) { id } }',
      'mutation { changePassword(input: { newPassword: "12345678" }) { id } }',
    ])
      assert.equal(code((await service().graphql(query)).body), 'UNAUTHENTICATED', query);
  });

  const UPDATE =
    'mutation($input: UpdateProfileInput!) { updateProfile(input: $input) { name languageId ' +
    'timeZone } }';

  it('changes name, language, time zone and usual times, each by itself', async () => {
    const { token } = await signup();
    const update = async (input: object) => (await ask(token, UPDATE, input)).data.updateProfile;
    const first = await update({ name: ' Mina Okoro ', timeZone: 'Africa/Lagos' });
    assert.deepEqual(first, { name: 'Mina Okoro', languageId: 1, timeZone: 'Africa/Lagos' });
    assert.deepEqual(await update({ language: 2 }), { ...first, languageId: 2 });
    assert.deepEqual(await update({}), { ...first, languageId: 2 });
    assert.deepEqual(await update({ name: null, language: null }), { ...first, languageId: 2 });
    assert.deepEqual(await update({ timeZone: null }), {
      ...first,
      languageId: 2,
      timeZone: null,
    });
  });

  it('is told what does not fit its profile', async () => {
    const { token } = await signup();
    const misfits: [object, string][] = [
      [{ language: 999 }, 'LANGUAGE_UNKNOWN'],
      [{ timeZone: 'Mars/Olympus' }, 'BAD_USER_INPUT'],
      [{ timeZone: '+02:00' }, 'BAD_USER_INPUT'],
      [{ timeZone: '' }, 'BAD_USER_INPUT'],
      [{ name: '' }, 'BAD_USER_INPUT'],
      [{ name: 'x'.repeat(201) }, 'BAD_USER_INPUT'],
    ];
    for (const [input, reason] of misfits)
      assert.equal(code(await ask(token, UPDATE, input)), reason, JSON.stringify(input));
    for (const timeZone of ['UTC', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Etc/GMT+3'])
      assert.equal((await ask(token, UPDATE, { timeZone })).data.updateProfile.timeZone, timeZone);
  });

  const CHANGE = 'mutation($input: ChangePasswordInput!) { changePassword(input: $input) { id } }';

  it('changes its password by the present one; other sessions end, and a notice is mailed', async () => {
    const phone = await signup({ password: PASSWORD, language: 2 });
    const laptop = (await login('Laptop')).body;
    const newPassword = 'an even better one';
    for (const currentPassword of [undefined, null, '', 'wrong'])
      assert.equal(
        code(await ask(phone.token, CHANGE, { currentPassword, newPassword })),
        'PASSWORD_WRONG',
      );
    assert.equal((await audited()).filter((action) => action === 'session.refused').length, 4);
    for (const bad of ['short', 'x'.repeat(257)])
      assert.equal(
        code(await ask(phone.token, CHANGE, { currentPassword: PASSWORD, newPassword: bad })),
        'PASSWORD_INVALID',
      );
    assert.ok((await ask(phone.token, CHANGE, { currentPassword: PASSWORD, newPassword })).data);
    assert.equal((await login('Tablet')).status, 401);
    assert.equal((await login('Tablet', newPassword)).status, 200);
    assert.equal(await refresh(phone.refreshToken), 200);
    assert.equal(await refresh(laptop.refreshToken), 401);
    const [mail] = await service().database.prisma.outgoingMail.findMany();
    assert.deepEqual(
      [mail?.to, mail?.template, mail?.language],
      ['mina@example.com', 'password_changed', 'de'],
    );
    assert.ok((await audited()).includes('password.change'));
  });

  it('without a password sets one within 10 minutes of signing in, and later has to sign in again', async () => {
    const { token, refreshToken } = await signup({});
    at(10 * MINUTE);
    assert.ok((await ask(token, CHANGE, { newPassword: PASSWORD })).data);
    await service().clean();
    const again = await signup({});
    at(10 * MINUTE + 1);
    assert.equal(code(await ask(again.token, CHANGE, { newPassword: PASSWORD })), 'SIGN_IN_AGAIN');
    assert.equal(await refresh(refreshToken), 401);
  });

  it('sees its application passwords and revokes one of them', async () => {
    const { token, user } = await signup();
    const make =
      'mutation($input: CreateApplicationPasswordInput!) { createApplicationPassword(input: ' +
      '$input) { id password } }';
    const made = (await ask(token, make, { userId: user.id, name: 'Script' })).data
      .createApplicationPassword;
    const headers = {
      authorization: `Basic ${Buffer.from(`mina@example.com:${made.password}`).toString('base64')}`,
    };
    const viewer = async () =>
      (await service().graphql('{ viewer { id } }', {}, { headers })).body.data.viewer;
    const list = '{ applicationPasswords { id name createdAt lastUsedAt } }';
    const now = new Date(start).toISOString();
    assert.deepEqual((await ask(token, list)).data.applicationPasswords, [
      { id: made.id, name: 'Script', createdAt: now, lastUsedAt: null },
    ]);
    assert.equal((await viewer()).id, user.id);
    assert.equal((await ask(token, list)).data.applicationPasswords[0].lastUsedAt, now);
    const revoke =
      'mutation($input: RevokeApplicationPasswordInput!) { revokeApplicationPassword(input: ' +
      '$input) { name } }';
    const stranger = (
      await service().rest('POST', '/v1/guest', { edition: 'B', body: { language: 1 } })
    ).body;
    assert.equal(
      code(await ask(stranger.token, revoke, { id: made.id })),
      'APPLICATION_PASSWORD_NOT_FOUND',
    );
    assert.equal(
      (await ask(token, revoke, { id: made.id })).data.revokeApplicationPassword.name,
      'Script',
    );
    at(1000);
    assert.equal(await viewer(), null);
    assert.equal(code(await ask(token, revoke, { id: made.id })), 'APPLICATION_PASSWORD_NOT_FOUND');
    const events = await audited();
    for (const event of ['application_password.create', 'application_password.revoke'])
      assert.ok(events.includes(event), event);
  });

  it('leaves an event in the audit for each step of its life', async () => {
    const guest = (
      await service().rest('POST', '/v1/guest', { edition: 'B', body: { language: 1 } })
    ).body;
    const headers = { authorization: `Bearer ${guest.token}` };
    const body = { email: 'mina@example.com', language: 1, password: PASSWORD };
    const { token } = (await service().rest('POST', '/v1/signup', { body, headers })).body;
    await ask(token, UPDATE, { name: 'Mina' });
    await ask(token, 'mutation { exportMyData { exportedAt } }');
    await ask(token, 'mutation { signOut { id } }');
    assert.deepEqual(await audited(), [
      'account.create',
      'session.start',
      'account.upgrade',
      'session.end',
      'session.start',
      'account.update',
      'account.export',
      'session.end',
    ]);
    const subjects = await service().database.prisma.auditEvent.groupBy({ by: ['subjectId'] });
    assert.deepEqual(
      subjects.map(({ subjectId }) => subjectId),
      [guest.user.id],
    );
  });
});
