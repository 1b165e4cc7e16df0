import { globalId } from '../../../../src/core/node.js';
import { expandDue } from '../../../../src/domains/notifications/delivery/delivery.service.js';
import { mutation } from '../../../support/harness.js';
import { expoToken } from '../../../support/provider.js';
import { type Call, refused, type Sent, type Stage } from '../calling.js';

const numberOf = async ({ service }: Stage, name: string) =>
  (await service.account('subscriber', name)).id;
const accountOf = async (stage: Stage, name: string) =>
  globalId('Account', await numberOf(stage, name));

/** What each of these members was told. */
const toldTo =
  (...names: string[]) =>
  async ({ service }: Stage) => {
    const query = '{ notifications(first: 5) { nodes { title body data } } }';
    const all: unknown[] = [];
    for (const name of names) {
      const headers = await service.session('subscriber', name);
      all.push((await service.data(query, {}, { headers })).notifications.nodes);
    }
    return all;
  };

/** What Mina is told an hour later. */
const toldLater = async (stage: Stage) => {
  const now = await toldTo('mina')(stage);
  stage.service.at('2026-03-01T09:00:00Z');
  await expandDue(stage.service.app.deps);
  return [now, await toldTo('mina')(stage)];
};

const [ONE, TWO] = [expoToken('one'), expoToken('two')];
/** Registers a device of who calls. */
const registered = async ({ world, by }: Stage, input: object) =>
  world.ask(mutation('registerDevice', 'device { id }'), { input }, by);
const twoDevices = async (stage: Stage) => {
  await registered(stage, { token: ONE, platform: 'one' });
  await registered(stage, { token: TWO, platform: 'two' });
};
/** What the devices of the subscriber are. */
const platforms = async ({ service }: Stage) => {
  const headers = await service.session('subscriber');
  const { devices } = await service.data('{ devices { platform } }', {}, { headers });
  return devices.map(({ platform }: { platform: string }) => platform).sort();
};

const message = { title: 'A', body: 'B' };
const WORDS = (shown: (one: object) => unknown): NonNullable<Call['lines']> => ({
  title: ['One', 'Two'].map((title) => [title, shown({ title })] as const),
  body: ['One', 'Two'].map((body) => [body, shown({ body })] as const),
  data: [{ a: 1 }, { b: [2] }].map((data) => [data, shown({ data })] as const),
});
const SEND_AT: NonNullable<Call['lines']>[string] = [
  ['2026-03-01T08:00:00Z', [[[message]], [[message]]]],
  ['2026-03-01T08:30:00Z', [[[]], [[message]]]],
];

/** Tells the subscriber two things. Returns their ids, the newest first. */
const toldTwice = async (stage: Stage): Promise<string[]> => {
  const { world, service } = stage;
  const recipientIds = [globalId('Account', (await service.account('subscriber')).id)];
  const text = mutation('sendNotification', 'notificationIds');
  const ids: string[] = [];
  for (const title of ['One', 'Two']) {
    const made = await world.ask(text, { input: { title, recipientIds } });
    ids.push(made.sendNotification.notificationIds[0]);
  }
  return ids;
};
const once = new WeakMap<object, string[]>();
const told = async (stage: Stage) => {
  const ids = once.get(stage) ?? (await toldTwice(stage));
  once.set(stage, ids);
  return ids;
};

/** A channel that is not proven yet. */
const channel = async ({ world, by }: Stage): Promise<Sent> => {
  const input = { kind: 'SMS', address: '+4915112345678' };
  const made = await world.ask(mutation('addChannel', 'channel { id }'), { input }, by);
  return { id: made.addChannel.channel.id };
};
const asMember = { as: 'subscriber' } as const;
const shownChannel = 'channel { kind address verifiedAt }';

