import type { LineKind } from './line.js';

/** What accounts were told, and what is planned to be. An import sends none of the past again. */
export const NOTIFICATION_LINES: LineKind = {
  name: 'notification',
  table: 'notification',
  fields: {
    accountId: 'integer',
    createdBy: 'integer?',
    aboutId: 'integer?',
    type: { type: 'text', sql: 't.kind' },
    title: 'text',
    body: 'text',
    data: 'text',
    messageId: 'text',
    silent: 'boolean',
    deviceId: 'integer?',
    state: 'text',
    createdAt: 'instant',
    sendAt: 'instant',
    readAt: 'instant?',
  },
  filled: ['kind', 'alert_ids'],
  fill: ({ type }) => ({ kind: type, alert_ids: [] }),
};
