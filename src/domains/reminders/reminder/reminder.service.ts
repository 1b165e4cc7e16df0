import { createHash } from 'node:crypto';
import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { hold, transact } from '../../../core/transact.js';
import { type PastPlan, Prisma, type Reminder } from '../../../generated/prisma/client.js';
import { dayOf, parseMoment } from '../../../platform/moment.js';
import { Turns } from '../../../platform/mutex.js';
import { instantAt, localAt } from '../../../platform/zone.js';
import { zoneSourceOf } from '../../accounts/member-zone.service.js';
import { auditAccess } from '../../audit/audit.service.js';
import { resolveMember } from '../../care/care.service.js';
import { feedVersion } from '../../live/feed.service.js';
import { FeedKind } from '../../live/feed.types.js';
import {
  cancelOccurrences,
  planOccurrences,
  replanOccurrences,
} from '../alert/occurrence.service.js';
import {
  endStanding,
  leadOf,
  movedAt,
  type Plan,
  planAppointment,
  planIn,
  planMedicine,
  retimed,
  scheduleOf,
  startInForce,
  untilOf,
} from '../alert/plan.js';
import { byReminder } from '../calendar/calendar.service.js';
import { expand } from '../schedule/schedule.js';
import { holdMember, learnZone, type Member, memberOf } from '../setting/member.service.js';
import { recordChange } from './change.service.js';
import { finishedBefore } from './finished.sql.js';
import type {
  CreateAppointmentReminderInput,
  CreateMedicineReminderInput,
  RemindersArgs,
  UpdateAppointmentReminderInput,
  UpdateMedicineReminderInput,
} from './reminder.inputs.js';
import { tellUnrecognized } from './unrecognized.service.js';

/** A reminder as it is stored. */
export type ReminderRow = Reminder;
export type ReminderKind = 'medicine' | 'appointment';

/** Most reminders of a member that are not finished, and in all. */
const MOST = 500;
const MOST_KEPT = 5_000;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const RETRY_WITHIN = DAY;

/** Reminders by id, deleted ones too, for `context.loader`. */
export async function remindersById(
  context: RequestContext,
  ids: readonly number[],
): Promise<(Reminder | undefined)[]> {
  const rows = await context.db.reminder.findMany({ where: { id: { in: [...ids] } } });
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => found.get(id));
}

/** Plans of before by which a reminder may still come. */
export async function pendingPlansOf(
  context: RequestContext,
  { id, planFrom }: Reminder,
): Promise<readonly PastPlan[]> {
  return planFrom ? ((await context.loader(pendingPlans).load(id)) ?? []) : [];
}

async function pendingPlans(
  context: RequestContext,
  ids: readonly number[],
): Promise<PastPlan[][]> {
  const where = { reminderId: { in: [...ids] }, toAt: { gt: context.now() } };
  const plans = byReminder(await context.db.pastPlan.findMany({ where }));
  return ids.map((id) => plans.get(id) ?? []);
}

/** A reminder that the rules have let through; reading somebody else's is audited. */
export async function readReminder(context: RequestContext, id: number): Promise<Reminder> {
  const row = await context.loader(remindersById).load(id);
  if (!row) throw refuse('REMINDER_NOT_FOUND', 'Invalid reminder ID.');
  await auditAccess(context, row.accountId, 'reminder.read');
  return row;
}

/**
 * Makes a medicine reminder; refusals as of `planMedicine`, FORBIDDEN for a member whom the viewer
 * may not edit for.
 */
export async function createMedicineReminder(
  context: RequestContext,
  input: CreateMedicineReminderInput,
): Promise<Reminder> {
  const accountId = await resolveMember(context, input.userId || undefined, 'create');
  const { name, description, medicineType, frequencyType, startDate, endDate, createdDate, type } =
    input;
  const sent = {
    name: name ?? '',
    description,
    medicineType,
    frequencyType,
    startDate,
    endDate,
    createdDate,
  };
  return create(
    context,
    'medicine',
    accountId,
    { ...sent, eventType: type },
    [startDate, endDate],
    (member) => planMedicine(sent, circumstances(context, member)),
  );
}

