import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readConfig } from '../../../src/config/config.js';
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
import { outboxFile } from '../../../src/platform/push/outbox.js';
import { openPush } from '../../../src/platform/push/push.js';
import { type RoleName, useService } from '../../support/harness.js';

const PASSWORD = 'correct horse battery';
const PUSH_TOKEN = 'ExponentPushToken[minasminasminasmi]';
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const EXPORT = 'mutation { exportMyData { exportedAt document } }';
const ERASE = 'mutation($input: EraseMyAccountInput!) { eraseMyAccount(input: $input) }';

describe('One’s own data', () => {
  const service = useService();
  const signup = async (email = 'mina@example.com') =>
    (
      await service().rest('POST', '/v1/signup', {
        body: { email, password: PASSWORD, language: 2 },
      })
    ).body;
  const guest = async () =>
    (await service().rest('POST', '/v1/guest', { edition: 'B', body: { language: 1 } })).body;
  const ask = async (token: string, query: string, input?: object) =>
    (
      await service().graphql(query, input && { input }, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).body;
  const code = (body: { errors?: { extensions: { code: string } }[] }) =>
    body.errors?.[0]?.extensions.code;
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
    return ask(token, ERASE, {});
  };

  it('is exported as one document, without a secret in it', async () => {
    const { token, refreshToken, user } = await signup();
    await signup('other@example.com');
    const { document } = (await ask(token, EXPORT)).data.exportMyData;
    const kinds =
      'account sessions applicationPasswords identities authored care reminders doses ' +
      'careSettings notifications notices notificationPreference devices';
    assert.deepEqual(Object.keys(document), kinds.split(' '));
    const { id, email, language, hasPassword, roles } = document.account;
    assert.deepEqual(
      [id, email, language, hasPassword, roles],
      [user.id, 'mina@example.com', 'de', true, ['subscriber']],
    );
    assert.equal(document.sessions.length, 1);
    const text = JSON.stringify(document);
    for (const secret of ['argon2', refreshToken, token, 'other@'])
      assert.ok(!text.includes(secret), secret);
  });

  it('names in the export what an author wrote', async () => {
    const post = await service().post({}, 'author');
    const { body } = await service().graphql(EXPORT, {}, { as: 'author' });
    assert.deepEqual(
      body.data.exportMyData.document.authored.items.map(({ id }: { id: number }) => id),
      [post.id],
    );
    assert.equal(body.data.exportMyData.document.applicationPasswords.length, 1);
  });

  it('is erased by the password, with everything that hangs on the account; the audit stays', async () => {
    await service().account('administrator');
    const { token, user } = await signup();
    await requestSignInCode(await service().context(), { email: 'mina@example.com' });
    assert.equal(await mailSignInCodes(await service().context()), 1);
    for (const input of [{}, { password: '' }, { password: 'wrong' }])
      assert.equal(code(await ask(token, ERASE, input)), 'PASSWORD_WRONG');
    assert.equal((await ask(token, ERASE, { password: PASSWORD })).data.eraseMyAccount, true);
    const { prisma } = service().database;
    const left = await Promise.all([
      prisma.account.count({ where: { id: user.id } }),
      prisma.session.count({ where: { accountId: user.id } }),
      prisma.outgoingMail.count({ where: { to: 'mina@example.com' } }),
      prisma.signInCode.count(),
    ]);
    assert.deepEqual(left, [0, 0, 0, 0]);
    const login = await service().rest('POST', '/v1/login', {
      body: { username: 'mina@example.com', password: PASSWORD },
    });
    assert.equal(login.status, 401);
    const events = await prisma.auditEvent.findMany({ where: { subjectId: user.id } });
    assert.equal(events.at(-1)?.action, 'account.erase');
    const now = Date.now();
    service().now = () => now + 1000;
    assert.equal(code(await ask(token, '{ viewer { id } }')), 'TOKEN_INVALID');
    assert.equal((await signup()).user.email, 'mina@example.com', 'the address is free again');
  });

  it('goes from the outbox of pushes', async (test) => {
    await service().account('administrator');
    const folder = mkdtempSync(join(tmpdir(), 'care-test-'));
    test.after(() => rmSync(folder, { recursive: true, force: true }));
    const push = openPush(readConfig({ DATA_DIR: folder }));
    const kept = async () => {
      const message = {
        id: 'a',
        title: 'Time for Metformin',
        body: '',
        data: {},
        ttl: 60,
        token: PUSH_TOKEN,
      };
      await push.expo.send([message, { ...message, token: 'somebody else' }], {
        signal: new AbortController().signal,
      });
    };
    const other = await service().beside({ push });
    test.after(() => other.stop());
    const { token } = await signup();
    await ask(token, `mutation { registerDevice(input: { token: "${PUSH_TOKEN}" }) { id } }`);
    await kept();
    const headers = { authorization: `Bearer ${token}` };
    assert.ok(
      (await other.graphql(ERASE, { input: { password: PASSWORD } }, { headers })).body.data
        .eraseMyAccount,
    );
    const text = readFileSync(outboxFile(folder), 'utf8');
    assert.ok(!text.includes(PUSH_TOKEN) && text.includes('somebody else'), text);
  });

  it('goes from invitations and mails of others as well: those to the address or user name, and those that it had sent', async () => {
    await service().account('administrator');
    const { token, user } = await signup();
    const { prisma } = service().database;
    await prisma.account.update({ where: { id: user.id }, data: { emailProvenAt: new Date() } });
    const invite = (
      to: string,
      query = `mutation { inviteCarer(input: { to: "${to}", right: SEE }) { id } }`,
    ) => query;
    for (const to of ['MINA@example.com', 'ｍina@example.com', 'ben@example.com'])
      await service().graphql(invite(to), {}, { headers: await service().session('subscriber') });
    assert.equal((await service().mails()).length, 3, 'mails that were sent are kept as files');
    await service().graphql(
      invite('Mina@example.com'),
      {},
      { headers: await service().session('subscriber') },
    );
    await ask(token, invite('carl@example.com'));
    assert.equal((await ask(token, ERASE, { password: PASSWORD })).data.eraseMyAccount, true);
    const invitations = await prisma.careInvitation.findMany();
    assert.deepEqual(
      invitations.map(({ to }) => to),
      ['ben@example.com'],
    );
    const queued = await prisma.outgoingMail.findMany({ where: { dueAt: { not: null } } });
    assert.deepEqual(
      queued,
      [],
      'nobody is mailed any more of what the account had sent, or to its address',
    );
    const named = (await service().mails()).map(({ headers }) => headers.get('to') ?? '');
    assert.ok(!named.some((to) => /^mina@/i.test(to)), named.join());
  });

  /**
   * Somebody with a row of every kind that hangs on a member, by way of the interface where it has
   * one.
   */
  const livesHere = async () => {
    await service().account('administrator');
    const { token, user } = await signup();
    await service().database.prisma.account.update({
      where: { id: user.id },
      data: { emailProvenAt: new Date() },
    });
    const headers = { authorization: `Bearer ${token}` };
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
      registerDevice(input: { token: "ExponentPushToken[secretsecretsecret]" }) { id }
      testPush { id }
      logDose(input: { reminderId: ${id} }) { id }
      updateNotificationPreference(input: { lockScreenNames: true }) { lockScreenNames }
      createCalendarFeed(input: {}) { url }
      inviteCarer(input: { to: "ben@example.com", right: SEE }) { id }
    }`;
    assert.equal((await ask(token, all)).errors, undefined);
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
       WHERE table_schema = 'public' AND data_type = 'integer' AND table_name NOT LIKE 'audit%' AND table_name <> 'account_key'
         AND (column_name ~ '(account|member|carer|clinician|author|creator|owner|user|about|from)_id$' OR column_name ~ '_by(_id)?$'
           OR table_name = 'account' AND column_name = 'id')`,
    );
    const counted: Record<string, number> = {};
    for (const { table, column } of columns) {
      const [row] = await database.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM ${table} WHERE ${column} = ${id}`,
      );
      counted[`${table}.${column}`] = row?.count ?? 0;
    }
    counted.feed = await database.prisma.feed.count({ where: { name: { endsWith: `:${id}` } } });
    return counted;
  };

  it('names in the export what a member has, without what only the service needs', async () => {
    const { token, id, carerId } = await livesHere();
    const { document } = (await ask(token, EXPORT)).data.exportMyData;
    const { reminders, doses, careSettings, notifications, notificationPreference, devices, care } =
      document;
    const names = reminders.map(({ name }: { name: string }) => name);
    assert.deepEqual(
      [names, doses.length, careSettings.learnedZone],
      [['Metformin', 'Aspirin', 'Dentist'], 1, 'Asia/Tokyo'],
    );
    assert.deepEqual(
      [notifications.length, notificationPreference.lockScreenNames, devices[0].kind],
      [1, true, 'expo'],
    );
    assert.deepEqual([care.carers[0].carerId, care.caresFor[0].memberId], [carerId, carerId]);
    assert.deepEqual(
      [care.invitations[0].to, care.openedBy[0].reason, care.clinicians[0].memberId],
      ['ben@example.com', 'Fainted', id],
    );
    for (const secret of ['secretsecret', 'codeHash', 'feedHash', 'tokenHash'])
      assert.ok(!JSON.stringify(document).includes(secret), secret);
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
      assert.ok(kinds.has(kind), `there is a ${kind} to erase`);
    assert.equal((await ask(token, ERASE, { password: PASSWORD })).data.eraseMyAccount, true);
    assert.deepEqual(
      Object.entries(await traces(id)).filter(([, count]) => count > 0),
      [],
    );
    assert.equal(await service().database.prisma.pastPlan.count(), 0);
    assert.equal(await service().database.prisma.delivery.count(), 0);
  });

  it('is exported with what carers were told of it, and goes from their lists with the account, sent or not', async () => {
    const start = Date.parse('2026-03-09T20:00:00Z');
    service().now = () => start;
    const { token, id, carerId } = await livesHere();
    await service().rest('POST', '/v1/notify', {
      as: 'subscriber',
      body: { push_token: 'ExponentPushToken[carer]' },
    });
    await service().database.prisma.reminderAlert.deleteMany();
    const daily =
      'createMedicineReminder(input: { frequencyType: "daily", startDate: ' +
      '"2026-03-01T08:00:00Z" }) { id }';
    await ask(token, `mutation { ${daily} }`);
    for (const hours of [12, 14]) {
      service().now = () => start + hours * HOUR;
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
    assert.deepEqual(await list(), ['missed']);
    const { token: fresh } = (
      await service().rest('POST', '/v1/login', {
        body: { username: 'mina@example.com', password: PASSWORD },
      })
    ).body;
    const { document } = (await ask(fresh, EXPORT)).data.exportMyData;
    const [notice, ...more] = document.notices;
    assert.deepEqual(
      [notice.accountId, JSON.parse(notice.data).member_id, more],
      [carerId, id, []],
    );
    const moved = () =>
      service().database.prisma.feed.findUnique({ where: { name: `notifications:${carerId}` } });
    const before = await moved();
    assert.equal((await ask(fresh, ERASE, { password: PASSWORD })).data.eraseMyAccount, true);
    assert.deepEqual(await list(), []);
    assert.equal(
      await service().database.prisma.delivery.count(),
      0,
      'what was still to be sent is not',
    );
    assert.equal(
      (await moved())?.version,
      (before?.version ?? 0) + 1,
      'who watches the list hears of it',
    );
  });

  it('of a guest is erased without a password, whenever', async () => {
    await service().account('administrator');
    const { token } = await guest();
    const now = Date.now();
    service().now = () => now + 14 * 60_000;
    assert.equal((await ask(token, ERASE, {})).data.eraseMyAccount, true);
    assert.equal(await accounts(), 1);
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
    assert.equal((await leave('author')).data.eraseMyAccount, true);
    assert.equal((await service().rest('GET', `/v1/posts/${post.id}`)).body.author, id);
    assert.equal(
      await service().database.prisma.revision.count({ where: { authorId: { not: id } } }),
      0,
    );
    assert.equal(await service().database.prisma.revision.count({ where: { autosave: true } }), 0);
  });

  it('of the last administrator is not erased', async () => {
    await service().account('administrator', 'second');
    assert.equal((await leave('administrator')).data.eraseMyAccount, true);
    assert.equal(code(await leave('administrator', 'second')), 'LAST_ADMINISTRATOR');
    assert.equal(await accounts(), 1);
  });

  it('of a guest is kept for a year after the last use, and then erased', async () => {
    await service().account('administrator');
    const start = Date.parse('2026-03-01T08:00:00Z');
    service().now = () => start;
    const { refreshToken } = await guest();
    await guest();
    const member = await signup();
    service().now = () => start + 80 * DAY;
    await service().rest('GET', '/v1/refreshToken', { query: { refreshToken } });
    const erase = async () => {
      const context = await serviceContext(service().app.deps, 'test');
      const erased = await eraseIdleGuests(context);
      await forgetOldSessions(context);
      return erased;
    };
    service().now = () => start + 365 * DAY;
    assert.equal(await erase(), 0);
    service().now = () => start + 365 * DAY + 1;
    assert.equal(await erase(), 1);
    service().now = () => start + 445 * DAY + 1;
    const both = (await Promise.all([erase(), erase()])).reduce((sum, erased) => sum + erased);
    assert.equal(both, 1, 'once, by however many processes');
    const left = await service().database.prisma.account.findMany({ orderBy: { id: 'asc' } });
    assert.deepEqual(
      left.map(({ roles }) => roles),
      [['administrator'], ['subscriber']],
    );
    assert.equal(
      await service().database.prisma.session.count({ where: { accountId: member.user.id } }),
      0,
    );
    const retained = await service().database.prisma.auditEvent.findMany({
      where: { action: 'account.erase' },
    });
    assert.equal(retained.length, 2);
  });
});
