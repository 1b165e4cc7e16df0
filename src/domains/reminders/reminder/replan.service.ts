import type { RequestContext } from '../../../core/context.js';
import { POINTS_OF_REMINDER } from '../../../core/quota.js';
import { Prisma, type Reminder } from '../../../generated/prisma/client.js';
import { dayOf, localText } from '../../../platform/moment.js';
import { LATE_WINDOW } from '../../../platform/push/push-transport.js';
import { instantAt, localAt } from '../../../platform/zone.js';
import { zoneSourceOf } from '../../accounts/member-zone.service.js';
import { planAlerts, replanAlerts } from '../alert/alert-plan.service.js';
import { ledByClocks } from '../alert/clock-lead.service.js';
import { hoursOver, movedAt, movedClocks, planIn, retimed } from '../alert/move.js';
import type { Plan } from '../alert/plan.js';
import { scheduleOf, startAtOf } from '../alert/planned.js';
import { shiftsDays } from '../amount/course-days.js';
import { moveAmounts, moveSteps } from '../amount/moved-amount.service.js';
import { keepPauses, liftPauses, type MovedEnd, movePauses } from '../pause/pause-plan.service.js';
import { leastDistance, withhold } from '../safety/withheld.service.js';
import { expand } from '../schedule/schedule.js';
import { frequencyIn } from '../schedule/schedule-value.js';
import type { Member } from '../setting/member.service.js';
import { movedCheck, nextCheck } from '../stock/check-time.js';
import { finishedBefore } from './finished.sql.js';
import type { ReminderRow } from './reminder.service.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DATE = 'YYYY-MM-DD'.length;

/**
 * Puts the plan of an edit by hand in force, from this minute on. An edit that gives another end
 * alone, or another lead of an appointment, holds for former plans too: what is still to come of
 * this day by them is not lost. `since`, in milliseconds: it is in force from an earlier instant
 * on, at which a dose is still due.
 */
export async function planEdited(
  inner: RequestContext,
  before: Reminder,
  replanned: Partial<Plan>,
  since = inner.now().getTime(),
): Promise<void> {
  const now = inner.now();
  const minute = Math.floor(now.getTime() / MINUTE) * MINUTE;
  const { untilAt = null } = replanned;
  const goesOn = [before.untilAt, untilAt].every((until) => !until || until >= now);
  const where = { reminderId: before.id, toAt: { gt: now } };
  if (!('startLocal' in replanned) && goesOn) {
    // After a standstill of the planner, alerts that were to come until now may be lacking.
    await planAlerts(inner, [before]);
    await inner.db.pastPlan.updateMany({ where, data: { untilAt } });
    await planAnew(inner, [before.id], minute);
    return;
  }
  const at = Math.min(since, now.getTime());
  const from = Math.min(since, minute);
  const toAt = new Date(at);
  await inner.db.pastPlan.updateMany({ where: { ...where, toAt: { gt: toAt } }, data: { toAt } });
  // Nobody was reminded of what an edit puts into days that are over, so no dose of them is missed.
  const always = before.kind === 'medicine' && (replanned.recognized ?? before.recognized);
  await replan(inner, [{ before, at, from, always }], from, true);
}

/**
 * Finds out anew what comes of a medicine after an answer to the occurrence at `plannedAt` was given,
 * changed or taken back: what was withheld because of that dose may come after all, and what would come
 * too close to it does not. No statement far from a change of plans, since doses of one plan keep nothing
 * apart.
 */
export async function replanAnswered(
  inner: RequestContext,
  row: ReminderRow,
  plannedAt: Date | null,
): Promise<void> {
  const { id } = row;
  const now = inner.now();
  if (!isNearChange(row, plannedAt) && !row.withheld.some((at) => at > now)) return;
  const before = await inner.db.reminder.findUniqueOrThrow({ where: { id } });
  if (!(await withhold(inner, [id]))) return;
  // After a standstill of the planner, alerts that were to come until now may be lacking.
  await planAlerts(inner, [before]);
  await inner.db.reminder.update({ where: { id }, data: { version: { increment: 1 } } });
  await planAnew(inner, [id], Math.floor(now.getTime() / MINUTE) * MINUTE);
}

/** Returns whether an occurrence may be close to one of another plan; zones are a day apart at most. */
function isNearChange(row: ReminderRow, plannedAt: Date | null): boolean {
  if (row.planFrom === null || plannedAt === null) return false;
  const apart = Math.abs(plannedAt.getTime() - row.planFrom.getTime());
  return apart < leastDistance(row) + DAY;
}

