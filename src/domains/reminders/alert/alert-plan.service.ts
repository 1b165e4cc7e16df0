import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { localText } from '../../../platform/moment.js';
import { LATE_WINDOW } from '../../../platform/push/push-transport.js';
import { byReminder, occurrences, type PastPlanRow } from '../calendar/occurrences.js';
import { leadStart } from '../schedule/lead.js';
import { nextOccurrence } from '../schedule/schedule.js';
import { type Planned, scheduleOf, startAtOf } from './planned.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const { sql } = Prisma;

/** How far ahead alerts are planned at most, in milliseconds; 36 hours at least. */
export const HORIZON = 48 * HOUR;
/**
 * Minimum interval between two planning passes over one reminder: what it plans in between is at
 * least 36 hours ahead.
 */
export const PAUSE = 12 * HOUR;
/** After a standstill, alerts of occurrences that are older than this are not made up for. */
const CATCH_UP = 24 * HOUR;
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
  readonly withheld?: readonly Date[];
  /**
   * Local times that were alerted or answered, with their instants. They get no alert at another
   * instant, whatever the clocks are said to show.
   */
  readonly settled?: ReadonlyMap<string, number>;
}

/** An alert to be made. Instants in milliseconds. */
interface PlannedAlert {
  reminderId: number;
  accountId: number;
  plannedAt: number;
  dueAt: number;
  localTime: string;
}

/** What a planning pass makes of one reminder. Instants in milliseconds. */
interface Pass {
  readonly id: number;
  /** Occurrences from then on are planned. */
  readonly from: number;
  /** When an appointment begins, as text: infinity without a date; empty of a medicine. */
  readonly begins: string;
  readonly alerts: readonly PlannedAlert[];
  /** When the next pass must be at the latest; undefined: never. */
  readonly wantedAt: number | undefined;
  /** When the next pass is. */
  readonly planAt: number | undefined;
}

type PastPlans = ReadonlyMap<number, PastPlanRow[]>;

/** Plans a reminder from where its last pass ended, or anew, up to the horizon. */
function pass(reminder: PlannedReminder, past: PastPlans, now: number, anew: boolean): Pass {
  const lead = reminder.leadSeconds * 1000;
  const minute = startOfMinute(now);
  const from = Math.max(reminder.plannedUntil?.getTime() ?? minute, now - CATCH_UP);
  // A new plan of an appointment leaves out what has begun: its alert comes at once as long as the
  // appointment is ahead. Where the planner stood still, what has begun is missed, and carers learn
  // it.
  const arranged = anew || reminder.plannedUntil === null;
  const span = {
    from: lead > 0 && arranged ? Math.max(now, from) : from,
    to: now + HORIZON + lead,
  };
  const fires = reminder.scheduled && reminder.recognized;
  const alerts: PlannedAlert[] = [];
  for (const one of occurrences({ ...reminder, recognized: fires }, { past }, span)) {
    const { at, recognized, isWithheld } = one;
    const localTime = localText(one.local);
    if (!recognized || isWithheld || (reminder.settled?.get(localTime) ?? at) !== at) continue;
    const { id: reminderId, accountId } = reminder;
    alerts.push({
      reminderId,
      accountId,
      plannedAt: at,
      dueAt: dueAt(reminder, at, now),
      localTime,
    });
  }
  const next = fires ? nextOccurrence(scheduleOf(reminder), span.to) : undefined;
  const wantedAt = next && next.at - lead - HORIZON;
  const planAt = wantedAt && Math.max(wantedAt + delay(reminder), now + PAUSE);
  return { id: reminder.id, from: span.from, begins: beginsAt(reminder), alerts, wantedAt, planAt };
}

function beginsAt(reminder: PlannedReminder): string {
  if (reminder.kind !== 'appointment') return '';
  return reminder.scheduled ? iso(startAtOf(reminder)) : 'infinity';
}

const startOfMinute = (at: number) => Math.floor(at / MINUTE) * MINUTE;

/**
 * Returns when the alert about an occurrence is due: `lead` before it, but not before this minute.
 */
function dueAt({ leadSeconds, zone }: PlannedReminder, at: number, now: number): number {
  if (leadSeconds === 0) return at;
  return Math.max(leadStart(at, leadSeconds * 1000, zone), at >= now ? startOfMinute(now) : 0);
}

/**
 * Returns how long the pass over a reminder waits once the horizon has reached an occurrence, in
 * milliseconds, less than PAUSE. It is always the same for a reminder, and two hours apart for
 * neighbours. Without it all that comes at 08:00 would be planned at 08:00, just when as much goes
 * out.
 */