/**
 * Makes an appointment reminder; refusals as of `planAppointment`, FORBIDDEN for a member whom the
 * viewer may not edit for.
 */
export async function createAppointmentReminder(
  context: RequestContext,
  { userId, title, description, dateTime, remindBefore }: CreateAppointmentReminderInput,
): Promise<Reminder> {
  const accountId = await resolveMember(context, userId || undefined, 'create');
  const sent = { name: title ?? '', description, startDate: dateTime, remindBefore };
  return create(context, 'appointment', accountId, sent, [dateTime], (member) =>
    planAppointment({ dateTime, remindBefore }, circumstances(context, member)),
  );
}

const circumstances = (context: RequestContext, { zones, usual }: Member) => ({
  zones,
  usual,
  now: context.now().getTime(),
});

interface Sent {
  name: string;
  description?: string | null | undefined;
  medicineType?: string | null | undefined;
  frequencyType?: string | null | undefined;
  startDate?: string | null | undefined;
  endDate?: string | null | undefined;
  createdDate?: string | null | undefined;
  remindBefore?: string | null | undefined;
  eventType?: string | null | undefined;
}

async function create(
  context: RequestContext,
  kind: ReminderKind,
  accountId: number,
  sent: Sent,
  dates: readonly (string | null | undefined)[],
  plan: (member: Member) => Plan,
): Promise<Reminder> {
  const id = await turns.take(accountId, () =>
    transact(
      context,
      async (inner) => {
        const now = inner.now();
        const fingerprint = fingerprintOf(kind, accountId, sent);
        const before = fingerprint && (await retried(inner, fingerprint, now));
        if (before) return before;
        await holdMember(inner, accountId);
        await refuseTooMany(inner, accountId);
        await takeLesson(inner, accountId, dates);
        const understood = plan(await memberOf(inner, accountId));
        const data = {
          ...stored(sent),
          ...understood,
          times: [...understood.times],
          kind,
          accountId,
          fingerprint,
          creatorId: inner.viewer.id,
        };
        const row = await inner.db.reminder.create({
          data: { ...data, createdAt: now, updatedAt: now },
        });
        await planOccurrences(inner, [row]);
        if (!row.recognized) await tellUnrecognized(inner, row);
        await recordChange(inner, accountId, 'reminder.write');
        return row.id;
      },
      { replayable: true },
    ),
  );
  return (await context.loader(remindersById).load(id)) as Reminder;
}

/**
 * What one member's app sends at once takes one connection to the database: each waits for the one
 * before as long as it holds the member.
 */
const turns = new Turns<number>();

/** Fields as columns: what was not sent is null. */
function stored({ name, ...sent }: Sent): Sent {
  return {
    name,
    ...Object.fromEntries(Object.entries(sent).map(([field, value]) => [field, value ?? null])),
  };
}

/**
 * Names all fields that were sent, so that a legacy client's retry is recognized; none without
 * `created_date`.
 */
function fingerprintOf(kind: ReminderKind, accountId: number, sent: Sent): string | null {
  if (!sent.createdDate) return null;
  return createHash('sha256')
    .update(JSON.stringify([kind, accountId, stored(sent)]))
    .digest('base64url');
}

/**
 * The reminder that the same account made of the same fields within 24 hours, unless it has others
 * by now. Twins wait for one another.
 */
async function retried(
  context: RequestContext,
  fingerprint: string,
  now: Date,
): Promise<number | undefined> {
  const { db, viewer } = context;
  await hold(context, `reminder:${viewer.id}:${fingerprint}`);
  const since = new Date(now.getTime() - RETRY_WITHIN);
  const row = await db.reminder.findFirst({
    where: { creatorId: viewer.id, fingerprint, createdAt: { gt: since }, deletedAt: null },
    orderBy: { id: 'desc' },
    select: { id: true },
  });
  return row?.id;
}

