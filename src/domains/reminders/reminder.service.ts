import { createHash } from 'node:crypto';
import { type RequestContext, transact } from '../../context.js';
import { refuse } from '../../errors.js';
import { Prisma, type Reminder } from '../../generated/prisma/client.js';
import { instantAt, localAt } from '../../platform/zone.js';
import { resolveMember } from '../accounts/care.service.js';
import { auditAccess } from '../audit/audit.service.js';
import { recordChange } from './change.service.js';
import { learnZone, type Member, memberOf } from './member.service.js';
import { cancelOccurrences, planOccurrences, withdrawOccurrences } from './occurrence.service.js';
import { movedAt, type Plan, planAppointment, planIn, planMedicine, retimed, scheduleOf } from './plan.js';
import type {
  CreateAppointmentReminderInput,
  CreateMedicineReminderInput,
  RemindersArgs,
  UpdateAppointmentReminderInput,
  UpdateMedicineReminderInput,
} from './reminder.inputs.js';
import { dayOf, parseMoment } from './schedule/moment.js';
import { expand } from './schedule/schedule.js';

/** A reminder as it is stored. */
export type ReminderRow = Reminder;
export type ReminderKind = 'medicine' | 'appointment';

/** Reminders that are not deleted a member may have. */
const MOST = 500;
const DAY = 24 * 60 * 60 * 1000;
const RETRY_WITHIN = DAY;

/** Reminders by id, deleted ones too, for `context.loader`. */
export async function remindersById(context: RequestContext, ids: readonly number[]): Promise<(Reminder | undefined)[]> {
  const rows = await context.db.reminder.findMany({ where: { id: { in: [...ids] } } });
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => found.get(id));
}

/** A reminder that the rules have let through; reading somebody else's is audited. */
export async function readReminder(context: RequestContext, id: number): Promise<Reminder> {
  const row = await context.loader(remindersById).load(id);
  if (!row) throw refuse('REMINDER_NOT_FOUND', 'Invalid reminder ID.');
  await auditAccess(context, row.accountId, 'reminder.read');
  return row;
}

/** Makes a medicine reminder; refusals as of `planMedicine`, FORBIDDEN for a member whom the viewer may not edit for. */
export async function createMedicineReminder(context: RequestContext, input: CreateMedicineReminderInput): Promise<Reminder> {
  const accountId = await resolveMember(context, input.userId || undefined, 'edit');
  const { name, description, medicineType, frequencyType, startDate, endDate, createdDate, type } = input;
  const sent = { name: name ?? '', description, medicineType, frequencyType, startDate, endDate, createdDate };
  return create(context, 'medicine', accountId, { ...sent, eventType: type }, [startDate, endDate], (member) =>
    planMedicine(sent, circumstances(context, member)),
  );
}

/** Makes an appointment reminder; refusals as of `planAppointment`, FORBIDDEN for a member whom the viewer may not edit for. */
export async function createAppointmentReminder(
  context: RequestContext,
  { userId, title, description, dateTime, remindBefore }: CreateAppointmentReminderInput,
): Promise<Reminder> {
  const accountId = await resolveMember(context, userId || undefined, 'edit');
  const sent = { name: title ?? '', description, startDate: dateTime, remindBefore };
  return create(context, 'appointment', accountId, sent, [dateTime], (member) =>
    planAppointment({ dateTime, remindBefore }, circumstances(context, member)),
  );
}

const circumstances = (context: RequestContext, { zones, usual }: Member) => ({ zones, usual, now: context.now().getTime() });

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
  const id = await transact(
    context,
    async (inner) => {
      const now = inner.now();
      const fingerprint = fingerprintOf(kind, accountId, sent);
      const before = fingerprint && (await retried(inner, fingerprint, now));
      if (before) return before;
      await refuseTooMany(inner, accountId);
      const understood = plan(await memberOf(inner, accountId));
      await takeLesson(inner, accountId, dates);
      const data = { ...stored(sent), ...columns(understood), kind, accountId, fingerprint, creatorId: inner.viewer.id };
      const row = await inner.db.reminder.create({ data: { ...data, createdAt: now, updatedAt: now } });
      await planOccurrences(inner, [row]);
      await recordChange(inner, accountId, 'reminder.write');
      return row.id;
    },
    { replayable: true },
  );
  return (await context.loader(remindersById).load(id)) as Reminder;
}

