import { setTimeout as sleep } from 'node:timers/promises';
import { createClient as createSocketClient } from 'graphql-ws';
import WebSocket from 'ws';
import { globalId } from '../../../src/core/node.js';
import { issueResetCodes } from '../../../src/domains/passwords/reset-code.service.js';
import { mailSignInCodes } from '../../../src/domains/sign-in/code/sign-in-code.service.js';
import {
  readPageSession,
  signInToPages,
} from '../../../src/domains/sign-in/session/page-session.service.js';
import { makeAppointment, makeMedicine, makeMember } from '../../support/factories.js';
import { errorCode, type Harness, mutation, useService } from '../../support/harness.js';
import { EIGHT, HOUR, rounds } from '../dispatch/rounds.js';

const SUSPEND = mutation('suspendUser', 'account { suspendedAt remindersStopped }');
const REINSTATE = mutation('reinstateUser', 'account { suspendedAt remindersStopped }');
const PASSWORD = 'correct horse';

/** Returns what administrators do to accounts over a service. */
function administration(service: () => Harness) {
  const change = async (document: string, input: object, by = 'administrator') =>
    service().ask(document, { input }, { headers: await service().session('administrator', by) });
  return {
    suspend: (userId: number | string, input: object = {}, by?: string) =>
      change(SUSPEND, { userId, ...input }, by),
    reinstate: (userId: number | string) => change(REINSTATE, { userId }),
  };
}

