import type { RequestContext } from '../../core/context.js';
import type { Deps } from '../../core/deps.js';
import { serviceContext } from '../../core/service-context.js';
import { transact } from '../../core/transact.js';
import { type Batch, type Groups, isolate } from '../../platform/jobs/isolate.js';
import { LATE_WINDOW } from '../../platform/push/transport.js';
import { carersInOrder } from '../care/care-relation.service.js';
import { type QueuedMessage, queueMessages } from '../notifications/delivery/delivery.service.js';
import {
  type DueOccurrence,
  type FollowUp,
  holdDue,
  passOverDue,
  planFollowUps,
  settleDue,
} from '../reminders/alert/due-occurrence.service.js';
import type { OccurrenceState } from '../reminders/alert/occurrence.service.js';
import { GRACE } from '../reminders/calendar/calendar.types.js';
import { observeReminder } from './handover.metrics.js';
import { type Notice, noticeMessages } from './notice-message.js';
import { MISSED, type Recipient, recipientsOf } from './recipient.service.js';
import { groupsOf, reminderMessages } from './reminder-message.js';

const MINUTE = 60_000;
/**
 * How many due occurrences one transaction takes; what else is due for their accounts comes along.
 */
const BATCH = 1_000;

interface Judged extends DueOccurrence {
  readonly state: OccurrenceState;
}

/**
 * Hands due occurrences over to delivery, a batch a transaction: holds them, queues the messages,
 * plans what follows and settles them, all or nothing. So a process that dies has done nothing, and
 * no occurrence is lost, or sent twice, by it; several processes share the work. A member without a
 * device gets the notification in the list alone; whose last device died was told by mail when it
 * did. What cannot be handed over is passed over, and holds up neither other accounts nor what else
 * its account is due. Answers how many occurrences it settled.
 */
export async function handOver(
  deps: Deps,
  { stopping, batch: most = BATCH }: { stopping?: AbortSignal; batch?: number } = {},
): Promise<number> {
  const context = await serviceContext(deps, 'hand over');
  let sum = 0;
  const run: Batch['run'] = async (holds, among) => {
    const { count, full } = await transact(context, (inner) =>
      handOverBatch(inner, { most, holds, among }),
    );
    sum += count;
    return full;
  };
  const batch = {
    job: 'hand over',
    log: deps.log,
    run,
    passOver: (id: number) => passOverDue(context, id),
  };
  while ((await isolate(batch)) && !stopping?.aborted);
  return sum;
}

interface Share {
  /**
   * How many of the longest due occurrences to begin with; what else is due for their accounts
   * comes along.
   */
  readonly most: number;
  readonly holds: (groups: Groups) => void;
  readonly among?: readonly number[] | undefined;
}

/** A constant number of statements, whatever is due. */
async function handOverBatch(
  context: RequestContext,
  { most, holds, among }: Share,
): Promise<{ count: number; full: boolean }> {
  const { due, full } = await holdDue(context, most, among);
  holds(groupsOf(due, ({ accountId }) => accountId).map((group) => group.map(({ id }) => id)));
  if (due.length === 0) return { count: 0, full };
  const now = context.now();
  const notices = due.filter(({ channel }) => channel === 'carers');
  const missed = notices.filter(({ moot }) => !moot);
  const members = [...new Set(due.filter(({ moot }) => !moot).map(({ accountId }) => accountId))];
  const carers = await carersOf(context, members);
  const theirs = missed.flatMap(({ accountId }) => carers.get(accountId) ?? []);
  const recipients = await recipientsOf(context, [...members, ...theirs]);

  const pushes = due
    .filter(({ channel }) => channel === 'push')
    .map((one) => judged(one, recipients, now.getTime()));
  const sent = pushes.filter(({ state }) => GOING.has(state));
  await queueMessages(
    context,
    { kind: 'reminder' },
    reminderMessages(sent, recipients, now.getTime()),
  );
  /** The carers, in the member's order, who were not yet told of an occurrence. */
  const untold = ({ accountId, told }: DueOccurrence) =>
    (carers.get(accountId) ?? []).filter((id) => !told.includes(id));
  const messages = noticeMessages(noticesOf(missed, untold, recipients), recipients, now);
  await queueMessages(context, { kind: MISSED }, messages);
  await planFollowUps(context, [
    ...followUps(pushes, recipients, carers, now.getTime()),
    ...nextNotices(missed, untold, recipients, now.getTime()),
  ]);
  await settleDue(context, [
    ...pushes.map(({ id, state }) => ({ id, state })),
    ...judgedNotices(notices, messages),
  ]);
  context.afterCommit(() => {
    for (const { state, dueAt } of pushes) observeReminder(state, now.getTime() - dueAt.getTime());
  });
  return { count: due.length, full };
}

const GOING: ReadonlySet<OccurrenceState> = new Set(['sent', 'late']);