async function refuseTooMany(context: RequestContext, accountId: number): Promise<void> {
  const [{ standing = 0, kept = 0 } = {}] = await context.rows<{
    standing: number;
    kept: number;
  }>(Prisma.sql`
    SELECT count(*) FILTER (WHERE NOT ${finishedBefore(context.now())})::int AS standing, count(*)::int AS kept
    FROM reminder r WHERE account_id = ${accountId}::int AND deleted_at IS NULL`);
  if (standing < MOST && kept < MOST_KEPT) return;
  const most = `${MOST} reminders that are still to come, and ${MOST_KEPT.toLocaleString('en')} in all`;
  throw refuse('TOO_MANY_REMINDERS', `A member may have ${most}. Delete what is no longer needed.`);
}

/**
 * What the request says about where the member is; when that is somewhere else than before, all
 * reminders go along. Answers whether it is.
 */
async function takeLesson(
  inner: RequestContext,
  accountId: number,
  dates: readonly (string | null | undefined)[],
): Promise<boolean> {
  const moments = dates.map((date) => (date ? parseMoment(date) : undefined));
  const elsewhere = await learnZone(inner, accountId, moments);
  if (elsewhere) await moveReminders(inner, await memberOf(inner, accountId));
  return elsewhere;
}

/**
 * Changes a medicine reminder. What came of it stays; what is to come is planned anew. What is sent
 * as it was before is no change: the start stays where it is by now, however far the member has
 * moved since, and a rule goes on counting. CONFLICT, and refusals as of `planMedicine`.
 */
export async function updateMedicineReminder(
  context: RequestContext,
  { id, version, ...changes }: UpdateMedicineReminderInput,
): Promise<Reminder> {
  return update(context, id, version, changes, (row, before, member) => {
    const ends = differ(row.endDate, before.endDate);
    const fields = ends ? row : { ...row, endDate: endStanding(before) };
    if (differ(row.startDate, before.startDate))
      return planMedicine(fields, circumstances(context, member));
    const inForce = startInForce(before);
    if (differ(row.frequencyType, before.frequencyType))
      return planMedicine(fields, circumstances(context, member), inForce);
    return ends ? { untilAt: untilOf(fields, inForce) } : undefined;
  });
}

/**
 * Changes an appointment reminder. At another time it is another appointment, which nobody has
 * attended yet. CONFLICT, and refusals as of `planAppointment`.
 */
export async function updateAppointmentReminder(
  context: RequestContext,
  { id, version, title, description, dateTime, remindBefore }: UpdateAppointmentReminderInput,
): Promise<Reminder> {
  return update(
    context,
    id,
    version,
    { name: title, description, startDate: dateTime, remindBefore },
    (row, before, member) => {
      const fields = { dateTime: row.startDate, remindBefore: row.remindBefore };
      const again = differ(row.startDate, before.startDate);
      if (again)
        return { ...planAppointment(fields, circumstances(context, member)), attendedAt: null };
      return differ(row.remindBefore, before.remindBefore)
        ? { leadSeconds: leadOf(row.remindBefore) }
        : undefined;
    },
  );
}

const differ = (text: string | null, before: string | null) =>
  (text?.trim() ?? '') !== (before?.trim() ?? '');

/** What an edit changes of a plan, besides the fields themselves. */
type Replan = Partial<Plan> & { readonly attendedAt?: null };

const columns = ({ times, ...plan }: Replan) => ({ ...plan, ...(times && { times: [...times] }) });