describe('A suspended account', () => {
  const service = useService();
  const { suspend, reinstate } = administration(service);
  const signUp = () => makeMember(service(), { password: PASSWORD });
  const mailed = async () =>
    (await service().database.prisma.outgoingMail.findMany({ orderBy: { createdAt: 'asc' } }))
      .filter(({ template }) => template.startsWith('account_'))
      .map(({ to, template }) => `${template} to ${to}`);

  it('is refused by every credential within a second, and those that did not end are taken again later', async () => {
    const now = Date.now();
    service().at(now);
    const { id } = await service().account('analyst');
    const email = 'analyst@example.com';
    const headers = await service().session('analyst');
    const basic = await service().authorization('analyst');
    const set = mutation('changePassword', 'viewer { id }');
    await service().data(set, { input: { newPassword: PASSWORD } }, { headers });
    const login = { username: email, password: PASSWORD };
    const { body: pair } = await service().rest('POST', '/v1/login', { body: login });
    const token = { authorization: `Bearer ${pair.token}` };
    const cookie = await signInToPages(await service().context(), login);
    const feed = await service().data(
      mutation('createCalendarFeed', 'calendarFeed { url }'),
      { input: {} },
      { headers: token },
    );
    const saved = await service().data(
      mutation('createSavedReport', 'savedReport { id }'),
      {
        input: {
          name: 'Doses',
          query: '{ doseReport(from: "2026-01-01", to: "2026-02-28") { total { taken } } }',
        },
      },
      { headers: token },
    );
    const embed = await service().data(
      mutation('createReportEmbed', 'url'),
      {
        input: { reportId: saved.createSavedReport.savedReport.id, origins: ['https://a.example'] },
      },
      { headers: token },
    );
    const other = await service().beside({});
    const path = (url: string) => new URL(url).pathname;
    /** What each credential is answered, by this process and by another. */
    const answers = async () => ({
      token: [
        (await service().ask('{ viewer { id } }', {}, { headers: token })).data?.viewer?.id,
        (await other.ask('{ viewer { id } }', {}, { headers: token })).data?.viewer?.id,
      ].filter(Boolean).length,
      tokenByRest: (await other.rest('GET', '/v1/medicine_reminder', { headers: token })).status,
      password: (await other.rest('GET', '/v1/medicine_reminder', { headers: basic })).status,
      page: (await readPageSession(await other.context(), cookie))?.viewer.id ?? null,
      feed: (await other.fetch(path(feed.createCalendarFeed.calendarFeed.url), {})).status,
      embed: /<h1>Doses/.test((await other.fetch(path(embed.createReportEmbed.url), {})).text),
      login: (await other.rest('POST', '/v1/login', { body: login })).body.code ?? 'in',
      pages: await signInToPages(await other.context(), login).then(
        () => 'in',
        ({ refusal }) => refusal.reason,
      ),
    });
    const before = await answers();
    expect(before).toStrictEqual({
      token: 2,
      tokenByRest: 200,
      password: 200,
      page: id,
      feed: 200,
      embed: true,
      login: 'in',
      pages: 'in',
    });
    const { data } = await suspend(id);
    expect(data.suspendUser.account).toStrictEqual({
      suspendedAt: new Date(now).toISOString(),
      remindersStopped: false,
    });
    service().at(now + 1_000);
    expect(await answers()).toStrictEqual({
      token: 0,
      tokenByRest: 401,
      password: 401,
      page: null,
      feed: 404,
      embed: false,
      login: 'account_suspended',
      pages: 'ACCOUNT_SUSPENDED',
    });
    const refreshed = await service().rest('GET', '/v1/refreshToken', {
      query: { refreshToken: pair.refreshToken },
    });
    expect([refreshed.status, refreshed.body.code]).toStrictEqual([401, 'refresh_token_invalid']);
    await reinstate(id);
    service().at(now + 2_000);
    expect(await answers(), 'sessions have ended').toStrictEqual({
      ...before,
      token: 0,
      tokenByRest: 401,
      page: null,
    });
    await other.stop();
  });

  it('tells only who knows the password, and mails no codes', async () => {
    const { user } = await signUp();
    await suspend(user.id);
    const email = 'mina@example.com';
    const login = async (password: string) =>
      errorCode(
        await service().ask(
          mutation('login', 'token'),
          { input: { username: email, password } },
          'anonymous',
        ),
      );
    expect(await login(PASSWORD)).toBe('ACCOUNT_SUSPENDED');
    expect(await login('wrong horse')).toBe('INVALID_CREDENTIALS');
    await service().ask(
      mutation('requestSignInCode', '__typename'),
      { input: { email } },
      'anonymous',
    );
    await mailSignInCodes(await service().context());
    expect(
      await service().database.prisma.outgoingMail.count({ where: { template: 'sign_in_code' } }),
    ).toBe(0);
    const again = await service().rest('POST', '/v1/signup', {
      body: { email, password: PASSWORD, language: 1 },
    });
    expect(again.body.code).toMatch(/email_exists|account_suspended/);
    const refused = await service().database.prisma.auditEvent.count({
      where: { action: 'session.refused', subjectId: user.id },
    });
    expect(refused).toBeGreaterThanOrEqual(2);
  });

  it('loses a code that was mailed before', async () => {
    const { user } = await signUp();
    const email = 'mina@example.com';
    await service().ask(
      mutation('requestSignInCode', '__typename'),
      { input: { email } },
      'anonymous',
    );
    await mailSignInCodes(await service().context());
    const [mail] = await service().database.prisma.outgoingMail.findMany({
      where: { template: 'sign_in_code' },
    });
    const { code } = JSON.parse(mail?.values ?? '{}');
    await suspend(user.id);
    const body = await service().ask(
      mutation('signInWithCode', 'token'),
      { input: { email, code } },
      'anonymous',
    );
    expect(errorCode(body)).toBe('SIGN_IN_CODE_INVALID');
  });

  it('sets no password by a code that was made while it was being suspended', async () => {
    const { user } = await signUp();
    const email = 'mina@example.com';
    await service().ask(
      mutation('requestPasswordReset', '__typename'),
      { input: { email } },
      'anonymous',
    );
    await issueResetCodes(service().app.deps);
    const { prisma } = service().database;
    const [mail] = await prisma.outgoingMail.findMany({ where: { template: 'password_reset' } });
    const { code } = JSON.parse(mail?.values ?? '{}');
    // As the job does that read the account before it was suspended.
    const resets = await prisma.passwordReset.findMany();
    await suspend(user.id);
    await prisma.passwordReset.createMany({ data: resets });
    const reset = async () =>
      errorCode(
        await service().ask(
          mutation('resetPassword', '__typename'),
          { input: { email, code, password: 'wrong horse' } },
          'anonymous',
        ),
      );
    expect(await reset()).toBe('RESET_CODE_WRONG');
    await reinstate(user.id);
    expect(await reset(), 'the code ended').toBe('RESET_CODE_WRONG');
  });

  it('has no session after it is reinstated, also of a sign-in at the very moment', async () => {
    const { user } = await signUp();
    const { prisma } = service().database;
    const alive = { accountId: user.id, endedAt: null };
    expect(await prisma.session.count({ where: alive })).toBeGreaterThan(0);
    await suspend(user.id);
    await prisma.session.updateMany({ where: { accountId: user.id }, data: { endedAt: null } });
    await reinstate(user.id);
    expect(await prisma.session.count({ where: alive })).toBe(0);
  });

  it('is told by mail, once for each change, and finds it in the audit without the reason of others', async () => {
    const { user } = await signUp();
    const reason = 'Reported as lost';
    await suspend(user.id, { reason });
    await suspend(user.id);
    await suspend(user.id, { stopReminders: true });
    await reinstate(user.id);
    await reinstate(user.id);
    expect(await mailed()).toStrictEqual([
      'account_suspended to mina@example.com',
      'account_suspended_silently to mina@example.com',
      'account_reinstated to mina@example.com',
    ]);
    const { nodes } = await service()
      .data(
        'query($filter: AuditFilter) { auditEvents(filter: $filter) { nodes { action detail } } }',
        { filter: { subjectId: user.id } },
        'administrator',
      )
      .then(({ auditEvents }) => auditEvents);
    const [done, ...rest] = nodes.filter(({ action }: { action: string }) =>
      /^account\.(suspend|reinstate)$/.test(action),
    );
    expect([done.action, ...rest.map(({ detail }: { detail: object }) => detail)]).toStrictEqual([
      'account.reinstate',
      { remindersStopped: true },
      { remindersStopped: false, reason },
    ]);
  });

  it('is found by administrators, and seen as such by nobody else', async () => {
    const { user } = await signUp();
    await service().account('subscriber');
    await suspend(user.id);
    const found = async (suspended: boolean) =>
      (
        await service().data(
          'query($filter: AccountFilter) { accounts(filter: $filter) { totalCount nodes { databaseId } } }',
          { filter: { suspended, role: 'SUBSCRIBER' } },
          'administrator',
        )
      ).accounts.nodes.map(({ databaseId }: { databaseId: number }) => databaseId);
    expect(await found(true)).toStrictEqual([user.id]);
    expect(await found(false)).toHaveLength(1);
    await service().database.prisma.contentItem.updateMany({ data: { authorId: user.id } });
    const post = await service().post({}, 'editor');
    await service().database.prisma.contentItem.update({
      where: { id: post.id },
      data: { authorId: user.id },
    });
    const asked = '{ author(id: %) { name suspendedAt remindersStopped } }'.replace(
      '%',
      `${user.id}`,
    );
    expect((await service().data(asked, {}, 'subscriber')).author).toMatchObject({
      suspendedAt: null,
      remindersStopped: null,
    });
  });

  it('needs an account that is neither the own one nor the last administrator', async () => {
    const { id } = await service().account('administrator');
    expect(errorCode(await suspend(id))).toBe('OWN_ACCOUNT');
    expect(errorCode(await suspend(4711))).toBe('USER_NOT_FOUND');
    expect(errorCode(await reinstate(4711))).toBe('USER_NOT_FOUND');
    const post = globalId('Post', 1);
    expect(errorCode(await suspend(post))).toBe('ID_INVALID');
    expect(errorCode(await reinstate(post))).toBe('ID_INVALID');
    const second = await service().account('administrator', 'second');
    expect(errorCode(await suspend(second.id))).toBeUndefined();
    const roles = mutation('setRoles', 'account { id }');
    const demoted = await service().ask(
      roles,
      { input: { userId: id, roles: ['EDITOR'] } },
      { headers: await service().session('administrator') },
    );
    expect(errorCode(demoted), 'who is suspended does not count').toBe('LAST_ADMINISTRATOR');
  });

  it('leaves one administrator when two suspend each other at once', async () => {
    for (let i = 0; i < 5; i++) {
      const names = [`first${i}`, `second${i}`] as const;
      const ids = [];
      for (const name of names) ids.push((await service().account('administrator', name)).id);
      await service().database.prisma.account.updateMany({
        where: { id: { notIn: ids } },
        data: { suspendedAt: new Date() },
      });
      const both = await Promise.all([
        suspend(ids[1] as number, {}, names[0]),
        suspend(ids[0] as number, {}, names[1]),
      ]);
      expect(both.map(errorCode).filter(Boolean), 'one of them is refused').toHaveLength(1);
      const left = await service().database.prisma.account.count({
        where: { roles: { has: 'administrator' }, suspendedAt: null },
      });
      expect(left).toBe(1);
    }
  });
});

