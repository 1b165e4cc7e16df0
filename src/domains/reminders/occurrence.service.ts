import { type Deps, RequestContext, transact } from '../../context.js';
import { Prisma } from '../../generated/prisma/client.js';
import { ANONYMOUS } from '../accounts/viewer.js';
import { siteReader } from '../site/site.service.js';
import { GRACE } from './calendar.types.js';
import { type Planned, scheduleOf } from './plan.js';
import { parseFrequency } from './schedule/frequency.js';
import { localText } from './schedule/moment.js';
import { expand, nextOccurrence } from './schedule/schedule.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * The table `occurrence`: each row is one message that is to go out on a channel, and becomes the record of its having gone.
 *
 * - planned: `due_at` is when it goes out, `planned_at` the instant of the plan that it is about (for an appointment its time, for a
 *   snoozed dose the original time). Rows are made up to 48 hours ahead, by `planDue` and with every change of a reminder.
 * - sent: it went out. late: it went out more than a minute after its time. missed: it was half an hour late, and did not go out.
 * - cancelled: answered before its time, snoozed, or there was nobody to tell.
 *
 * planned -> sent | late | missed | cancelled, and cancelled -> planned when an answer is undone. What goes out is queued in the transaction
 * that settles its row (`carrying`), so there is no state in between. Edits take back planned rows alone: what is settled stays.
 * (reminder_id, planned_at, due_at, channel) is unique, so an instant is planned once whoever plans it, and never again once it went out.
 *
 * On the channel `push` the member is told: at the time (`repetition` 0), again while nobody answers (1 and up), and when a dose that was
 * put off comes (null). On the channel `carers` a dose is looked at when its grace time ends: unless it is answered, carers are told.
 */
export type OccurrenceState = 'planned' | 'sent' | 'late' | 'missed' | 'cancelled';
export type Channel = 'push' | 'carers';

/** How far ahead occurrences are rows. */
export const HORIZON = 48 * HOUR;
/** How seldom a reminder is looked at again at most: what it plans in between is at least 36 hours ahead. */
const PAUSE = 12 * HOUR;
/** After a standstill, what is older than this is not made up for. */
const CATCH_UP = 24 * HOUR;
const BATCH = 200;
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
}

interface Row {
  reminderId: number;
  accountId: number;
  plannedAt: number;
  dueAt: number;
  localTime: string;
}

/** The rows that a reminder lacks up to the horizon, and when it must be looked at next. */
function lacking(reminder: PlannedReminder, now: number): { rows: Row[]; planAt: number | undefined } {
  if (!fires(reminder)) return { rows: [], planAt: undefined };
  const schedule = scheduleOf(reminder);
  const lead = reminder.leadSeconds * 1000;
  const planned = reminder.plannedUntil?.getTime() ?? Math.floor(now / MINUTE) * MINUTE;
  const from = Math.max(planned, now - CATCH_UP, reminder.planFrom?.getTime() ?? Number.NEGATIVE_INFINITY);
  const rows: Row[] = [];
  // An appointment whose reminder's time has passed is still reminded of, at once, until it begins.
  const first = lead > 0 ? Math.max(now, from) : from;
  for (const { at, local } of expand(schedule, first, now + HORIZON + lead)) {
    rows.push({
      reminderId: reminder.id,
      accountId: reminder.accountId,
      plannedAt: at,
      dueAt: lead > 0 ? Math.max(at - lead, Math.floor(now / MINUTE) * MINUTE) : at,
      localTime: localText(local),
    });
  }
  const next = nextOccurrence(schedule, now + HORIZON + lead);
  return { rows, planAt: next && Math.max(next.at - lead - HORIZON, now + PAUSE) };
}

const fires = ({ scheduled, recognized, frequencyType }: PlannedReminder) =>
  scheduled && recognized && parseFrequency(frequencyType).kind !== 'as_needed';

/** Makes the rows that these reminders lack, in two statements. The caller holds the reminders' locks. */
export async function planOccurrences(context: RequestContext, reminders: readonly PlannedReminder[]): Promise<number> {
  if (reminders.length === 0) return 0;
  const now = context.now().getTime();
  const plans = reminders.map((reminder) => ({ id: reminder.id, ...lacking(reminder, now) }));
  const rows = plans.flatMap((plan) => plan.rows);
  if (rows.length > 0) {
    await context.db.$executeRaw(Prisma.sql`
      INSERT INTO occurrence (reminder_id, account_id, channel, planned_at, due_at, local_time)
      SELECT r, a, ${PUSH}, p::timestamptz, d::timestamptz, l FROM unnest(
        ${rows.map((row) => row.reminderId)}::int[], ${rows.map((row) => row.accountId)}::int[],
        ${rows.map((row) => iso(row.plannedAt))}::text[], ${rows.map((row) => iso(row.dueAt))}::text[],
        ${rows.map((row) => row.localTime)}::text[]) AS made(r, a, p, d, l)
      ON CONFLICT (reminder_id, planned_at, due_at, channel) DO NOTHING`);
  }
  await context.db.$executeRaw(Prisma.sql`
    UPDATE reminder SET planned_until = ${iso(now + HORIZON)}::timestamptz, plan_at = NULLIF(made.at, '')::timestamptz
    FROM unnest(${plans.map(({ id }) => id)}::int[], ${plans.map(({ planAt }) => (planAt ? iso(planAt) : ''))}::text[]) AS made(id, at)
    WHERE reminder.id = made.id`);
  return rows.length;
}

