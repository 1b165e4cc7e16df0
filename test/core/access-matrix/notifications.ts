// Devices and notifications: one's own, and messages to others.
import { expoToken } from '../../support/provider.js';
import { type AccessTable, EVERYONE, MESSAGING, NOBODY, SIGNED_IN } from './rules.js';

export const notifications: AccessTable = {
  lines: [
    ['devices', '{ devices { id } }', SIGNED_IN],
    [
      'registerDevice',
      `mutation { registerDevice(input: { token: "${expoToken('phone')}" }) { device { id } } }`,
      SIGNED_IN,
    ],
    [
      'removeDevice',
      'mutation { removeDevice(input: { id: 4711 }) { deletedDeviceId } }',
      SIGNED_IN,
      'DEVICE_NOT_FOUND',
    ],
    ['channelKinds', '{ channelKinds }', EVERYONE],
    ['channels', '{ channels { id } }', SIGNED_IN],
    [
      'addChannel',
      'mutation { addChannel(input: { kind: CHAT, address: "@mina" }) { channel { id } } }',
      SIGNED_IN,
      'CHANNELS_NOT_CONFIGURED',
    ],
    [
      'sendChannelCode',
      'mutation { sendChannelCode(input: { id: 4711 }) { channel { id } } }',
      SIGNED_IN,
      'CHANNELS_NOT_CONFIGURED',
    ],
    [
      'verifyChannel',
      'mutation { verifyChannel(input: { id: 4711, code: "123456" }) { channel { id } } }',
      SIGNED_IN,
      'CHANNEL_NOT_FOUND',
    ],
    [
      'updateChannel',
      'mutation { updateChannel(input: { id: 4711, reminders: true }) { channel { id } } }',
      SIGNED_IN,
      'CHANNEL_NOT_FOUND',
    ],
    [
      'removeChannel',
      'mutation { removeChannel(input: { id: 4711 }) { deletedChannelId } }',
      SIGNED_IN,
      'CHANNEL_NOT_FOUND',
    ],
    ['webPushPublicKey', '{ webPushPublicKey }', EVERYONE],
    ['notifications', '{ notifications { nodes { id } } }', SIGNED_IN],
    [
      'markNotificationsRead',
      'mutation { markNotificationsRead(input: {}) { unreadCount } }',
      SIGNED_IN,
    ],
    [
      'deleteNotifications',
      'mutation { deleteNotifications(input: { ids: [4711] }) { deletedNotificationIds } }',
      SIGNED_IN,
    ],
    ['notificationPreference', '{ notificationPreference { quietStart } }', SIGNED_IN],
    [
      'updateNotificationPreference',
      'mutation { updateNotificationPreference(input: { lockScreenNames: true }) { notificationPreference { ' +
        'lockScreenNames } } }',
      SIGNED_IN,
    ],
    [
      'sendNotification',
      'mutation { sendNotification(input: { title: "x" }) { deviceCount } }',
      SIGNED_IN,
    ],
    [
      'sendNotification',
      'mutation { sendNotification(input: { title: "x", recipientIds: [4711] }) { deviceCount } }',
      NOBODY,
    ],
    ['testPush', 'mutation { testPush { deviceCount } }', SIGNED_IN],
  ],
  members: [
    [
      'sendNotification',
      'mutation { sendNotification(input: { title: "x", recipientIds: [$member] }) { deviceCount } }',
      MESSAGING,
      'FORBIDDEN',
    ],
  ],
};
