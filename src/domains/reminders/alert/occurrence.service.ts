import type { RequestContext } from '../../../core/context.js';
import type { Deps } from '../../../core/deps.js';
import { serviceContext } from '../../../core/service-context.js';
import { transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { type Batch, type Groups, isolate } from '../../../platform/jobs/isolate.js';
import { localText } from '../../../platform/moment.js';
import { LATE_WINDOW } from '../../../platform/push/transport.js';
import { zoneVersion } from '../../../platform/zone.js';
import { resumeReminders } from '../../notifications/delivery/delivery.service.js';
import { byReminder, comings, type PastPlanRow } from '../calendar/calendar.service.js';
import { GRACE } from '../calendar/calendar.types.js';
import { leadStart } from '../schedule/lead.js';
import { nextOccurrence } from '../schedule/schedule.js';
import { occurrenceId, parseOccurrenceId } from './occurrence-id.js';
import { type Planned, scheduleOf } from './plan.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * The table `occurrence`: each row is one message that is to go out on a channel, and becomes the
 * record of its having gone.
 *
 * - planned: `due_at` is when it goes out, `planned_at` the instant of the plan that it is about
 *   (for an appointment its time, for a snoozed dose the original time). Rows are made 36 to 48
 *   hours ahead, by `planDue` and with every change of a reminder.
 * - sent: it went out. late: it went out more than a minute after its time. missed: it was half
 *   an hour late, and did not go out; that of an appointment goes out until the appointment begins.
 * - cancelled: answered before its time, snoozed, or there was nobody to tell.
 *
 * planned -> sent | late | missed | cancelled, and cancelled -> planned when an answer is undone.
 * What goes out is queued in the transaction that settles its row (`carrying`), so there is no
 * state in between. Edits take back planned rows alone: what is settled stays. (reminder_id,
 * planned_at, due_at, channel) is unique, so an instant is planned once whoever plans it, and never
 * again once it went out.
 *
 * On the channel `push` the member is told: at the time (`repetition` 0), again while nobody
 * answers (1 and up), and when a dose that was put off comes (null). On the channel `carers` a dose
 * is looked at when its grace time ends: unless it is answered, carers are told, all at once or,
 * where the member gives each some time, one after the other (`repetition` counts them).
 */
export type OccurrenceState = 'planned' | 'sent' | 'late' | 'missed' | 'cancelled';
export type Channel = 'push' | 'carers';

/** How far ahead occurrences are rows at most; 36 hours at least. */
export const HORIZON = 48 * HOUR;
/**
 * How seldom a reminder is looked at again at most: what it plans in between is at least 36 hours
 * ahead.
 */
const PAUSE = 12 * HOUR;
/**
 * When a reminder that could not be planned is looked at again: often enough that a repair within
 * the late window is in time.
 */
const FAILED_PAUSE = 10 * MINUTE;
/** After a standstill, what is older than this is not made up for. */
const CATCH_UP = 24 * HOUR;
/**
 * How long a process whose time zone data is older than another's leaves what must be planned to
 * that one: 24 hours of the plan are left then.
 */
const OTHERS_FIRST = PAUSE;
const BATCH = 500;
const PUSH: Channel = 'push';
const CARERS: Channel = 'carers';

/** The columns of a reminder that planning needs. */
export interface PlannedReminder extends Planned {
  readonly id: number;
  readonly kind: string;
  readonly accountId: number;
  readonly scheduled: boolean;
  readonly recognized: boolean;
  readonly leadSeconds: number;
  readonly planFrom: Date | null;
  readonly plannedUntil: Date | null;
  /**
   * Local times that have come, or were answered, at these instants: they do not come at others,
   * whatever the clocks are said to show.
   */
  readonly settled?: ReadonlyMap<string, number>;
}

/** What names an occurrence, and what its rows say besides. */
export interface OccurrenceKey {
  readonly reminderId: number;
  readonly accountId: number;
  readonly plannedAt: Date;
  /** Of plannedAt, by the clocks of the plan. */
  readonly localTime: string;
}

interface Row {
  reminderId: number;
  accountId: number;
  plannedAt: number;
  dueAt: number;
  localTime: string;
}

/**
 * The rows that a reminder has from when it was last planned up to the horizon, and when it must be
 * looked at next.
 */
function planned(
  reminder: PlannedReminder,
  past: ReadonlyMap<number, PastPlanRow[]>,
  now: number,
  anew: boolean,
): { from: number; rows: Row[]; planAt: number | undefined } {
  const lead = reminder.leadSeconds * 1000;
  const minute = Math.floor(now / MINUTE) * MINUTE;
  const from = Math.max(reminder.plannedUntil?.getTime() ?? minute, now - CATCH_UP);
  // An appointment whose reminder's time has passed is still reminded of, at once, until it begins;
  // one that began while the planner stood still was to be told at its time, which carers learn.
  const arranged = anew || reminder.plannedUntil === null;
  const span = {
    from: lead > 0 && arranged ? Math.max(now, from) : from,
    to: now + HORIZON + lead,
  };
  const fires = reminder.scheduled && reminder.recognized;
  const rows: Row[] = [];
  for (const { at, local, recognized } of comings(
    { ...reminder, recognized: fires },
    { past },
    span,
  )) {
    const localTime = localText(local);
    if (!recognized || (reminder.settled?.get(localTime) ?? at) !== at) continue;
    rows.push({
      reminderId: reminder.id,
      accountId: reminder.accountId,
      plannedAt: at,
      dueAt: lead > 0 ? Math.max(leadStart(at, lead, reminder.zone), at >= now ? minute : 0) : at,
      localTime,
    });
  }
  const next = fires ? nextOccurrence(scheduleOf(reminder), now + HORIZON + lead) : undefined;
  return {
    from: span.from,
    rows,
    planAt: next && Math.max(next.at - lead - HORIZON + delay(reminder), now + PAUSE),
  };
}

/**
 * How long the look at a reminder waits once the horizon has reached an occurrence, in
 * milliseconds, less than PAUSE: always the same for a reminder, and two hours apart for
 * neighbours. Otherwise all that comes at 08:00 would be planned at 08:00, just when as much goes
 * out.
 */
const delay = ({ id }: PlannedReminder) => ((id * 7_919) % (PAUSE / 1000)) * 1000;

/**
 * Makes the rows that these reminders lack, in three statements. The caller holds the reminders'
 * locks.
 */
export async function planOccurrences(
  context: RequestContext,
  reminders: readonly PlannedReminder[],
): Promise<number> {
  return plan(context, reminders, { anew: false });
}

/**
 * The same where plans have changed, in five: takes back what was to come and comes no more. What
 * is settled stays, and so does what follows from an occurrence that comes still: that it was put
 * off, or answered.
 */
export async function replanOccurrences(
  context: RequestContext,
  reminders: readonly PlannedReminder[],
): Promise<void> {
  await plan(context, reminders, { anew: true });
}

async function plan(
  context: RequestContext,
  reminders: readonly PlannedReminder[],
  { anew }: { anew: boolean },
): Promise<number> {
  if (reminders.length === 0) return 0;
  const now = context.now().getTime();
  const ids = reminders.map(({ id }) => id);
  const past = byReminder(
    await context.db.pastPlan.findMany({
      where: { reminderId: { in: ids }, toAt: { gt: new Date(now - CATCH_UP) } },
    }),
  );
  const plans = reminders.map((reminder) => ({
    id: reminder.id,
    ...planned(reminder, past, now, anew),
  }));
  const rows = plans.flatMap((one) => one.rows);
  const made = Prisma.sql`(SELECT r, a, p::timestamptz AS p, d::timestamptz AS d, l FROM unnest(
    ${rows.map((row) => row.reminderId)}::int[], ${rows.map((row) => row.accountId)}::int[],
    ${rows.map((row) => iso(row.plannedAt))}::text[], ${rows.map((row) => iso(row.dueAt))}::text[],
    ${rows.map((row) => row.localTime)}::text[]) AS given(r, a, p, d, l)) AS made`;
  if (anew) {
    await context.db.$executeRaw(Prisma.sql`
      DELETE FROM occurrence o USING unnest(${ids}::int[], ${plans.map(({ from }) => iso(from))}::text[]) AS gone(id, at)
      WHERE o.reminder_id = gone.id AND o.planned_at >= gone.at::timestamptz AND o.state IN ('planned', 'cancelled')
        AND NOT EXISTS (SELECT FROM ${made} WHERE made.r = o.reminder_id AND made.p = o.planned_at
          AND (made.d = o.due_at OR o.channel = ${CARERS} OR o.repetition IS DISTINCT FROM 0))`);
    await takeBackUndelivered(context, plans, made);
  }
  if (rows.length > 0) {
    // What was put off comes then; what was told ahead of its time is not told again at once
    // because it is arranged anew.
    await context.db.$executeRaw(Prisma.sql`
      INSERT INTO occurrence (reminder_id, account_id, channel, planned_at, due_at, local_time)
      SELECT r, a, ${PUSH}, p, d, l FROM ${made} WHERE NOT EXISTS (
        SELECT FROM occurrence o WHERE o.reminder_id = r AND o.planned_at = p AND o.channel = ${PUSH}
          AND (o.state = 'planned' AND o.repetition IS NULL OR o.state IN ('sent', 'late') AND d <= ${iso(now)}::timestamptz))
      ON CONFLICT (reminder_id, planned_at, due_at, channel) DO NOTHING`);
  }
  await context.db.$executeRaw(Prisma.sql`
    UPDATE reminder SET planned_until = ${iso(now + HORIZON)}::timestamptz, plan_at = NULLIF(made.at, '')::timestamptz
    FROM unnest(${ids}::int[], ${plans.map(({ planAt }) => (planAt ? iso(planAt) : ''))}::text[]) AS made(id, at)
    WHERE reminder.id = made.id`);
  return rows.length;
}

/**
 * Takes back what was handed over and comes no more, as far as no device got it: an appointment
 * that was moved while its reminder was on its way. Without its row the message has nothing to
 * tell, and a plan that comes back to the instant tells it anew. One statement.
 */
async function takeBackUndelivered(
  context: RequestContext,
  plans: readonly { readonly id: number; readonly from: number }[],
  made: Prisma.Sql,
): Promise<void> {
  const now = context.now().getTime();
  await context.db.$executeRaw(Prisma.sql`
    DELETE FROM occurrence o USING unnest(${plans.map(({ id }) => id)}::int[], ${plans.map(({ from }) => iso(from))}::text[]) AS gone(id, at)
    WHERE o.reminder_id = gone.id AND o.planned_at >= gone.at::timestamptz AND o.channel = ${PUSH} AND o.state IN ('sent', 'late')
      AND o.due_at > ${iso(now - LATE_WINDOW)}::timestamptz AND NOT EXISTS (SELECT FROM ${made} WHERE made.r = o.reminder_id AND made.p = o.planned_at)
      AND (SELECT bool_and(d.state = 'planned' AND (d.claim IS NULL OR d.next_at <= ${iso(now)}::timestamptz))
        FROM notification n JOIN delivery d ON d.notification_id = n.id
        WHERE n.account_id = o.account_id AND n.send_at > ${iso(now - LATE_WINDOW)}::timestamptz AND n.kind = 'reminder' AND o.id = ANY(n.occurrence_ids))`);
}

const iso = (instant: number) => new Date(instant).toISOString();

/** Takes back everything of a reminder that has not gone out. */
export async function cancelOccurrences(
  context: RequestContext,
  reminderId: number,
): Promise<void> {
  await context.db.occurrence.deleteMany({ where: { reminderId, state: 'planned' } });
}

/** An occurrence is answered: what has not gone out need not, to anybody. */
export async function settleOccurrence(
  context: RequestContext,
  reminderId: number,
  plannedAt: Date,
): Promise<void> {
  await cancelPlanned(context, { reminderId, plannedAt });
}

/**
 * The rows are held first: a message that goes out at this moment plans its repetition, which must
 * be found.
 */
async function cancelPlanned(
  context: RequestContext,
  where: { reminderId: number; plannedAt: Date; channel?: Channel },
): Promise<void> {
  await context.db.$executeRaw`
    SELECT 1 FROM occurrence WHERE reminder_id = ${where.reminderId}::int AND planned_at = ${where.plannedAt}::timestamptz ORDER BY id FOR UPDATE`;
  await context.db.occurrence.updateMany({
    where: { ...where, state: 'planned' },
    data: { state: 'cancelled', settledAt: context.now() },
  });
}

/**
 * The answer was taken back: what the member was to be told next comes after all, at its time, or
 * at once when that is less than half an hour ago; carers are told when the grace time ends, unless
 * it is over, and the next of those who are told one after the other when that is due.
 */
export async function reopenOccurrence(context: RequestContext, of: OccurrenceKey): Promise<void> {
  const { reminderId, plannedAt } = of;
  const now = context.now().getTime();
  // What was cancelled last is what was to come: a dose that was put off before does not come at
  // the time that it was put off from.
  await context.db.$executeRaw(Prisma.sql`
    UPDATE occurrence SET state = 'planned', settled_at = NULL
    WHERE state = 'cancelled' AND due_at > ${iso(now - LATE_WINDOW)}::timestamptz AND id = (
      SELECT id FROM occurrence WHERE reminder_id = ${reminderId}::int AND planned_at = ${plannedAt.toISOString()}::timestamptz
        AND channel = ${PUSH} ORDER BY settled_at DESC NULLS FIRST, due_at DESC LIMIT 1)`);
  await context.db.$executeRaw(Prisma.sql`
    UPDATE occurrence SET state = 'planned', settled_at = NULL
    WHERE state = 'cancelled' AND due_at > ${iso(now - LATE_WINDOW)}::timestamptz AND id = (
      SELECT id FROM occurrence WHERE reminder_id = ${reminderId}::int AND planned_at = ${plannedAt.toISOString()}::timestamptz
        AND channel = ${CARERS} AND repetition > 0 ORDER BY due_at DESC LIMIT 1)`);
  await resumeReminders(context, of.accountId);
  await planCarers(context, of);
}

/**
 * The mark that an appointment was attended was taken back: the reminder that was left out for it
 * comes at once, until the appointment begins.
 */
export async function reopenAppointment(
  context: RequestContext,
  { id: reminderId, accountId }: { id: number; accountId: number },
): Promise<void> {
  const now = context.now().getTime();
  const minute = Math.floor(now / MINUTE) * MINUTE;
  await context.db.$executeRaw(Prisma.sql`
    UPDATE occurrence SET state = 'planned', settled_at = NULL, due_at = GREATEST(due_at, ${iso(minute)}::timestamptz)
    WHERE reminder_id = ${reminderId}::int AND state = 'cancelled' AND planned_at > ${iso(now)}::timestamptz`);
  await resumeReminders(context, accountId);
}

/**
 * Puts an occurrence off: what is planned for the member is cancelled, repetitions too, and one
 * message goes out at `until`. The grace time ends when it would have ended: carers are told then.
 */
export async function snoozeOccurrence(
  context: RequestContext,
  of: OccurrenceKey,
  until: Date,
): Promise<void> {
  const { reminderId, accountId, plannedAt, localTime } = of;
  await cancelPlanned(context, { reminderId, plannedAt, channel: PUSH });
  await context.db.$executeRaw(Prisma.sql`
    INSERT INTO occurrence (reminder_id, account_id, channel, planned_at, due_at, local_time, repetition)
    VALUES (${reminderId}::int, ${accountId}::int, ${PUSH}, ${plannedAt.toISOString()}::timestamptz, ${until.toISOString()}::timestamptz,
      ${localTime}, NULL)
    ON CONFLICT (reminder_id, planned_at, due_at, channel) DO UPDATE SET state = 'planned', repetition = NULL, settled_at = NULL
    WHERE occurrence.state = 'cancelled'`);
  await planCarers(context, of);
}

/** Has carers told when the grace time of an occurrence ends, unless it is over. */
async function planCarers(
  context: RequestContext,
  { reminderId, accountId, plannedAt, localTime }: OccurrenceKey,
): Promise<void> {
  const graceEnds = plannedAt.getTime() + GRACE;
  if (graceEnds <= context.now().getTime()) return;
  await context.db.$executeRaw(Prisma.sql`
    INSERT INTO occurrence (reminder_id, account_id, channel, planned_at, due_at, local_time)
    VALUES (${reminderId}::int, ${accountId}::int, ${CARERS}, ${plannedAt.toISOString()}::timestamptz, ${iso(graceEnds)}::timestamptz, ${localTime})
    ON CONFLICT (reminder_id, planned_at, due_at, channel) DO UPDATE SET state = 'planned', settled_at = NULL
    WHERE occurrence.state = 'cancelled'`);
}

/**
 * When unanswered doses that were put off come, for `context.loader`; by the ids of their events.
 */
export async function snoozesOf(
  context: RequestContext,
  occurrenceIds: readonly string[],
): Promise<(Date | undefined)[]> {
  const named = occurrenceIds.flatMap((id) => parseOccurrenceId(id) ?? []);
  const rows = await context.rows<{ reminderId: number; plannedAt: Date; dueAt: Date }>(Prisma.sql`
    SELECT o.reminder_id AS "reminderId", o.planned_at AS "plannedAt", o.due_at AS "dueAt"
    FROM unnest(${named.map(({ reminderId }) => reminderId)}::int[], ${named.map(({ at }) => iso(at))}::text[]) AS asked(id, at)
    JOIN occurrence o ON o.reminder_id = asked.id AND o.planned_at = asked.at::timestamptz
    WHERE o.channel = ${PUSH} AND o.state = 'planned' AND o.repetition IS NULL`);
  const found = new Map(
    rows.map(({ reminderId, plannedAt, dueAt }) => [
      occurrenceId(reminderId, plannedAt.getTime()),
      dueAt,
    ]),
  );
  return occurrenceIds.map((id) => found.get(id));
}

/** How long what went out, or did not, stays on record, in milliseconds. */
export const OCCURRENCES_KEPT = 90 * 24 * HOUR;
const PRUNED_AT_ONCE = 10_000;

/** Forgets occurrences that were settled 90 days ago; doses and plans stay. Answers how many. */
export async function pruneOccurrences(
  { database, clock }: Deps,
  stopping: AbortSignal,
): Promise<number> {
  const before = new Date(clock() - OCCURRENCES_KEPT);
  for (let sum = 0; ; ) {
    const count = await database.prisma.$executeRaw`DELETE FROM occurrence WHERE id IN
      (SELECT id FROM occurrence WHERE due_at < ${before} AND state <> 'planned' ORDER BY due_at LIMIT ${PRUNED_AT_ONCE}::int)`;
    sum += count;
    if (count < PRUNED_AT_ONCE || stopping.aborted) return sum;
  }
}

/**
 * The rolling job: makes the rows of the reminders whose time for it has come, a batch a
 * transaction. Several processes share the work (SKIP LOCKED), and one that dies leaves its batch
 * to the next. A reminder that cannot be planned is looked at again after FAILED_PAUSE, and keeps
 * no other from being planned. What is due of these reminders can go out meanwhile: their keys are
 * not locked. A process whose time zone data (`version`) is older than what is recorded with the
 * site would plan by clocks that are no more: it leaves the work to others for OTHERS_FIRST, and
 * does it if none of them has. Answers how many rows were made.
 */
export async function planDue(deps: Deps, version = zoneVersion()): Promise<number> {
  const context = await serviceContext(deps, 'plan');
  const { zoneData } = context.site;
  const before = new Date(
    context.now().getTime() - (zoneData && zoneData > version ? OTHERS_FIRST : 0),
  );
  let made = 0;
  const run: Batch['run'] = async (holds, among) => {
    const { found, rows } = await transact(context, (inner) =>
      planBatch(inner, { before, holds, among }),
    );
    made += rows;
    return found === BATCH;
  };
  while (
    await isolate({ job: 'plan', log: deps.log, run, passOver: (id) => planLater(context, id) })
  );
  return made;
}

async function planBatch(
  context: RequestContext,
  {
    before,
    holds,
    among,
  }: { before: Date; holds: (groups: Groups) => void; among?: readonly number[] | undefined },
): Promise<{ found: number; rows: number }> {
  const reminders = await context.rows<PlannedReminder>(Prisma.sql`
    SELECT id, kind, account_id AS "accountId", scheduled, recognized, frequency_type AS "frequencyType", zone, start_local AS "startLocal",
      times, until_at AS "untilAt", lead_seconds AS "leadSeconds", plan_from AS "planFrom", planned_until AS "plannedUntil"
    FROM reminder WHERE plan_at <= ${before.toISOString()}::timestamptz AND deleted_at IS NULL
      ${among ? Prisma.sql`AND id = ANY(${[...among]}::int[])` : Prisma.empty}
    ORDER BY plan_at, id LIMIT ${BATCH}::int FOR NO KEY UPDATE SKIP LOCKED`);
  holds(reminders.map(({ id }) => [id]));
  return { found: reminders.length, rows: await planOccurrences(context, reminders) };
}

async function planLater(context: RequestContext, id: number): Promise<void> {
  const now = context.now();
  const planAt = new Date(now.getTime() + FAILED_PAUSE);
  await context.db.reminder.updateMany({ where: { id, planAt: { lte: now } }, data: { planAt } });
}
