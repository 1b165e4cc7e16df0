import { globalId, readGlobalId } from '../../../src/core/node.js';
import { makeGuest, makeMember } from '../../support/factories.js';
import { bearer, errorCode, useService } from '../../support/harness.js';

const PASSWORD = 'correct horse battery';
const MINUTE = 60_000;

describe('A member', () => {
  const service = useService();
  const start = Date.parse('2026-03-01T08:00:00Z');
  const at = (after: number) => {
    service().at(start + after);
  };
  const signup = async (body: object = { password: PASSWORD }) => {
    at(0);
    return makeMember(service(), body, { 'user-agent': 'Phone' });
  };
  const login = async (userAgent: string, password = PASSWORD) =>
    service().rest('POST', '/v1/login', {
      body: { username: 'mina@example.com', password },
      headers: { 'user-agent': userAgent },
    });
  const refresh = async (refreshToken: string) =>
    (await service().rest('GET', '/v1/refreshToken', { query: { refreshToken } })).status;
  const audited = async () =>
    (await service().database.prisma.auditEvent.findMany({ orderBy: { id: 'asc' } })).map(
      ({ action }) => action,
    );

  const SESSIONS =
    '{ viewer { sessions { nodes { id userAgent createdAt lastUsedAt isCurrent } } } }';
  const END =
    'mutation($input: EndSessionInput!) { endSession(input: $input) { session { id userAgent } } }';

  it('sees where it is signed in, the last used first, and nothing of others', async () => {
    const phone = await signup();
    await makeGuest(service());
    at(MINUTE);
    await login('Laptop');
    at(2 * MINUTE);
    await refresh(phone.refreshToken);
    const { nodes } = (await service().ask(SESSIONS, {}, phone)).data.viewer.sessions;
    const iso = (after: number) => new Date(start + after).toISOString();
    expect(nodes.map(({ id: _, ...session }: { id: string }) => session)).toStrictEqual([
      { userAgent: 'Phone', createdAt: iso(0), lastUsedAt: iso(2 * MINUTE), isCurrent: true },
      { userAgent: 'Laptop', createdAt: iso(MINUTE), lastUsedAt: iso(MINUTE), isCurrent: false },
    ]);
  });

  it('sees its sessions by one statement, however many there are', async () => {
    const { token } = await signup();
    await service().ask(SESSIONS, {}, { token });
    const one = await service().statements(() => service().ask(SESSIONS, {}, { token }));
    for (let i = 0; i < 5; i++) await login('Laptop');
    expect(await service().statements(() => service().ask(SESSIONS, {}, { token }))).toBe(one);
  });

  it('ends another of its sessions, and no session of somebody else', async () => {
    const phone = await signup();
    const laptop = (await login('Laptop')).body;
    const stranger = await makeGuest(service());
    const { nodes } = (await service().ask(SESSIONS, {}, phone)).data.viewer.sessions;
    const { id } = nodes.find(({ userAgent }: { userAgent: string }) => userAgent === 'Laptop');
    const uuid = readGlobalId(id)?.key as string;
    expect(errorCode(await service().ask(END, { input: { id } }, stranger))).toBe(
      'SESSION_NOT_FOUND',
    );
    expect(
      (await service().ask(END, { input: { id: uuid.toUpperCase() } }, phone)).data.endSession,
      'the bare key, in either case, does as well',
    ).toStrictEqual({ session: { id, userAgent: 'Laptop' } });
    expect(await refresh(laptop.refreshToken)).toBe(401);
    expect(await refresh(phone.refreshToken)).toBe(200);
    expect(
      errorCode(await service().ask(END, { input: { id } }, phone)),
      'it has ended already',
    ).toBe('SESSION_NOT_FOUND');
    expect(errorCode(await service().ask(END, { input: { id: 'x' } }, phone))).toBe(
      'SESSION_NOT_FOUND',
    );
    const { errors } = await service().ask(
      END,
      { input: { id: globalId('ApplicationPassword', uuid) } },
      phone,
    );
    expect(errors[0].extensions.problems).toMatchObject([
      { path: ['input', 'id'], code: 'ID_INVALID' },
    ]);
    expect((await service().ask(SESSIONS, {}, phone)).data.viewer.sessions.nodes).toHaveLength(1);
  });

  it('signs out, or out everywhere', async () => {
    const phone = await signup();
    const laptop = (await login('Laptop')).body;
    const tablet = (await login('Tablet')).body;
    expect(
      (await service().ask('mutation { signOut { session { userAgent } } }', {}, laptop)).data
        .signOut.session.userAgent,
    ).toBe('Laptop');
    expect(await refresh(laptop.refreshToken)).toBe(401);
    expect(
      (await service().ask('mutation { signOutEverywhere { endedSessions } }', {}, phone)).data
        .signOutEverywhere.endedSessions,
    ).toBe(2);
    for (const { refreshToken } of [phone, tablet]) expect(await refresh(refreshToken)).toBe(401);
    at(1000);
    expect(errorCode(await service().ask(SESSIONS, {}, phone))).toBe('TOKEN_INVALID');
  });

  it('cannot sign out of a session when an application password signed it in', async () => {
    const { body } = await service().graphql(
      'mutation { signOut { session { id } } }',
      {},
      { as: 'subscriber' },
    );
    expect(errorCode(body)).toBe('SESSION_NOT_FOUND');
  });

  it('is asked to sign in for all of this', async () => {
    for (const query of [
      'mutation { signOut { session { id } } }',
      'mutation { signOutEverywhere { endedSessions } }',
      'mutation { exportMyData { export { exportedAt } } }',
      'mutation { eraseMyAccount(input: {}) { erasedAccountId } }',
      'mutation { updateProfile(input: {}) { viewer { id } } }',
      'mutation { changePassword(input: { newPassword: "12345678" }) { viewer { id } } }',
    ])
      expect(errorCode((await service().graphql(query)).body), query).toBe('UNAUTHENTICATED');
  });

  const UPDATE =
    'mutation($input: UpdateProfileInput!) { updateProfile(input: $input) { viewer { ' +
    'name language { id } timeZone } } }';

  const languages = async () => (await service().data('{ languages { id } }')).languages;

  it('changes name, language, time zone and usual times, each by itself', async () => {
    const { token } = await signup();
    const update = async (input: object) =>
      (await service().ask(UPDATE, { input }, { token })).data.updateProfile.viewer;
    const [english, german] = await languages();
    const first = await update({ name: ' Mina Okoro ', timeZone: 'Africa/Lagos' });
    expect(first).toStrictEqual({
      name: 'Mina Okoro',
      language: english,
      timeZone: 'Africa/Lagos',
    });
    expect(await update({ language: german.id })).toStrictEqual({ ...first, language: german });
    expect(await update({})).toStrictEqual({ ...first, language: german });
    expect(await update({ name: null, language: null })).toStrictEqual({
      ...first,
      language: german,
    });
    expect(await update({ timeZone: null })).toStrictEqual({
      ...first,
      language: german,
      timeZone: null,
    });
  });

  it('is told what does not fit its profile', async () => {
    const { token } = await signup();
    const validationErrors: [object, string][] = [
      [{ language: 999 }, 'LANGUAGE_UNKNOWN'],
      [{ timeZone: 'Mars/Olympus' }, 'BAD_USER_INPUT'],
      [{ timeZone: '+02:00' }, 'BAD_USER_INPUT'],
      [{ timeZone: '' }, 'BAD_USER_INPUT'],
      [{ name: '' }, 'BAD_USER_INPUT'],
      [{ name: 'x'.repeat(201) }, 'BAD_USER_INPUT'],
    ];
    for (const [input, reason] of validationErrors)
      expect(
        errorCode(await service().ask(UPDATE, { input }, { token })),
        JSON.stringify(input),
      ).toBe(reason);
    for (const timeZone of ['UTC', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Etc/GMT+3'])
      expect(
        (await service().ask(UPDATE, { input: { timeZone } }, { token })).data.updateProfile.viewer
          .timeZone,
      ).toBe(timeZone);
  });

  const CHANGE =
    'mutation($input: ChangePasswordInput!) { changePassword(input: $input) { viewer { id } endedSessions } }';

  it('changes its password by the present one; other sessions end, and a notice is mailed', async () => {
    const phone = await signup({ password: PASSWORD, language: 2 });
    const laptop = (await login('Laptop')).body;
    const newPassword = 'an even better one';
    for (const currentPassword of [undefined, null, '', 'wrong'])
      expect(
        errorCode(await service().ask(CHANGE, { input: { currentPassword, newPassword } }, phone)),
      ).toBe('PASSWORD_WRONG');
    expect((await audited()).filter((action) => action === 'session.refused')).toHaveLength(4);
    for (const bad of ['short', 'x'.repeat(257)])
      expect(
        errorCode(
          await service().ask(
            CHANGE,
            { input: { currentPassword: PASSWORD, newPassword: bad } },
            phone,
          ),
        ),
      ).toBe('PASSWORD_INVALID');
    expect(
      (await service().ask(CHANGE, { input: { currentPassword: PASSWORD, newPassword } }, phone))
        .data.changePassword,
    ).toMatchObject({ endedSessions: 1 });
    expect((await login('Tablet')).status).toBe(401);
    expect((await login('Tablet', newPassword)).status).toBe(200);
    expect(await refresh(phone.refreshToken)).toBe(200);
    expect(await refresh(laptop.refreshToken)).toBe(401);
    const [mail] = await service().database.prisma.outgoingMail.findMany();
    expect([mail?.to, mail?.template, mail?.language]).toStrictEqual([
      'mina@example.com',
      'password_changed',
      'de',
    ]);
    expect(await audited()).toContain('password.change');
  });

  it('without a password sets one within 10 minutes of signing in, and later has to sign in again', async () => {
    const { token, refreshToken } = await signup({});
    at(10 * MINUTE);
    expect(
      (await service().ask(CHANGE, { input: { newPassword: PASSWORD } }, { token })).data,
    ).toBeTruthy();
    await service().clean();
    const again = await signup({});
    at(10 * MINUTE + 1);
    expect(
      errorCode(await service().ask(CHANGE, { input: { newPassword: PASSWORD } }, again)),
    ).toBe('SIGN_IN_AGAIN');
    expect(await refresh(refreshToken)).toBe(401);
  });

  it('to which nothing else signs in sets a password by any session, signs in by it, or is erased', async () => {
    at(0);
    await service().account('administrator');
    const guest = await makeGuest(service());
    const body = { name: 'Mina', language: 1 };
    const signedUp = await service().rest('POST', '/v1/signup', {
      body,
      headers: bearer(guest.token),
    });
    const phone = signedUp.body;
    at(11 * MINUTE);
    expect(
      errorCode(await service().ask(CHANGE, { input: { newPassword: PASSWORD } }, phone)),
    ).toBeUndefined();
    const { username } = (await service().ask('{ viewer { username } }', {}, phone)).data.viewer;
    const again = await service().rest('POST', '/v1/login', {
      body: { username, password: PASSWORD },
    });
    expect(again.body.user.id).toBe(guest.user.id);
    const erase =
      'mutation($input: EraseMyAccountInput!) { eraseMyAccount(input: $input) { erasedAccountId } }';
    expect(errorCode(await service().ask(erase, { input: {} }, phone))).toBe('PASSWORD_WRONG');
    await service().database.prisma.account.updateMany({ data: { passwordHash: null } });
    expect(errorCode(await service().ask(erase, { input: {} }, phone))).toBeUndefined();
  });

  it('keeps the password that it set as a guest when it signs up by its name', async () => {
    at(0);
    const guest = await makeGuest(service());
    expect(
      errorCode(await service().ask(CHANGE, { input: { newPassword: PASSWORD } }, guest)),
    ).toBeUndefined();
    const headers = bearer(guest.token);
    const body = { name: 'Mina', language: 1 };
    const member = await service().rest('POST', '/v1/signup', { body, headers });
    const { username } = (await service().ask('{ viewer { username } }', {}, member.body)).data
      .viewer;
    const again = await service().rest('POST', '/v1/login', {
      body: { username, password: PASSWORD },
    });
    expect(again.body.user?.id).toBe(guest.user.id);
  });

  it('changes its password anew under an Idempotency-Key, of which nothing is stored', async () => {
    const { token } = await signup();
    const change = async (currentPassword: string, newPassword: string) => {
      const input = { currentPassword, newPassword };
      const headers = { ...bearer(token), 'idempotency-key': 'a-key' };
      return errorCode((await service().graphql(CHANGE, { input }, { headers })).body);
    };
    expect(await change(PASSWORD, 'another password')).toBeUndefined();
    expect(await change(PASSWORD, 'another password')).toBe('PASSWORD_WRONG');
    expect((await login('Laptop', 'another password')).status).toBe(200);
    expect(await service().database.prisma.idempotentChange.count()).toBe(0);
  });

  it('sees its application passwords and revokes one of them', async () => {
    const { token, user } = await signup();
    const make =
      'mutation($input: CreateApplicationPasswordInput!) { createApplicationPassword(input: ' +
      '$input) { password applicationPassword { id uuid } } }';
    const made = (
      await service().ask(make, { input: { userId: user.id, name: 'Script' } }, { token })
    ).data.createApplicationPassword;
    const headers = {
      authorization: `Basic ${Buffer.from(`mina@example.com:${made.password}`).toString('base64')}`,
    };
    const viewer = async () =>
      (
        await service().graphql(
          '{ viewer { databaseId usedApplicationPassword { id } } }',
          {},
          { headers },
        )
      ).body.data.viewer;
    const { id } = made.applicationPassword;
    const list = '{ viewer { applicationPasswords { nodes { id name createdAt lastUsedAt } } } }';
    const listed = async () =>
      (await service().ask(list, {}, { token })).data.viewer.applicationPasswords.nodes;
    const now = new Date(start).toISOString();
    expect(await listed()).toStrictEqual([
      { id, name: 'Script', createdAt: now, lastUsedAt: null },
    ]);
    expect(await viewer()).toStrictEqual({
      databaseId: user.id,
      usedApplicationPassword: { id },
    });
    expect((await listed())[0].lastUsedAt).toBe(now);
    const revoke =
      'mutation($input: RevokeApplicationPasswordInput!) { revokeApplicationPassword(input: ' +
      '$input) { applicationPassword { name } } }';
    const stranger = await makeGuest(service());
    expect(
      errorCode(
        await service().ask(revoke, { input: { id: made.applicationPassword.uuid } }, stranger),
      ),
    ).toBe('APPLICATION_PASSWORD_NOT_FOUND');
    expect(
      (await service().ask(revoke, { input: { id } }, { token })).data.revokeApplicationPassword
        .applicationPassword.name,
    ).toBe('Script');
    at(1000);
    expect(await viewer()).toBeNull();
    expect(
      errorCode(
        await service().ask(revoke, { input: { id: made.applicationPassword.uuid } }, { token }),
      ),
    ).toBe('APPLICATION_PASSWORD_NOT_FOUND');
    const events = await audited();
    for (const event of ['application_password.create', 'application_password.revoke'])
      expect(events, event).toContain(event);
  });

  it('leaves an event in the audit for each step of its life', async () => {
    const guest = await makeGuest(service());
    const headers = bearer(guest.token);
    const body = { email: 'mina@example.com', language: 1, password: PASSWORD };
    const { token } = (await service().rest('POST', '/v1/signup', { body, headers })).body;
    await service().ask(UPDATE, { input: { name: 'Mina' } }, { token });
    await service().ask('mutation { exportMyData { export { exportedAt } } }', {}, { token });
    await service().ask('mutation { signOut { session { id } } }', {}, { token });
    expect(await audited()).toStrictEqual([
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
    expect(subjects.map(({ subjectId }) => subjectId)).toStrictEqual([guest.user.id]);
  });
});