describe('The open subscriptions of a suspended account', () => {
  const service = useService();

  for (const by of ['a session', 'an application password'] as const)
    it(`end within a second in another process, by ${by}`, async () => {
      const other = await service().beside({});
      const { id } = await service().account('subscriber');
      const client = createSocketClient({
        url: `${other.url.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        connectionParams:
          by === 'a session'
            ? await service().session('subscriber')
            : await service().authorization('subscriber'),
        retryAttempts: 0,
      });
      const events = client.iterate({
        query: 'subscription { changes(subjects: [{ feed: CALENDAR }]) { version } }',
      });
      const next = events.next();
      for (let i = 0; other.app.deps.live.watching === 0 && i < 500; i++) await sleep(10);
      const headers = await service().session('administrator');
      const started = performance.now();
      const done = await service().ask(SUSPEND, { input: { userId: id } }, { headers });
      expect(errorCode(done)).toBeUndefined();
      const committed = performance.now();
      const { value } = await next;
      expect(errorCode(value)).toBe(by === 'a session' ? 'TOKEN_INVALID' : 'UNAUTHENTICATED');
      expect(performance.now() - committed, `asked ${started}`).toBeLessThan(1_000);
      expect((await events.next()).done).toBe(true);
      expect(other.app.deps.live.watching).toBe(0);
      await client.dispose();
      await other.stop();
    });
});

describe('The reminders of a suspended member', () => {
  const service = useService();
  const { suspend, reinstate } = administration(service);
  const { begin, carer, prefer, until, told } = rounds(service);
  const start = async () => {
    await begin();
    await carer('ben', 'subscriber');
    await makeMedicine(service());
    return (await service().account('subscriber')).id;
  };

  it('ring on, and carers are told of what nobody answered', async () => {
    const id = await start();
    await suspend(id);
    await until(EIGHT + 3 * HOUR);
    const all = told();
    expect(all.some((text) => /^08:00 phone/.test(text))).toBe(true);
    expect(all.some((text) => /ben/.test(text))).toBe(true);
  });

  it('stay silent, for carers too, when they were stopped, until the account is reinstated', async () => {
    const id = await start();
    await suspend(id, { stopReminders: true });
    await until(EIGHT + 3 * HOUR, 30 * 60_000);
    expect(told()).toStrictEqual([]);
    await reinstate(id);
    await until(EIGHT + 24 * HOUR, 30 * 60_000);
    expect(told().map((text) => text.slice(0, 11))).toStrictEqual(['08:00 phone']);
  });

  it('of an appointment come when the account is reinstated before it begins', async () => {
    await begin();
    await makeAppointment(service(), {
      dateTime: new Date(EIGHT + 48 * HOUR).toISOString(),
      remindBefore: '1 day',
    });
    const { id } = await service().account('subscriber');
    await suspend(id, { stopReminders: true });
    await until(EIGHT + 30 * HOUR, 30 * 60_000);
    expect(told()).toStrictEqual([]);
    await reinstate(id);
    await until(EIGHT + 48 * HOUR, 30 * 60_000);
    expect(told()).toHaveLength(1);
  });

  it('are told late to nobody, also where carers are told one after the other', async () => {
    await begin();
    await carer('ben', 'subscriber', { position: 1 });
    await carer('cora', 'subscriber', { position: 2 });
    await prefer({ carersWaitMinutes: 15 });
    await makeMedicine(service());
    const { id } = await service().account('subscriber');
    await until(EIGHT + HOUR);
    await suspend(id, { stopReminders: true });
    await until(EIGHT + 4 * HOUR);
    await reinstate(id);
    await until(EIGHT + 8 * HOUR);
    expect(told().map((text) => text.slice(0, 11))).toStrictEqual(['08:00 phone']);
  });

  it('are told of no other member', async () => {
    await start();
    const { id } = await service().account('subscriber', 'ben');
    await suspend(id);
    await until(EIGHT + 3 * HOUR);
    expect(told().some((text) => /ben/.test(text))).toBe(false);
    await reinstate(id);
  });
});
