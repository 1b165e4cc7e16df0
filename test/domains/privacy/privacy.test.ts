import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../../src/config/config.js';
import { globalId } from '../../../src/core/node.js';
import { serviceContext } from '../../../src/core/service-context.js';
import { handOver } from '../../../src/domains/dispatch/handover.service.js';
import { issueResetCodes } from '../../../src/domains/passwords/reset-code.service.js';
import {
  eraseIdleGuests,
  forgetOldSessions,
} from '../../../src/domains/privacy/erasure.service.js';
import {
  mailSignInCodes,
  requestSignInCode,
} from '../../../src/domains/sign-in/code/sign-in-code.service.js';
import { openPush } from '../../../src/platform/push/push.js';
import { outboxFile } from '../../../src/platform/push/push-outbox.js';
import { makeCarer, makeGuest, makeMember } from '../../support/factories.js';
import { bearer, errorCode, type RoleName, useService } from '../../support/harness.js';
import { DUE_NOW, expoToken } from '../../support/provider.js';
import { whenOver } from '../../support/running.js';

const PASSWORD = 'correct horse battery';
const PUSH_TOKEN = 'ExponentPushToken[minasminasminasmi]';
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const EXPORT = 'mutation { exportMyData { export { exportedAt document } } }';
const ERASE =
  'mutation($input: EraseMyAccountInput!) { eraseMyAccount(input: $input) { ' +
  'erasedAccountId } }';
/** What erasing an account of this number answers. */
const gone = (id: number) => ({ erasedAccountId: globalId('Account', id) });

