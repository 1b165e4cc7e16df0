import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { transact } from '../../../core/transact.js';
import { isUniqueViolation } from '../../../platform/database/database.js';
import {
  reopenOccurrence,
  settleOccurrence,
  snoozeOccurrence,
} from '../alert/alert-answer.service.js';
import { statusOf } from '../calendar/calendar.service.js';
import { type EventStatus, eventOf } from '../calendar/event.types.js';
import { recordChange } from '../reminder/change.service.js';
import { holdReminder, type ReminderRow, remindersById } from '../reminder/reminder.service.js';
import { memberOf } from '../setting/member.service.js';
import { DoseAnswer } from './dose.answer.js';
import type {
  LogDoseInput,
  SkipDoseInput,
  SnoozeDoseInput,
  TakeDoseInput,
  UndoDoseInput,
} from './dose.inputs.js';
import type { Answered } from './dose-payload.types.js';
import { EARLIEST, refuseEarly, refuseLate, takenAt } from './dose-time.js';
import {
  dosesById,
  holdOccurrence,
  keyOf,
  namedBy,
  occurrenceOf,
  unmatchedDoseOf,
} from './occurrence.service.js';

const MINUTE = 60_000;
/** How long ago a dose that belongs to no occurrence may have been taken, in milliseconds. */
const LOGGED_BACK = 366 * 24 * 60 * MINUTE;
/** For how many minutes a dose is put off unless said otherwise. */
const USUAL_SNOOZE = 10;

interface Answer {
  readonly answer: DoseAnswer;
  readonly at: Date;
  readonly note?: string | null | undefined;
  readonly extra?: boolean;
}

