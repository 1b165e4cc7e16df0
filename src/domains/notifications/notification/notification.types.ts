import { JSONObjectResolver, SafeIntResolver } from 'graphql-scalars';
import { ID, Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Rows } from '../../../core/cost.js';
import { enumType } from '../../../core/enum-type.js';
import type { Filter } from '../../../core/filtering.js';
import { Internal } from '../../../core/marks.js';
import { DatabaseId, Node, WideKey } from '../../../core/node.js';
import { connectionType } from '../../../core/paging.js';
import { payloadType } from '../../../core/payload.js';
import { DateTime } from '../../../core/scalars.js';

/** The kinds of notifications. The values are those in the database. */
export const NotificationKinds = enumType('NotificationKind', 'What a notification is about.', {
  MESSAGE: ['message', 'A message from somebody: `sender`.'],
  TEST: ['test', 'A test of the own devices.'],
  REMINDER: ['reminder', 'A medicine or an appointment is due.'],
  REMINDER_UNRECOGNIZED: [
    'reminder_unrecognized',
    'For members and carers: the frequency or a date of a medicine, or the date of an ' +
      'appointment, was not understood, so it will not ring; or the lead of an appointment, ' +
      'which rings when it begins.',
  ],
  REMINDER_CORRECTED: [
    'reminder_corrected',
    'For members and carers: the directions of a medicine were misread by an earlier version, ' +
      'and its times or amounts are other ones now.',
  ],
  REMINDER_DOUBTED: [
    'reminder_doubted',
    'For members and carers: the directions of a medicine can mean several things. It rings as ' +
      'before, until somebody chooses.',
  ],
  MISSED: ['missed', 'For carers: nobody answered for a dose, or a reminder could not be sent.'],
  NO_ANSWERS: [
    'no_answers',
    'For carers, once: the member has never answered a dose, so missed ones are not told.',
  ],
  STOCK_LOW: ['stock_low', 'What is at hand of a medicine runs out soon.'],
  STOCK_EXPIRING: ['stock_expiring', 'A pack of a medicine expires soon.'],
  DEVICE_SUSPENDED: ['device_suspended', 'Somebody removed a device without signing in.'],
  CHANNEL_LOST: ['channel_lost', 'A channel was switched off, because its address is gone.'],
  RECORD_OPENED: [
    'record_opened',
    'A clinician who is not assigned, or an administrator, broke the glass.',
  ],
  OTHER: ['other', 'A kind that a newer version of the service has added.'],
});
/** The kind of a notification. */
export type NotificationKind = (typeof NotificationKinds)[keyof typeof NotificationKinds];

/** The kinds by their values in the database. */
export const NOTIFICATION_KINDS: ReadonlySet<string> = new Set(Object.values(NotificationKinds));

@WideKey()
@ObjectType({ implements: Node, description: 'Something that the viewer was told.' })
export class Notification {
  @DatabaseId({ isWide: true })
  id!: number;

  @Visible(() => NotificationKinds, { description: 'What it is about.' })
  kind!: NotificationKind;

  @Visible({ description: 'Its first line.' })
  title!: string;

  @Visible({ description: 'Its text; may be empty.' })
  body!: string;

  @Visible(() => JSONObjectResolver, {
    nullable: true,
    description:
      'What apps get beside the words: of a message what its sender gave; of reminders and for ' +
      'carers `type` with the ids of occurrences, reminders and, for carers, the member. Null ' +
      'for none.',
  })
  data!: Record<string, unknown> | null;

  @Visible(() => DateTime, { description: 'When it was due, in UTC.' })
  sendAt!: Date;

  @Visible(() => DateTime, {
    nullable: true,
    description: 'When the viewer read it, in UTC; null until then.',
  })
  readAt!: Date | null;

  /** The account that sent it; null when the service did. */
  createdBy!: number | null;
}

@ObjectType({ description: "A page of the viewer's notifications, the newest first." })
export class NotificationConnection extends connectionType(
  Notification,
  'Notification',
  'a notification',
) {
  /** Whether the list contains only unread notifications. */
  unreadOnly!: boolean;
  filter!: Filter | null | undefined;

  @Visible(() => Int, {
    description:
      'Version of the feed NOTIFICATIONS of the viewer that this shows: give it to `changes` ' +
      'as `since`.',
  })
  version!: number;
}

/** What was taken in to be sent. */
export interface QueuedPush {
  readonly id: number | null;
  readonly notificationIds: readonly string[];
  readonly deviceCount: number;
  readonly registered: boolean;
}

/** Makes the payload of a mutation that sends. `name` is that of the mutation. */
function queuedType(name: string) {
  @ObjectType(`${name}Payload`, { description: 'What was taken in to be sent.' })
  class Queued implements QueuedPush {
    @Internal()
    @Visible(() => SafeIntResolver, {
      nullable: true,
      description:
        'Id of the notification, of the first of several; null when nothing was to be sent.',
    })
    id!: number | null;

    @Rows(1_000)
    @Visible(() => [ID], {
      description:
        'Ids of the notifications made, one for each account. `deleteNotifications` cancels ' +
        'those that are not due yet.',
    })
    notificationIds!: string[];

    @Visible(() => Int, { description: 'To how many devices it goes, as of now.' })
    deviceCount!: number;

    @Internal()
    @Visible(() => Boolean, { description: 'Whether this registered a device for the caller.' })
    registered!: boolean;
  }
  return Queued;
}

/** What mutations that send return. */
export const NotifyPayload = queuedType('Notify');
export const SendNotificationPayload = queuedType('SendNotification');
export const TestPushPayload = queuedType('TestPush');

/** What `markNotificationsRead` returns. */
export const MarkNotificationsReadPayload = payloadType<{
  notifications: Notification[];
  unreadCount: number;
}>('MarkNotificationsRead', {
  notifications: {
    type: () => [Notification],
    description: 'Those that were unread until now, the newest first; 1,000 at most.',
    rows: 100,
  },
  unreadCount: {
    type: () => Int,
    description: 'How many notifications the viewer has not read now.',
  },
});

@ObjectType({ description: 'What `deleteNotifications` changed.' })
export class DeleteNotificationsPayload {
  @Internal()
  @Rows(100)
  @Visible(() => [SafeIntResolver], {
    description:
      "Ids of those that were deleted: of those asked for, the ones that were the caller's.",
  })
  deleted!: number[];

  @Rows(100)
  @Visible(() => [ID], {
    description:
      "Ids of those that are gone: of those named, the ones that were the viewer's to delete.",
  })
  deletedNotificationIds!: string[];
}
