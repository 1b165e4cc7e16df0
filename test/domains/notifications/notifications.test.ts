import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { transact } from '../../../src/core/transact.js';
import { expandDue } from '../../../src/domains/notifications/delivery/delivery.service.js';
import { updatePreference } from '../../../src/domains/notifications/preference/preference.service.js';
import { type Caller, useService } from '../../support/harness.js';
import { subscription } from '../../support/provider.js';

const HOUR = 60 * 60 * 1000;
const LIST =
  'query($first: PageSize, $after: Cursor, $unread: Boolean) { notifications(first: $first, after: $after, unread: $unread) ' +
  '{ totalCount unreadCount nodes { id title body data kind readAt createdBy } edges { cursor ' +
  '} pageInfo { hasNextPage endCursor } } }';

describe('A notification', () => {
  const service = useService();
  const notify = (body: object, as: Caller = 'subscriber', headers = {}) =>
    service().rest('POST', '/v1/notify', { as, body, headers });
  const push = (body: object, as: Caller = 'subscriber') =>
    service().rest('POST', '/v1/push_notification', { as, body, edition: 'B' });
  const list = async (as: Caller = 'subscriber', variables: object = {}) =>
    (await service().graphql(LIST, variables, { as })).body.data.notifications;
  const remove = (ids: unknown, as: Caller = 'subscriber') =>
    service().rest('DELETE', '/v1/push_notification', { as, body: { ids }, edition: 'B' });
  const deliveries = () => service().database.prisma.delivery.findMany({ orderBy: { id: 'asc' } });
  const idOf = async (name: Caller) => (await service().account(name as 'subscriber')).id;

  it('goes to every device of the caller, and is answered with its id and their number', async () => {
    await notify({ push_token: 'one' });
    await notify({ push_token: 'ExponentPushToken[two]' });
    const { status, body } = await notify({
      title: 'Hello',
      body: 'you',
      data: { screen: 'today' },
    });
    assert.equal(status, 202);
    assert.deepEqual(Object.keys(body), ['id', 'queued', 'registered']);
    assert.deepEqual([body.queued, body.registered], [2, false]);
    assert.deepEqual((await deliveries()).map(({ kind, state }) => [kind, state]).sort(), [
      ['expo', 'planned'],
      ['fcm', 'planned'],
    ]);
    const { nodes, unreadCount } = await list();
    assert.deepEqual(nodes[0], {
      id: body.id,
      title: 'Hello',
      body: 'you',
      data: { screen: 'today' },
      kind: 'message',
      readAt: null,
      createdBy: await idOf('subscriber'),
    });
    assert.equal(unreadCount, 1);
  });

  it('is taken without a device too: it is there to be read', async () => {
    assert.deepEqual((await notify({ title: 'Hello' })).body.queued, 0);
    assert.equal((await list()).totalCount, 1);
  });

  it("goes to the one device of a token that is the caller's or within reach; any other token is 403", async () => {
    await notify({ push_token: 'one' });
    await notify({ push_token: 'two' });
    const { status, body } = await push({ title: 'Hello', push_token: 'one' });
    assert.deepEqual([status, body.queued], [202, 1]);
    assert.equal((await push({ title: 'Hello', push_token: 'two' }, 'administrator')).status, 202);
    for (const push_token of ['two', 'nobody knows it', 'x'.repeat(4096)]) {
      const refused = await push({ title: 'Hello', push_token }, 'contributor');
      assert.deepEqual([refused.status, refused.body.code], [403, 'rest_forbidden']);
    }
    assert.equal((await push({ title: 'Hello', push_token: 'one' }, 'anonymous')).status, 401);
    assert.equal((await deliveries()).length, 2);
  });

  it("with a token reaches nobody but the token's account: another account beside it is 403", async () => {
    await notify({ push_token: 'mine' });
    const [me, other] = [await idOf('subscriber'), await idOf('contributor')];
    assert.equal((await notify({ title: 'x', push_token: 'mine', user_id: other })).status, 403);
    assert.equal((await notify({ push_token: 'new', user_id: other })).status, 403);
    for (const user_id of [me, 0]) {
      assert.equal((await notify({ title: 'x', push_token: 'mine', user_id })).status, 202);
      assert.equal((await notify({ title: 'x', user_id })).status, 202);
      assert.deepEqual((await notify({ push_token: 'mine', user_id })).body.registered, true);
    }
  });

  it('needs a title and a token on push_notification, and a title or a token on notify', async () => {
    for (const body of [{}, { title: 'x' }, { push_token: 'x' }]) {
      const { status, body: answer } = await push(body);
      assert.deepEqual(
        [status, answer.code],
        [400, 'rest_missing_callback_param'],
        JSON.stringify(body),
      );
    }
    for (const body of [{}, { body: 'x' }, { title: ' ' }, { title: '', user_id: 1 }]) {
      const { status, body: answer } = await notify(body);
      assert.deepEqual([status, answer.code], [400, 'rest_invalid_param'], JSON.stringify(body));
    }
    assert.equal((await push({ title: ' ', push_token: 'x' })).status, 400);
  });

  it('reaches others only within the right to see them: one unknown or forbidden id refuses all', async () => {
    const [me, other] = [await idOf('subscriber'), await idOf('contributor')];
    await service().rest('POST', '/v1/notify', {
      as: 'contributor',
      body: { push_token: 'theirs' },
    });
    for (const body of [
      { user_id: other },
      { user_ids: [me, other] },
      { user_id: 999_999 },
      { user_ids: [0] },
      { user_ids: [-1] },
    ]) {
      const { status, body: answer } = await notify({ title: 'x', ...body });
      assert.deepEqual([status, answer.code], [403, 'rest_forbidden'], JSON.stringify(body));
    }
    assert.equal(
      (await notify({ title: 'x', user_ids: [me, 999_999] }, 'administrator')).status,
      403,
    );
    assert.deepEqual(await deliveries(), []);
    const { body } = await notify(
      { title: 'x', user_ids: [me, other, other], user_id: other },
      'administrator',
    );
    assert.equal(body.queued, 1);
    assert.deepEqual(
      [(await list('subscriber')).totalCount, (await list('contributor')).totalCount],
      [1, 1],
    );
    const audited = await service().database.prisma.auditEvent.findMany({
      orderBy: { subjectId: 'asc' },
    });
    assert.deepEqual(
      audited.map(({ action, subjectId }) => [action, subjectId]),
      [me, other].sort((a, b) => a - b).map((id) => ['notification.send', id]),
    );
  });

  it('goes to 1,000 accounts at once, and not to more', async () => {
    const rows = Array.from({ length: 999 }, (_, i) => ({
      username: `m${i}`,
      usernameKey: `m${i}`,
      email: `m${i}@example.com`,
      emailKey: `m${i}@example.com`,
      name: 'm',
      slug: `m${i}`,
      roles: ['subscriber'],
    }));
    const made = await service().database.prisma.account.createManyAndReturn({
      data: rows,
      select: { id: true },
    });
    const ids = [...made.map(({ id }) => id), await idOf('subscriber')];
    await notify({ push_token: 'one' });
    const { status, body } = await notify({ title: 'x', user_ids: ids }, 'administrator');
    assert.deepEqual([status, body.queued], [202, 1]);
    assert.equal(await service().database.prisma.notification.count(), 1000);
    const refused = await notify({ title: 'x', user_ids: [...ids, 1] }, 'administrator');
    assert.deepEqual(
      [refused.status, refused.body.data.details.user_ids.code],
      [400, 'rest_too_many_items'],
    );
  });

  it('is queued and delivered to any number of devices in as many statements as to one', async () => {
    await notify({ push_token: 'one' });
    await notify({ title: 'x' });
    const one = await service().statements(() => notify({ title: 'x' }));
    for (let i = 0; i < 9; i++) await notify({ push_token: `token-${i}` });
    assert.equal(await service().statements(() => notify({ title: 'x' })), one);
  });

  it('to many accounts leaves a trace for each in as many statements as for one', async () => {
    const ids = [
      await idOf('subscriber'),
      await idOf('author'),
      await idOf('contributor'),
      await idOf('editor'),
    ];
    const send = (to: number[]) =>
      service().statements(() => notify({ title: 'x', user_ids: to }, 'administrator'));
    await send(ids);
    const one = await send(ids.slice(0, 1));
    assert.equal(await send(ids), one);
    const traces = await service().database.prisma.auditEvent.count({
      where: { action: 'notification.send' },
    });
    assert.equal(traces, 4 + 1 + 4);
  });

  it('is refused when it is too large for a push, and nothing is sent', async () => {
    await notify({ push_token: 'one' });
    const refusals = [
      { title: 'x'.repeat(4096) },
      { title: 'x', body: 'ü'.repeat(2100) },
      { title: 'x', data: { text: 'y'.repeat(4096) } },
    ];
    for (const body of refusals) {
      const { status, body: answer } = await notify(body);
      assert.deepEqual([status, answer.code], [400, 'rest_push_too_large']);
      assert.equal((await push({ push_token: 'one', ...body })).status, 400);
    }
    assert.deepEqual(await deliveries(), []);
    assert.equal((await list()).totalCount, 0);
    const fitting = { title: 'x', body: 'y'.repeat(3970) };
    assert.equal((await notify(fitting)).status, 202);
    await notify({ push_token: subscription('https://push.example.com/1') });
    assert.equal((await notify(fitting)).status, 400, 'a browser takes less');
    assert.equal(
      (await push({ ...fitting, push_token: 'one' })).status,
      202,
      'but only where there is one',
    );
  });

  it('takes data as an object or as its JSON, and nothing else', async () => {
    for (const data of [{ a: [1, { b: null }] }, '{"a":1}', { ключ: '💊' }, {}])
      assert.equal((await notify({ title: 'x', data })).status, 202, JSON.stringify(data));
    for (const data of [
      'x',
      '[1]',
      [1],
      1,
      true,
      { from: 'x' },
      { 'google.x': 1 },
      { message_id: 'x' },
      '{"gcm.a":1}',
    ])
      assert.equal(
        (await notify({ title: 'x', data })).status,
        400,
        JSON.stringify(data).slice(0, 30),
      );
    const raw = `{"title":"x","data":{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    const headers = { 'content-type': 'application/json' };
    assert.equal(
      (await service().rest('POST', '/v1/notify', { as: 'subscriber', raw, headers })).status,
      400,
    );
  });

  it('keeps strange texts, whatever they hold', async () => {
    for (const title of ['💊', '\u0001', "'; DROP TABLE device --", '<script>', '{1,2}', '"\\']) {
      assert.equal(
        (await notify({ title, body: title, data: { title } })).status,
        202,
        JSON.stringify(title),
      );
      const [node] = (await list('subscriber', { first: 1 })).nodes;
      assert.equal(node.title, title);
      assert.deepEqual(node.data, { title });
    }
    assert.equal((await notify({ title: '\u0000' })).status, 400);
    const half = await service().graphql(
      'mutation($input: SendNotificationInput!) { sendNotification(input: $input) { id } }',
      { input: { title: '\ud800', data: { half: '\ud800' } } },
      { as: 'subscriber' },
    );
    assert.ok(half.body.data.sendNotification.id);
    assert.equal((await notify({ title: 7 })).status, 202, 'numbers are as good as text');
  });

  it('waits until send_at, which may have an offset; without one it is the clock by which the member is reminded', async () => {
    const at = Date.parse('2026-07-01T08:00:00Z');
    service().now = () => at;
    await notify({ push_token: 'one' });
    await service().database.prisma.account.update({
      where: { usernameKey: 'subscriber' },
      data: { timeZone: 'America/New_York' },
    });
    for (const send_at of [
      '2026-07-01T10:00:00Z',
      '2026-07-01T12:00:00+02:00',
      '2026-07-01T06:00:00',
      '2026-07-01T06:00:00.250-04:00',
    ])
      assert.equal((await notify({ title: send_at, send_at })).body.queued, 1, send_at);
    assert.deepEqual(await deliveries(), []);
    assert.equal((await list()).totalCount, 0, 'nobody is told before');
    assert.equal(await expandDue(service().app.deps), 0);
    const later = at + 2 * HOUR;
    service().now = () => later + 250;
    await notify({ push_token: 'another' });
    assert.equal(await expandDue(service().app.deps), 4);
    const due = (await deliveries()).map(({ dueAt }) => dueAt.getTime());
    assert.equal(due.length, 8, 'to the devices of then');
    for (const time of due) assert.ok(time === later || time === later + 250);
    assert.equal((await list()).totalCount, 4);
  });

  it('takes a send_at without an offset by the Time-Zone header, and by what an earlier one taught, where the profile names no zone', async () => {
    const at = Date.parse('2026-07-01T08:00:00Z');
    service().now = () => at;
    const send_at = '2026-07-01T18:00:00';
    const sent = async (headers = {}) => {
      const { id } = (await notify({ title: 'x', send_at }, 'subscriber', headers)).body;
      return (
        await service().database.prisma.notification.findUniqueOrThrow({ where: { id } })
      ).sendAt.toISOString();
    };
    assert.equal(await sent(), '2026-07-01T18:00:00.000Z');
    assert.equal(await sent({ 'time-zone': 'Asia/Tokyo' }), '2026-07-01T09:00:00.000Z');
    await service().rest('POST', '/v1/medicine_reminder', {
      edition: 'B',
      as: 'subscriber',
      body: { frequency_type: 'daily', start_date: '2026-07-01' },
      headers: { 'time-zone': 'Europe/Berlin' },
    });
    assert.equal(await sent(), '2026-07-01T16:00:00.000Z');
  });

  it('refuses a send_at that is none, too far or too long ago', async () => {
    const at = Date.parse('2026-07-01T08:00:00Z');
    service().now = () => at;
    for (const send_at of [
      'tomorrow',
      '2026-13-01T00:00:00Z',
      17828928,
      '2026-07-01',
      '2026-07-32T08:00:00Z',
      '2027-02-29T08:00:00Z',
      '2026-07-01T07:30:00Z',
      '2025-07-01T08:00:00Z',
      '2027-07-02T08:00:01Z',
      '9999-12-31T00:00:00Z',
      {},
      [],
    ])
      assert.equal((await notify({ title: 'x', send_at })).status, 400, JSON.stringify(send_at));
    const { data } = (await notify({ title: 'x', send_at: '2027-02-29T08:00:00Z' })).body;
    assert.deepEqual(data.params, {
      send_at: 'send_at must be a date and time such as 2026-03-01T08:00:00.',
    });
    for (const send_at of [
      '',
      1782892800,
      '2026-07-01T07:30:01Z',
      '2026-07-01T08:00:00Z',
      '2027-07-02T08:00:00Z',
    ])
      assert.equal((await notify({ title: 'x', send_at })).status, 202, String(send_at));
  });

  it('is queued once under an Idempotency-Key', async () => {
    await notify({ push_token: 'one' });
    const headers = { 'idempotency-key': 'k1' };
    const first = await notify({ title: 'x' }, 'subscriber', headers);
    const second = await notify({ title: 'x' }, 'subscriber', headers);
    assert.deepEqual(second.body, first.body);
    assert.equal((await deliveries()).length, 1);
  });

  it('is deleted by who got it, with what is still to be sent; ids of others are passed over, and not told apart', async () => {
    await notify({ push_token: 'one' });
    const mine = (await notify({ title: 'x' })).body.id;
    const theirs = (await notify({ title: 'x' }, 'contributor')).body.id;
    for (const ids of [[mine, theirs, 999_999, -1, 0], `${mine},${theirs}`, String(theirs), mine]) {
      const { status, body } = await remove(ids, 'author');
      assert.deepEqual([status, body], [200, { deleted: [] }]);
    }
    assert.deepEqual((await remove([mine, theirs, 99_999_999_999, mine])).body, {
      deleted: [mine],
    });
    assert.deepEqual((await remove([mine])).body, { deleted: [] });
    assert.deepEqual(await deliveries(), []);
    assert.equal((await list('contributor')).totalCount, 1);
  });

  it('is cancelled by who planned it, until it is due', async () => {
    const at = Date.now();
    service().now = () => at;
    const user_id = await idOf('subscriber');
    const sent = (await notify({ title: 'x', user_id }, 'administrator')).body.id;
    const send_at = new Date(at + HOUR).toISOString();
    const planned = (await notify({ title: 'x', user_id, send_at }, 'administrator')).body.id;
    assert.deepEqual((await remove([sent, planned], 'administrator')).body, { deleted: [planned] });
    service().now = () => at + 2 * HOUR;
    assert.equal(await expandDue(service().app.deps), 0);
  });

  it('that somebody planned for a member arrives only while they may still see the care of that member', async () => {
    const at = Date.now();
    service().now = () => at;
    const { prisma } = service().database;
    await notify({ push_token: 'one' });
    const memberId = await idOf('subscriber');
    const [carerId, clinicianId] = [await idOf('author'), await idOf('clinician')];
    const createdAt = new Date(at);
    const relation = { data: { memberId, carerId, right: 'see', position: 1, createdAt } };
    const { id } = await prisma.careRelation.create(relation);
    await prisma.careAssignment.create({ data: { memberId, clinicianId, createdAt } });
    const send_at = new Date(at + HOUR).toISOString();
    const plan = async () => {
      for (const as of ['subscriber', 'author', 'clinician', 'administrator'] as const)
        assert.equal((await notify({ title: as, user_id: memberId, send_at }, as)).status, 202, as);
    };
    const expand = () => expandDue(service().app.deps);
    const titles = async () =>
      (await list()).nodes.map(({ title }: { title: string }) => title).sort();
    const change = async (query: string, as: Caller) => {
      const { errors } = (await service().graphql(`mutation { ${query} }`, {}, { as })).body;
      assert.equal(errors, undefined, query);
    };
    for (const [what, left] of [
      [undefined, ['administrator', 'author', 'clinician', 'subscriber']],
      [
        () =>
          prisma.account.update({ where: { id: clinicianId }, data: { roles: ['subscriber'] } }),
        ['administrator', 'author'],
      ],
      [
        () => change(`endCare(input: { id: ${id} }) { id }`, 'subscriber'),
        ['administrator', 'clinician'],
      ],
      [
        () =>
          change(
            `unassignClinician(input: { memberId: ${memberId}, clinicianId: ${clinicianId} }) { createdAt }`,
            'administrator',
          ),
        ['administrator', 'author'],
      ],
    ] as const) {
      await prisma.notification.deleteMany();
      await prisma.account.update({ where: { id: clinicianId }, data: { roles: ['clinician'] } });
      service().now = () => at;
      await plan();
      await what?.();
      service().now = () => at + HOUR;
      assert.deepEqual(await titles(), [], 'nothing is shown before it is judged');
      assert.equal(await expand(), 4);
      const expected = [...new Set([...left, 'subscriber'])].sort();
      assert.deepEqual(await titles(), expected, String(what));
      assert.equal((await deliveries()).length, expected.length, String(what));
      await prisma.careRelation.deleteMany();
      await prisma.careRelation.create({ data: { ...relation.data, id } });
    }
    service().now = () => at;
    assert.equal(
      (await notify({ title: 'erased', user_id: memberId, send_at }, 'author')).status,
      202,
    );
    await prisma.account.delete({ where: { id: carerId } });
    service().now = () => at + HOUR;
    assert.equal(await expand(), 1);
    assert.ok(!(await titles()).includes('erased'));
  });

  it('takes ids as a list, as text or alone; nothing else, and at most 1,000', async () => {
    for (const ids of [[1], '1,2', '1', 1, [], ''])
      assert.equal((await remove(ids)).status, 200, JSON.stringify(ids));
    for (const ids of ['x', ['x'], [1.5], [[1]], 'a0c7f5c2-9a40-4b41-8a55-000000000000']) {
      const { status, body } = await remove(ids);
      assert.deepEqual([status, body.code], [400, 'rest_invalid_param'], JSON.stringify(ids));
    }
    assert.equal((await remove(undefined)).body.code, 'rest_missing_callback_param');
    assert.equal((await remove(Array.from({ length: 1001 }, (_, i) => i))).status, 400);
    assert.equal((await remove([1], 'anonymous')).status, 401);
  });

  it('of a test says that it arrived', async () => {
    await notify({ push_token: 'one' });
    const { status, body } = await service().rest('POST', '/v1/test_push', {
      as: 'subscriber',
      edition: 'B',
    });
    assert.deepEqual([status, body.queued, body.registered], [202, 1, false]);
    assert.equal((await list()).nodes[0].kind, 'test');
    assert.equal((await service().rest('POST', '/v1/test_push', { edition: 'B' })).status, 401);
    assert.equal(
      (await service().rest('POST', '/v1/test_push', { as: 'subscriber' })).status,
      404,
      'not of edition A',
    );
  });

  it('is listed newest first, page by page, without gaps or repetitions', async () => {
    const at = Date.now();
    for (let i = 0; i < 7; i++) {
      service().now = () => at + Math.floor(i / 2); // some at the same moment
      await notify({ title: `n${i}` });
    }
    const titles: string[] = [];
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list('subscriber', { first: 3, after });
      titles.push(...page.nodes.map(({ title }: { title: string }) => title));
      assert.equal(page.totalCount, 7);
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after);
    assert.deepEqual(titles, ['n6', 'n5', 'n4', 'n3', 'n2', 'n1', 'n0']);
    for (const cursor of [
      'x',
      'W10',
      Buffer.from('["x",1]').toString('base64url'),
      Buffer.from('["2026-01-01",1e99]').toString('base64url'),
    ]) {
      const { body } = await service().graphql(LIST, { after: cursor }, { as: 'subscriber' });
      assert.equal(body.errors[0].extensions.code, 'CURSOR_INVALID');
    }
  });

  it('is read when its reader says so', async () => {
    const READ = 'mutation($ids: [Int!]) { markNotificationsRead(input: { ids: $ids }) { read } }';
    const read = async (ids: number[] | null, as: Caller = 'subscriber') =>
      (await service().graphql(READ, { ids }, { as })).body.data.markNotificationsRead.read;
    const [a, b] = [(await notify({ title: 'a' })).body.id, (await notify({ title: 'b' })).body.id];
    assert.deepEqual(await read([a], 'contributor'), []);
    assert.deepEqual(await read([a, 99]), [a]);
    assert.deepEqual(await read([a]), []);
    const unread = await list('subscriber', { unread: true });
    assert.deepEqual([unread.totalCount, unread.unreadCount, unread.nodes[0].id], [1, 1, b]);
    assert.deepEqual(await read(null), [b]);
    assert.equal((await list()).unreadCount, 0);
  });
});

describe('How somebody wants to be told', () => {
  const service = useService();
  const ALL = 'quietStart quietEnd lockScreenNames renotifyMinutes renotifyTimes missedToCarers';
  const change = (input: object) =>
    service().graphql(
      `mutation($input: NotificationPreferenceInput!) { updateNotificationPreference(input: $input) { ${ALL} } }`,
      { input },
      { as: 'subscriber' },
    );

  it('is discreet unless the member chose otherwise', async () => {
    const { body } = await service().graphql(
      `{ notificationPreference { ${ALL} } }`,
      {},
      { as: 'subscriber' },
    );
    assert.deepEqual(body.data.notificationPreference, {
      quietStart: null,
      quietEnd: null,
      lockScreenNames: false,
      renotifyMinutes: null,
      renotifyTimes: 0,
      missedToCarers: true,
    });
  });

  it('changes by what is given, and stays otherwise', async () => {
    await change({ quietStart: '22:00', quietEnd: '06:30', renotifyMinutes: 10, renotifyTimes: 3 });
    const { body } = await change({
      lockScreenNames: true,
      missedToCarers: false,
      renotifyTimes: null,
    });
    assert.deepEqual(body.data.updateNotificationPreference, {
      quietStart: '22:00',
      quietEnd: '06:30',
      lockScreenNames: true,
      renotifyMinutes: 10,
      renotifyTimes: 3,
      missedToCarers: false,
    });
    const none = await change({ quietStart: null, quietEnd: null, renotifyMinutes: null });
    assert.equal(none.body.data.updateNotificationPreference.quietStart, null);
    assert.equal(none.body.data.updateNotificationPreference.renotifyMinutes, null);
  });

  it('changes by what is given also when two say so at once: neither takes back what the other said', async () => {
    await change({ lockScreenNames: true });
    const other = await service().context('subscriber');
    let second: Promise<unknown> | undefined;
    await transact(await service().context('subscriber'), async (inner) => {
      await updatePreference(inner, { lockScreenNames: false });
      second = updatePreference(other, { renotifyMinutes: 10 });
      await sleep(300);
    });
    await second;
    const { lockScreenNames, renotifyMinutes } =
      await service().database.prisma.notificationPreference.findFirstOrThrow();
    assert.deepEqual(
      { lockScreenNames, renotifyMinutes },
      { lockScreenNames: false, renotifyMinutes: 10 },
    );
  });

  it('repeats reminders three times where it is said after how long, and not how often', async () => {
    const times = async (input: object) =>
      (await change(input)).body.data.updateNotificationPreference.renotifyTimes;
    assert.equal(await times({ renotifyMinutes: 15 }), 3);
    assert.equal(await times({ renotifyTimes: 1 }), 1);
    assert.equal(await times({ renotifyMinutes: 20 }), 1);
    assert.equal(await times({ renotifyMinutes: 20, renotifyTimes: 0 }), 0);
  });

  it('ends the quiet hours by either end as null, unless the other is given a time', async () => {
    for (const input of [{ quietStart: null }, { quietEnd: null }]) {
      await change({ quietStart: '22:00', quietEnd: '06:30' });
      const { quietStart, quietEnd } = (await change(input)).body.data.updateNotificationPreference;
      assert.deepEqual([quietStart, quietEnd], [null, null], JSON.stringify(input));
    }
    await change({ quietStart: '22:00', quietEnd: '06:30' });
    for (const input of [
      { quietStart: null, quietEnd: '06:30' },
      { quietStart: '22:00', quietEnd: null },
    ])
      assert.equal((await change(input)).body.errors[0].extensions.code, 'QUIET_HOURS_INVALID');
    assert.equal((await change({})).body.data.updateNotificationPreference.quietEnd, '06:30');
  });

  it('refuses half of the quiet hours, and what is no time', async () => {
    for (const input of [{ quietStart: '22:00' }, { quietStart: '22:00', quietEnd: '22:00' }])
      assert.equal((await change(input)).body.errors[0].extensions.code, 'QUIET_HOURS_INVALID');
    for (const input of [
      { quietStart: '24:00', quietEnd: '06:00' },
      { renotifyMinutes: 0 },
      { renotifyTimes: 11 },
    ])
      assert.equal((await change(input)).body.errors[0].extensions.code, 'BAD_USER_INPUT');
  });
});
