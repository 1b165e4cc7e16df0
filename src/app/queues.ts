import type { Deps } from '../core/deps.js';
import { UNSEALED } from '../domains/audit/chain/sealing.service.js';
import { CHANGED_ITEMS } from '../domains/content/item/item-count.service.js';
import { WAITING_PUBLICATIONS } from '../domains/content/item/publishing.service.js';
import { LOST_DELIVERIES } from '../domains/dispatch/undelivered.service.js';
import { WAITING_DELETIONS } from '../domains/files/kept/file-deletion.service.js';
import { WAITING_MAILS } from '../domains/mail/sending.service.js';
import { WAITING_NOTIFICATIONS } from '../domains/notifications/delivery/delivery.service.js';
import {
  waitingDeliveries,
  waitingReceipts,
} from '../domains/notifications/delivery/delivery-claim.service.js';
import { WAITING_RESETS } from '../domains/passwords/reset-code.service.js';
import { WAITING_ALERTS } from '../domains/reminders/alert/due-alert.service.js';
import { WAITING_PLANS } from '../domains/reminders/alert/plan-due.service.js';
import { WAITING_STOCKS } from '../domains/reminders/stock/stock-check.service.js';
import { WAITING_MAILINGS } from '../domains/reports/mailing/report-mails.service.js';
import { ROLLUP_QUEUES } from '../domains/reports/rollup/rollup.service.js';
import { WAITING_SIGN_IN_CODES } from '../domains/sign-in/code/sign-in-code.service.js';
import { type Queue, queueMeasure } from '../platform/jobs/queues.js';
import type { RollingJob } from '../platform/jobs/rolling.js';
import { RECIPIENT_KINDS } from '../platform/push/push-transport.js';

/** What waits for jobs in the database, by the names of these jobs. */
const QUEUES: readonly Queue[] = [
  { name: 'plan', waiting: WAITING_PLANS },
  { name: 'publish', waiting: WAITING_PUBLICATIONS },
  { name: 'sign-in codes', waiting: WAITING_SIGN_IN_CODES },
  { name: 'counts of items', waiting: CHANGED_ITEMS, isNumbered: true },
  { name: 'audit', waiting: UNSEALED },
  { name: 'files', waiting: WAITING_DELETIONS },
  ...ROLLUP_QUEUES,
  { name: 'mails of reports', waiting: WAITING_MAILINGS },
  { name: 'reset codes', waiting: WAITING_RESETS },
  { name: 'mail', waiting: WAITING_MAILS },
  { name: 'hand over', waiting: WAITING_ALERTS },
  { name: 'look after undelivered reminders', waiting: LOST_DELIVERIES, isNumbered: true },
  { name: 'tell of stock', waiting: WAITING_STOCKS },
  ...RECIPIENT_KINDS.map((kind) => ({ name: `deliver ${kind}`, waiting: waitingDeliveries(kind) })),
  { name: 'receipts expo', waiting: waitingReceipts('expo') },
  { name: 'plan deliveries', waiting: WAITING_NOTIFICATIONS },
];

/** Returns the job that measures how much waits for others, and for how long. */
export const queueJob = (deps: Deps): RollingJob => ({
  name: 'queues',
  every: 15_000,
  run: queueMeasure(deps, QUEUES),
});
