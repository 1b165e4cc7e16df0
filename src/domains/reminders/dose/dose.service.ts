import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { transact } from '../../../core/transact.js';
import { isUniqueViolation } from '../../../platform/database/database.js';
import { localText } from '../../../platform/moment.js';
import { localAt } from '../../../platform/zone.js';
import {
  type OccurrenceKey,
  reopenAppointment,
  reopenOccurrence,
  settleOccurrence,
  snoozeOccurrence,
} from '../alert/occurrence.service.js';
import { parseEventId } from '../alert/occurrence-id.js';
import { startAtOf } from '../alert/plan.js';
import { comings, statusOf } from '../calendar/calendar.service.js';
import { CalendarEvent, EventStatus, type LoggedDose } from '../calendar/calendar.types.js';
import { recordChange } from '../reminder/change.service.js';
import {
  holdReminder,
  locked,
  type ReminderRow,
  remindersById,
} from '../reminder/reminder.service.js';
import { memberOf } from '../setting/member.service.js';
import type {
  AttendAppointmentInput,
  LogDoseInput,
  SkipDoseInput,
  SnoozeDoseInput,
  TakeDoseInput,
  UndoDoseInput,
} from './dose.inputs.js';

const MINUTE = 60_000;
/** How long before its time a dose may be answered for. */
const EARLIEST = 24 * 60 * MINUTE;
/** How long ago a dose that belongs to no occurrence may have been taken. */
const LOGGED_BACK = 366 * 24 * 60 * MINUTE;
/** Clocks of clients run ahead of ours. */
const AHEAD = 5 * MINUTE;
const USUAL_SNOOZE = 10;
/** How long after its time a dose may be put off. */
const LATEST_SNOOZE = 24 * 60 * MINUTE;

const notFound = () => refuse('OCCURRENCE_NOT_FOUND', 'There is no such occurrence.');

/** Doses by id, for `context.loader`. */
async function dosesById(
  context: RequestContext,
  ids: readonly number[],
): Promise<(LoggedDose | undefined)[]> {
  const rows = await context.db.dose.findMany({ where: { id: { in: [...ids] } } });
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => found.get(id));
}

/** The member whose dose or occurrence an id names, if there is one. */
export async function reminderOf(
  context: RequestContext,
  occurrenceId: string,
): Promise<number | undefined> {
  const named = parseEventId(occurrenceId);
  if (!named) return undefined;
  if ('doseId' in named) return (await context.loader(dosesById).load(named.doseId))?.accountId;
  const row = await context.loader(remindersById).load(named.reminderId);
  return row && row.kind === 'medicine' && !row.deletedAt ? row.accountId : undefined;
}

/**
 * What an id names: a medicine, an instant, and whether a plan of it that was understood comes
 * then, or came. OCCURRENCE_NOT_FOUND.
 */
async function namedBy(
  context: RequestContext,
  occurrenceId: string,
): Promise<{ row: ReminderRow; at: number; comes: boolean }> {
  const named = parseEventId(occurrenceId);
  if (!named || 'doseId' in named) throw notFound();
  const row = await context.loader(remindersById).load(named.reminderId);
  if (!row || row.deletedAt) throw notFound();
  return { row, at: named.at, comes: await comesAt(context, row, named.at) };
}

/** Whether a plan of a medicine that was understood comes at an instant, or came. */
async function comesAt(context: RequestContext, row: ReminderRow, at: number): Promise<boolean> {
  const plans = await context.db.pastPlan.findMany({
    where: { reminderId: row.id, toAt: { gt: new Date(at) } },
  });
  const [coming] = [
    ...comings(row, { past: new Map([[row.id, plans]]) }, { from: at, to: at + 1 }),
  ];
  return coming?.recognized === true;
}

/** An occurrence that a plan of a medicine has, or had. OCCURRENCE_NOT_FOUND. */
async function occurrenceOf(
  context: RequestContext,
  occurrenceId: string,
): Promise<{ row: ReminderRow; at: number }> {
  const { row, at, comes } = await namedBy(context, occurrenceId);
  if (!comes) throw notFound();
  return { row, at };
}

/**
 * Holds an occurrence that was read until the transaction ends. OCCURRENCE_NOT_FOUND when an edit
 * or a move took it away meanwhile.
 */
async function hold(inner: RequestContext, row: ReminderRow, occurrenceId: string): Promise<void> {
  if (!(await holdReminder(inner, row))) await occurrenceOf(inner, occurrenceId);
}

const keyOf = (row: ReminderRow, at: number): OccurrenceKey => ({
  reminderId: row.id,
  accountId: row.accountId,
  plannedAt: new Date(at),
  localTime: localText(localAt(at, row.zone)),
});

function refuseEarly(context: RequestContext, at: number): void {
  if (at > context.now().getTime() + EARLIEST)
    throw refuse('TOO_EARLY', 'This can be answered for from 24 hours before its time.');
}