/** Fields as columns: what was not sent is null. */
function stored({ name, ...sent }: Sent): Sent {
  return { name, ...Object.fromEntries(Object.entries(sent).map(([field, value]) => [field, value ?? null])) };
}

const columns = ({ times, ...plan }: Plan) => ({ ...plan, times: [...times] });

/** Names all fields that were sent, so that a legacy client's retry is recognized; none without `created_date`. */
function fingerprintOf(kind: ReminderKind, accountId: number, sent: Sent): string | null {
  if (!sent.createdDate) return null;
  return createHash('sha256')
    .update(JSON.stringify([kind, accountId, stored(sent)]))
    .digest('base64url');
}

/** The reminder that the same account made of the same fields within 24 hours. Twins wait for one another. */
async function retried({ db, viewer }: RequestContext, fingerprint: string, now: Date): Promise<number | undefined> {
  await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`reminder:${viewer.id}:${fingerprint}`}, 0))`;
  const since = new Date(now.getTime() - RETRY_WITHIN);
  const row = await db.reminder.findFirst({
    where: { creatorId: viewer.id, fingerprint, createdAt: { gt: since }, deletedAt: null },
    orderBy: { id: 'desc' },
    select: { id: true },
  });
  return row?.id;
}

async function refuseTooMany({ db }: RequestContext, accountId: number): Promise<void> {
  const count = await db.reminder.count({ where: { accountId, deletedAt: null } });
  if (count >= MOST) throw refuse('TOO_MANY_REMINDERS', `A member may have ${MOST} reminders. Delete what is no longer needed.`);
}

/** What the request says about where the member is; when that is somewhere else than before, all reminders go along. */
async function takeLesson(
  inner: RequestContext,
  accountId: number,
  dates: readonly (string | null | undefined)[],
): Promise<void> {
  const moments = dates.map((date) => (date ? parseMoment(date) : undefined));
  if (await learnZone(inner, accountId, moments)) await moveReminders(inner, accountId, (await memberOf(inner, accountId)).zone);
}

/** Changes a medicine reminder. What came of it stays; what is to come is planned anew. CONFLICT, and refusals as of `planMedicine`. */
export async function updateMedicineReminder(
  context: RequestContext,
  { id, version, ...changes }: UpdateMedicineReminderInput,
): Promise<Reminder> {
  return update(context, id, version, changes, (row, member) => {
    const replanned = isGiven(changes.frequencyType, changes.startDate, changes.endDate);
    return replanned ? planMedicine(row, circumstances(context, member)) : undefined;
  });
}

/** Changes an appointment reminder. CONFLICT, and refusals as of `planAppointment`. */
export async function updateAppointmentReminder(
  context: RequestContext,
  { id, version, title, description, dateTime, remindBefore }: UpdateAppointmentReminderInput,
): Promise<Reminder> {
  return update(context, id, version, { name: title, description, startDate: dateTime, remindBefore }, (row, member) => {
    if (!isGiven(dateTime, remindBefore)) return undefined;
    return planAppointment({ dateTime: row.startDate, remindBefore: row.remindBefore }, circumstances(context, member));
  });
}

const isGiven = (...values: (string | null | undefined)[]) => values.some((value) => typeof value === 'string');

async function update(
  context: RequestContext,
  id: number,
  version: number | null | undefined,
  changes: Partial<Record<keyof Sent, string | null | undefined>>,
  plan: (row: Reminder, member: Member) => Plan | undefined,
): Promise<Reminder> {
  await transact(
    context,
    async (inner) => {
      const row = await locked(inner, id);
      if (typeof version === 'number' && version !== row.version) {
        throw refuse('CONFLICT', 'The reminder has changed since it was read.', { detail: { version: row.version } });
      }
      const fields = Object.fromEntries(Object.entries(changes).filter(([, value]) => typeof value === 'string'));
      const changed = { ...row, ...fields };
      const understood = plan(changed, await memberOf(inner, row.accountId));
      const replanned = understood && differs(row, changed, understood) ? understood : undefined;
      await inner.db.reminder.update({
        where: { id },
        data: { ...fields, ...(replanned && columns(replanned)), updatedAt: inner.now(), version: { increment: 1 } },
        select: { id: true },
      });
      if (replanned) await replan(inner, [{ before: row, at: inner.now().getTime(), from: inner.now().getTime() }]);
      await recordChange(inner, row.accountId, 'reminder.write');
      return id;
    },
    { replayable: true },
  );
  return (await context.loader(remindersById).load(id)) as Reminder;
}

/** A reminder, held against the planner and other edits until the transaction ends. */
async function locked(inner: RequestContext, id: number): Promise<Reminder> {
  await inner.db.$executeRaw`SELECT 1 FROM reminder WHERE id = ${id}::int FOR UPDATE`;
  const row = await inner.db.reminder.findUnique({ where: { id } });
  if (!row || row.deletedAt) throw refuse('REMINDER_NOT_FOUND', 'Invalid reminder ID.');
  return row;
}

const PLANNED = ['zone', 'startLocal', 'leadSeconds', 'scheduled', 'recognized'] as const;

/** Whether a plan comes at other times than before. */
function differs(row: Reminder, changed: Reminder, plan: Plan): boolean {
  return (
    changed.frequencyType !== row.frequencyType ||
    PLANNED.some((name) => row[name] !== plan[name]) ||
    row.times.join() !== plan.times.join() ||
    row.untilAt?.getTime() !== plan.untilAt?.getTime()
  );
}

interface Replanned {
  before: Reminder;
  /** The instant up to which the plan before counts. */
  at: number;
  /** The instant from which the new plan counts. */
  from: number;
}

/**
 * Puts new plans in force, in a constant number of statements: what came by the old ones is kept as past plans, what was planned by them
 * from then on is taken back, and planned anew.
 */
async function replan(inner: RequestContext, changes: readonly Replanned[]): Promise<void> {
  const begun = changes.filter(({ before, at }) => hasCome(before, at));
  // A plan that was in force for the rest of a day yields to one that is in force now.
  await inner.db.$executeRaw(Prisma.sql`
    UPDATE past_plan p SET to_at = gone.at::timestamptz
    FROM unnest(${changes.map(({ before }) => before.id)}::int[], ${changes.map(({ at }) => new Date(at).toISOString())}::text[]) AS gone(id, at)
    WHERE p.reminder_id = gone.id AND p.to_at > gone.at::timestamptz`);
  if (begun.length > 0) await inner.db.pastPlan.createMany({ data: begun.map(({ before, at }) => pastPlan(before, at)) });
  await withdrawOccurrences(
    inner,
    changes.map(({ before, at }) => ({ id: before.id, at })),
  );
  const kept = new Set(begun.map(({ before }) => before.id));
  const from = changes.map(({ before, from }) => (kept.has(before.id) || before.planFrom ? new Date(from).toISOString() : ''));
  await inner.db.$executeRaw(Prisma.sql`
    UPDATE reminder SET planned_until = ${inner.now().toISOString()}::timestamptz, plan_from = NULLIF(made.at, '')::timestamptz
    FROM unnest(${changes.map(({ before }) => before.id)}::int[], ${from}::text[]) AS made(id, at) WHERE reminder.id = made.id`);
  const rows = await inner.db.reminder.findMany({ where: { id: { in: changes.map(({ before }) => before.id) } } });
  await planOccurrences(inner, rows);
}

/** Whether anything came by a plan before an instant. */
function hasCome(row: Reminder, until: number): boolean {
  if (!row.scheduled || !row.recognized) return false;
  return !expand(scheduleOf(row), row.planFrom?.getTime() ?? Number.NEGATIVE_INFINITY, until).next().done;
}

function pastPlan({ id, frequencyType, zone, startLocal, times, untilAt, planFrom }: Reminder, at: number) {
  return { reminderId: id, frequencyType, zone, startLocal, times, untilAt, fromAt: planFrom, toAt: new Date(at) };
}

/**
 * Lets a member's reminders follow to another zone, in the transaction of the account's change: clock times stay clock times, instants
 * stay instants, and what has come stays as it was. A constant number of statements. Whoever changes an account's zone calls it.
 */
export async function moveReminders(inner: RequestContext, memberId: number, zone: string): Promise<void> {
  await inner.db.$executeRaw`
    SELECT 1 FROM reminder WHERE account_id = ${memberId}::int AND deleted_at IS NULL AND zone <> ${zone} ORDER BY id FOR UPDATE`;
  const rows = await inner.db.reminder.findMany({ where: { accountId: memberId, deletedAt: null, zone: { not: zone } } });
  if (rows.length === 0) return;
  const moved = rows.map((row) => ({ row, ...planIn(row, zone) }));
  await inner.db.$executeRaw(Prisma.sql`
    UPDATE reminder SET zone = ${zone}, start_local = made.start, until_at = NULLIF(made.until, '')::timestamptz, version = version + 1
    FROM unnest(${moved.map(({ row }) => row.id)}::int[], ${moved.map(({ startLocal }) => startLocal)}::text[],
      ${moved.map(({ untilAt }) => untilAt?.toISOString() ?? '')}::text[]) AS made(id, start, until)
    WHERE reminder.id = made.id`);
  const now = inner.now().getTime();
  const following = rows.filter(({ follows }) => follows);
  if (following.length === 0) return;
  await replan(
    inner,
    following.map((before) => {
      const { oldUntil, newFrom } = movedAt(now, before.zone, zone, before.planFrom);
      return { before, at: oldUntil, from: newFrom };
    }),
  );
}

/**
 * Lets a member's reminders follow to other usual times, in the transaction of that change: from the next day on by the clocks of each, so
 * that no dose of today comes twice or not at all. A constant number of statements.
 */
export async function retimeReminders(inner: RequestContext, { id, usual }: Member): Promise<void> {
  await inner.db.$executeRaw`
    SELECT 1 FROM reminder WHERE account_id = ${id}::int AND deleted_at IS NULL AND times_source = 'usual_times' ORDER BY id FOR UPDATE`;
  const rows = await inner.db.reminder.findMany({ where: { accountId: id, deletedAt: null, timesSource: 'usual_times' } });
  const now = inner.now().getTime();
  const changed = rows.flatMap((row) => {
    const plan = retimed(row, usual, hasCome(row, now));
    return plan ? [{ row, ...plan }] : [];
  });
  if (changed.length === 0) return;
  await inner.db.$executeRaw(Prisma.sql`
    UPDATE reminder SET start_local = made.start, times = string_to_array(made.times, ' '), version = version + 1
    FROM unnest(${changed.map(({ row }) => row.id)}::int[], ${changed.map(({ startLocal }) => startLocal)}::text[],
      ${changed.map(({ times }) => times.join(' '))}::text[]) AS made(id, start, times)
    WHERE reminder.id = made.id`);
  await replan(
    inner,
    changed.map(({ row: before }) => {
      const tomorrow = instantAt(dayOf(localAt(now, before.zone)) + DAY, before.zone);
      const at = Math.max(tomorrow, before.planFrom?.getTime() ?? tomorrow);
      return { before, at, from: at };
    }),
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
): Promise<{ rows: Reminder[]; totalCount: number; pageSize: number; hasNextPage: boolean }> {
  const accountId = await resolveMember(context, memberId, 'see');
  const pageSize = first ?? 100;
  const where = { accountId, kind, deletedAt: null };
  const beyond = after ? { id: { lt: idOf(after) } } : {};
  const skip = after ? 0 : ((page ?? 1) - 1) * pageSize;
  const [rows, totalCount] = await Promise.all([
    context.db.reminder.findMany({ where: { ...where, ...beyond }, skip, orderBy: { id: 'desc' }, take: pageSize + 1 }),
    context.db.reminder.count({ where }),
  ]);
  if (!after && (page ?? 1) > 1 && rows.length === 0 && totalCount > 0) {
    throw refuse('PAGE_OUT_OF_RANGE', 'The page number requested is larger than the number of pages available.');
  }
  await auditAccess(context, accountId, 'reminder.read');
  return { rows: rows.slice(0, pageSize), totalCount, pageSize, hasNextPage: rows.length > pageSize };
}

/** The position of a reminder in a list. */
export const cursorOf = ({ id }: { id: number }): string => Buffer.from(`reminder:${id}`).toString('base64url');

function idOf(cursor: string): number {
  const [, id] = /^reminder:(\d{1,10})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (id === undefined || Number(id) > 2 ** 31 - 1)
    throw refuse('CURSOR_INVALID', 'This is no position of this list.', { param: 'after' });
  return Number(id);
}
