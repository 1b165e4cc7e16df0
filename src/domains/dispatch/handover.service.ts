import type { RequestContext } from '../../core/context.js';
import type { Deps } from '../../core/deps.js';
import { serviceContext } from '../../core/service-context.js';
import { transact } from '../../core/transact.js';
import { type Groups, isolate, type WorkBatch } from '../../platform/jobs/isolate.js';
import { LATE_WINDOW } from '../../platform/push/push-transport.js';
import { carersInOrder, untoldOfSilence } from '../care/care-relation.service.js';
import { type QueuedMessage, queueMessages } from '../notifications/delivery/delivery.service.js';
import { AlertCause } from '../reminders/alert/alert.cause.js';
import { AlertState } from '../reminders/alert/alert.state.js';
import {
  countsFromDose,
  type DueAlert,
  type FollowUp,
  holdDue,
  passOverDue,
  planFollowUps,
  postponeDue,
  settleDue,
} from '../reminders/alert/due-alert.service.js';
import { GRACE } from '../reminders/calendar/occurrences.js';
import { dueAmounts } from './due-amount.service.js';
import { observeReminder } from './handover.metrics.js';
import { type Notice, noticeMessages } from './notice-message.js';
import { MISSED, NO_ANSWERS, type Recipient, recipientsOf } from './recipient.service.js';
import { groupsOf, reminderMessages } from './reminder-message.js';
import { silenceMessages } from './silence-message.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Milliseconds before an appointment at which it is looked at last. */
const LAST_LOOK = 10 * MINUTE;
/**
 * Number of due alerts with which one transaction begins. All other due alerts of their accounts
 * are added.
 */
const BATCH = 1_000;

interface Judged extends DueAlert {
  readonly state: AlertState;
}

/**
 * Hands due alerts over to delivery, a batch a transaction, and returns how many alerts it settled.
 * A batch holds the alerts, queues the messages, plans what follows and settles the alerts, all or
 * nothing: a process that dies has done nothing, so no alert is lost, or sent twice, by it. Several
 * processes share the work.
 *
 * A member without a device gets the notification in the list alone. An alert that cannot be handed
 * over is passed over, and holds up neither other accounts nor the other alerts of its account.
 */
export async function handOver(
  deps: Deps,
  { stopping, batch: most = BATCH }: { stopping?: AbortSignal; batch?: number } = {},
): Promise<number> {
  const context = await serviceContext(deps, 'hand over');
  let sum = 0;
  const run: WorkBatch['run'] = async (holds, among) => {
    const { count, full } = await transact(context, (inner) =>
      handOverBatch(inner, { most, holds, among }),
    );
    sum += count;
    return full;
  };
  const passOver = (id: number) => passOverDue(context, id);
  const batch = { job: 'hand over', log: deps.log, run, passOver, stopping };
  while ((await isolate(batch)) && !stopping?.aborted);
  return sum;
}

interface Share {
  /** Number of due alerts to begin with. All other due alerts of their accounts are added. */
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
  const accounts = groupsOf(due, ({ accountId }) => accountId);
  holds(accounts.map((group) => group.map(({ id }) => id)));
  if (due.length === 0) return { count: 0, full };
  const now = context.now().getTime();
  const notices = due.filter(({ cause }) => cause === AlertCause.CARERS);
  const people = await peopleOf(context, due);
  const postponed = new Map(
    due.flatMap((of) => {
      const at = of.cause === AlertCause.CARERS ? undefined : laterOf(of, people, now);
      return at ? [[of.id, at] as const] : [];
    }),
  );
  await postponeDue(context, postponed);
  const own = due.filter(({ cause, id }) => cause !== AlertCause.CARERS && !postponed.has(id));
  const reminders = await remind(context, own, people, now);
  const told = await tellCarers(context, notices, people, now);
  await planFollowUps(context, [...reminders.followUps, ...told.followUps]);
  await settleDue(context, [
    ...reminders.judged.map(({ id, state }) => ({ id, state })),
    ...judgedNotices(notices, told.messages),
  ]);
  context.afterCommit(() => {
    for (const { state, dueAt } of reminders.judged) observeReminder(state, now - dueAt.getTime());
  });
  return { count: due.length, full };
}

/** Whom a batch concerns. */
interface People {
  /** The carers of each member, in the member's order. */
  readonly carers: ReadonlyMap<number, readonly number[]>;
  /** Members and carers by id. */
  readonly recipients: ReadonlyMap<number, Recipient>;
}