const delay = ({ id }: PlannedReminder) => ((id * 7_919) % (PAUSE / 1000)) * 1000;
const delayOf = (id: Prisma.Sql) =>
  sql`make_interval(secs => (${id}::bigint * 7919 % ${PAUSE / 1000}::int)::int)`;

/** What is planned of a reminder that is being made. */
export interface FirstPlan {
  /** SQL for the columns of the reminder. */
  readonly plannedUntil: Prisma.Sql;
  readonly planAt: Prisma.Sql;
  /** The statement that inserts its alerts; undefined without any. */
  readonly alerts: Prisma.Sql | undefined;
}

/**
 * Returns as SQL what `planAlerts` writes, for the statement that makes the reminder. `id` is that
 * of the reminder, `from` a clause FROM that has it.
 */
export function firstPlan(
  context: RequestContext,
  reminder: Omit<PlannedReminder, 'id' | 'planFrom' | 'plannedUntil'>,
  id: Prisma.Sql,
  from: Prisma.Sql,
): FirstPlan {
  const now = context.now().getTime();
  const whole = { ...reminder, id: 0, planFrom: null, plannedUntil: null };
  const { alerts, wantedAt } = pass(whole, new Map(), now, false);
  return {
    plannedUntil: sql`${iso(now + HORIZON)}::timestamptz`,
    planAt: wantedAt
      ? sql`GREATEST(${iso(wantedAt)}::timestamptz + ${delayOf(id)}, ${iso(now + PAUSE)}::timestamptz)`
      : sql`NULL::timestamptz`,
    alerts:
      alerts.length === 0
        ? undefined
        : sql`INSERT INTO reminder_alert
            (reminder_id, account_id, cause, planned_at, due_at, local_time)
          SELECT ${id}, ${reminder.accountId}::int, 'due', p::timestamptz, d::timestamptz, l
          FROM ${from}, unnest(${alerts.map(({ plannedAt }) => iso(plannedAt))}::text[],
            ${alerts.map(({ dueAt }) => iso(dueAt))}::text[],
            ${alerts.map(({ localTime }) => localTime)}::text[]) AS given(p, d, l)
          ON CONFLICT (reminder_id, planned_at, due_at, (cause = 'carers')) DO NOTHING`,
  };
}

/**
 * Returns the instant from which a reminder that is taken over from another platform at `since` is
 * planned, for its column: `since`, or just behind an appointment that is ahead and whose lead began
 * before `since`, since the other platform has told of it.
 */
export function firstPlanned(
  reminder: Pick<PlannedReminder, 'kind' | 'startLocal' | 'zone' | 'leadSeconds'>,
  since: Date,
): Date {
  if (reminder.kind !== 'appointment') return since;
  const at = startAtOf(reminder);
  const told = leadStart(at, reminder.leadSeconds * 1000, reminder.zone);
  return told < since.getTime() && at >= since.getTime() ? new Date(at + 1) : since;
}

/**
 * Returns when a reminder that is taken over from another platform is to be planned, for its column:
 * the sooner it comes after an instant, the earlier. Null when it never comes.
 */
export function firstLook(reminder: PlannedReminder, from: Date): Date | null {
  if (!reminder.scheduled || !reminder.recognized) return null;
  const next = nextOccurrence(scheduleOf(reminder), from.getTime());
  return next ? new Date(next.at - reminder.leadSeconds * 1000 - HORIZON) : null;
}

/**
 * Makes the alerts that these reminders lack, in three statements, and returns how many. The caller
 * holds the reminders.
 */
export async function planAlerts(
  context: RequestContext,
  reminders: readonly PlannedReminder[],
): Promise<number> {
  return plan(context, reminders, { anew: false });
}

/**
 * The same for plans that have changed, in five statements: takes back alerts of occurrences that
 * the new plan does not have. What is settled stays, and so does what follows from an occurrence
 * that the new plan has: that it was put off, or answered.
 */
export async function replanAlerts(
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
  const passes = reminders.map((reminder) => pass(reminder, past, now, anew));
  const alerts = passes.flatMap((one) => one.alerts);
  const made = tableOf(alerts);
  if (anew) {
    await takeBackPlanned(context, passes, made);
    await takeBackUndelivered(context, passes, made);
  }
  if (alerts.length > 0) await insert(context, made);
  await context.db.$executeRaw(sql`
    UPDATE reminder SET planned_until = ${iso(now + HORIZON)}::timestamptz,
      plan_at = NULLIF(made.at, '')::timestamptz
    FROM unnest(${ids}::int[], ${passes.map(({ planAt }) => (planAt ? iso(planAt) : ''))}::text[])
      AS made(id, at)
    WHERE reminder.id = made.id`);
  return alerts.length;
}

const iso = (instant: number) => new Date(instant).toISOString();