const iso = (instant: number) => new Date(instant).toISOString();

/** Takes back what is planned for reminders from an instant of their plans on. What is settled stays. */
export async function withdrawOccurrences(context: RequestContext, from: readonly { id: number; at: number }[]): Promise<void> {
  if (from.length === 0) return;
  await context.db.$executeRaw(Prisma.sql`
    DELETE FROM occurrence o USING unnest(${from.map(({ id }) => id)}::int[], ${from.map(({ at }) => iso(at))}::text[]) AS gone(id, at)
    WHERE o.reminder_id = gone.id AND o.state = 'planned' AND o.planned_at >= gone.at::timestamptz`);
}

/** Takes back everything of a reminder that has not gone out. */
export async function cancelOccurrences(context: RequestContext, reminderId: number): Promise<void> {
  await context.db.occurrence.deleteMany({ where: { reminderId, state: 'planned' } });
}

/** An occurrence is answered: what has not gone out need not, to anybody. */
export async function settleOccurrence(context: RequestContext, reminderId: number, plannedAt: Date): Promise<void> {
  await cancelPlanned(context, { reminderId, plannedAt });
}

/** The rows are held first: a message that goes out at this moment plans its repetition, which must be found. */
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

/** The answer was taken back: what is still to come goes out again. */
export async function reopenOccurrence(context: RequestContext, reminderId: number, plannedAt: Date): Promise<void> {
  await context.db.occurrence.updateMany({
    where: { reminderId, plannedAt, state: 'cancelled', dueAt: { gt: context.now() } },
    data: { state: 'planned', settledAt: null },
  });
}

/**
 * Puts an occurrence off: what is planned for the member is cancelled, repetitions too, and one message goes out at `until`. The grace
 * time ends when it would have ended: carers are told then.
 */
export async function snoozeOccurrence(
  context: RequestContext,
  { reminderId, accountId, plannedAt, localTime }: { reminderId: number; accountId: number; plannedAt: Date; localTime: string },
  until: Date,
): Promise<void> {
  await cancelPlanned(context, { reminderId, plannedAt, channel: PUSH });
  const graceEnds = plannedAt.getTime() + GRACE;
  await context.db.$executeRaw(Prisma.sql`
    INSERT INTO occurrence (reminder_id, account_id, channel, planned_at, due_at, local_time, repetition)
    SELECT ${reminderId}::int, ${accountId}::int, c, ${plannedAt.toISOString()}::timestamptz, d::timestamptz, ${localTime}, r
    FROM (VALUES (${PUSH}, ${until.toISOString()}, NULL::int), (${CARERS}, ${iso(graceEnds)}, 0)) AS made(c, d, r)
    WHERE c = ${PUSH} OR ${graceEnds > context.now().getTime()}::boolean
    ON CONFLICT (reminder_id, planned_at, due_at, channel) DO UPDATE SET state = 'planned', repetition = EXCLUDED.repetition, settled_at = NULL
    WHERE occurrence.state = 'cancelled'`);
}

/**
 * The rolling job: makes the rows of the reminders whose time for it has come, a batch a transaction. Several processes share the
 * work (SKIP LOCKED), and one that dies leaves its batch to the next. Answers how many rows were made.
 */
export async function planDue(deps: Deps): Promise<number> {
  const context = new RequestContext(deps, { viewer: ANONYMOUS, site: await siteReader(deps)(), siteUrl: '', requestId: 'plan' });
  for (let made = 0; ; ) {
    const batch = await transact(context, async (inner) => {
      const now = inner.now().toISOString();
      const due = await inner.rows<{ id: number }>(Prisma.sql`
        SELECT id FROM reminder WHERE plan_at <= ${now}::timestamptz AND deleted_at IS NULL ORDER BY plan_at, id LIMIT ${BATCH}::int FOR UPDATE SKIP LOCKED`);
      const reminders = await inner.db.reminder.findMany({ where: { id: { in: due.map(({ id }) => id) } } });
      return { found: due.length, rows: await planOccurrences(inner, reminders) };
    });
    made += batch.rows;
    if (batch.found < BATCH) return made;
  }
}