async function update(
  context: RequestContext,
  id: number,
  version: number | null | undefined,
  changes: Partial<Record<keyof Sent, string | null | undefined>>,
  plan: (changed: Reminder, before: Reminder, member: Member) => Replan | undefined,
): Promise<Reminder> {
  const known = await context.loader(remindersById).load(id);
  if (!known) throw refuse('REMINDER_NOT_FOUND', 'Invalid reminder ID.');
  const { accountId } = known;
  await turns.take(accountId, () =>
    transact(
      context,
      async (inner) => {
        await holdMember(inner, accountId);
        const read = await locked(inner, id);
        if (typeof version === 'number' && version !== read.version) {
          throw refuse('CONFLICT', 'The reminder has changed since it was read.', {
            detail: { version: read.version },
          });
        }
        const fields = Object.fromEntries(
          Object.entries(changes).filter(([, value]) => typeof value === 'string'),
        );
        if (Object.entries(fields).every(([name, value]) => read[name as keyof Reminder] === value))
          return id;
        const dates = ['startDate', 'endDate'] as const;
        const sent = dates.map((date) =>
          differ(fields[date] ?? read[date], read[date]) ? fields[date] : null,
        );
        const row = (await takeLesson(inner, accountId, sent)) ? await locked(inner, id) : read;
        const changed = { ...row, ...fields };
        const understood = plan(changed, row, await memberOf(inner, accountId));
        const replanned = understood !== undefined && differs(row, changed, understood);
        // Where it comes at the same times, what it is bound to may still be another: an offset, or
        // a clock time that was a usual one before.
        const attendedAt = replanned && 'attendedAt' in understood ? null : row.attendedAt;
        await inner.db.reminder.update({
          where: { id },
          data: {
            ...fields,
            fingerprint: null, // the same again is no retry, but another reminder
            ...(understood && { ...columns(understood), attendedAt }),
            updatedAt: inner.now(),
            version: { increment: 1 },
          },
          select: { id: true },
        });
        if (replanned) await edited(inner, row, understood);
        if (replanned && understood.recognized === false) await tellUnrecognized(inner, row);
        await recordChange(inner, accountId, 'reminder.write');
        return id;
      },
      { replayable: true },
    ),
  );
  return (await context.loader(remindersById).load(id)) as Reminder;
}

/**
 * Holds a reminder against edits, and against whoever else answers for it, until the transaction
 * ends. Answers whether it is as it was read: everything that changes its plans counts its version
 * up.
 */
export async function holdReminder(
  inner: RequestContext,
  { id, version }: Pick<Reminder, 'id' | 'version'>,
): Promise<boolean> {
  const [held] = await inner.rows<{ version: number }>(Prisma.sql`
    SELECT version FROM reminder WHERE id = ${id}::int AND deleted_at IS NULL FOR NO KEY UPDATE`);
  return held?.version === version;
}

/** A reminder, held against the planner and other edits until the transaction ends. */
export async function locked(inner: RequestContext, id: number): Promise<Reminder> {
  await inner.db.$executeRaw`SELECT 1 FROM reminder WHERE id = ${id}::int FOR UPDATE`;
  const row = await inner.db.reminder.findUnique({ where: { id } });
  if (!row || row.deletedAt) throw refuse('REMINDER_NOT_FOUND', 'Invalid reminder ID.');
  return row;
}

const PLANNED = ['zone', 'startLocal', 'leadSeconds', 'scheduled', 'recognized'] as const;

/** Whether a plan comes at other times than before. */
function differs(row: Reminder, changed: Reminder, replan: Replan): boolean {
  const plan = { ...row, ...replan };
  return (
    changed.frequencyType !== row.frequencyType ||
    PLANNED.some((name) => row[name] !== plan[name]) ||
    row.times.join() !== plan.times.join() ||
    row.untilAt?.getTime() !== plan.untilAt?.getTime()
  );
}

/**
 * An edit by hand counts from this minute on, whatever was to come by other plans. An end alone, or
 * how long before an appointment its reminder comes, holds for those too: what is to come of this
 * day, by the clocks or the usual times of before, is not lost by it.
 */