function refuseLate(context: RequestContext, at: number): void {
  if (at < context.now().getTime() - LATEST_SNOOZE)
    throw refuse(
      'TOO_LATE',
      'This can be put off until 24 hours after its time. It can still be taken or skipped.',
    );
}

/**
 * When a dose was taken: now unless said otherwise, not in the future, and not before `earliest`.
 * TIME_INVALID.
 */
function momentOf(context: RequestContext, at: Date | null | undefined, earliest: number): Date {
  const now = context.now();
  if (!at) return now;
  if (at.getTime() > now.getTime() + AHEAD)
    throw refuse('TIME_INVALID', 'What was taken cannot lie in the future.', { param: 'at' });
  if (at.getTime() < earliest) {
    throw refuse(
      'TIME_INVALID',
      `This cannot have been taken before ${new Date(earliest).toISOString()}.`,
      { param: 'at' },
    );
  }
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
  const data = {
    reminderId,
    accountId,
    name,
    medicineType,
    plannedAt,
    answer,
    at,
    extra,
    note: note ?? null,
    ...logged,
  };
  const { id } = await inner.db.dose.create({ data, select: { id: true } });
  await recordChange(inner, accountId, 'dose.write');
  return id;
}

const answerTo = (inner: RequestContext, reminderId: number, plannedAt: Date) =>
  inner.db.dose.findFirst({ where: { reminderId, plannedAt, extra: false } });

const alreadyTaken = () =>
  refuse('ALREADY_TAKEN', 'This dose was already taken. Take it back first, or force another one.');

/** Two answers at once meet at the database: the second finds the first. */
function refuseTwin(error: unknown): never {
  throw isUniqueViolation(error) ? alreadyTaken() : error;
}

/**
 * Logs that a dose was taken. OCCURRENCE_NOT_FOUND, ALREADY_TAKEN unless forced, TOO_EARLY,
 * TIME_INVALID.
 */
export async function takeDose(
  context: RequestContext,
  input: TakeDoseInput,
): Promise<CalendarEvent> {
  const { row, at: planned } = await occurrenceOf(context, input.occurrenceId);
  refuseEarly(context, planned);
  const at = momentOf(context, input.at, planned - EARLIEST);
  const plannedAt = new Date(planned);
  const id = await transact(
    context,
    async (inner) => {
      await hold(inner, row, input.occurrenceId);
      const before = await answerTo(inner, row.id, plannedAt);
      if (before?.answer === 'taken' && !input.force) throw alreadyTaken();
      await settleOccurrence(inner, row.id, plannedAt);
      if (before?.answer !== 'skipped')
        return log(inner, row, plannedAt, {
          answer: 'taken',
          at,
          note: input.note,
          extra: before !== null,
        });
      const data = {
        answer: 'taken',
        at,
        note: input.note ?? before.note,
        loggedById: inner.viewer.id,
        loggedAt: inner.now(),
      };
      await inner.db.dose.update({ where: { id: before.id }, data, select: { id: true } });
      await recordChange(inner, row.accountId, 'dose.write');
      return before.id;
    },
    { replayable: true },
  ).catch(refuseTwin);
  return shownDose(context, row, id);
}

/**
 * Logs that a dose is left out. OCCURRENCE_NOT_FOUND, ALREADY_TAKEN, TOO_EARLY. Skipping twice is
 * skipping once.
 */
export async function skipDose(
  context: RequestContext,
  { occurrenceId, note }: SkipDoseInput,
): Promise<CalendarEvent> {
  const { row, at } = await occurrenceOf(context, occurrenceId);
  refuseEarly(context, at);
  const plannedAt = new Date(at);
  const id = await transact(
    context,
    async (inner) => {
      await hold(inner, row, occurrenceId);
      const before = await answerTo(inner, row.id, plannedAt);
      if (before?.answer === 'taken') throw alreadyTaken();
      await settleOccurrence(inner, row.id, plannedAt);
      return before?.id ?? log(inner, row, plannedAt, { answer: 'skipped', at: inner.now(), note });
    },
    { replayable: true },
  ).catch(refuseTwin);
  return shownDose(context, row, id);
}

/**
 * Puts a dose off: its reminder comes again in some minutes. OCCURRENCE_NOT_FOUND, ALREADY_TAKEN,
 * TOO_EARLY, TOO_LATE.
 */
export async function snoozeDose(
  context: RequestContext,
  { occurrenceId, minutes }: SnoozeDoseInput,
): Promise<CalendarEvent> {
  const { row, at } = await occurrenceOf(context, occurrenceId);
  refuseEarly(context, at);
  refuseLate(context, at);
  const plannedAt = new Date(at);
  await transact(
    context,
    async (inner) => {
      await hold(inner, row, occurrenceId);
      const before = await answerTo(inner, row.id, plannedAt);
      if (before)
        throw refuse(
          'ALREADY_TAKEN',
          `This dose was already ${before.answer}. Take that back first.`,
        );
      const until = new Date(
        Math.max(at, inner.now().getTime()) + (minutes ?? USUAL_SNOOZE) * MINUTE,
      );
      await snoozeOccurrence(inner, keyOf(row, at), until);
      await recordChange(inner, row.accountId, 'dose.write');
      return row.id;
    },
    { replayable: true },
  );
  return shown(context, row, at);
}