describe('One’s own data', () => {
  const service = useService();
  const accounts = () => service().database.prisma.account.count();
  /**
   * Erases an account of the harness, which has no password, by a session that has just started.
   */
  const leave = async (role: RoleName, name?: string) => {
    const { username } = await service().account(role, name);
    const set = { where: { usernameKey: username }, data: { passwordHash: null } };
    await service().database.prisma.account.update(set);
    const email = `${username}@example.com`;
    await requestSignInCode(await service().context(), { email });
    await mailSignInCodes(await service().context());
    const [mail] = await service().database.prisma.outgoingMail.findMany({ where: { to: email } });
    const input = { email, code: JSON.parse(mail?.values ?? '{}').code };
    const signIn =
      'mutation($input: SignInWithCodeInput!) { signInWithCode(input: $input) { token } }';
    const { token } = (await service().graphql(signIn, { input })).body.data.signInWithCode;
    return service().ask(ERASE, { input: {} }, { token });
  };

  it('is exported as one document, without a secret in it', async () => {
    const { token, refreshToken, user } = await makeMember(service(), {
      password: PASSWORD,
      language: 2,
    });
    await makeMember(service(), { email: 'other@example.com', password: PASSWORD, language: 2 });
    const { document } = (await service().ask(EXPORT, {}, { token })).data.exportMyData.export;
    const kinds =
      'account sessions applicationPasswords identities authored care audit mails reminders alerts ' +
      'doses careSettings notifications notices notificationPreference devices deliveries channels ' +
      'polls policies formSubmissions savedReports reportEmbeds reportMails';
    expect(Object.keys(document)).toStrictEqual(kinds.split(' '));
    const { id, email, language, hasPassword, roles } = document.account;
    expect([id, email, language, hasPassword, roles]).toStrictEqual([
      user.id,
      'mina@example.com',
      'de',
      true,
      ['subscriber'],
    ]);
    expect(document.sessions.length).toBe(1);
    const text = JSON.stringify(document);
    for (const secret of ['argon2', refreshToken, token, 'other@'])
      expect(text, secret).not.toContain(secret);
  });

  it('names in the export what an author wrote', async () => {
    const post = await service().post({}, 'author');
    const { body } = await service().graphql(EXPORT, {}, { as: 'author' });
    expect(
      body.data.exportMyData.export.document.authored.items.map(({ id }: { id: number }) => id),
    ).toStrictEqual([post.id]);
    expect(body.data.exportMyData.export.document.applicationPasswords.length).toBe(1);
  });

  it('is erased by the password, with everything that hangs on the account; the audit stays', async () => {
    await service().account('administrator');
    const { token, user } = await makeMember(service(), { password: PASSWORD, language: 2 });
    await requestSignInCode(await service().context(), { email: 'mina@example.com' });
    expect(await mailSignInCodes(await service().context())).toBe(1);
    for (const input of [{}, { password: '' }, { password: 'wrong' }])
      expect(errorCode(await service().ask(ERASE, { input }, { token }))).toBe('PASSWORD_WRONG');
    expect(
      (await service().ask(ERASE, { input: { password: PASSWORD } }, { token })).data
        .eraseMyAccount,
    ).toStrictEqual(gone(user.id));
    const { prisma } = service().database;
    const left = await Promise.all([
      prisma.account.count({ where: { id: user.id } }),
      prisma.session.count({ where: { accountId: user.id } }),
      prisma.outgoingMail.count({ where: { to: 'mina@example.com' } }),
      prisma.signInCode.count(),
    ]);
    expect(left).toStrictEqual([0, 0, 0, 0]);
    const login = await service().rest('POST', '/v1/login', {
      body: { username: 'mina@example.com', password: PASSWORD },
    });
    expect(login.status).toBe(401);
    const events = await prisma.auditEvent.findMany({ where: { subjectId: user.id } });
    expect(events.at(-1)?.action).toBe('account.erase');
    const now = Date.now();
    service().at(now + 1000);
    expect(errorCode(await service().ask('{ viewer { id } }', {}, { token }))).toBe(
      'TOKEN_INVALID',
    );
    expect(
      (await makeMember(service(), { password: PASSWORD, language: 2 })).user.email,
      'the address is free again',
    ).toBe('mina@example.com');
  });

  it('goes from the outbox of pushes', async () => {
    await service().account('administrator');
    const folder = mkdtempSync(join(tmpdir(), 'care-test-'));
    whenOver(() => rmSync(folder, { recursive: true, force: true }));
    const push = { ...service().app.deps.push, ...openPush(readConfig({ DATA_DIR: folder })) };
    const kept = async () => {
      const message = {
        id: 'a',
        title: 'Time for Metformin',
        body: '',
        data: {},
        ...DUE_NOW,
        token: PUSH_TOKEN,
      };
      await push.expo.send([message, { ...message, token: 'somebody else' }], {
        signal: new AbortController().signal,
      });
    };
    const other = await service().beside({ push });
    whenOver(() => other.stop());
    const { token } = await makeMember(service(), { password: PASSWORD, language: 2 });
    await service().ask(
      `mutation { registerDevice(input: { token: "${PUSH_TOKEN}" }) { device { id } } }`,
      {},
      { token },
    );
    await kept();
    const headers = bearer(token);
    expect(
      (await other.graphql(ERASE, { input: { password: PASSWORD } }, { headers })).body.data
        .eraseMyAccount,
    ).toBeTruthy();
    const text = readFileSync(outboxFile(folder), 'utf8');
    expect(!text.includes(PUSH_TOKEN) && text.includes('somebody else'), text).toBe(true);
  });

  it('goes from invitations and mails of others as well: those to the address or user name, and those that it had sent', async () => {
    await service().account('administrator');
    const { token, user } = await makeMember(service(), { password: PASSWORD, language: 2 });
    const { prisma } = service().database;
    await prisma.account.update({ where: { id: user.id }, data: { emailProvenAt: new Date() } });
    const invite = (
      to: string,
      query = `mutation { inviteCarer(input: { to: "${to}", right: SEE }) { careInvitation { id } } }`,
    ) => query;
    for (const to of ['MINA@example.com', 'ｍina@example.com', 'ben@example.com'])
      await service().graphql(invite(to), {}, { headers: await service().session('subscriber') });
    expect(await service().mails(), 'mails that were sent are kept as files').toHaveLength(3);
    await service().graphql(
      invite('Mina@example.com'),
      {},
      { headers: await service().session('subscriber') },
    );
    await service().ask(invite('carl@example.com'), {}, { token });
    expect(
      (await service().ask(ERASE, { input: { password: PASSWORD } }, { token })).data
        .eraseMyAccount,
    ).toStrictEqual(gone(user.id));
    const invitations = await prisma.careInvitation.findMany();
    expect(invitations.map(({ to }) => to)).toStrictEqual(['ben@example.com']);
    const queued = await prisma.outgoingMail.findMany({ where: { dueAt: { not: null } } });
    expect(
      queued,
      'nobody is mailed any more of what the account had sent, or to its address',
    ).toStrictEqual([]);
    const named = (await service().mails()).map(({ headers }) => headers.get('to') ?? '');
    expect(
      named.some((to) => /^mina@/i.test(to)),
      named.join(),
    ).toBe(false);
  });

  it('leaves what others sent to an address that the account had not proven', async () => {
    await service().account('administrator');
    const { prisma } = service().database;
    const invite = `mutation { inviteCarer(input: { to: "mina@example.com", right: SEE }) { careInvitation { id } } }`;
    await service().graphql(invite, {}, { headers: await service().session('subscriber') });
    const { token } = await makeMember(service(), { password: PASSWORD });
    await prisma.outgoingMail.create({
      data: {
        ...{ id: randomUUID(), to: 'mina@example.com', toKey: 'mina@example.com' },
        ...{ template: 'password_changed', language: 'en', values: '{"name":"Mina"}' },
        createdAt: new Date(),
      },
    });
    const [mail] = await prisma.outgoingMail.findMany({ where: { template: 'care_invitation' } });
    await service().ask(ERASE, { input: { password: PASSWORD } }, { token });
    expect((await prisma.outgoingMail.findMany()).map(({ template }) => template)).toStrictEqual([
      'care_invitation',
    ]);
    const accept =
      'mutation($input: CareCodeInput!) { acceptCareInvitation(input: $input) { careRelation { id } } }';
    const { body } = await service().graphql(
      accept,
      { input: { code: JSON.parse(mail?.values ?? '{}').code } },
      { headers: await service().session('subscriber', 'ben') },
    );
    expect(body.errors).toBeUndefined();
  });

  it('leaves what others sent to an address that is the user name of the account alone', async () => {
    await service().account('administrator');
    const { prisma } = service().database;
    const { token, user } = await makeMember(service(), { password: PASSWORD });
    const data = { email: 'm@example.com', emailKey: 'm@example.com', emailProvenAt: new Date() };
    await prisma.account.update({ where: { id: user.id }, data });
    const invite = `mutation { inviteCarer(input: { to: "mina@example.com", right: SEE }) { careInvitation { id } } }`;
    await service().graphql(invite, {}, { headers: await service().session('subscriber') });
    await service().ask(ERASE, { input: { password: PASSWORD } }, { token });
    expect([await prisma.careInvitation.count(), await prisma.outgoingMail.count()]).toStrictEqual([
      1, 1,
    ]);
  });

  /**
   * Somebody with a row of every kind that hangs on a member, by way of the interface where it has
   * one.
   */
  const livesHere = async () => {
    await service().account('administrator');
    const { token, user } = await makeMember(service(), { password: PASSWORD, language: 2 });
    await service().database.prisma.account.update({
      where: { id: user.id },
      data: { emailProvenAt: new Date() },
    });
    const headers = bearer(token);
    const { id: carerId } = await service().account('subscriber');
    const { id: clinicianId } = await service().account('clinician');
    const rest = (path: string, body: object, more = {}) =>
      service().rest('POST', path, { edition: 'B', headers, body, ...more });
    const daily = { name: 'Metformin', frequency_type: 'twice_a_day' };
    const { id } = (
      await rest('/v1/medicine_reminder', daily, {
        headers: { ...headers, 'time-zone': 'Asia/Tokyo' },
      })
    ).body;
    await rest(`/v1/medicine_reminder/${id}`, { frequency_type: 'as_needed' });
    await rest('/v1/medicine_reminder', { ...daily, name: 'Aspirin' });
    const all = `mutation {
      registerDevice(input: { token: "ExponentPushToken[secretsecretsecret]" }) { device { id } }
      testPush { deviceCount }
      logDose(input: { reminderId: ${id} }) { event { id } }
      updateNotificationPreference(input: { lockScreenNames: true }) { notificationPreference { lockScreenNames } }
      createCalendarFeed(input: {}) { calendarFeed { url } }
      inviteCarer(input: { to: "ben@example.com", right: SEE }) { careInvitation { id } }
    }`;
    expect((await service().ask(all, {}, { token })).errors).toBeUndefined();
    await rest(
      '/v1/appointment_reminder',
      { title: 'Dentist' },
      { headers: { ...headers, 'idempotency-key': 'once' } },
    );
    await service().graphql(
      'mutation($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { ' +
        '__typename } }',
      {
        input: { email: 'mina@example.com' },
      },
    );
    await issueResetCodes(service().app.deps);
    const { prisma } = service().database;
    const [memberId, createdAt] = [user.id as number, new Date()];
    await prisma.careRelation.create({
      data: { memberId, carerId, right: 'see', position: 1, createdAt },
    });
    await prisma.careRelation.create({
      data: { memberId: carerId, carerId: memberId, right: 'see', position: 1, createdAt },
    });
    await prisma.careAssignment.create({ data: { memberId, clinicianId, createdAt } });
    await prisma.breakGlass.create({
      data: { memberId, clinicianId, reason: 'Fainted', createdAt, endsAt: createdAt },
    });
    return { token, id: memberId, carerId };
  };
  /**
   * How many rows name an account, by table and column; of feeds those of the account. The audit
   * keeps what it has.
   */
  const traces = async (id: number): Promise<Record<string, number>> => {
    const { database } = service();
    const columns = await database.query<{ table: string; column: string }>(
      `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name NOT LIKE 'audit%' AND table_name <> 'account_key'
         AND (data_type = 'integer' AND (column_name ~ '(account|member|carer|clinician|author|creator|owner|user|about|from)_id$' OR column_name ~ '_by(_id)?$'
             OR table_name = 'account' AND column_name = 'id')
           OR data_type = 'ARRAY' AND column_name IN ('told', 'about')
           OR column_name IN ('to_key', 'email_key', 'username_key'))`,
    );
    const counted: Record<string, number> = {};
    for (const { table, column } of columns) {
      const [row] = await database.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM ${table}
          WHERE EXISTS (SELECT FROM jsonb_array_elements_text(CASE jsonb_typeof(to_jsonb(${column}))
            WHEN 'array' THEN to_jsonb(${column}) ELSE jsonb_build_array(${column}) END) AS one
            WHERE one IN ('${id}', 'account ${id}', 'mina@example.com'))`,
      );
      counted[`${table}.${column}`] = row?.count ?? 0;
    }
    counted.feed = await database.prisma.feed.count({ where: { name: { endsWith: `:${id}` } } });
    return counted;
  };

  it('names in the export what a member has, without what only the service needs', async () => {
    const { token, id, carerId } = await livesHere();
    const { document } = (await service().ask(EXPORT, {}, { token })).data.exportMyData.export;
    const { reminders, doses, careSettings, notifications, notificationPreference, devices, care } =
      document;
    const names = reminders.map(({ name }: { name: string }) => name);
    expect([names, doses.length, careSettings.learnedZone]).toStrictEqual([
      ['Metformin', 'Aspirin', 'Dentist'],
      1,
      'Asia/Tokyo',
    ]);
    expect([
      notifications.length,
      notificationPreference.lockScreenNames,
      devices[0].kind,
    ]).toStrictEqual([1, true, 'expo']);
    expect([care.carers[0].carerId, care.caresFor[0].memberId]).toStrictEqual([carerId, carerId]);
    expect([
      care.invitations[0].to,
      care.openedBy[0].reason,
      care.clinicians[0].memberId,
    ]).toStrictEqual(['ben@example.com', 'Fainted', id]);
    for (const secret of ['secretsecret', 'codeHash', 'feedHash', 'tokenHash'])
      expect(JSON.stringify(document), secret).not.toContain(secret);
  });

  it('leaves no row behind but in the audit', async () => {
    const { token, id } = await livesHere();
    const before = Object.entries(await traces(id)).filter(([, count]) => count > 0);
    const kinds = new Set(before.map(([name]) => name.split('.')[0]));
    for (const kind of [
      'reminder',
      'reminder_alert',
      'dose',
      'care_setting',
      'notification',
      'device',
      'care_relation',
      'feed',
    ])
      expect(kinds.has(kind), `there is a ${kind} to erase`).toBe(true);
    expect(
      (await service().ask(ERASE, { input: { password: PASSWORD } }, { token })).data
        .eraseMyAccount,
    ).toStrictEqual(gone(id));
    expect(Object.entries(await traces(id)).filter(([, count]) => count > 0)).toStrictEqual([]);
    expect(await service().database.prisma.pastPlan.count()).toBe(0);
    expect(await service().database.prisma.delivery.count()).toBe(0);
  });

  it('leaves in the rows of others the number alone, which names nobody any more', async () => {
    await service().account('administrator');
    const { id: memberId } = await service().account('subscriber');
    const { token, user } = await makeMember(service(), { password: PASSWORD });
    const carerId = user.id as number;
    await makeCarer(service(), { memberId, carerId, right: 'edit' });
    const daily = `memberId: ${memberId}, name: "Aspirin", frequency: "daily", startsOn: "2026-03-01"`;
    const made = await service().ask(
      `mutation { createMedicineReminder(input: { ${daily} }) { reminder { databaseId } } }`,
      {},
      { token },
    );
    const { databaseId } = made.data.createMedicineReminder.reminder;
    const acts = `mutation {
      logDose(input: { reminderId: ${databaseId} }) { event { id } }
      pauseMedicineReminder(input: { id: ${databaseId} }) { reminder { id } }
    }`;
    expect((await service().ask(acts, {}, { token })).errors).toBeUndefined();
    const { prisma } = service().database;
    await prisma.reminderAlert.create({
      data: {
        ...{ reminderId: databaseId, accountId: memberId, cause: 'carers', localTime: '08:00' },
        ...{ plannedAt: new Date(0), dueAt: new Date(0), told: [carerId] },
      },
    });
    await service().ask(ERASE, { input: { password: PASSWORD } }, { token });
    const left = Object.entries(await traces(carerId)).filter(([, count]) => count > 0);
    expect(left.map(([name]) => name).sort()).toStrictEqual([
      'dose.logged_by_id',
      'reminder.creator_id',
      'reminder_alert.told',
      'reminder_pause.made_by_id',
    ]);
  });

  it('is exported with what carers were told of it, and goes from their lists with the account, sent or not', async () => {
    const start = Date.parse('2026-03-09T20:00:00Z');
    service().at(start);
    const { token, id, carerId } = await livesHere();
    await service().rest('POST', '/v1/notify', {
      as: 'subscriber',
      body: { push_token: expoToken('carer') },
    });
    await service().database.prisma.reminderAlert.deleteMany();
    await service().rest('POST', '/v1/medicine_reminder', {
      body: { frequency_type: 'daily', start_date: '2026-03-01T08:00:00Z' },
      headers: { authorization: `Bearer ${token}` },
    });
    for (const hours of [12, 14]) {
      service().at(start + hours * HOUR);
      await handOver(service().app.deps);
    }
    const list = async () => {
      const { body } = await service().graphql(
        '{ notifications { nodes { kind } } }',
        {},
        { as: 'subscriber' },
      );
      return body.data.notifications.nodes.map(({ kind }: { kind: string }) => kind);
    };
    expect(await list()).toStrictEqual(['MISSED']);
    const { token: fresh } = (
      await service().rest('POST', '/v1/login', {
        body: { username: 'mina@example.com', password: PASSWORD },
      })
    ).body;
    const { document } = (await service().ask(EXPORT, {}, { token: fresh })).data.exportMyData
      .export;
    const [notice, ...more] = document.notices;
    expect([notice.accountId, JSON.parse(notice.data).member_id, more]).toStrictEqual([
      carerId,
      id,
      [],
    ]);
    const moved = () =>
      service().database.prisma.feed.findUnique({ where: { name: `notifications:${carerId}` } });
    const before = await moved();
    expect(
      (await service().ask(ERASE, { input: { password: PASSWORD } }, { token: fresh })).data
        .eraseMyAccount,
    ).toStrictEqual(gone(id));
    expect(await list()).toStrictEqual([]);
    expect(
      await service().database.prisma.delivery.count(),
      'what was still to be sent is not',
    ).toBe(0);
    expect((await moved())?.version, 'who watches the list hears of it').toBe(
      (before?.version ?? 0) + 1,
    );
  });

  it('of a guest is erased without a password, whenever', async () => {
    await service().account('administrator');
    const { token, user } = await makeGuest(service());
    const now = Date.now();
    service().at(now + 14 * 60_000);
    expect(
      (await service().ask(ERASE, { input: {} }, { token })).data.eraseMyAccount,
    ).toStrictEqual(gone(user.id));
    expect(await accounts()).toBe(1);
  });

  it('leaves content with the site, under the administrator who has been there longest', async () => {
    const { id } = await service().account('administrator');
    await service().account('administrator', 'second');
    const post = await service().post({}, 'author');
    await service().rest('POST', `/v1/posts/${post.id}`, {
      as: 'author',
      body: { content: 'More' },
    });
    await service().rest('POST', `/v1/posts/${post.id}/autosaves`, {
      as: 'author',
      body: { content: 'Unsaved' },
    });
    const author = await service().account('author');
    expect((await leave('author')).data.eraseMyAccount).toStrictEqual(gone(author.id));
    expect((await service().rest('GET', `/v1/posts/${post.id}`)).body.author).toBe(id);
    expect(
      await service().database.prisma.revision.count({ where: { authorId: { not: id } } }),
    ).toBe(0);
    expect(await service().database.prisma.revision.count({ where: { autosave: true } })).toBe(0);
  });

  it('of the last administrator is not erased', async () => {
    await service().account('administrator', 'second');
    const first = await service().account('administrator');
    expect((await leave('administrator')).data.eraseMyAccount).toStrictEqual(gone(first.id));
    expect(errorCode(await leave('administrator', 'second'))).toBe('LAST_ADMINISTRATOR');
    expect(await accounts()).toBe(1);
  });

  it('of a guest is kept for a year after the last use, and then erased', async () => {
    await service().account('administrator');
    const start = Date.parse('2026-03-01T08:00:00Z');
    service().at(start);
    const { refreshToken } = await makeGuest(service());
    await makeGuest(service());
    const member = await makeMember(service(), { password: PASSWORD, language: 2 });
    service().at(start + 80 * DAY);
    await service().rest('GET', '/v1/refreshToken', { query: { refreshToken } });
    const erase = async () => {
      const context = await serviceContext(service().app.deps, 'test');
      const erased = await eraseIdleGuests(context);
      await forgetOldSessions(context);
      return erased;
    };
    service().at(start + 365 * DAY);
    expect(await erase()).toBe(0);
    service().at(start + 365 * DAY + 1);
    expect(await erase()).toBe(1);
    service().at(start + 445 * DAY + 1);
    const both = (await Promise.all([erase(), erase()])).reduce((sum, erased) => sum + erased);
    expect(both, 'once, by however many processes').toBe(1);
    const left = await service().database.prisma.account.findMany({ orderBy: { id: 'asc' } });
    expect(left.map(({ roles }) => roles)).toStrictEqual([['administrator'], ['subscriber']]);
    expect(
      await service().database.prisma.session.count({ where: { accountId: member.user.id } }),
    ).toBe(0);
    const retained = await service().database.prisma.auditEvent.findMany({
      where: { action: 'account.erase' },
    });
    expect(retained).toHaveLength(2);
  });

  const START = Date.parse('2026-03-01T08:00:00Z');
  const eraseIdle = async () => eraseIdleGuests(await serviceContext(service().app.deps, 'test'));

  it.each(['last_used_at', 'created_at'])(
    'of a guest is kept for a year after %s of an application password',
    async (column) => {
      await service().account('administrator');
      service().at(START);
      const { user } = await makeGuest(service());
      await service().database.query(
        `INSERT INTO application_password (id, account_id, name, hash, created_at)
          VALUES (gen_random_uuid(), $1, 'A', 'h', '2026-03-01Z')`,
        [user.id],
      );
      await service().database.query(
        `UPDATE application_password SET ${column} = '2026-09-01T08:00Z'`,
      );
      service().at(START + 366 * DAY);
      expect(await eraseIdle()).toBe(0);
      service().at(Date.parse('2027-09-01T08:00:01Z'));
      expect(await eraseIdle()).toBe(1);
    },
  );

  it('of a member who became a guest is kept for a year from then', async () => {
    await service().account('administrator');
    service().at(START);
    const { id } = await service().account('subscriber');
    const lowered = START + 400 * DAY;
    service().at(lowered);
    const answer = await service().graphql(
      'mutation($input: SetRolesInput!) { setRoles(input: $input) { account { databaseId } } }',
      { input: { userId: id, roles: ['GUEST'] } },
      { headers: await service().session('administrator') },
    );
    expect(answer.body.errors).toBeUndefined();
    service().at(lowered + DAY);
    expect(await eraseIdle()).toBe(0);
    service().at(lowered + 366 * DAY);
    expect(await eraseIdle()).toBe(1);
  });

  it('of a guest is kept who became a member, or was active, after idle guests were read', async () => {
    await service().account('administrator');
    service().at(START);
    const [first, member, active] = await Promise.all([1, 2, 3].map(() => makeGuest(service())));
    const query = (sql: string) => service().database.query(sql);
    const ids = [first, member, active].map(({ user }) => Number(user.id));
    await query(
      `UPDATE account SET created_at = created_at - interval '1 hour' WHERE id = ${ids[0]}`,
    );
    await query(`CREATE FUNCTION changes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        UPDATE account SET roles = '{subscriber}' WHERE id = ${ids[1]};
        UPDATE session SET used_at = '2027-03-01Z' WHERE account_id = ${ids[2]};
        RETURN OLD; END $$`);
    await query(`CREATE TRIGGER changes BEFORE DELETE ON account FOR EACH ROW
      WHEN (OLD.id = ${ids[0]}) EXECUTE FUNCTION changes()`);
    try {
      service().at(START + 366 * DAY);
      expect(await eraseIdle()).toBe(1);
    } finally {
      await query('DROP TRIGGER changes ON account');
      await query('DROP FUNCTION changes');
    }
    expect(await accounts()).toBe(3);
  });
});
