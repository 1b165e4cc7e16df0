import { type Deps, RequestContext, transact } from '../../context.js';
import { LATE_WINDOW } from '../../platform/push/transport.js';
import { carersInOrder } from '../accounts/care-relation.service.js';
import { ANONYMOUS } from '../accounts/viewer.js';
import { queueMessages } from '../notifications/delivery.service.js';
import { GRACE } from '../reminders/calendar.types.js';
import { type DueOccurrence, type FollowUp, holdDue, planFollowUps, settleDue } from '../reminders/due-occurrence.service.js';
import type { OccurrenceState } from '../reminders/occurrence.service.js';
import type { SiteSettings } from '../site/site.types.js';
import { observeReminder } from './handover.metrics.js';
import { noticeMessages } from './notice-message.js';
import { type Recipient, recipientsOf } from './recipient.service.js';
import { reminderMessages } from './reminder-message.js';

const MINUTE = 60_000;
/** How many due occurrences one transaction takes; what else is due for their accounts comes along. */
const BATCH = 1_000;

interface Judged extends DueOccurrence {
  readonly state: OccurrenceState;
}

/**
 * Hands due occurrences over to delivery, a batch a transaction: holds them, queues the messages, plans what follows and settles them, all
 * or nothing. So a process that dies has done nothing, and no occurrence is lost, or sent twice, by it; several processes share the work.
 * A member without a device gets the notification in the list alone; whose last device died was told by mail when it did.
 * Answers how many occurrences it settled.
 */
export async function handOver(
  deps: Deps,
  { site, stopping, batch = BATCH }: { site: SiteSettings; stopping?: AbortSignal; batch?: number },
): Promise<number> {
  const context = new RequestContext(deps, { viewer: ANONYMOUS, site, siteUrl: '', requestId: 'hand-over' });
  for (let sum = 0; ; ) {
    const { count, full } = await transact(context, (inner) => handOverBatch(inner, batch));
    sum += count;
    if (!full || stopping?.aborted) return sum;
  }
}

/** A constant number of statements, whatever is due. */
async function handOverBatch(context: RequestContext, batch: number): Promise<{ count: number; full: boolean }> {
  const { due, full } = await holdDue(context, batch);
  if (due.length === 0) return { count: 0, full };
  const now = context.now();
  const pushes = due.filter(({ channel }) => channel === 'push').map((one) => judged(one, now.getTime()));
  const notices = due.filter(({ channel }) => channel === 'carers');
  const missed = notices.filter(({ moot }) => !moot);
  const members = [...new Set(due.filter(({ moot }) => !moot).map(({ accountId }) => accountId))];
  const carers = await carersOf(context, members);
  const told = missed.flatMap(({ accountId }) => carers.get(accountId) ?? []);
  const recipients = await recipientsOf(context, [...members, ...told]);

  const sent = pushes.filter(({ state }) => GOING.has(state));
  await queueMessages(context, { kind: 'reminder' }, reminderMessages(sent, recipients, now.getTime()));
  const messages = noticeMessages(missed, recipients, carers, now);
  await queueMessages(context, { kind: 'missed' }, messages);
  await planFollowUps(context, followUps(pushes, recipients, carers, now.getTime()));
  const carried = new Set(messages.flatMap(({ occurrenceIds }) => occurrenceIds ?? []));
  const judgedNotices = notices.map(({ id }) => ({ id, state: carried.has(id) ? ('sent' as const) : ('cancelled' as const) }));
  await settleDue(context, [...pushes, ...judgedNotices]);
  context.afterCommit(() => {
    for (const { state, dueAt } of pushes) observeReminder(state, now.getTime() - dueAt.getTime());
  });
  return { count: due.length, full };
}

const GOING: ReadonlySet<OccurrenceState> = new Set(['sent', 'late']);

/** Up to half an hour late a reminder goes out; deliveries have the rest of that time. */
function judged(one: DueOccurrence, now: number): Judged {
  const late = now - one.dueAt.getTime();
  if (one.moot) return { ...one, state: 'cancelled' };
  if (late >= LATE_WINDOW) return { ...one, state: 'missed' };
  return { ...one, state: late > MINUTE ? 'late' : 'sent' };
}

async function carersOf(context: RequestContext, members: readonly number[]): Promise<Map<number, readonly number[]>> {
  const carers = await carersInOrder(context, members);
  return new Map(members.map((id, i) => [id, carers[i] ?? []]));
}

/**
 * What follows from a reminder: its repetition, as the member chose; and for members with carers the look at the end of the grace time, or at
 * once when it was too late to send. A repetition comes after the one before that went out, and never when the grace time is over.
 */
function followUps(
  pushes: readonly Judged[],
  recipients: ReadonlyMap<number, Recipient>,
  carers: ReadonlyMap<number, readonly number[]>,
  now: number,
): FollowUp[] {
  return pushes.flatMap((of): FollowUp[] => {
    const graceEnds = of.plannedAt.getTime() + GRACE;
    const missed = of.state === 'missed';
    const next: FollowUp[] = [];
    if ((carers.get(of.accountId)?.length ?? 0) > 0 && of.repetition === 0 && (missed || watched(of))) {
      next.push({ of, channel: 'carers', dueAt: missed ? now : graceEnds, repetition: 0 });
    }
    const preference = recipients.get(of.accountId)?.preference;
    if (preference?.renotifyMinutes && watched(of) && of.repetition !== null && of.repetition < preference.renotifyTimes) {
      const wait = preference.renotifyMinutes * MINUTE;
      const dueAt = of.dueAt.getTime() + wait > now ? of.dueAt.getTime() + wait : now + wait;
      if (dueAt < graceEnds) next.push({ of, channel: 'push', dueAt, repetition: of.repetition + 1 });
    }
    return next;
  });
}

/** Doses are answered for; appointments are not. */
const watched = ({ kind, state }: Judged) => kind === 'medicine' && GOING.has(state);
