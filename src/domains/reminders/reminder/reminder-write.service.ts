import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { transact } from '../../../core/transact.js';
import type { Reminder } from '../../../generated/prisma/client.js';
import { parseMoment } from '../../../platform/moment.js';
import { Turns } from '../../../platform/mutex.js';
import { resolveMember } from '../../care/care.service.js';
import { cancelAlerts } from '../alert/alert-answer.service.js';
import { planAlerts } from '../alert/alert-plan.service.js';
import { endStanding, untilOf } from '../alert/end.js';
import {
  type Circumstances,
  leadOf,
  type Plan,
  planAppointment,
  planMedicine,
} from '../alert/plan.js';
import { startInForce } from '../alert/start.js';
import { stateAmount } from '../amount/stated-amount.service.js';
import { storedIn } from '../schedule/schedule-value.js';
import { holdMember, learnZone, type Member, memberOf } from '../setting/member.service.js';
import { recordChange } from './change.service.js';
import { differs, type Replan } from './plan-difference.js';
import { locked, type ReminderKind, remindersById } from './reminder.service.js';
import {
  type AppointmentChange,
  changedStart,
  type MedicineChange,
  type NewAppointment,
  type NewMedicine,
  type StartChange,
} from './reminder.texts.js';
import { refuseTooMany } from './reminder-limit.service.js';
import { moveReminders, planEdited } from './replan.service.js';
import { fingerprintOf, retried, type Sent, stored } from './retry.service.js';
import { scheduleChange } from './schedule-change.js';
import { refuseStale } from './stale.js';
import { planned as plannedTexts } from './timed.js';
import { tellUnrecognized } from './unrecognized.service.js';

/** A reminder to be made. */
interface Draft {
  readonly kind: ReminderKind;
  readonly accountId: number;
  readonly sent: Sent;
  readonly plan: (member: Member) => Plan;
  readonly then?: Then | undefined;
}

/** What else is done in the transaction that makes a reminder, or finds that it is there: its id. */
type Then = (inner: RequestContext, id: number, made: boolean) => Promise<void>;

/**
 * Makes a medicine reminder. Throws as `planMedicine` does; TOO_MANY_REMINDERS; FORBIDDEN for a
 * member whom the viewer may not edit for.
 */
export async function createMedicineReminder(
  context: RequestContext,
  input: NewMedicine,
  then?: Then,
): Promise<Reminder> {
  const accountId = await resolveMember(context, input.userId || undefined, 'create');
  const { description, medicineType, frequencyType, startDate, endDate, createdDate } = input;
  const often = input.schedule ? { schedule: input.schedule } : {};
  const texts = { description, medicineType, frequencyType, startDate, endDate, createdDate };
  const sent = { name: input.name ?? '', ...texts, eventType: input.type, ...often };
  const fields = plannedTexts({ ...texts, ...often, timed: input.timed === true });
  const plan = (member: Member) => planMedicine(fields, circumstances(context, member));
  return create(context, { kind: 'medicine', accountId, sent, plan, then });
}

/**
 * Makes an appointment reminder. Throws as `planAppointment` does; TOO_MANY_REMINDERS; FORBIDDEN
 * for a member whom the viewer may not edit for.
 */
export async function createAppointmentReminder(
  context: RequestContext,
  { userId, title, description, dateTime, remindBefore }: NewAppointment,
): Promise<Reminder> {
  const accountId = await resolveMember(context, userId || undefined, 'create');
  const sent = { name: title ?? '', description, startDate: dateTime, remindBefore };
  const plan = (member: Member) =>
    planAppointment({ dateTime, remindBefore }, circumstances(context, member));
  return create(context, { kind: 'appointment', accountId, sent, plan });
}

const circumstances = (
  context: RequestContext,
  { zones, usual, anchors }: Member,
): Circumstances => ({
  zones,
  usual,
  anchors,
  now: context.now().getTime(),
});

async function create(context: RequestContext, draft: Draft): Promise<Reminder> {
  return write(context, draft.accountId, async (inner) => {
    const { id, made } = await insert(inner, draft);
    await draft.then?.(inner, id, made);
    return id;
  });
}

/**
 * Runs a write to a member's reminders in a transaction, and returns the reminder that it names.
 */