async function edited(inner: RequestContext, before: Reminder, replanned: Replan): Promise<void> {
  const now = inner.now();
  const minute = Math.floor(now.getTime() / MINUTE) * MINUTE;
  const { untilAt = null } = replanned;
  const goesOn = [before.untilAt, untilAt].every((until) => !until || until >= now);
  const where = { reminderId: before.id, toAt: { gt: now } };
  if (!('startLocal' in replanned) && goesOn) {
    // After a standstill of the planner what was to come until now may be lacking.
    await planOccurrences(inner, [before]);
    await inner.db.pastPlan.updateMany({ where, data: { untilAt } });
    await planAnew(inner, [before.id], minute);
    return;
  }
  await inner.db.pastPlan.updateMany({ where, data: { toAt: now } });
  // Nobody was reminded of what an edit puts into days that are over, so no dose of them was
  // missed.
  const always = before.kind === 'medicine' && (replanned.recognized ?? before.recognized);
  await replan(inner, [{ before, at: now.getTime(), from: minute, always }], minute);
}

interface Replanned {
  before: Reminder;
  /** The instant up to which the plan before counts. */
  at: number;
  /**
   * The instant from which the new plan counts, if anything came by the one before, or `always`.
   */
  from: number;
  always?: boolean;
}

/**
 * Puts new plans in force, in a constant number of statements: what came, or is still to come, by
 * the old ones is kept as past plans, and everything else is planned anew.
 */
async function replan(
  inner: RequestContext,
  changes: readonly Replanned[],
  now: number,
): Promise<void> {
  // After a standstill of the planner the old plans may lack what is theirs.
  await planOccurrences(
    inner,
    changes.map(({ before }) => before),
  );
  const begun = changes.filter(({ before, at }) => hasCome(before, at));
  if (begun.length > 0)
    await inner.db.pastPlan.createMany({
      data: begun.map(({ before, at }) => pastPlan(before, at)),
    });
  const kept = new Set(begun.map(({ before }) => before.id));
  const from = changes.map(({ before, from, always }) =>
    always || kept.has(before.id) || before.planFrom ? new Date(from).toISOString() : '',
  );
  const ids = changes.map(({ before }) => before.id);
  await inner.db.$executeRaw(Prisma.sql`
    UPDATE reminder SET plan_from = NULLIF(made.at, '')::timestamptz
    FROM unnest(${ids}::int[], ${from}::text[]) AS made(id, at) WHERE reminder.id = made.id`);
  await planAnew(inner, ids, now);
}

/** Plans reminders anew from an instant on. */
async function planAnew(
  inner: RequestContext,
  ids: readonly number[],
  from: number,
): Promise<void> {
  const plannedUntil = new Date(from);
  const rows = await inner.db.reminder.findMany({ where: { id: { in: [...ids] } } });
  await replanOccurrences(
    inner,
    rows.map((row) => ({ ...row, plannedUntil })),
  );
}

/** Whether anything came by a plan before an instant. */
function hasCome(row: Reminder, until: number): boolean {
  if (!row.scheduled || !row.recognized) return false;
  return !expand(scheduleOf(row), row.planFrom?.getTime() ?? Number.NEGATIVE_INFINITY, until).next()
    .done;
}

function pastPlan(
  { id, frequencyType, zone, startLocal, times, untilAt, planFrom }: Reminder,
  at: number,
) {
  return {
    reminderId: id,
    frequencyType,
    zone,
    startLocal,
    times,
    untilAt,
    fromAt: planFrom,
    toAt: new Date(at),
  };
}

/**
 * Lets a member's reminders follow to another zone, in the transaction of the account's change:
 * clock times stay clock times, instants stay instants, and what has come stays as it was. A
 * constant number of statements. Whoever changes an account's zone calls it. `among` is a condition
 * on reminders; default: all of them.
 */
