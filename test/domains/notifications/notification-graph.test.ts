import { globalId } from '../../../src/core/node.js';
import { expandDue } from '../../../src/domains/notifications/delivery/delivery.service.js';
import { makeDevice } from '../../support/factories.js';
import { errorCode, useService } from '../../support/harness.js';

const HOUR = 60 * 60 * 1000;
const SEND =
  'mutation($input: SendNotificationInput!) { sendNotification(input: $input) { notificationIds ' +
  'deviceCount } }';

describe('Notifications as a graph', () => {
  const service = useService();

  it('are listed page by page both ways, each once', async () => {
    for (let i = 0; i < 5; i++) await service().data(SEND, { input: { title: `n${i}` } });
    const query =
      'query($first: Int, $after: String, $last: Int, $before: String) { notifications(first: ' +
      '$first, after: $after, last: $last, before: $before) { nodes { title } pageInfo { ' +
      'hasNextPage hasPreviousPage startCursor endCursor } } }';
    const read = async (page: object) => (await service().data(query, page)).notifications;
    const titles = ({ nodes }: { nodes: { title: string }[] }) => nodes.map(({ title }) => title);
    const first = await read({ first: 3 });
    const second = await read({ first: 3, after: first.pageInfo.endCursor });
    expect([...titles(first), ...titles(second)]).toStrictEqual(['n4', 'n3', 'n2', 'n1', 'n0']);
    expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    const last = await read({ last: 3 });
    expect(titles(last)).toStrictEqual(['n2', 'n1', 'n0']);
    expect(last.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    const before = await read({ last: 3, before: last.pageInfo.startCursor });
    expect(titles(before)).toStrictEqual(['n4', 'n3']);
    expect(before.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
  });

  it('are listed and read by a process whose clock is behind that of the one that told them', async () => {
    const now = Date.now();
    service().at(now);
    const ahead = await service().beside({ clock: Object.assign(() => now + 3_000) });
    await ahead.data(SEND, { input: { title: 'x' } });
    await ahead.stop();
    const { notifications } = await service().data(
      '{ notifications { unreadCount nodes { title } } }',
    );
    expect(notifications).toStrictEqual({ unreadCount: 1, nodes: [{ title: 'x' }] });
    const read = 'mutation { markNotificationsRead(input: {}) { unreadCount } }';
    expect(await service().data(read)).toStrictEqual({ markNotificationsRead: { unreadCount: 0 } });
  });

  it('are planned for others at a moment, and cancelled by the ids of the answer', async () => {
    const at = Date.now();
    service().at(at);
    const { id } = await service().account('subscriber');
    const sendAt = new Date(at + HOUR).toISOString();
    const input = { title: 'x', recipientIds: [globalId('Account', id)], sendAt };
    const plan = async () =>
      (await service().data(SEND, { input }, 'administrator')).sendNotification;
    const { notificationIds } = await plan();
    const cancel =
      'mutation($ids: [ID!]!) { deleteNotifications(input: { ids: $ids }) { ' +
      'deletedNotificationIds unreadCount } }';
    const cancelled = await service().data(cancel, { ids: notificationIds }, 'administrator');
    expect(cancelled.deleteNotifications).toStrictEqual({
      deletedNotificationIds: notificationIds,
      unreadCount: 0,
    });
    await plan();
    service().at(at + HOUR);
    expect(await expandDue(service().app.deps)).toBe(1);
    const shown = '{ notifications { nodes { sendAt sender { name } } } }';
    expect((await service().data(shown)).notifications.nodes).toStrictEqual([
      { sendAt, sender: { name: 'The administrator' } },
    ]);
  });

  it('name every mistake in a message at once, by its path', async () => {
    const input = {
      title: ' ',
      recipientIds: Array.from({ length: 1_001 }, (_, i) => i + 1),
      sendAt: new Date(Date.now() - HOUR).toISOString(),
    };
    const body = await service().ask(SEND, { input });
    expect(body.data).toStrictEqual({ sendNotification: null });
    const { problems } = body.errors[0].extensions;
    expect(
      problems.map(({ path, code }: { path: string[]; code: string }) => [path, code]),
    ).toStrictEqual([
      [['input', 'title'], 'TITLE_REQUIRED'],
      [['input', 'recipientIds'], 'TOO_MANY'],
      [['input', 'sendAt'], 'SEND_AT_INVALID'],
    ]);
    const other = { title: 'x', recipientIds: [globalId('Post', 1)] };
    const refused = await service().ask(SEND, { input: other });
    expect(refused.errors[0].extensions.problems[0]).toMatchObject({
      path: ['input', 'recipientIds', 0],
      code: 'ID_INVALID',
    });
  });

  it('of a kind that this version does not know are OTHER, and the list stays whole', async () => {
    await service().data(SEND, { input: { title: 'x' } });
    await service().database.prisma.notification.updateMany({ data: { kind: 'from_the_future' } });
    const { notifications } = await service().data('{ notifications { nodes { kind } } }');
    expect(notifications.nodes).toStrictEqual([{ kind: 'OTHER' }]);
  });

  it('show their senders in as many statements for many as for one', async () => {
    const { id } = await service().account('subscriber');
    const send = (as: 'administrator' | 'subscriber') =>
      service().data(SEND, { input: { title: 'x', recipientIds: [id] } }, as);
    const query = '{ notifications { nodes { sender { name } } } }';
    const read = () => service().statements(() => service().data(query));
    await send('administrator');
    await read();
    const one = await read();
    for (let i = 0; i < 3; i++) await send('subscriber');
    expect(await read()).toBe(one);
  });

  it('go to devices, which are read again by their owner alone', async () => {
    await makeDevice(service());
    const [{ id, databaseId }] = (await service().data('{ devices { id databaseId } }')).devices;
    expect(id).toBe(globalId('Device', databaseId));
    const read = 'query($id: ID!) { node(id: $id) { id ... on Device { kind } } }';
    expect((await service().data(read, { id })).node).toStrictEqual({ id, kind: 'EXPO' });
    expect((await service().data(read, { id }, 'author')).node).toBeNull();
    const remove = 'mutation($id: ID!) { removeDevice(input: { id: $id }) { deletedDeviceId } }';
    expect(errorCode(await service().ask(remove, { id: globalId('Account', 1) }))).toBe(
      'ID_INVALID',
    );
    expect((await service().data(remove, { id: databaseId })).removeDevice).toStrictEqual({
      deletedDeviceId: id,
    });
  });

  it('have quiet hours by the clock of the zone beside them', async () => {
    await service().data('{ devices { id } }');
    const where = { usernameKey: 'subscriber' };
    const timeZone = 'America/New_York';
    await service().database.prisma.account.update({ where, data: { timeZone } });
    const set =
      'mutation { updateNotificationPreference(input: { quietStart: "22:00", quietEnd: "06:30" }) ' +
      '{ notificationPreference { quietStart quietEnd timeZone } } }';
    const { updateNotificationPreference } = await service().data(set);
    expect(updateNotificationPreference.notificationPreference).toStrictEqual({
      quietStart: '22:00',
      quietEnd: '06:30',
      timeZone,
    });
  });
});