async function write(
  context: RequestContext,
  accountId: number,
  change: (inner: RequestContext) => Promise<number>,
): Promise<Reminder> {
  const run = () => transact(context, change, { replayable: true });
  const id = await turns.take(accountId, run);
  return (await context.loader(remindersById).load(id)) as Reminder;
}

/**
 * Writes to one member's reminders wait for each other here, as long as one holds the member: what
 * an app sends at once takes one connection to the database.
 */
const turns = new Turns<number>();

/**
 * Inserts a reminder with its alerts; returns its id, or that of the reminder that this retries.
 */
async function insert(inner: RequestContext, draft: Draft): Promise<{ id: number; made: boolean }> {
  const { kind, accountId, sent, plan } = draft;
  const now = inner.now();
  const fingerprint = fingerprintOf(draft);
  const before = fingerprint && (await retried(inner, fingerprint, now));
  if (before) return { id: before, made: false };
  await holdMember(inner, accountId);
  await refuseTooMany(inner, accountId);
  await learnZoneFrom(inner, accountId, [sent.startDate, sent.endDate]);
  const member = await memberOf(inner, accountId);
  const planned = columns(plan(member));
  const own = { kind, accountId, fingerprint, creatorId: inner.viewer.id };
  const data = { ...stored(sent), ...planned, ...own, createdAt: now, updatedAt: now };
  const row = await inner.db.reminder.create({ data });
  if (row.recognized) await stateAmount(inner, member, row);
  await planAlerts(inner, [row]);
  if (!row.recognized) await tellUnrecognized(inner, row);
  await recordChange(inner, accountId, 'reminder.write');
  return { id: row.id, made: true };
}

/**
 * Learns from a request in which zone the member is. When it is another one than before, all
 * reminders move to it. Returns whether it is.
 */
async function learnZoneFrom(
  inner: RequestContext,
  accountId: number,
  dates: readonly (string | null | undefined)[],
): Promise<boolean> {
  const moments = dates.map((date) => (date ? parseMoment(date) : undefined));
  const moved = await learnZone(inner, accountId, moments);
  if (moved) await moveReminders(inner, await memberOf(inner, accountId));
  return moved;
}

/**
 * Changes a medicine reminder. The past stays; what is to come is planned anew. A field that is
 * sent as it was before is no change: the start stays where it is now, however far the member has
 * moved since, and a rule goes on counting. `also` makes further changes, of the row as it is held.
 * Throws REMINDER_NOT_FOUND, CONFLICT, and as `planMedicine`.
 */
export async function updateMedicineReminder(
  context: RequestContext,
  { id, version, start, ...changes }: MedicineChange,
  also?: Edit['also'],
): Promise<Reminder> {
  return update(context, { id, version, start, changes, also }, (row, before, member) => {
    const ends = differ(row.endDate, before.endDate);
    // An end after so many doses or days is counted anew from another start.
    const standing = storedIn(row)?.end ? null : endStanding(before);
    const fields = ends ? row : { ...row, endDate: standing };
    const now = circumstances(context, member);
    if (differ(row.startDate, before.startDate))
      return planMedicine(plannedTexts({ ...fields, timed: isTimed(start, row) }), now);
    const inForce = startInForce(before);
    const often =
      differ(row.frequencyType, before.frequencyType) || row.schedule !== before.schedule;
    if (often) return planMedicine(fields, now, inForce);
    return ends ? { untilAt: untilOf(fields, inForce) } : undefined;
  });
}

/**
 * Changes an appointment reminder. At another time it is another appointment, which nobody has
 * attended yet. Throws REMINDER_NOT_FOUND, CONFLICT, and as `planAppointment`.
 */
export async function updateAppointmentReminder(
  context: RequestContext,
  input: AppointmentChange,
): Promise<Reminder> {
  const { id, version, start, title, description, dateTime, remindBefore } = input;
  const changes = { name: title, description, startDate: dateTime, remindBefore };
  return update(context, { id, version, start, changes }, (row, before, member) => {
    if (differ(row.startDate, before.startDate)) {
      const fields = { dateTime: row.startDate, remindBefore: row.remindBefore };
      return { ...planAppointment(fields, circumstances(context, member)), attendedAt: null };
    }
    const leads = differ(row.remindBefore, before.remindBefore);
    return leads ? { leadSeconds: leadOf(row.remindBefore) } : undefined;
  });
}

