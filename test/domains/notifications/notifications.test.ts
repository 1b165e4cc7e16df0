import { globalId } from '../../../src/core/node.js';
import { expandDue } from '../../../src/domains/notifications/delivery/delivery.service.js';
import { type Caller, errorCode, useService } from '../../support/harness.js';
import { expoToken, fcmToken, subscription } from '../../support/provider.js';

const HOUR = 60 * 60 * 1000;
const LIST =
  'query($first: Int, $after: String, $unread: Boolean) { notifications(first: $first, after: $after, unread: $unread) ' +
  '{ totalCount unreadCount nodes { id: databaseId title body data kind readAt sender { name } } edges { cursor ' +
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
    await notify({ push_token: fcmToken('one') });
    await notify({ push_token: expoToken('two') });
    const { status, body } = await notify({
      title: 'Hello',
      body: 'you',
      data: { screen: 'today' },
    });
    expect(status).toBe(202);
    expect(Object.keys(body)).toStrictEqual(['id', 'queued', 'registered']);
    expect([body.queued, body.registered]).toStrictEqual([2, false]);
    expect((await deliveries()).map(({ kind, state }) => [kind, state]).sort()).toStrictEqual([
      ['expo', 'planned'],
      ['fcm', 'planned'],
    ]);
    const { nodes, unreadCount } = await list();
    expect(nodes[0]).toStrictEqual({
      id: body.id,
      title: 'Hello',
      body: 'you',
      data: { screen: 'today' },
      kind: 'MESSAGE',
      readAt: null,
      sender: { name: 'The subscriber' },
    });
    expect(unreadCount).toBe(1);
  });

  it('is taken without a device too: it is there to be read', async () => {
    expect((await notify({ title: 'Hello' })).body.queued).toStrictEqual(0);
    expect((await list()).totalCount).toBe(1);
  });

  it("goes to the one device of a token that is the caller's or within reach; any other token is 403", async () => {
    await notify({ push_token: fcmToken('one') });
    await notify({ push_token: fcmToken('two') });
    const { status, body } = await push({ title: 'Hello', push_token: fcmToken('one') });
    expect([status, body.queued]).toStrictEqual([202, 1]);
    expect(
      (await push({ title: 'Hello', push_token: fcmToken('two') }, 'administrator')).status,
    ).toBe(202);
    for (const push_token of [
      fcmToken('two'),
      fcmToken('unknown'),
      'nobody knows it',
      'x'.repeat(4096),
    ]) {
      const refused = await push({ title: 'Hello', push_token }, 'contributor');
      expect([refused.status, refused.body.code]).toStrictEqual([403, 'rest_forbidden']);
    }
    expect((await push({ title: 'Hello', push_token: fcmToken('one') }, 'anonymous')).status).toBe(
      401,
    );
    expect(await deliveries()).toHaveLength(2);
  });

  it("with a token reaches nobody but the token's account: another account beside it is 403", async () => {
    await notify({ push_token: fcmToken('mine') });
    const [me, other] = [await idOf('subscriber'), await idOf('contributor')];
    expect(
      (await notify({ title: 'x', push_token: fcmToken('mine'), user_id: other })).status,
    ).toBe(403);
    expect((await notify({ push_token: fcmToken('new'), user_id: other })).status).toBe(403);
    for (const user_id of [me, 0]) {
      expect((await notify({ title: 'x', push_token: fcmToken('mine'), user_id })).status).toBe(
        202,
      );
      expect((await notify({ title: 'x', user_id })).status).toBe(202);
      expect(
        (await notify({ push_token: fcmToken('mine'), user_id })).body.registered,
      ).toStrictEqual(true);
    }
  });

  it('needs a title and a token on push_notification, and a title or a token on notify', async () => {
    for (const body of [{}, { title: 'x' }, { push_token: 'x' }]) {
      const { status, body: answer } = await push(body);
      expect([status, answer.code], JSON.stringify(body)).toStrictEqual([
        400,
        'rest_missing_callback_param',
      ]);
    }
    for (const body of [{}, { body: 'x' }, { title: ' ' }, { title: '', user_id: 1 }]) {
      const { status, body: answer } = await notify(body);
      expect([status, answer.code], JSON.stringify(body)).toStrictEqual([
        400,
        'rest_invalid_param',
      ]);
    }
    expect((await push({ title: ' ', push_token: 'x' })).status).toBe(400);
  });

  it('reaches others only within the right to see them: one unknown or forbidden id refuses all', async () => {
    const [me, other] = [await idOf('subscriber'), await idOf('contributor')];
    await service().rest('POST', '/v1/notify', {
      as: 'contributor',
      body: { push_token: fcmToken('theirs') },
    });
    for (const body of [
      { user_id: other },
      { user_ids: [me, other] },
      { user_id: 999_999 },
      { user_ids: [0] },
      { user_ids: [-1] },
    ]) {
      const { status, body: answer } = await notify({ title: 'x', ...body });
      expect([status, answer.code], JSON.stringify(body)).toStrictEqual([403, 'rest_forbidden']);
    }
    expect((await notify({ title: 'x', user_ids: [me, 999_999] }, 'administrator')).status).toBe(
      403,
    );
    expect(await deliveries()).toStrictEqual([]);
    const { body } = await notify(
      { title: 'x', user_ids: [me, other, other], user_id: other },
      'administrator',
    );
    expect(body.queued).toBe(1);
    expect([
      (await list('subscriber')).totalCount,
      (await list('contributor')).totalCount,
    ]).toStrictEqual([1, 1]);
    const audited = await service().database.prisma.auditEvent.findMany({
      orderBy: { subjectId: 'asc' },
    });
    expect(audited.map(({ action, subjectId }) => [action, subjectId])).toStrictEqual(
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
    await notify({ push_token: fcmToken('one') });
    const { status, body } = await notify({ title: 'x', user_ids: ids }, 'administrator');
    expect([status, body.queued]).toStrictEqual([202, 1]);
    expect(await service().database.prisma.notification.count()).toBe(1000);
    const refused = await notify({ title: 'x', user_ids: [...ids, 1] }, 'administrator');
    expect([refused.status, refused.body.data.details.user_ids.code]).toStrictEqual([
      400,
      'rest_too_many_items',
    ]);
  });

  it('is queued and delivered to any number of devices in as many statements as to one', async () => {
    await notify({ push_token: fcmToken('one') });
    await notify({ title: 'x' });
    const one = await service().statements(() => notify({ title: 'x' }));
    for (let i = 0; i < 9; i++) await notify({ push_token: fcmToken(`fcm:${i}`) });
    expect(await service().statements(() => notify({ title: 'x' }))).toBe(one);
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
    expect(await send(ids)).toBe(one);
    const traces = await service().database.prisma.auditEvent.count({
      where: { action: 'notification.send' },
    });
    expect(traces).toBe(4 + 1 + 4);
  });

  it('is refused when it is too large for a push, and nothing is sent', async () => {
    await notify({ push_token: fcmToken('one') });
    const refusals = [
      { title: 'x'.repeat(4096) },
      { title: 'x', body: 'ü'.repeat(2100) },
      { title: 'x', data: { text: 'y'.repeat(4096) } },
    ];
    for (const body of refusals) {
      const { status, body: answer } = await notify(body);
      expect([status, answer.code]).toStrictEqual([400, 'rest_push_too_large']);
      expect((await push({ push_token: fcmToken('one'), ...body })).status).toBe(400);
    }
    expect(await deliveries()).toStrictEqual([]);
    expect((await list()).totalCount).toBe(0);
    const fitting = { title: 'x', body: 'y'.repeat(3970) };
    expect((await notify(fitting)).status).toBe(202);
    await notify({ push_token: subscription('https://push.example.com/1') });
    expect((await notify(fitting)).status, 'a browser takes less').toBe(400);
    expect(
      (await push({ ...fitting, push_token: fcmToken('one') })).status,
      'but only where there is one',
    ).toBe(202);
  });

  it('takes data as an object or as its JSON, and nothing else', async () => {
    for (const data of [{ a: [1, { b: null }] }, '{"a":1}', { ключ: '💊' }, {}])
      expect((await notify({ title: 'x', data })).status, JSON.stringify(data)).toBe(202);
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
      expect((await notify({ title: 'x', data })).status, JSON.stringify(data).slice(0, 30)).toBe(
        400,
      );
    const raw = `{"title":"x","data":{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    const headers = { 'content-type': 'application/json' };
    expect(
      (await service().rest('POST', '/v1/notify', { as: 'subscriber', raw, headers })).status,
    ).toBe(400);
  });

  it('keeps strange texts, whatever they hold', async () => {
    for (const title of ['💊', '\u0001', "'; DROP TABLE device --", '<script>', '{1,2}', '"\\']) {
      expect(
        (await notify({ title, body: title, data: { title } })).status,
        JSON.stringify(title),
      ).toBe(202);
      const [node] = (await list('subscriber', { first: 1 })).nodes;
      expect(node.title).toBe(title);
      expect(node.data).toStrictEqual({ title });
    }
    expect((await notify({ title: '\u0000' })).status).toBe(400);
    const half = await service().graphql(
      'mutation($input: SendNotificationInput!) { sendNotification(input: $input) { notificationIds } }',
      { input: { title: '\ud800', data: { half: '\ud800' } } },
      { as: 'subscriber' },
    );
    expect(half.body.data.sendNotification.notificationIds).toHaveLength(1);
    expect((await notify({ title: 7 })).status, 'numbers are as good as text').toBe(202);
  });

  it('waits until send_at, which may have an offset; without one it is the clock by which the member is reminded', async () => {
    const at = Date.parse('2026-07-01T08:00:00Z');
    service().at(at);
    await notify({ push_token: fcmToken('one') });
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
      expect((await notify({ title: send_at, send_at })).body.queued, send_at).toBe(1);
    expect(await deliveries()).toStrictEqual([]);
    expect((await list()).totalCount, 'nobody is told before').toBe(0);
    expect(await expandDue(service().app.deps)).toBe(0);
    const later = at + 2 * HOUR;
    service().at(later + 250);
    await notify({ push_token: fcmToken('another') });
    expect(await expandDue(service().app.deps)).toBe(4);
    const due = (await deliveries()).map(({ dueAt }) => dueAt.getTime());
    expect(due, 'to the devices of then').toHaveLength(8);
    for (const time of due) expect(time === later || time === later + 250).toBe(true);
    expect((await list()).totalCount).toBe(4);
  });

  it('takes a send_at without an offset by the Time-Zone header, and by what an earlier one taught, where the profile names no zone', async () => {
    const at = Date.parse('2026-07-01T08:00:00Z');
    service().at(at);
    const send_at = '2026-07-01T18:00:00';
    const sent = async (headers = {}) => {
      const { id } = (await notify({ title: 'x', send_at }, 'subscriber', headers)).body;
      return (
        await service().database.prisma.notification.findUniqueOrThrow({ where: { id } })
      ).sendAt.toISOString();
    };
    expect(await sent()).toBe('2026-07-01T18:00:00.000Z');
    expect(await sent({ 'time-zone': 'Asia/Tokyo' })).toBe('2026-07-01T09:00:00.000Z');
    await service().rest('POST', '/v1/medicine_reminder', {
      edition: 'B',
      as: 'subscriber',
      body: { frequency_type: 'daily', start_date: '2026-07-01' },
      headers: { 'time-zone': 'Europe/Berlin' },
    });
    expect(await sent()).toBe('2026-07-01T16:00:00.000Z');
  });

  it('refuses a send_at that is none, too far or too long ago', async () => {
    const at = Date.parse('2026-07-01T08:00:00Z');
    service().at(at);
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
      expect((await notify({ title: 'x', send_at })).status, JSON.stringify(send_at)).toBe(400);
    const { data } = (await notify({ title: 'x', send_at: '2027-02-29T08:00:00Z' })).body;
    expect(data.params).toStrictEqual({
      send_at: 'send_at must be a date and time such as 2026-03-01T08:00:00.',
    });
    for (const send_at of [
      '',
      1782892800,
      '2026-07-01T07:30:01Z',
      '2026-07-01T08:00:00Z',
      '2027-07-02T08:00:00Z',
    ])
      expect((await notify({ title: 'x', send_at })).status, String(send_at)).toBe(202);
  });

  it('is queued once under an Idempotency-Key', async () => {
    await notify({ push_token: fcmToken('one') });
    const headers = { 'idempotency-key': 'k1' };
    const first = await notify({ title: 'x' }, 'subscriber', headers);
    const second = await notify({ title: 'x' }, 'subscriber', headers);
    expect(second.body).toStrictEqual(first.body);
    expect(await deliveries()).toHaveLength(1);
  });

  it('is deleted by who got it, with what is still to be sent; ids of others are passed over, and not told apart', async () => {
    await notify({ push_token: fcmToken('one') });
    const mine = (await notify({ title: 'x' })).body.id;
    const theirs = (await notify({ title: 'x' }, 'contributor')).body.id;
    for (const ids of [[mine, theirs, 999_999, -1, 0], `${mine},${theirs}`, String(theirs), mine]) {
      const { status, body } = await remove(ids, 'author');
      expect([status, body]).toStrictEqual([200, { deleted: [] }]);
    }
    expect((await remove([mine, theirs, 99_999_999_999, mine])).body).toStrictEqual({
      deleted: [mine],
    });
    expect((await remove([mine])).body).toStrictEqual({ deleted: [] });
    expect(await deliveries()).toStrictEqual([]);
    expect((await list('contributor')).totalCount).toBe(1);
  });

  it('may have a number of more than 32 bits', async () => {
    await service().database.query('ALTER SEQUENCE notification_id_seq RESTART 4000000000');
    const ids = [
      (await notify({ title: 'x' })).body.id,
      (await notify({ title: 'y' }, 'subscriber', { 'idempotency-key': 'y' })).body.id,
      (await notify({ title: 'y' }, 'subscriber', { 'idempotency-key': 'y' })).body.id,
    ];
    expect(ids).toStrictEqual([4_000_000_000, 4_000_000_001, 4_000_000_001]);
    const { nodes } = await service()
      .data('{ notifications(first: 5) { nodes { id databaseId } } }')
      .then(({ notifications }) => notifications);
    expect(nodes.map(({ databaseId }: { databaseId: number }) => databaseId)).toStrictEqual([
      4_000_000_001, 4_000_000_000,
    ]);
    const read = '($id: ID!) { node(id: $id) { ... on Notification { databaseId } } }';
    expect(await service().data(`query${read}`, { id: nodes[0].id })).toStrictEqual({
      node: { databaseId: 4_000_000_001 },
    });
    expect((await remove(ids)).body).toStrictEqual({ deleted: ids.slice(0, 2) });
  });

  it('is cancelled by who planned it, until it is due', async () => {
    const at = Date.now();
    service().at(at);
    const user_id = await idOf('subscriber');
    const sent = (await notify({ title: 'x', user_id }, 'administrator')).body.id;
    const send_at = new Date(at + HOUR).toISOString();
    const planned = (await notify({ title: 'x', user_id, send_at }, 'administrator')).body.id;
    expect((await remove([sent, planned], 'administrator')).body).toStrictEqual({
      deleted: [planned],
    });
    service().at(at + 2 * HOUR);
    expect(await expandDue(service().app.deps)).toBe(0);
  });

  it('that somebody planned for a member arrives only while they may still see the care of that member', async () => {
    const at = Date.now();
    service().at(at);
    const { prisma } = service().database;
    await notify({ push_token: fcmToken('one') });
    const memberId = await idOf('subscriber');
    const [carerId, clinicianId] = [await idOf('author'), await idOf('clinician')];
    const createdAt = new Date(at);
    const relation = { data: { memberId, carerId, right: 'see', position: 1, createdAt } };
    const { id } = await prisma.careRelation.create(relation);
    await prisma.careAssignment.create({ data: { memberId, clinicianId, createdAt } });
    const send_at = new Date(at + HOUR).toISOString();
    const plan = async () => {
      for (const as of ['subscriber', 'author', 'clinician', 'administrator'] as const)
        expect((await notify({ title: as, user_id: memberId, send_at }, as)).status, as).toBe(202);
    };
    const expand = () => expandDue(service().app.deps);
    const titles = async () =>
      (await list()).nodes.map(({ title }: { title: string }) => title).sort();
    const change = async (query: string, as: Caller) => {
      const { errors } = (await service().graphql(`mutation { ${query} }`, {}, { as })).body;
      expect(errors, query).toBeUndefined();
    };
    for (const [what, left] of [
      [undefined, ['administrator', 'author', 'clinician', 'subscriber']],
      [
        () =>
          prisma.account.update({ where: { id: clinicianId }, data: { roles: ['subscriber'] } }),
        ['administrator', 'author'],
      ],
      [
        () => change(`endCare(input: { id: ${id} }) { careRelation { id } }`, 'subscriber'),
        ['administrator', 'clinician'],
      ],
      [
        () =>
          change(
            `unassignClinician(input: { memberId: ${memberId}, clinicianId: ${clinicianId} }) { careAssignment { createdAt } }`,
            'administrator',
          ),
        ['administrator', 'author'],
      ],
    ] as const) {
      await prisma.notification.deleteMany();
      await prisma.account.update({ where: { id: clinicianId }, data: { roles: ['clinician'] } });
      service().at(at);
      await plan();
      await what?.();
      service().at(at + HOUR);
      expect(await titles(), 'nothing is shown before it is judged').toStrictEqual([]);
      expect(await expand()).toBe(4);
      const expected = [...new Set([...left, 'subscriber'])].sort();
      expect(await titles(), String(what)).toStrictEqual(expected);
      expect(await deliveries(), String(what)).toHaveLength(expected.length);
      await prisma.careRelation.deleteMany();
      await prisma.careRelation.create({ data: { ...relation.data, id } });
    }
    service().at(at);
    expect((await notify({ title: 'erased', user_id: memberId, send_at }, 'author')).status).toBe(
      202,
    );
    await prisma.account.delete({ where: { id: carerId } });
    service().at(at + HOUR);
    expect(await expand()).toBe(1);
    expect((await titles()).includes('erased')).toBeFalsy();
  });

  it('takes ids as a list, as text or alone; nothing else, and at most 1,000', async () => {
    for (const ids of [[1], '1,2', '1', 1, [], ''])
      expect((await remove(ids)).status, JSON.stringify(ids)).toBe(200);
    for (const ids of ['x', ['x'], [1.5], [[1]], 'a0c7f5c2-9a40-4b41-8a55-000000000000']) {
      const { status, body } = await remove(ids);
      expect([status, body.code], JSON.stringify(ids)).toStrictEqual([400, 'rest_invalid_param']);
    }
    expect((await remove(undefined)).body.code).toBe('rest_missing_callback_param');
    expect((await remove(Array.from({ length: 1001 }, (_, i) => i))).status).toBe(400);
    expect((await remove([1], 'anonymous')).status).toBe(401);
  });

  it('of a test says that it arrived', async () => {
    await notify({ push_token: fcmToken('one') });
    const { status, body } = await service().rest('POST', '/v1/test_push', {
      as: 'subscriber',
      edition: 'B',
    });
    expect([status, body.queued, body.registered]).toStrictEqual([202, 1, false]);
    expect((await list()).nodes[0].kind).toBe('TEST');
    expect((await service().rest('POST', '/v1/test_push', { edition: 'B' })).status).toBe(401);
    expect(
      (await service().rest('POST', '/v1/test_push', { as: 'subscriber' })).status,
      'not of edition A',
    ).toBe(404);
  });

  it('is listed newest first, page by page, without gaps or repetitions', async () => {
    const at = Date.now();
    for (let i = 0; i < 7; i++) {
      service().at(at + Math.floor(i / 2)); // some at the same moment
      await notify({ title: `n${i}` });
    }
    const titles: string[] = [];
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list('subscriber', { first: 3, after });
      titles.push(...page.nodes.map(({ title }: { title: string }) => title));
      expect(page.totalCount).toBe(7);
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after);
    expect(titles).toStrictEqual(['n6', 'n5', 'n4', 'n3', 'n2', 'n1', 'n0']);
    for (const cursor of [
      'x',
      'W10',
      Buffer.from('["x",1]').toString('base64url'),
      Buffer.from('["2026-01-01",1e99]').toString('base64url'),
    ]) {
      const { body } = await service().graphql(LIST, { after: cursor }, { as: 'subscriber' });
      expect(errorCode(body)).toBe('CURSOR_INVALID');
    }
  });

  it('is read when its reader says so', async () => {
    const READ =
      'mutation($ids: [ID!]) { markNotificationsRead(input: { ids: $ids }) { unreadCount ' +
      'notifications { databaseId readAt } } }';
    let unreadCount = -1;
    const read = async (ids: (number | string)[] | null, as: Caller = 'subscriber') => {
      const { markNotificationsRead: changed } = await service().data(READ, { ids }, as);
      unreadCount = changed.unreadCount;
      return changed.notifications.map((node: { databaseId: number; readAt: string | null }) => {
        expect(node.readAt).not.toBeNull();
        return node.databaseId;
      });
    };
    const [a, b] = [(await notify({ title: 'a' })).body.id, (await notify({ title: 'b' })).body.id];
    expect(await read([a], 'contributor')).toStrictEqual([]);
    expect(await read([globalId('Notification', a), 99])).toStrictEqual([a]);
    expect(unreadCount).toBe(1);
    expect(await read([a])).toStrictEqual([]);
    const unread = await list('subscriber', { unread: true });
    expect([unread.totalCount, unread.unreadCount, unread.nodes[0].id]).toStrictEqual([1, 1, b]);
    expect(await read(null)).toStrictEqual([b]);
    expect((await list()).unreadCount).toBe(0);
  });
});
