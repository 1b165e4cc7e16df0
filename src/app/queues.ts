import type { Deps } from '../core/deps.js';
import { WAITING_MAILS } from '../domains/mail/sending.service.js';
import { waitingDeliveries } from '../domains/notifications/delivery/delivery-claim.service.js';
import { WAITING_ALERTS } from '../domains/reminders/alert/due-alert.service.js';
import { measureQueues, type Queue } from '../platform/jobs/queues.js';
import type { RollingJob } from '../platform/jobs/rolling.js';
import { RECIPIENT_KINDS } from '../platform/push/push-transport.js';

/** What waits for jobs in the database, by the names of these jobs. */
const QUEUES: readonly Queue[] = [
  { name: 'hand over', waiting: WAITING_ALERTS },
  ...RECIPIENT_KINDS.map((kind) => ({ name: `deliver ${kind}`, waiting: waitingDeliveries(kind) })),
  { name: 'mail', waiting: WAITING_MAILS },
];

/** Returns the job that measures how much waits for others, and for how long. */
export const queueJob = (deps: Deps): RollingJob => ({
  name: 'queues',
  every: 15_000,
  run: () => measureQueues(deps, QUEUES),
});