export async function moveReminders(
  inner: RequestContext,
  { id: memberId, zone, zones }: Member,
  among: Prisma.Sql = Prisma.sql`TRUE`,
): Promise<void> {
  const rows = await holdAll(inner, memberId, Prisma.sql`zone <> ${zone} AND ${among}`);
  if (rows.length === 0) return;
  const moved = rows.map((row) => ({ row, ...planIn(row, zone) }));
  await inner.db.$executeRaw(Prisma.sql`
    UPDATE reminder SET zone = ${zone}, start_local = made.start, times = string_to_array(made.times, ' '),
      until_at = NULLIF(made.until, '')::timestamptz, version = version + 1,
      zone_source = CASE WHEN follows THEN ${zoneSourceOf(zones)} ELSE zone_source END
    FROM unnest(${moved.map(({ row }) => row.id)}::int[], ${moved.map(({ startLocal }) => startLocal)}::text[],
      ${moved.map(({ times }) => times.join(' '))}::text[], ${moved.map(({ untilAt }) => untilAt?.toISOString() ?? '')}::text[]
    ) AS made(id, start, times, until)
    WHERE reminder.id = made.id`);
  const now = inner.now().getTime();
  const following = moved.filter(({ row }) => row.follows);
  if (following.length === 0) return;
  const answered = await answeredAhead(
    inner,
    following.map(({ row }) => row),
  );
  await replan(
    inner,
    following.map(({ row: before, startLocal }) => {
      const { id, planFrom } = before;
      const settled = [
        ...(planFrom ? [planFrom.getTime()] : []),
        ...(answered.has(id) ? [(answered.get(id) as number) + 1] : []),
      ];
      // What comes at another clock time now comes at the same instant.
      if (startLocal !== before.startLocal) {
        const at = Math.max(now, ...settled);
        return { before, at, from: at };
      }
      const { oldUntil, newFrom } = movedAt(now, before.zone, zone, settled);
      return { before, at: oldUntil, from: newFrom };
    }),
    now,
  );
}

/**
 * A member's reminders of a kind, held. Not appointments that are over: those stay as they were,
 * and another date is understood anew.
 */
async function holdAll(
  inner: RequestContext,
  memberId: number,
  which: Prisma.Sql,
): Promise<Reminder[]> {
  const held = await inner.rows<{ id: number }>(Prisma.sql`
    SELECT id FROM reminder r WHERE account_id = ${memberId}::int AND deleted_at IS NULL AND ${which}
      AND NOT (kind = 'appointment' AND ${finishedBefore(inner.now())}) ORDER BY id FOR UPDATE`);
  return inner.db.reminder.findMany({ where: { id: { in: held.map(({ id }) => id) } } });
}

/**
 * Of each of these reminders the last dose that was answered before its time; instants, by
 * reminder.
 */
async function answeredAhead(
  inner: RequestContext,
  reminders: readonly Reminder[],
): Promise<Map<number, number>> {
  const rows = await inner.rows<{ id: number; at: Date }>(Prisma.sql`
    SELECT reminder_id AS id, max(planned_at) AS at FROM dose
    WHERE reminder_id = ANY(${reminders.map(({ id }) => id)}::int[]) AND planned_at >= ${inner.now().toISOString()}::timestamptz AND NOT extra
    GROUP BY reminder_id`);
  return new Map(rows.map(({ id, at }) => [id, at.getTime()]));
}

/**
 * Lets a member's reminders follow to other usual times, in the transaction of that change: from
 * the next day on by the clocks of each, so that no dose of today comes twice or not at all; from
 * the day after one whose dose was answered already. A constant number of statements.
 */