/** Logs an answer with the name that the medicine has now; `plannedAt` null is a dose as needed. */
async function log(
  inner: RequestContext,
  row: ReminderRow,
  plannedAt: Date | null,
  { answer, at, note = null, extra = false }: Answer,
): Promise<number> {
  const { id: reminderId, accountId, name, medicineType } = row;
  const logged = { loggedById: inner.viewer.id, loggedAt: inner.now() };
  const medicine = { reminderId, accountId, name, medicineType };
  const data = { ...medicine, plannedAt, answer, at, extra, note, ...logged };
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
export async function takeDose(context: RequestContext, input: TakeDoseInput): Promise<Answered> {
  const { row, at: planned } = await occurrenceOf(context, input.occurrenceId);
  refuseEarly(context, planned);
  const at = takenAt(context, input.at, planned - EARLIEST);
  const plannedAt = new Date(planned);
  const take = async (inner: RequestContext) => {
    await holdOccurrence(inner, row, input.occurrenceId);
    const before = await answerTo(inner, row.id, plannedAt);
    if (before?.answer === DoseAnswer.TAKEN && !input.force) throw alreadyTaken();
    await settleOccurrence(inner, row.id, plannedAt);
    const taken = { answer: DoseAnswer.TAKEN, at };
    if (before?.answer !== DoseAnswer.SKIPPED) {
      const extra = before !== null;
      return log(inner, row, plannedAt, { ...taken, note: input.note, extra });
    }
    const logged = { loggedById: inner.viewer.id, loggedAt: inner.now() };
    const data = { ...taken, note: input.note ?? before.note, ...logged };
    await inner.db.dose.update({ where: { id: before.id }, data, select: { id: true } });
    await recordChange(inner, row.accountId, 'dose.write');
    return before.id;
  };
  const id = await transact(context, take, { replayable: true }).catch(refuseTwin);
  return shownDose(context, row, id);
}

/**
 * Logs that a dose is left out; to skip it twice is to skip it once. OCCURRENCE_NOT_FOUND,
 * ALREADY_TAKEN, TOO_EARLY.
 */
export async function skipDose(
  context: RequestContext,
  { occurrenceId, note }: SkipDoseInput,
): Promise<Answered> {
  const { row, at } = await occurrenceOf(context, occurrenceId);
  refuseEarly(context, at);
  const plannedAt = new Date(at);
  const skip = async (inner: RequestContext) => {
    await holdOccurrence(inner, row, occurrenceId);
    const before = await answerTo(inner, row.id, plannedAt);
    if (before?.answer === DoseAnswer.TAKEN) throw alreadyTaken();
    await settleOccurrence(inner, row.id, plannedAt);
    const skipped = { answer: DoseAnswer.SKIPPED, at: inner.now(), note };
    return before?.id ?? log(inner, row, plannedAt, skipped);
  };
  const id = await transact(context, skip, { replayable: true }).catch(refuseTwin);
  return shownDose(context, row, id);
}

/**
 * Puts a dose off: its reminder comes again in some minutes, 10 unless said otherwise.
 * OCCURRENCE_NOT_FOUND, ALREADY_TAKEN, TOO_EARLY, TOO_LATE.
 */
export async function snoozeDose(
  context: RequestContext,
  { occurrenceId, minutes }: SnoozeDoseInput,
): Promise<Answered> {
  const { row, at } = await occurrenceOf(context, occurrenceId);
  refuseEarly(context, at);
  refuseLate(context, at);
  const snooze = async (inner: RequestContext) => {
    await holdOccurrence(inner, row, occurrenceId);
    const before = await answerTo(inner, row.id, new Date(at));
    if (before) {
      const message = `This dose was already ${before.answer}. Take that back first.`;
      throw refuse('ALREADY_TAKEN', message);
    }
    const from = Math.max(at, inner.now().getTime());
    const until = new Date(from + (minutes ?? USUAL_SNOOZE) * MINUTE);
    await snoozeOccurrence(inner, keyOf(row, at), until);
    await recordChange(inner, row.accountId, 'dose.write');
    return row.id;
  };
  await transact(context, snooze, { replayable: true });
  return shown(context, row, at);
}

/**
 * Takes an answer back, and plans the alerts of the occurrence again as `reopenOccurrence` says. A
 * dose that stood on its own, since no plan has it, is gone. OCCURRENCE_NOT_FOUND, also for the
 * number of a dose that answers an occurrence; NOTHING_LOGGED.
 */
export async function undoDose(
  context: RequestContext,
  { occurrenceId }: UndoDoseInput,
): Promise<Answered> {
  const doseId = await unmatchedDoseOf(context, occurrenceId);
  const named = doseId ? undefined : await namedBy(context, occurrenceId);
  let comes = false;
  const dose = await transact(context, async (inner) => {
    if (named) {
      const same = await holdReminder(inner, named.row);
      comes = same ? named.comes : (await namedBy(inner, occurrenceId)).comes;
    }
    const where = named
      ? { reminderId: named.row.id, plannedAt: new Date(named.at), extra: false }
      : { id: doseId as number };
    const dose = await inner.db.dose.findFirst({ where });
    const { count } = await inner.db.dose.deleteMany({ where: { id: dose?.id ?? 0 } });
    if (!dose || count === 0) throw refuse('NOTHING_LOGGED', 'Nothing was logged for this.');
    if (named && comes) await reopenOccurrence(inner, keyOf(named.row, named.at));
    await recordChange(inner, dose.accountId, 'dose.write');
    return dose;
  });
  if (named && comes) return shown(context, named.row, named.at);
  const { accountId: memberId, plannedAt, at, extra } = dose;
  return { memberId, at: ((extra ? null : plannedAt) ?? at).getTime() };
}

/**
 * Logs a dose of a medicine that is taken as needed, or out of turn. REMINDER_NOT_FOUND,
 * TIME_INVALID.
 */
export async function logDose(
  context: RequestContext,
  { reminderId, at, note }: LogDoseInput,
): Promise<Answered> {
  const row = (await context.loader(remindersById).load(reminderId)) as ReminderRow;
  const moment = takenAt(context, at, context.now().getTime() - LOGGED_BACK);
  const answer = { answer: DoseAnswer.TAKEN, at: moment, note };
  const id = await transact(context, (inner) => log(inner, row, null, answer), {
    replayable: true,
  });
  return shownDose(context, row, id);
}

/** A dose as it stands on the calendar. */
async function shownDose(
  context: RequestContext,
  row: ReminderRow,
  doseId: number,
): Promise<Answered> {
  const dose = await context.loader(dosesById).load(doseId);
  if (!dose) throw refuse('NOTHING_LOGGED', 'This answer was taken back.');
  const { zone } = await memberOf(context, row.accountId);
  const own = dose.extra ? { ...dose, plannedAt: null } : dose;
  const at = (own.plannedAt ?? dose.at).getTime();
  const event = eventOf(row, at, dose.answer as EventStatus, zone, own);
  return { memberId: row.accountId, at, event };
}

/** An unanswered dose as it stands on the calendar. */
async function shown(context: RequestContext, row: ReminderRow, at: number): Promise<Answered> {
  const { zone } = await memberOf(context, row.accountId);
  const event = eventOf(row, at, statusOf(row, at, context.now().getTime()), zone);
  return { memberId: row.accountId, at, event };
}