async function peopleOf(context: RequestContext, due: readonly DueAlert[]): Promise<People> {
  const open = due.filter(({ settled }) => !settled);
  const members = [...new Set(open.map(({ accountId }) => accountId))];
  const lists = await carersInOrder(context, members);
  const carers = new Map(members.map((id, i) => [id, lists[i] ?? []]));
  const missed = open.filter(({ cause }) => cause === AlertCause.CARERS);
  const theirs = missed.flatMap(({ accountId }) => carers.get(accountId) ?? []);
  return { carers, recipients: await recipientsOf(context, [...members, ...theirs]) };
}

/** Queues the messages to members, and judges what became of the alerts. */
async function remind(
  context: RequestContext,
  alerts: readonly DueAlert[],
  people: People,
  now: number,
): Promise<{ judged: readonly Judged[]; followUps: FollowUp[] }> {
  const judged = alerts.map((one) => ({ ...one, state: judge(one, people, now) }));
  const going = judged.filter(({ state }) => GOING.has(state));
  const amounts = await dueAmounts(context, going, people.recipients);
  const messages = reminderMessages(going, { ...people, amounts }, now);
  await queueMessages(context, { kind: 'reminder' }, messages);
  return { judged, followUps: judged.flatMap((of) => followUps(of, people, now)) };
}

/** Queues the messages to carers of what is not settled. */
async function tellCarers(
  context: RequestContext,
  alerts: readonly DueAlert[],
  people: People,
  now: number,
): Promise<{ messages: readonly QueuedMessage[]; followUps: FollowUp[] }> {
  const open = alerts.filter((of) => !of.settled && !isUnknown(of, people));
  const notices = open.flatMap((of) => noticesOf(of, people));
  const messages = noticeMessages(notices, people.recipients, new Date(now));
  await queueMessages(context, { kind: MISSED }, messages);
  await tellUnknown(context, alerts, people, now);
  return { messages, followUps: open.flatMap((of) => nextNotice(of, people, now)) };
}

/**
 * Whether an alert to carers is about a dose that nobody may have been able to answer: the member
 * has never answered any, as some apps cannot. A reminder that was not sent is told all the same.
 */
const isUnknown = ({ accountId, unsent }: DueAlert, { recipients }: People) =>
  !unsent && recipients.get(accountId)?.answers === false;

/**
 * Tells carers, once each, that the member has never answered, and that they hear no more of it.
 */
async function tellUnknown(
  context: RequestContext,
  alerts: readonly DueAlert[],
  people: People,
  now: number,
): Promise<void> {
  const unknown = alerts.filter((of) => !of.settled && isUnknown(of, people));
  const members = new Set(unknown.map(({ accountId }) => accountId));
  const wanting = [...members].filter((id) => {
    const { preference, remindersStopped } = people.recipients.get(id) ?? {};
    return preference?.missedToCarers && !remindersStopped;
  });
  const relations = await untoldOfSilence(context, wanting);
  const messages = silenceMessages(relations, people.recipients, new Date(now));
  await queueMessages(context, { kind: NO_ANSWERS }, messages);
}

const GOING: ReadonlySet<AlertState> = new Set([AlertState.SENT, AlertState.LATE]);

/**
 * Returns what becomes of an alert to the member. Up to half an hour late it goes out, that of an
 * appointment until the appointment begins, and that of a medicine that counts from its last dose
 * whenever it can: `reminderMessages` says how long deliveries have. A
 * repetition that the member no longer wants does not go out, and nothing to a suspended member
 * whose reminders are stopped.
 */
function judge(one: DueAlert, { recipients }: People, now: number): AlertState {
  const late = now - one.dueAt.getTime();
  const recipient = recipients.get(one.accountId);
  const { renotifyMinutes, renotifyTimes = 0 } = recipient?.preference ?? {};
  const unwanted =
    recipient?.remindersStopped || one.repetition > (renotifyMinutes ? renotifyTimes : 0);
  if (one.settled || unwanted) return AlertState.CANCELLED;
  const ahead = one.kind === 'appointment' && one.plannedAt.getTime() > now;
  if (late >= LATE_WINDOW && !ahead && !countsFromDose(one)) return AlertState.MISSED;
  return late > MINUTE ? AlertState.LATE : AlertState.SENT;
}

/** Doses are answered; appointments are not. */
const watched = ({ kind, state }: Judged) => kind === 'medicine' && GOING.has(state);