/**
 * Up to half an hour late a reminder goes out, and however late that of an appointment which is
 * still to come: see `reminderMessages` for how long deliveries have. A repetition that the member
 * wants no more does not.
 */
function judged(one: DueOccurrence, recipients: Recipients, now: number): Judged {
  const late = now - one.dueAt.getTime();
  const { renotifyMinutes, renotifyTimes = 0 } = recipients.get(one.accountId)?.preference ?? {};
  const unwanted = (one.repetition ?? 0) > (renotifyMinutes ? renotifyTimes : 0);
  if (one.moot || unwanted) return { ...one, state: 'cancelled' };
  const ahead = one.kind === 'appointment' && one.plannedAt.getTime() > now;
  if (late >= LATE_WINDOW && !ahead) return { ...one, state: 'missed' };
  return { ...one, state: late > MINUTE ? 'late' : 'sent' };
}

async function carersOf(
  context: RequestContext,
  members: readonly number[],
): Promise<Map<number, readonly number[]>> {
  const carers = await carersInOrder(context, members);
  return new Map(members.map((id, i) => [id, carers[i] ?? []]));
}

/**
 * What follows from a reminder: its repetition, as the member chose; and for members with carers
 * the look at the end of the grace time, or at once when it was too late to send. A repetition
 * comes after the one before, also when that was too late to go out, and never when the grace time
 * is over.
 */
function followUps(
  pushes: readonly Judged[],
  recipients: Recipients,
  carers: Carers,
  now: number,
): FollowUp[] {
  return pushes.flatMap((of): FollowUp[] => {
    const graceEnds = of.plannedAt.getTime() + GRACE;
    const missed = of.state === 'missed';
    const next: FollowUp[] = [];
    if (
      (carers.get(of.accountId)?.length ?? 0) > 0 &&
      of.repetition === 0 &&
      (missed || watched(of))
    ) {
      next.push({ of, channel: 'carers', dueAt: missed ? now : graceEnds, repetition: 0 });
    }
    const preference = recipients.get(of.accountId)?.preference;
    const again = watched(of) || (missed && of.repetition);
    if (
      preference?.renotifyMinutes &&
      again &&
      of.repetition !== null &&
      of.repetition < preference.renotifyTimes
    ) {
      const wait = preference.renotifyMinutes * MINUTE;
      const dueAt = (of.state === 'sent' ? of.dueAt.getTime() : now) + wait;
      if (dueAt < graceEnds)
        next.push({ of, channel: 'push', dueAt, repetition: of.repetition + 1 });
    }
    return next;
  });
}

type Carers = ReadonlyMap<number, readonly number[]>;
type Recipients = ReadonlyMap<number, Recipient>;

/** What became of notices: whom the messages tell of each. */
function judgedNotices(notices: readonly DueOccurrence[], messages: readonly QueuedMessage[]) {
  const told = new Map<number, number[]>(notices.map(({ id }) => [id, []]));
  for (const { accountId, occurrenceIds = [] } of messages)
    for (const id of occurrenceIds) told.get(id)?.push(accountId);
  return [...told].map(([id, told]) => ({
    id,
    told,
    state: told.length > 0 ? ('sent' as const) : ('cancelled' as const),
  }));
}

/**
 * Who is told of doses that nobody answered for, and of reminders that were too late to send: all
 * carers at once, since a dose that was missed cannot wait for the first of them to look; or, where
 * the member gives each some time, the next one. Nobody when the member wants nobody told.
 */
function noticesOf(
  missed: readonly DueOccurrence[],
  untold: (one: DueOccurrence) => readonly number[],
  recipients: Recipients,
): Notice[] {
  return missed.flatMap((of) => {
    const preference = recipients.get(of.accountId)?.preference;
    if (!preference?.missedToCarers) return [];
    const all = untold(of);
    return (preference.carersWaitMinutes ? all.slice(0, 1) : all).map((carerId) => ({
      of,
      carerId,
    }));
  });
}

/** When the carers after those who are told now are to be told. */
function nextNotices(
  missed: readonly DueOccurrence[],
  untold: (one: DueOccurrence) => readonly number[],
  recipients: Recipients,
  now: number,
): FollowUp[] {
  return missed.flatMap((of): FollowUp[] => {
    const { missedToCarers, carersWaitMinutes } = recipients.get(of.accountId)?.preference ?? {};
    if (!missedToCarers || !carersWaitMinutes || untold(of).length < 2) return [];
    return [
      {
        of,
        channel: 'carers',
        dueAt: now + carersWaitMinutes * MINUTE,
        repetition: (of.repetition ?? 0) + 1,
      },
    ];
  });
}

/** Doses are answered for; appointments are not. */
const watched = ({ kind, state }: Judged) => kind === 'medicine' && GOING.has(state);