/**
 * Returns whether a start was given with a clock time, which is then meant, also when it is
 * midnight.
 */
const isTimed = (start: StartChange | undefined, { startDate }: Pick<Reminder, 'startDate'>) =>
  start !== undefined && startDate?.includes('T') === true;

const differ = (text: string | null, before: string | null) =>
  (text?.trim() ?? '') !== (before?.trim() ?? '');

function columns<T extends Replan>({ times, ...plan }: T) {
  return { ...plan, ...(times && { times: [...times] }) };
}

interface Edit {
  readonly id: number;
  readonly version: number | null | undefined;
  readonly start: StartChange | undefined;
  readonly changes: Changes;
  readonly also?: ((inner: RequestContext, row: Reminder) => Promise<Changes>) | undefined;
}

type Changes = Partial<Record<keyof Sent, string | null | undefined>>;

/** Makes the plan of an edited row; undefined when the plan stays. */
type PlanEdit = (changed: Reminder, before: Reminder, member: Member) => Replan | undefined;

async function update(context: RequestContext, edit: Edit, plan: PlanEdit): Promise<Reminder> {
  const known = await context.loader(remindersById).load(edit.id);
  if (!known) throw refuse('REMINDER_NOT_FOUND', 'Invalid reminder ID.');
  const { accountId } = known;
  return write(context, accountId, (inner) => change(inner, accountId, edit, plan));
}

async function change(
  inner: RequestContext,
  accountId: number,
  { id, version, start, changes, also }: Edit,
  plan: PlanEdit,
): Promise<number> {
  await holdMember(inner, accountId);
  const read = await locked(inner, id);
  refuseStale(read, version);
  const startDate = start && changedStart(start, read);
  const further = await also?.(inner, read);
  const given = { ...changes, ...further, ...(startDate && { startDate }) };
  const texts = Object.entries(given).filter(([, value]) => typeof value === 'string');
  const fields = Object.assign(Object.fromEntries(texts), scheduleChange(read, given));
  const stays = Object.entries(fields).every(
    ([name, text]) => read[name as keyof Reminder] === text,
  );
  if (stays) return id;
  const dates = (['startDate', 'endDate'] as const).map((name) =>
    differ(fields[name] ?? read[name], read[name]) ? fields[name] : null,
  );
  const moved = await learnZoneFrom(inner, accountId, dates);
  const row = moved ? await locked(inner, id) : read;
  const changed = { ...row, ...fields };
  const member = await memberOf(inner, accountId);
  const understood = plan(changed, row, member);
  const replanned = understood !== undefined && differs(row, changed, understood);
  // Also a plan with the same times is written: it may be bound to another thing now, an offset, or
  // a clock time that was a usual one before.
  const attendedAt = replanned && 'attendedAt' in understood ? null : row.attendedAt;
  const planned = understood && { ...columns(understood), attendedAt };
  // After an edit, an identical create is a new reminder, not a retry.
  const own = { fingerprint: null, updatedAt: inner.now(), version: { increment: 1 } };
  const data = { ...fields, ...planned, ...own };
  await inner.db.reminder.update({ where: { id }, data, select: { id: true } });
  if (understood?.recognized) await stateAmount(inner, member, changed, row);
  if (replanned) await planEdited(inner, row, understood);
  const told = !row.recognized && changed.frequencyType === row.frequencyType;
  if (replanned && understood.recognized === false && !told) await tellUnrecognized(inner, changed);
  await recordChange(inner, accountId, 'reminder.write');
  return id;
}

/**
 * Deletes a reminder, and returns it as it was. It has no occurrences any more, and what was logged
 * of it stays. Throws REMINDER_NOT_FOUND.
 */
export async function deleteReminder(context: RequestContext, id: number): Promise<Reminder> {
  let previous: Reminder | undefined;
  await transact(context, async (inner) => {
    previous = await locked(inner, id);
    const data = { deletedAt: inner.now(), planAt: null, version: { increment: 1 } };
    await inner.db.reminder.update({ where: { id }, data, select: { id: true } });
    await cancelAlerts(inner, id);
    await recordChange(inner, previous.accountId, 'reminder.write');
  });
  return previous as Reminder;
}