/** Alerts as a table `made` in SQL: reminder r, account a, planned at p, due at d, local time l. */
function tableOf(alerts: readonly PlannedAlert[]): Prisma.Sql {
  return sql`(SELECT r, a, p::timestamptz AS p, d::timestamptz AS d, l FROM unnest(
    ${alerts.map(({ reminderId }) => reminderId)}::int[],
    ${alerts.map(({ accountId }) => accountId)}::int[],
    ${alerts.map(({ plannedAt }) => iso(plannedAt))}::text[],
    ${alerts.map(({ dueAt }) => iso(dueAt))}::text[],
    ${alerts.map(({ localTime }) => localTime)}::text[]) AS given(r, a, p, d, l)) AS made`;
}

/**
 * Inserts alerts at their time. A dose that was put off comes at the time that it was put off to;
 * and an alert that went out ahead of its time does not come at once again after an edit.
 */
async function insert(context: RequestContext, made: Prisma.Sql): Promise<void> {
  const now = context.now().toISOString();
  await context.db.$executeRaw(sql`
    INSERT INTO reminder_alert (reminder_id, account_id, cause, planned_at, due_at, local_time)
    SELECT r, a, 'due', p, d, l FROM ${made} WHERE NOT EXISTS (
      SELECT FROM reminder_alert alert
      WHERE alert.reminder_id = r AND alert.planned_at = p AND alert.cause <> 'carers'
        AND (alert.state = 'planned' AND alert.cause = 'snooze'
          OR alert.state IN ('sent', 'late') AND d <= ${now}::timestamptz))
    ON CONFLICT (reminder_id, planned_at, due_at, (cause = 'carers')) DO NOTHING`);
}

/**
 * The reminders of passes as a table `gone` in SQL, with the instant from which they are planned, and
 * that at which an appointment begins.
 */
const spansOf = (
  passes: readonly Pass[],
) => sql`(SELECT id, at, NULLIF(begins, '')::timestamptz AS begins
  FROM unnest(
    ${passes.map(({ id }) => id)}::int[],
    ${passes.map(({ from }) => iso(from))}::text[],
    ${passes.map(({ begins }) => begins)}::text[]) AS given(id, at, begins)) AS gone`;

/** Deletes planned and cancelled alerts that the new plans do not have. One statement. */
async function takeBackPlanned(
  context: RequestContext,
  passes: readonly Pass[],
  made: Prisma.Sql,
): Promise<void> {
  await context.db.$executeRaw(sql`
    DELETE FROM reminder_alert alert USING ${spansOf(passes)}
    WHERE alert.reminder_id = gone.id AND alert.planned_at >= gone.at::timestamptz
      AND alert.state IN ('planned', 'cancelled')
      AND NOT EXISTS (SELECT FROM ${made}
        WHERE made.r = alert.reminder_id AND made.p = alert.planned_at
          AND (made.d = alert.due_at OR alert.cause <> 'due'))`);
}

/**
 * Deletes alerts that were handed over, and that the new plans do not have, while their messages are on
 * their way. Of a medicine none has reached a device, nor is being sent. Of an appointment that was
 * moved one is still to reach a device, whatever has reached others: nobody is to read the time at
 * which it is not. Without its alert the message has nothing to tell, and a plan that comes back to
 * the instant alerts again. One statement.
 */
async function takeBackUndelivered(
  context: RequestContext,
  passes: readonly Pass[],
  made: Prisma.Sql,
): Promise<void> {
  const now = context.now().getTime();
  const since = iso(now - LATE_WINDOW);
  await context.db.$executeRaw(sql`
    DELETE FROM reminder_alert alert USING ${spansOf(passes)}
    WHERE alert.reminder_id = gone.id
      AND alert.cause <> 'carers' AND alert.state IN ('sent', 'late')
      AND GREATEST(alert.due_at, alert.settled_at) > ${since}::timestamptz
      AND CASE WHEN gone.begins IS NULL THEN alert.planned_at >= gone.at::timestamptz
          AND NOT EXISTS (SELECT FROM ${made}
            WHERE made.r = alert.reminder_id AND made.p = alert.planned_at)
        ELSE alert.planned_at <> gone.begins END
      AND (SELECT CASE WHEN gone.begins IS NULL THEN bool_and(d.state = 'planned'
            AND (d.claim IS NULL OR d.next_at <= ${iso(now)}::timestamptz))
          ELSE bool_or(d.state = 'planned') END
        FROM notification n JOIN delivery d ON d.notification_id = n.id
        WHERE n.account_id = alert.account_id AND n.send_at > ${since}::timestamptz
          AND n.kind = 'reminder' AND alert.id = ANY(n.alert_ids))`);
}