/** A reminder that gets a new plan. Instants in milliseconds. */
interface Replanned {
  before: Reminder;
  /** The instant up to which the former plan counts. */
  at: number;
  /** The instant from which the new plan counts, if the former had occurrences, or `always`. */
  from: number;
  always?: boolean;
}

/**
 * Puts new plans in force, in a constant number of statements. Former plans that have, or had,
 * occurrences are kept as past plans; everything else is planned anew.
 */
async function replan(
  inner: RequestContext,
  changes: readonly Replanned[],
  now: number,
  edited = false,
): Promise<void> {
  const reminders = changes.map(({ before }) => before);
  // After a standstill of the planner the former plans may lack alerts.
  await planAlerts(inner, reminders);
  const begun = changes.filter(({ before, at }) => hasCome(before, at));
  if (begun.length > 0) {
    const data = begun.map(({ before, at }) => pastPlan(before, at));
    await inner.db.pastPlan.createMany({ data });
  }
  const kept = new Set(begun.map(({ before }) => before.id));
  const from = changes.map(({ before, from, always }) =>
    always || kept.has(before.id) || before.planFrom ? new Date(from).toISOString() : '',
  );
  const ids = reminders.map(({ id }) => id);
  await inner.db.$executeRaw(Prisma.sql`
    UPDATE reminder SET plan_from = NULLIF(made.at, '')::timestamptz
    FROM unnest(${ids}::int[], ${from}::text[]) AS made(id, at) WHERE reminder.id = made.id`);
  await keepPauses(inner, ids);
  await planAnew(inner, ids, now, edited);
}

/**
 * Plans reminders anew from an instant on, in milliseconds, without what would come too close to
 * another dose. What would be alerted too late gets no alert: nothing has failed.
 */
export async function planAnew(
  inner: RequestContext,
  ids: readonly number[],
  from: number,
  edited = false,
): Promise<void> {
  const plannedUntil = new Date(Math.max(from, inner.now().getTime() - LATE_WINDOW + 1));
  await withhold(inner, ids, edited);
  const rows = await inner.db.reminder.findMany({ where: { id: { in: [...ids] } } });
  const reminders = rows.map((row) => ({ ...row, plannedUntil }));
  await replanAlerts(inner, reminders);
}

/** Returns whether a plan has an occurrence before an instant, in milliseconds. */
function hasCome(row: Reminder, until: number): boolean {
  if (!row.scheduled || !row.recognized) return false;
  const from = row.planFrom?.getTime() ?? Number.NEGATIVE_INFINITY;
  return !expand(scheduleOf(row), from, until).next().done;
}

function pastPlan(row: Reminder, at: number) {
  const { id, frequencyType, schedule, zone, startLocal, times, untilAt, planFrom } = row;
  const plan = { frequencyType, schedule, zone, startLocal, times, untilAt };
  return { reminderId: id, ...plan, fromAt: planFrom, toAt: new Date(at) };
}

/**
 * Moves a member's reminders to another zone, in the transaction of the account's change, in a
 * constant number of statements. Clock times stay clock times, instants stay instants, and the past
 * stays as it was. Whoever changes an account's zone calls it. `among` is a condition on reminders;
 * default: all of them.
 */
