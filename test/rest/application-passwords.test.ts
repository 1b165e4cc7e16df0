import { errorCode, type RoleName, type Sending, useService } from '../support/harness.js';

const PATH = '/wp/v2/users/me/application-passwords';
const APP_ID = '0b1f5f9e-3f5c-4b9f-9f0a-2f6f0f6f0f6f';

describe('Application passwords over REST', () => {
  const service = useService();
  const list = (sending: Sending = { as: 'subscriber' }) => service().rest('GET', PATH, sending);
  /** Made by a session, since application passwords make no others. */
  const create = async (body: object, as: RoleName = 'subscriber', edition: 'A' | 'B' = 'A') =>
    service().rest('POST', PATH, { edition, headers: await service().session(as), body });

  it('are for the signed in', async () => {
    expect((await list({})).status).toBe(401);
    expect((await service().rest('POST', PATH, { body: { name: 'x' } })).status).toBe(401);
    expect((await service().rest('GET', `${PATH}/introspect`)).status).toBe(401);
  });

  it('are made for oneself: the password is shown once, and signs in', async () => {
    for (const edition of ['A', 'B'] as const) {
      const { status, body } = await create(
        { name: 'Pill box', app_id: APP_ID.toUpperCase() },
        'subscriber',
        edition,
      );
      expect(status).toBe(201);
      expect(Object.keys(body)).toStrictEqual([
        'uuid',
        'app_id',
        'name',
        'created',
        'last_used',
        'last_ip',
        'password',
      ]);
      expect(body.app_id).toBe(APP_ID);
      expect(body.created).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
      expect(body.last_used).toBeNull();
      expect(body.password).toMatch(/^(\w{4} ){5}\w{4}$/);
      const headers = {
        authorization: `Basic ${Buffer.from(`subscriber:${body.password}`).toString('base64')}`,
      };
      const { password: _, ...shown } = body;
      const introspected = await service().rest('GET', `${PATH}/introspect`, { headers });
      expect(introspected.body).toStrictEqual({ ...shown, last_used: introspected.body.last_used });
    }
  });

  it('are listed without the password, the newest first, and nobody else’s', async () => {
    const now = Date.now();
    service().at(now + 60_000);
    await create({ name: 'Second' });
    await create({ name: 'Other' }, 'editor');
    const { body, text } = await list();
    expect(body.map(({ name }: { name: string }) => name)).toStrictEqual(['Second', 'test']);
    expect(text).not.toMatch(/password"/);
  });

  it('may have one name, and need one', async () => {
    await create({ name: 'Twice' });
    expect((await create({ name: 'Twice' })).status).toBe(201);
    const without = await create({});
    expect(without.status).toBe(400);
    expect(without.body.code).toBe('rest_missing_callback_param');
    expect(without.body.data.params).toStrictEqual(['name']);
    for (const body of [{ name: '' }, { name: 'x'.repeat(201) }, { name: 'x', app_id: 'one' }])
      expect((await create(body)).body.code, JSON.stringify(body)).toBe('rest_invalid_param');
  });

  it('are of no one who signed in without: 404', async () => {
    const { status, body } = await service().rest('GET', `${PATH}/introspect`, {
      headers: await service().session('subscriber'),
    });
    expect(status).toBe(404);
    expect(body.code).toBe('rest_no_authenticated_app_password');
  });

  const MUTATION =
    'mutation($input: CreateApplicationPasswordInput!) { createApplicationPassword(input: ' +
    '$input) { password applicationPassword { name } } }';
  const makeFor = async (userId: number, as: RoleName) => {
    const headers = await service().session(as);
    return (await service().graphql(MUTATION, { input: { userId, name: 'Backup' } }, { headers }))
      .body;
  };

  it('are made for others by administrators alone, under their name, and the others are told', async () => {
    const { id: author } = await service().account('author');
    const { id: administrator } = await service().account('administrator');
    expect(errorCode(await makeFor(author, 'editor'))).toBe('FORBIDDEN');
    expect(await service().mails()).toStrictEqual([]);
    expect((await makeFor(author, 'administrator')).data).toBeTruthy();
    const [mail, ...more] = await service().mails();
    expect([mail?.headers.get('to'), more.length]).toStrictEqual(['author@example.com', 0]);
    expect(mail?.text ?? '').toMatch(
      /The administrator made a password for the application "Backup"/,
    );
    const events = await service().database.prisma.auditEvent.findMany({
      where: { action: 'application_password.create' },
    });
    expect(events.map(({ actorId, subjectId }) => [actorId, subjectId])).toStrictEqual([
      [administrator, author],
    ]);
    await create({ name: 'Own' }, 'author');
    expect(await service().mails(), 'of one’s own nobody is told').toHaveLength(1);
  });

  it('of members are nobody else’s to make, administrators included', async () => {
    for (const as of ['subscriber', 'guest'] as const) {
      const { id } = await service().account(as);
      expect(errorCode(await makeFor(id, 'administrator')), as).toBe('FORBIDDEN');
    }
    expect(errorCode(await makeFor(4711, 'administrator'))).toBe('USER_NOT_FOUND');
    expect(await service().mails()).toStrictEqual([]);
    expect(
      await service().database.prisma.applicationPassword.count({ where: { name: 'Backup' } }),
    ).toBe(0);
  });

  it('make no others, over either face, for oneself or for somebody else', async () => {
    const { id: author } = await service().account('author');
    for (const as of ['subscriber', 'administrator'] as const) {
      const { status, body } = await service().rest('POST', PATH, {
        as,
        body: { name: 'Another' },
      });
      expect([status, body.code]).toStrictEqual([403, 'rest_forbidden']);
      for (const input of [{ name: 'Another' }, { userId: author, name: 'Another' }]) {
        const answer = await service().graphql(MUTATION, { input }, { as });
        expect(errorCode(answer.body)).toBe('FORBIDDEN');
      }
    }
    expect(
      await service().database.prisma.applicationPassword.count({ where: { name: 'Another' } }),
    ).toBe(0);
  });

  it('write content and reminders, over either face', async () => {
    const post = await service().rest('POST', '/v1/posts', { as: 'author', body: { title: 'x' } });
    expect(post.status).toBe(201);
    const body = { name: 'Aspirin', frequency_type: 'daily', start_date: '2026-03-01' };
    const reminder = await service().rest('POST', '/v1/medicine_reminder', {
      as: 'subscriber',
      body,
    });
    expect(reminder.status).toBe(201);
    const query =
      'mutation { createMedicineReminder(input: { name: "x", frequency: "daily", ' +
      'startsOn: "2026-03-01" }) { reminder { id } } }';
    expect((await service().graphql(query, {}, { as: 'subscriber' })).body.data).toBeTruthy();
  });

  it('leave no way in behind: what hands access on is refused, and nothing of it is made', async () => {
    const { id: memberId } = await service().account('subscriber');
    const { id: clinicianId } = await service().account('clinician');
    const { id: guest } = await service().account('guest');
    const pair = `memberId: ${memberId}, clinicianId: ${clinicianId}`;
    for (const [as, query] of [
      ['subscriber', 'createCalendarFeed(input: {}) { calendarFeed { url } }'],
      [
        'subscriber',
        'inviteCarer(input: { to: "eve@example.com", right: EDIT }) { careInvitation { id } }',
      ],
      ['subscriber', 'changePassword(input: { newPassword: "of an intruder" }) { viewer { id } }'],
      ['administrator', `assignClinician(input: { ${pair} }) { careAssignment { createdAt } }`],
      [
        'administrator',
        `setRoles(input: { userId: ${memberId}, roles: [ADMINISTRATOR] }) { account { databaseId } }`,
      ],
      [
        'administrator',
        'createUser(input: { username: "eve", email: "eve@example.com", roles: [ADMINISTRATOR] ' +
          '}) { account { databaseId } }',
      ],
      ['administrator', 'connectOutlook { url }'],
      [
        'guest',
        'signUp(input: { email: "eve@example.com", password: "of an intruder", language: 1 }) ' +
          '{ token }',
      ],
    ] as const) {
      const { body } = await service().graphql(`mutation { ${query} }`, {}, { as });
      expect(errorCode(body), query).toBe('FORBIDDEN');
    }
    const { prisma } = service().database;
    const { roles, email } = await prisma.account.findUniqueOrThrow({ where: { id: guest } });
    expect([roles, email]).toStrictEqual([['guest'], 'guest@example.com']);
    expect(await prisma.account.count({ where: { passwordHash: { not: null } } })).toBe(0);
    expect(await prisma.account.count({ where: { emailKey: 'eve@example.com' } })).toBe(0);
    const made = [prisma.careInvitation, prisma.careAssignment, prisma.session] as {
      count(): Promise<number>;
    }[];
    for (const table of made) expect(await table.count()).toBe(0);
    expect(await prisma.careSetting.count({ where: { feedHash: { not: null } } })).toBe(0);
  });

  it('of a guest make nobody a member, over REST, whose session would outlive them', async () => {
    const body = { email: 'eve@example.com', password: 'of an intruder', language: 1 };
    const refused = await service().rest('POST', '/v1/signup', { as: 'guest', body });
    expect([refused.status, refused.body.code]).toStrictEqual([403, 'rest_forbidden']);
    const headers = await service().session('guest');
    expect((await service().rest('POST', '/v1/signup', { headers, body })).status).toBe(201);
  });

  it('of administrators make accounts of members, but none with more rights', async () => {
    const make = async (roles: string) => {
      const input = `username: "${roles}", email: "${roles}@example.com", roles: [${roles}]`;
      const query = `mutation { createUser(input: { ${input} }) { account { databaseId } } }`;
      return errorCode((await service().graphql(query, {}, { as: 'administrator' })).body);
    };
    expect(await make('SUBSCRIBER')).toBeUndefined();
    for (const role of ['AUTHOR', 'CLINICIAN', 'ANALYST'])
      expect(await make(role)).toBe('FORBIDDEN');
  });

  it('are listed by the same statements however many there are', async () => {
    await list();
    const few = await service().statements(() => list());
    for (let count = 0; count < 5; count++) await create({ name: `n${count}` });
    expect(await service().statements(() => list())).toBe(few);
  });
});
