import { type RequestContext, transact } from '../../context.js';
import { refuse } from '../../errors.js';
import { isUniqueViolation } from '../../platform/database/database.js';
import { localAt } from '../../platform/zone.js';
import { comings, statusOf } from './calendar.service.js';
import { CalendarEvent, EventStatus, type LoggedDose } from './calendar.types.js';
import { recordChange } from './change.service.js';
import type {
  AttendAppointmentInput,
  LogDoseInput,
  SkipDoseInput,
  SnoozeDoseInput,
  TakeDoseInput,
  UndoDoseInput,
} from './dose.inputs.js';
import { memberOf } from './member.service.js';
import { reopenOccurrence, settleOccurrence, snoozeOccurrence } from './occurrence.service.js';
import { parseOccurrenceId } from './occurrence-id.js';
import { scheduleOf } from './plan.js';
import { type ReminderRow, remindersById } from './reminder.service.js';
import { localText } from './schedule/moment.js';

const MINUTE = 60_000;
/** How long before its time a dose may be answered for. */
const EARLIEST = 24 * 60 * MINUTE;
/** Clocks of clients run ahead of ours. */
const AHEAD = 5 * MINUTE;
const USUAL_SNOOZE = 10;

const notFound = () => refuse('OCCURRENCE_NOT_FOUND', 'There is no such occurrence.');

/** Doses by id, for `context.loader`. */
async function dosesById(context: RequestContext, ids: readonly number[]): Promise<(LoggedDose | undefined)[]> {
  const rows = await context.db.dose.findMany({ where: { id: { in: [...ids] } } });
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => found.get(id));
}

/** The number of a dose that stands on its own on the calendar. */
const doseIdOf = (occurrenceId: string) => Number(/^dose-(\d{1,9})$/.exec(occurrenceId)?.[1]) || undefined;

/** The member whose occurrence an id names, if there is one. */
export async function reminderOf(context: RequestContext, occurrenceId: string): Promise<number | undefined> {
  const dose = doseIdOf(occurrenceId);
  if (dose) return (await context.loader(dosesById).load(dose))?.accountId;
  const named = parseOccurrenceId(occurrenceId);
  const row = named && (await context.loader(remindersById).load(named.reminderId));
  return row && row.kind === 'medicine' && !row.deletedAt ? row.accountId : undefined;
}

/** An occurrence that a plan of a medicine has, or had. OCCURRENCE_NOT_FOUND. */
async function occurrenceOf(context: RequestContext, occurrenceId: string): Promise<{ row: ReminderRow; at: number }> {
  const named = parseOccurrenceId(occurrenceId);
  const row = named && (await context.loader(remindersById).load(named.reminderId));
  if (!row || row.deletedAt || !row.recognized) throw notFound();
  const plans = await context.db.pastPlan.findMany({ where: { reminderId: row.id, toAt: { gt: new Date(named.at) } } });
  const [at] = [...comings(row, { past: new Map([[row.id, plans]]) }, { from: named.at, to: named.at + 1 })];
  if (at === undefined) throw notFound();
  return { row, at };
}

function refuseEarly(context: RequestContext, at: number): void {
  if (at > context.now().getTime() + EARLIEST)
    throw refuse('TOO_EARLY', 'This can be answered for from 24 hours before its time.');
}

function momentOf(context: RequestContext, at: Date | null | undefined): Date {
  const now = context.now();
  if (!at) return now;
  if (at.getTime() > now.getTime() + AHEAD)
    throw refuse('TIME_INVALID', 'What was taken cannot lie in the future.', { param: 'at' });
  return at;
}

interface Answer {
  answer: 'taken' | 'skipped';
  at: Date;
  note?: string | null | undefined;
  extra?: boolean;
}

/** Logs an answer with the name that the medicine has now; `plannedAt` null is a dose as needed. */
async function log(
  inner: RequestContext,
  row: ReminderRow,
  plannedAt: Date | null,
  { answer, at, note, extra = false }: Answer,
): Promise<number> {
  const { id: reminderId, accountId, name, medicineType } = row;
  const logged = { loggedById: inner.viewer.id, loggedAt: inner.now() };
  const data = { reminderId, accountId, name, medicineType, plannedAt, answer, at, extra, note: note ?? null, ...logged };
  const { id } = await inner.db.dose.create({ data, select: { id: true } });
  await recordChange(inner, accountId, 'dose.write');
  return id;
}

const answerTo = (inner: RequestContext, reminderId: number, plannedAt: Date) =>
  inner.db.dose.findFirst({ where: { reminderId, plannedAt, extra: false } });

const alreadyTaken = () => refuse('ALREADY_TAKEN', 'This dose was already taken. Take it back first, or force another one.');

/** Two answers at once meet at the database: the second finds the first. */
function refuseTwin(error: unknown): never {
  throw isUniqueViolation(error) ? alreadyTaken() : error;
}

/** Logs that a dose was taken. OCCURRENCE_NOT_FOUND, ALREADY_TAKEN unless forced, TOO_EARLY, TIME_INVALID. */
export async function takeDose(context: RequestContext, input: TakeDoseInput): Promise<CalendarEvent> {
  const { row, at: planned } = await occurrenceOf(context, input.occurrenceId);
  refuseEarly(context, planned);
  const at = momentOf(context, input.at);
  const plannedAt = new Date(planned);
  const id = await transact(
    context,
    async (inner) => {
      const before = await answerTo(inner, row.id, plannedAt);
      if (before?.answer === 'taken' && !input.force) throw alreadyTaken();
      await settleOccurrence(inner, row.id, plannedAt);
      if (before?.answer !== 'skipped')
        return log(inner, row, plannedAt, { answer: 'taken', at, note: input.note, extra: before !== null });
      const data = { answer: 'taken', at, note: input.note ?? before.note, loggedById: inner.viewer.id, loggedAt: inner.now() };
      await inner.db.dose.update({ where: { id: before.id }, data, select: { id: true } });
      await recordChange(inner, row.accountId, 'dose.write');
      return before.id;
    },
    { replayable: true },
  ).catch(refuseTwin);
  return shownDose(context, row, id);
}