export async function moveReminders(
  inner: RequestContext,
  { id: memberId, zone, zones }: Member,
  among: Prisma.Sql = Prisma.sql`TRUE`,
): Promise<void> {
  const now = inner.now().getTime();
  const which = Prisma.sql`zone <> ${zone} AND ${among}`;
  const rows = await holdAll(inner, memberId, which, (row) => staysWhere(row, zone, now));
  if (rows.length === 0) return;
  const ends = await movePauses(
    inner,
    rows.map(({ id, zone: from }) => ({ id, from, to: zone })),
  );
  const moved = rows.map((row) => ({
    row,
    over: hoursOver(row),
    ...planIn(row, zone, now),
    ...(isBehindPause(row, ends.get(row.id)) && { startLocal: clocksAt(startAtOf(row), row.zone) }),
  }));
  const following = moved.filter(({ row, over }) => row.follows || over !== undefined);
  const ids = following.map(({ row }) => row.id);
  await inner.db.$executeRaw(Prisma.sql`
    UPDATE reminder SET zone = ${zone}, start_local = made.start,
      times = string_to_array(made.times, ' '), until_at = NULLIF(made.until, '')::timestamptz,
      version = version + 1,
      zone_source = CASE WHEN reminder.id = ANY(${ids}::int[])
        THEN ${zoneSourceOf(zones)} ELSE zone_source END
    FROM unnest(
      ${moved.map(({ row }) => row.id)}::int[],
      ${moved.map(({ startLocal }) => startLocal)}::text[],
      ${moved.map(({ times }) => times.join(' '))}::text[],
      ${moved.map(({ untilAt }) => untilAt?.toISOString() ?? '')}::text[]
    ) AS made(id, start, times, until)
    WHERE reminder.id = made.id`);
  await moveSteps(
    inner,
    moved.map(({ row, over: _, ...plan }) => ({ id: row.id, was: row, is: { ...row, ...plan } })),
  );
  await moveChecks(inner, rows, zone);
  if (following.length > 0) await replanFollowing(inner, following, { zone, ends });
  const standing = rows.filter(({ id }) => !ids.includes(id));
  const led = await ledByClocks(inner, standing);
  const others = standing.map(({ id }) => id).filter((id) => ends.has(id) || led.has(id));
  if (others.length > 0) {
    await keepPauses(inner, others);
    await planAnew(inner, others, Math.floor(now / MINUTE) * MINUTE);
  }
}

/**
 * Returns whether an appointment keeps its instant in another zone, because the clocks of one of both
 * have shown its time: it is over, or comes today as it was planned.
 */
function staysWhere(row: Reminder, zone: string, now: number): boolean {
  if (!row.follows || planIn(row, zone, now).startLocal !== row.startLocal) return false;
  const known = row.planFrom ? [row.planFrom.getTime()] : [];
  return startAtOf(row) < movedAt(now, row.zone, zone, known).oldUntil;
}

/**
 * Lets the checks of stocks go with their medicines to another zone; those that come each hour stay. One
 * statement for each zone that the medicines had.
 */
async function moveChecks(
  inner: RequestContext,
  rows: readonly Reminder[],
  zone: string,
): Promise<void> {
  const now = inner.now();
  for (const former of new Set(rows.map((row) => row.zone))) {
    const ids = rows.flatMap((row) => (row.zone === former ? row.id : []));
    const checkAt = nextCheck(now, former);
    await inner.db.medicineStock.updateMany({
      where: { reminderId: { in: ids }, checkAt },
      data: { checkAt: movedCheck(checkAt, zone, now) },
    });
  }
}

const clocksAt = (at: number, zone: string) => localText(localAt(at, zone));

/**
 * Returns whether a medicine that counts from the last dose comes at its clock time behind a pause, which
 * moves with the pause.
 */
const isBehindPause = (row: Reminder, ends: readonly MovedEnd[] = []): boolean =>
  frequencyIn(row).kind === 'after_dose' &&
  ends.some(({ was }) => was !== null && was.getTime() <= startAtOf(row));

interface Moved {
  readonly row: Reminder;
  /** The instant at which its hours are over, where it begins with hours. */
  readonly over: number | undefined;
  readonly startLocal: string;
}

/**
 * Puts plans in force that keep their clock times in another zone. Hours that are not over go on at
 * their instants, and what follows them begins there.
 */
async function replanFollowing(
  inner: RequestContext,
  moved: readonly Moved[],
  {
    zone,
    ends,
  }: { readonly zone: string; readonly ends: ReadonlyMap<number, readonly MovedEnd[]> },
): Promise<void> {
  const now = inner.now().getTime();
  const reminders = moved.map(({ row }) => row);
  const answered = await answeredAhead(inner, reminders);
  const changes = moved.map(({ row: before, startLocal, over }): Replanned => {
    const ahead = answered.get(before.id);
    const until = before.planFrom?.getTime();
    const settled = ahead === undefined ? [] : [ahead + 1];
    if (over === undefined ? startLocal !== before.startLocal : over > now) {
      // The clock time is another one now, and the instant the same.
      const end = ends.get(before.id)?.find(({ was }) => was?.getTime() === until)?.is;
      const at = Math.max(now, ...settled, end?.getTime() ?? until ?? now);
      return { before, at, from: at };
    }
    const known = until === undefined ? settled : [...settled, until];
    const { oldUntil, newFrom } = movedAt(now, before.zone, zone, known);
    return { before, at: oldUntil, from: newFrom };
  });
  await replan(inner, changes, now);
}