/**
 * Returns what follows from an alert to the member: an alert to carers, if there are any, at the
 * end of the grace time, or at once when it was too late to send; and the next repetition.
 */
function followUps(of: Judged, people: People, now: number): FollowUp[] {
  const missed = of.state === AlertState.MISSED;
  const accompanied = (people.carers.get(of.accountId)?.length ?? 0) > 0;
  const again = repetitionOf(of, people, now);
  const next: FollowUp[] = again ? [again] : [];
  if (!accompanied || of.cause !== AlertCause.DUE || !(missed || watched(of))) return next;
  const isBeyond = now - of.dueAt.getTime() >= LATE_WINDOW;
  const dueAt = missed ? now : (isBeyond ? now : of.plannedAt.getTime()) + GRACE;
  return [{ of, cause: AlertCause.CARERS, dueAt, repetition: 0 }, ...next];
}

/**
 * Returns the repetition that the member chose: also after one that was too late to go out, never
 * after the grace time, and never of a dose that was put off.
 */
function repetitionOf(of: Judged, { recipients }: People, now: number): FollowUp | undefined {
  const preference = recipients.get(of.accountId)?.preference;
  const missed = of.cause === AlertCause.REPEAT && of.state === AlertState.MISSED;
  if (of.cause === AlertCause.SNOOZE || !(watched(of) || missed)) return undefined;
  if (!preference?.renotifyMinutes || of.repetition >= preference.renotifyTimes) return undefined;
  const from = of.state === AlertState.SENT ? of.dueAt.getTime() : now;
  const dueAt = from + preference.renotifyMinutes * MINUTE;
  if (dueAt >= of.plannedAt.getTime() + GRACE) return undefined;
  return { of, cause: AlertCause.REPEAT, dueAt, repetition: of.repetition + 1 };
}

/**
 * Returns when the alert of an appointment that is ahead is due again, of a suspended member whose
 * reminders are stopped: an hour later, since the account may be reinstated before the appointment begins.
 * Undefined for every other alert.
 */
function laterOf(of: DueAlert, { recipients }: People, now: number): Date | undefined {
  const isStopped = recipients.get(of.accountId)?.remindersStopped === true;
  if (!isStopped || of.settled || of.kind !== 'appointment') return undefined;
  const dueAt = Math.min(now + HOUR, of.plannedAt.getTime() - LAST_LOOK);
  return dueAt > now ? new Date(dueAt) : undefined;
}

/** Returns what became of alerts to carers: whom the messages tell of each. */
function judgedNotices(notices: readonly DueAlert[], messages: readonly QueuedMessage[]) {
  const told = new Map<number, number[]>(notices.map(({ id }) => [id, []]));
  for (const { accountId, alertIds = [] } of messages) {
    for (const id of alertIds) told.get(id)?.push(accountId);
  }
  return [...told].map(([id, told]) => {
    return { id, told, state: told.length > 0 ? AlertState.SENT : AlertState.CANCELLED };
  });
}

/** Returns the carers, in the member's order, who were not yet notified of an occurrence. */
const untold = ({ accountId, told }: DueAlert, { carers }: People) =>
  (carers.get(accountId) ?? []).filter((id) => !told.includes(id));

/**
 * The recipients of a dose that nobody answered, or of an alert that was too late to send: all
 * carers at once, since a missed dose cannot wait for the first of them to look; or the next one,
 * where the member gives each some time. Nobody when the member wants nobody notified, or is not
 * reminded while suspended.
 */
function noticesOf(of: DueAlert, people: People): Notice[] {
  const { preference, remindersStopped } = people.recipients.get(of.accountId) ?? {};
  if (!preference?.missedToCarers || remindersStopped) return [];
  const all = untold(of, people);
  const next = preference.carersWaitMinutes ? all.slice(0, 1) : all;
  return next.map((carerId) => ({ of, carerId }));
}

/** Returns the alert to the carer after the one who is notified now. */
function nextNotice(of: DueAlert, people: People, now: number): FollowUp[] {
  const { preference, remindersStopped } = people.recipients.get(of.accountId) ?? {};
  const { missedToCarers, carersWaitMinutes } = preference ?? {};
  if (!missedToCarers || remindersStopped || !carersWaitMinutes || untold(of, people).length < 2)
    return [];
  const dueAt = now + carersWaitMinutes * MINUTE;
  return [{ of, cause: AlertCause.CARERS, dueAt, repetition: of.repetition + 1 }];
}
