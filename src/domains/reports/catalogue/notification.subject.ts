import { DeviceKind } from '../../notifications/device/device.types.js';
import {
  NOTIFICATION_KINDS,
  NotificationKinds,
} from '../../notifications/notification/notification.types.js';
import { listed } from './listed.service.js';
import { quantilesOf } from './spread.js';
import {
  counted,
  LANGUAGE,
  MEMBERS,
  type Spread,
  type Subject,
  timeDimensions,
} from './subject.js';

/** Seconds from when a message was due to when it was sent. */
const LATENESS: Spread = {
  column: 'lateness',
  count: 'sent',
  ends: [0, 1, 5, 10, 30, 60, 120, 300, 900, 3_600, 86_400],
};
const DAY = 'on the day on which they were due';
/** No notification is stored as OTHER: it stands for kinds of newer versions. */
const KINDS = [...NOTIFICATION_KINDS].filter((kind) => kind !== NotificationKinds.OTHER);

/** Deliveries of notifications to devices. */
export const notificationSubject: Subject = {
  name: 'notification',
  description:
    'Deliveries of notifications to devices of which it is known what became of them, each on the ' +
    "day on which it was due, by the clocks of the site's zone; those too that were deleted since.",
  dimensions: [
    ...timeDimensions("in the site's zone"),
    LANGUAGE,
    {
      name: 'transport',
      type: 'text',
      isPart: true,
      values: Object.values(DeviceKind),
      description: 'expo, fcm, web, sms or chat.',
    },
    {
      name: 'kind',
      type: 'text',
      isPart: true,
      known: listed({ subject: 'notification', name: 'kind', values: KINDS }),
      description: 'Kind of the notification, such as reminder.',
    },
    {
      name: 'platform',
      type: 'text',
      isFreeText: true,
      description:
        'Platform of the device, in lower case, such as ios; null when it has none. Months that ' +
        'were closed before this was counted have no cells by it.',
    },
  ],
  counts: ['deliveries', 'sent', 'failed', 'missed', 'lateSeconds'],
  spread: LATENESS,
  measures: [
    counted('deliveries', `Messages to devices, ${DAY}.`),
    counted('sent', `Those of them that the push service took, ${DAY}.`),
    counted('failed', `Those of them that it refused, or whose device is gone, ${DAY}.`),
    counted('missed', `Those of them that were too late to be sent, ${DAY}.`),
    {
      name: 'deliveryRate',
      type: 'float',
      most: 1,
      description: `sent / (sent + failed + missed), 0 to 1, ${DAY}; null when there is none.`,
      of: ({ sent = 0, failed = 0, missed = 0 }) =>
        sent + failed + missed > 0 ? sent / (sent + failed + missed) : null,
    },
    {
      name: 'meanLateness',
      type: 'float',
      description: `Seconds from when they were due to when they were sent, over \`sent\`, ${DAY}.`,
      of: ({ lateSeconds = 0, sent = 0 }) => (sent > 0 ? lateSeconds / sent : null),
    },
    ...quantilesOf(
      LATENESS,
      'Lateness',
      `\`sent\`, in whole seconds from when they were due to when they were sent, ${DAY}.`,
    ),
    MEMBERS,
  ],
  facts: `SELECT d.account_id, (d.due_at AT TIME ZONE $1)::date AS day,
      extract(hour FROM d.due_at AT TIME ZONE $1)::int AS hour,
      d.transport AS "transport", d.kind,
      left(lower(trim(coalesce(d.platform, ''))), 60) AS "platform", 1 AS "deliveries",
      (d.state IN ('accepted', 'sent'))::int AS "sent",
      (d.state IN ('failed', 'dead'))::int AS "failed", (d.state = 'missed')::int AS "missed",
      CASE WHEN d.state IN ('accepted', 'sent') THEN least(86400,
        greatest(0, extract(epoch FROM d.sent_at - d.due_at)))::int ELSE 0 END AS "lateSeconds",
      CASE WHEN d.state IN ('accepted', 'sent') THEN floor(least(86400,
        greatest(0, extract(epoch FROM d.sent_at - d.due_at))))::int END AS "lateness"
    FROM (SELECT n.account_id, d.due_at, d.kind AS transport, n.kind, d.state, d.sent_at,
          v.platform
        FROM delivery d JOIN notification n ON n.id = d.notification_id
          JOIN device v ON v.id = d.device_id
      UNION ALL SELECT account_id, at, fact ->> 'transport', fact ->> 'kind', fact ->> 'state',
        (fact ->> 'sentAt')::timestamptz, fact ->> 'platform' FROM report_kept WHERE subject = 'notification') d
    WHERE d.state IN ('accepted', 'sent', 'failed', 'dead', 'missed')`,
};