/**
 * Holds a member's reminders that fulfil a condition, and returns them. The request pays for each,
 * since it is planned anew. Appointments that are over, and those of which `stays` says so,
 * are left out: they stay as they were, and another date is understood anew. Pauses that are to come
 * are lifted until `keepPauses`.
 */
async function holdAll(
  inner: RequestContext,
  memberId: number,
  which: Prisma.Sql,
  stays: (appointment: Reminder) => boolean,
): Promise<Reminder[]> {
  const held = await inner.rows<{ id: number }>(Prisma.sql`
    SELECT id FROM reminder r
    WHERE account_id = ${memberId}::int AND deleted_at IS NULL AND ${which}
      AND NOT (kind = 'appointment' AND ${finishedBefore(inner.now())}) ORDER BY id FOR UPDATE`);
  const ids = held.map(({ id }) => id);
  await liftPauses(inner, ids);
  const rows = await inner.db.reminder.findMany({ where: { id: { in: ids } } });
  const moving = rows.filter((row) => row.kind !== 'appointment' || !stays(row));
  await inner.quota.owe(moving.length * POINTS_OF_REMINDER);
  return moving;
}

/**
 * Returns the last occurrence of each of these reminders that was answered before its time:
 * instants in milliseconds, by reminder.
 */
async function answeredAhead(
  inner: RequestContext,
  reminders: readonly Reminder[],
): Promise<Map<number, number>> {
  const rows = await inner.rows<{ id: number; at: Date }>(Prisma.sql`
    SELECT reminder_id AS id, max(planned_at) AS at FROM dose
    WHERE reminder_id = ANY(${reminders.map(({ id }) => id)}::int[])
      AND planned_at >= ${inner.now().toISOString()}::timestamptz AND NOT extra
    GROUP BY reminder_id`);
  return new Map(rows.map(({ id, at }) => [id, at.getTime()]));
}

/**
 * Moves a member's reminders to other usual times or another day of the member, in the transaction
 * of that change, in a constant number of statements; `was` is the member before it. The new times
 * count from the next day on by the clocks of each reminder, so that no dose of today comes twice
 * or not at all; from the day after the last dose that was answered before its time. Amounts of
 * clock times go with them. Days behind hours that have begun stay the days that they are: where the
 * new times would shift them, a course keeps its own. Throws TIMES_INVALID.
 */
export async function retimeReminders(
  inner: RequestContext,
  member: Member,
  was: Member,
): Promise<void> {
  const now = inner.now().getTime();
  const nextDay = ({ zone, planFrom }: Reminder, last = now) => {
    const tomorrow = instantAt(dayOf(localAt(last, zone)) + DAY, zone);
    return Math.max(tomorrow, planFrom?.getTime() ?? tomorrow);
  };
  const which = Prisma.sql`times_source = 'usual_times'`;
  const rows = await holdAll(inner, member.id, which, (row) => startAtOf(row) < nextDay(row));
  const answered = await answeredAhead(inner, rows);
  const changed = rows.flatMap((row) => {
    const at = nextDay(row, Math.max(now, answered.get(row.id) ?? now));
    const plan = retimed(row, member, hasCome(row, at));
    return plan && !shiftsDays(row, { ...row, ...plan }, at) ? [{ row, at, ...plan }] : [];
  });
  const kept = rows.filter((row) => !changed.some((one) => one.row === row));
  await keepPauses(
    inner,
    kept.map(({ id }) => id),
  );
  if (changed.length === 0) return;
  await inner.db.$executeRaw(Prisma.sql`
    UPDATE reminder SET start_local = made.start, times = string_to_array(made.times, ' '),
      version = version + 1
    FROM unnest(
      ${changed.map(({ row }) => row.id)}::int[],
      ${changed.map(({ startLocal }) => startLocal)}::text[],
      ${changed.map(({ times }) => times.join(' '))}::text[]) AS made(id, start, times)
    WHERE reminder.id = made.id`);
  const moved = changed.map(({ row, at, times }) => ({
    reminderId: row.id,
    startsOn: localText(localAt(at, row.zone)).slice(0, DATE),
    clocks: movedClocks(row, times, was, member),
  }));
  await moveAmounts(inner, moved);
  await moveSteps(
    inner,
    changed.map(({ row, at: _, ...plan }) => ({ id: row.id, was: row, is: { ...row, ...plan } })),
  );
  const changes = changed.map(({ row: before, at }) => ({ before, at, from: at }));
  await replan(inner, changes, now);
}