/** Logs that a dose is left out. OCCURRENCE_NOT_FOUND, ALREADY_TAKEN, TOO_EARLY. Skipping twice is skipping once. */
export async function skipDose(context: RequestContext, { occurrenceId, note }: SkipDoseInput): Promise<CalendarEvent> {
  const { row, at } = await occurrenceOf(context, occurrenceId);
  refuseEarly(context, at);
  const plannedAt = new Date(at);
  const id = await transact(
    context,
    async (inner) => {
      const before = await answerTo(inner, row.id, plannedAt);
      if (before?.answer === 'taken') throw alreadyTaken();
      await settleOccurrence(inner, row.id, plannedAt);
      return before?.id ?? log(inner, row, plannedAt, { answer: 'skipped', at: inner.now(), note });
    },
    { replayable: true },
  ).catch(refuseTwin);
  return shownDose(context, row, id);
}

/** Puts a dose off: its reminder comes again in some minutes. OCCURRENCE_NOT_FOUND, ALREADY_TAKEN, TOO_EARLY. */
export async function snoozeDose(context: RequestContext, { occurrenceId, minutes }: SnoozeDoseInput): Promise<CalendarEvent> {
  const { row, at } = await occurrenceOf(context, occurrenceId);
  refuseEarly(context, at);
  const plannedAt = new Date(at);
  await transact(
    context,
    async (inner) => {
      if (await answerTo(inner, row.id, plannedAt)) throw refuse('ALREADY_TAKEN', 'This dose was already answered for.');
      const until = new Date(Math.max(at, inner.now().getTime()) + (minutes ?? USUAL_SNOOZE) * MINUTE);
      const localTime = localText(localAt(at, scheduleOf(row).zone));
      await snoozeOccurrence(inner, { reminderId: row.id, accountId: row.accountId, plannedAt, localTime }, until);
      await recordChange(inner, row.accountId, 'dose.write');
      return row.id;
    },
    { replayable: true },
  );
  return shown(context, row, at);
}

/** Takes an answer back; a dose that stood on its own is gone. OCCURRENCE_NOT_FOUND, NOTHING_LOGGED. */
export async function undoDose(context: RequestContext, { occurrenceId }: UndoDoseInput): Promise<CalendarEvent | undefined> {
  const alone = doseIdOf(occurrenceId);
  const named = alone ? undefined : await occurrenceOf(context, occurrenceId);
  await transact(context, async (inner) => {
    const where = named ? { reminderId: named.row.id, plannedAt: new Date(named.at), extra: false } : { id: alone as number };
    const dose = await inner.db.dose.findFirst({ where });
    if (!dose) throw refuse('NOTHING_LOGGED', 'Nothing was logged for this.');
    await inner.db.dose.delete({ where: { id: dose.id }, select: { id: true } });
    if (named) await reopenOccurrence(inner, named.row.id, new Date(named.at));
    await recordChange(inner, dose.accountId, 'dose.write');
  });
  return named && shown(context, named.row, named.at);
}

/** Logs a dose of a medicine that is taken as needed, or out of turn. REMINDER_NOT_FOUND, TIME_INVALID. */
export async function logDose(context: RequestContext, { reminderId, at, note }: LogDoseInput): Promise<CalendarEvent> {
  const row = (await context.loader(remindersById).load(reminderId)) as ReminderRow;
  const moment = momentOf(context, at);
  const id = await transact(context, (inner) => log(inner, row, null, { answer: 'taken', at: moment, note }), {
    replayable: true,
  });
  return shownDose(context, row, id);
}

/** Marks an appointment as attended, or not. REMINDER_NOT_FOUND. */
export async function attendAppointment(context: RequestContext, { id, attended }: AttendAppointmentInput): Promise<ReminderRow> {
  await transact(
    context,
    async (inner) => {
      const data = { attendedAt: attended === false ? null : inner.now(), updatedAt: inner.now(), version: { increment: 1 } };
      const { accountId } = await inner.db.reminder.update({ where: { id }, data, select: { accountId: true } });
      await recordChange(inner, accountId, 'dose.write');
      return id;
    },
    { replayable: true },
  );
  return (await context.loader(remindersById).load(id)) as ReminderRow;
}

/** A dose as it stands on the calendar. */
async function shownDose(context: RequestContext, row: ReminderRow, doseId: number): Promise<CalendarEvent> {
  const dose = await context.loader(dosesById).load(doseId);
  if (!dose) throw refuse('NOTHING_LOGGED', 'This answer was taken back.');
  const { zone } = await memberOf(context, row.accountId);
  const own = dose.extra ? { ...dose, plannedAt: null } : dose;
  return new CalendarEvent(row, (own.plannedAt ?? dose.at).getTime(), dose.answer as EventStatus, zone, own);
}

async function shown(context: RequestContext, row: ReminderRow, at: number): Promise<CalendarEvent> {
  const { zone } = await memberOf(context, row.accountId);
  return new CalendarEvent(row, at, statusOf(row, at, context.now().getTime()), zone);
}