export async function retimeReminders(inner: RequestContext, { id, usual }: Member): Promise<void> {
  const rows = await holdAll(inner, id, Prisma.sql`times_source = 'usual_times'`);
  const answered = await answeredAhead(inner, rows);
  const now = inner.now().getTime();
  const changed = rows.flatMap((row) => {
    const { zone, planFrom } = row;
    const tomorrow = instantAt(
      dayOf(localAt(Math.max(now, answered.get(row.id) ?? now), zone)) + DAY,
      zone,
    );
    const at = Math.max(tomorrow, planFrom?.getTime() ?? tomorrow);
    const plan = retimed(row, usual, hasCome(row, at));
    return plan ? [{ row, at, ...plan }] : [];
  });
  if (changed.length === 0) return;
  await inner.db.$executeRaw(Prisma.sql`
    UPDATE reminder SET start_local = made.start, times = string_to_array(made.times, ' '), version = version + 1
    FROM unnest(${changed.map(({ row }) => row.id)}::int[], ${changed.map(({ startLocal }) => startLocal)}::text[],
      ${changed.map(({ times }) => times.join(' '))}::text[]) AS made(id, start, times)
    WHERE reminder.id = made.id`);
  await replan(
    inner,
    changed.map(({ row: before, at }) => ({ before, at, from: at })),
    now,
  );
}

/** Deletes a reminder: it no longer comes, and what was logged of it stays. */
export async function deleteReminder(context: RequestContext, id: number): Promise<Reminder> {
  let previous: Reminder | undefined;
  await transact(context, async (inner) => {
    previous = await locked(inner, id);
    const data = { deletedAt: inner.now(), planAt: null, version: { increment: 1 } };
    await inner.db.reminder.update({ where: { id }, data, select: { id: true } });
    await cancelOccurrences(inner, id);
    await recordChange(inner, previous.accountId, 'reminder.write');
  });
  return previous as Reminder;
}

/** A page of a member's reminders, newest first. FORBIDDEN, CURSOR_INVALID, PAGE_OUT_OF_RANGE. */
export async function listReminders(
  context: RequestContext,
  kind: ReminderKind,
  { memberId, first, after, page }: RemindersArgs,
): Promise<{
  rows: Reminder[];
  version: number;
  totalCount: number;
  pageSize: number;
  hasNextPage: boolean;
}> {
  const accountId = await resolveMember(context, memberId, 'see');
  const pageSize = first ?? 100;
  const where = { accountId, kind, deletedAt: null };
  const beyond = after ? { id: { lt: idOf(after) } } : {};
  const skip = after ? 0 : ((page ?? 1) - 1) * pageSize;
  const [counted] = await context.rows<{ totalCount: number; version: number }>(Prisma.sql`
    SELECT count(*)::int AS "totalCount", ${feedVersion(FeedKind.CALENDAR, accountId)} AS version
    FROM reminder WHERE account_id = ${accountId} AND kind = ${kind} AND deleted_at IS NULL`);
  const { totalCount, version } = counted as { totalCount: number; version: number };
  const rows = await context.db.reminder.findMany({
    where: { ...where, ...beyond },
    skip,
    orderBy: { id: 'desc' },
    take: pageSize + 1,
  });
  if (!after && (page ?? 1) > 1 && rows.length === 0 && totalCount > 0) {
    throw refuse(
      'PAGE_OUT_OF_RANGE',
      'The page number requested is larger than the number of pages available.',
    );
  }
  await auditAccess(context, accountId, 'reminder.read');
  return {
    rows: rows.slice(0, pageSize),
    version,
    totalCount,
    pageSize,
    hasNextPage: rows.length > pageSize,
  };
}

/** The position of a reminder in a list. */
export const cursorOf = ({ id }: { id: number }): string =>
  Buffer.from(`reminder:${id}`).toString('base64url');

function idOf(cursor: string): number {
  const [, id] = /^reminder:(\d{1,10})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (id === undefined || Number(id) > 2 ** 31 - 1)
    throw refuse('CURSOR_INVALID', 'This is no position of this list.', { param: 'after' });
  return Number(id);
}