/**
 * Takes an answer back, and lets the occurrence come again as `reopenOccurrence` says; a dose that
 * stood on its own, since no plan has it, is gone. OCCURRENCE_NOT_FOUND, also for the number of a
 * dose that answers for an occurrence; NOTHING_LOGGED.
 */
export async function undoDose(
  context: RequestContext,
  { occurrenceId }: UndoDoseInput,
): Promise<CalendarEvent | undefined> {
  const alone = await aloneBy(context, occurrenceId);
  const named = alone ? undefined : await namedBy(context, occurrenceId);
  let comes = false;
  await transact(context, async (inner) => {
    if (named)
      comes = (await holdReminder(inner, named.row))
        ? named.comes
        : (await namedBy(inner, occurrenceId)).comes;
    const where = named
      ? { reminderId: named.row.id, plannedAt: new Date(named.at), extra: false }
      : { id: alone as number };
    const dose = await inner.db.dose.findFirst({ where });
    const { count } = await inner.db.dose.deleteMany({ where: { id: dose?.id ?? 0 } });
    if (!dose || count === 0) throw refuse('NOTHING_LOGGED', 'Nothing was logged for this.');
    if (named && comes) await reopenOccurrence(inner, keyOf(named.row, named.at));
    await recordChange(inner, dose.accountId, 'dose.write');
  });
  return named && comes ? shown(context, named.row, named.at) : undefined;
}

/**
 * The dose that an id names by its number: as needed, in addition, or of a plan that is no more.
 * OCCURRENCE_NOT_FOUND for any other dose.
 */
async function aloneBy(context: RequestContext, occurrenceId: string): Promise<number | undefined> {
  const named = parseEventId(occurrenceId);
  if (!named || !('doseId' in named)) return undefined;
  const dose = await context.loader(dosesById).load(named.doseId);
  if (dose?.plannedAt && !dose.extra) {
    const row = await context.loader(remindersById).load(dose.reminderId ?? 0);
    if (row && !row.deletedAt && (await comesAt(context, row, dose.plannedAt.getTime())))
      throw notFound();
  }
  return named.doseId;
}

/**
 * Logs a dose of a medicine that is taken as needed, or out of turn. REMINDER_NOT_FOUND,
 * TIME_INVALID.
 */
export async function logDose(
  context: RequestContext,
  { reminderId, at, note }: LogDoseInput,
): Promise<CalendarEvent> {
  const row = (await context.loader(remindersById).load(reminderId)) as ReminderRow;
  const moment = momentOf(context, at, context.now().getTime() - LOGGED_BACK);
  const id = await transact(
    context,
    (inner) => log(inner, row, null, { answer: 'taken', at: moment, note }),
    {
      replayable: true,
    },
  );
  return shownDose(context, row, id);
}

/**
 * Marks an appointment as attended, or not. REMINDER_NOT_FOUND, UNSCHEDULED without a date,
 * TOO_EARLY.
 */
export async function attendAppointment(
  context: RequestContext,
  { id, attended }: AttendAppointmentInput,
): Promise<ReminderRow> {
  await transact(
    context,
    async (inner) => {
      const row = await locked(inner, id);
      if (!row.scheduled)
        throw refuse('UNSCHEDULED', 'An appointment without a date cannot be attended.', {
          param: 'id',
        });
      if (attended !== false) refuseEarly(inner, startAtOf(row));
      const data = {
        attendedAt: attended === false ? null : inner.now(),
        updatedAt: inner.now(),
        version: { increment: 1 },
      };
      await inner.db.reminder.update({ where: { id }, data, select: { id: true } });
      if (attended === false) await reopenAppointment(inner, row);
      await recordChange(inner, row.accountId, 'dose.write');
      return id;
    },
    { replayable: true },
  );
  return (await context.loader(remindersById).load(id)) as ReminderRow;
}

/** A dose as it stands on the calendar. */
async function shownDose(
  context: RequestContext,
  row: ReminderRow,
  doseId: number,
): Promise<CalendarEvent> {
  const dose = await context.loader(dosesById).load(doseId);
  if (!dose) throw refuse('NOTHING_LOGGED', 'This answer was taken back.');
  const { zone } = await memberOf(context, row.accountId);
  const own = dose.extra ? { ...dose, plannedAt: null } : dose;
  return new CalendarEvent(
    row,
    (own.plannedAt ?? dose.at).getTime(),
    dose.answer as EventStatus,
    zone,
    own,
  );
}

async function shown(
  context: RequestContext,
  row: ReminderRow,
  at: number,
): Promise<CalendarEvent> {
  const { zone } = await memberOf(context, row.accountId);
  return new CalendarEvent(row, at, statusOf(row, at, context.now().getTime()), zone);
}