export const NOTIFICATIONS: readonly Call[] = [
  {
    name: 'sendNotification',
    make: async (stage) => ({ ...message, recipientIds: [await accountOf(stage, 'mina')] }),
    read: toldTo('mina', 'ben'),
    lines: {
      ...WORDS((one) => [[one], []]),
      recipientIds: async (stage) => [
        [[await accountOf(stage, 'mina')], [[message], []]],
        [[await accountOf(stage, 'ben')], [[], [message]]],
      ],
    },
  },
  {
    name: 'sendNotification',
    make: async (stage) => ({ ...message, recipientIds: [await accountOf(stage, 'mina')] }),
    read: toldLater,
    lines: { sendAt: SEND_AT },
  },
  {
    ...asMember,
    name: 'sendNotification',
    route: 'POST /v1/push_notification',
    make: async (stage) => {
      await twoDevices(stage);
      return { ...message, pushToken: ONE };
    },
    lines: {
      pushToken: [
        [ONE, { queued: 1 }],
        [expoToken('nobody'), refused('')],
      ],
    },
  },
  {
    name: 'notify',
    route: 'POST /v1/notify',
    make: async (stage) => ({ ...message, userId: await numberOf(stage, 'mina') }),
    read: toldTo('mina', 'ben'),
    lines: {
      ...WORDS((one) => [[one], []]),
      userId: async (stage) => [
        [await numberOf(stage, 'mina'), [[message], []]],
        [await numberOf(stage, 'ben'), [[], [message]]],
      ],
    },
  },
  {
    name: 'notify',
    route: 'POST /v1/notify',
    make: async (stage) => ({ ...message, userIds: [await numberOf(stage, 'mina')] }),
    read: toldTo('mina', 'ben'),
    lines: {
      userIds: async (stage) => [
        [[await numberOf(stage, 'mina')], [[message], []]],
        [[await numberOf(stage, 'ben')], [[], [message]]],
      ],
    },
  },
  {
    name: 'notify',
    route: 'POST /v1/notify',
    make: async (stage) => ({ ...message, userId: await numberOf(stage, 'mina') }),
    read: toldLater,
    lines: { sendAt: SEND_AT },
  },
  {
    ...asMember,
    name: 'notify',
    route: 'POST /v1/notify',
    make: async (stage) => {
      await twoDevices(stage);
      return { ...message };
    },
    lines: {
      pushToken: [
        [null, { queued: 2 }],
        [ONE, { queued: 1 }],
        [expoToken('nobody'), refused('')],
      ],
    },
  },
  {
    ...asMember,
    name: 'markNotificationsRead',
    make: async (stage) => ({ ids: await told(stage) }),
    shown: 'unreadCount',
    lines: {
      ids: async (stage) => {
        const ids = await told(stage);
        return [
          [ids, { unreadCount: 0 }],
          [ids.slice(1), { unreadCount: 1 }],
          [null, { unreadCount: 0 }],
        ];
      },
    },
  },
  {
    ...asMember,
    name: 'deleteNotifications',
    make: async (stage) => ({ ids: await told(stage) }),
    read: toldTo('subscriber'),
    lines: {
      ids: async (stage) => {
        const [first, second] = await told(stage);
        return [
          [[first], [[{ title: 'Two' }]]],
          [[second], [[{ title: 'One' }]]],
        ];
      },
    },
  },
  {
    ...asMember,
    name: 'registerDevice',
    make: async (stage) => {
      await registered(stage, { token: ONE, platform: 'one', installation: 'first' });
      return { token: TWO, platform: 'two' };
    },
    read: platforms,
    lines: {
      token: [
        [TWO, ['one', 'two']],
        [ONE, ['two']],
        ['no token', refused('')],
      ],
      installation: [
        ['first', ['two']],
        ['second', ['one', 'two']],
      ],
    },
  },
  {
    ...asMember,
    name: 'removePushToken',
    route: 'DELETE /v1/push_token/{token}',
    make: async (stage) => {
      await twoDevices(stage);
      return { token: ONE };
    },
    read: platforms,
    lines: {
      token: [
        [ONE, ['two']],
        [TWO, ['one']],
      ],
    },
  },
  {
    ...asMember,
    name: 'addChannel',
    make: () => ({ kind: 'SMS', address: '01511 2345678', country: 'DE' }),
    shown: shownChannel,
    lines: {
      kind: [
        ['SMS', { channel: { kind: 'SMS' } }],
        ['CHAT', { channel: { kind: 'CHAT' } }],
      ],
      address: [
        ['+4915112345678', { channel: { address: '+4915112345678' } }],
        ['+4915112345679', { channel: { address: '+4915112345679' } }],
      ],
      country: [
        ['DE', { channel: { address: '+4915112345678' } }],
        ['US', refused('CHANNEL_ADDRESS_INVALID')],
      ],
    },
  },
  { ...asMember, name: 'sendChannelCode', make: channel },
  {
    ...asMember,
    name: 'verifyChannel',
    make: async (stage) => {
      const sent = await channel(stage);
      return { ...sent, code: stage.texted() };
    },
    shown: shownChannel,
    lines: {
      code: (_, { code }) => [
        [code, { channel: { verifiedAt: /^2026/ } }],
        [code === '000000' ? '000001' : '000000', refused('CHANNEL_CODE_INVALID')],
      ],
    },
  },
];
