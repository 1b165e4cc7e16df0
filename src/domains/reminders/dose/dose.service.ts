import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { deleteOnce, type Replayed, transact } from '../../../core/transact.js';
import { type Dose, Prisma } from '../../../generated/prisma/client.js';
import { isUniqueViolation } from '../../../platform/database/database.js';
import { auditAccess } from '../../audit/audit.service.js';
import { careRights, lacking } from '../../care/care.service.js';
import {
  reopenOccurrence,
  settleOccurrence,
  snoozeOccurrence,
} from '../alert/alert-answer.service.js';
import { type EventStatus, eventOf } from '../calendar/event.types.js';
import { statusOf } from '../calendar/standing.js';
import { planAfterDose } from '../reminder/after-dose.service.js';
import { recordChange } from '../reminder/change.service.js';
import { holdReminder, type ReminderRow, remindersById } from '../reminder/reminder.service.js';
import { replanAnswered } from '../reminder/replan.service.js';
import { frequencyIn } from '../schedule/schedule-value.js';
import { memberOf } from '../setting/member.service.js';
import { returnToStock } from '../stock/stock-count.service.js';
import { settleSupply } from '../stock/supply-end.service.js';
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
import { insertDose } from './new-dose.service.js';
import {
  dosesById,
  holdOccurrence,
  keyOf,
  namedBy,
  occurrenceOf,
  unmatchedDoseOf,
} from './occurrence.service.js';
import { takenColumns } from './taken.service.js';

const MINUTE = 60_000;
/** How long ago a dose that belongs to no occurrence may have been taken, in milliseconds. */
const LOGGED_BACK = 366 * 24 * 60 * MINUTE;
/** For how many minutes a dose is put off unless said otherwise. */
const USUAL_SNOOZE = 10;

interface LoggedAnswer {
  readonly answer: DoseAnswer;
  readonly at: Date;
  readonly note?: string | null | undefined;
  readonly extra?: boolean;
  readonly amount?: TakeDoseInput['amount'];
}

/** Logs an answer with the name that the medicine has now; `plannedAt` null is a dose as needed. */
async function log(
  inner: RequestContext,
  row: ReminderRow,
  plannedAt: Date | null,
  { answer, at, note = null, extra = false, amount }: LoggedAnswer,
): Promise<number> {
  const { id: reminderId, accountId, name, medicineType } = row;
  const logged = {
    loggedById: inner.viewer.id,
    loggedAt: inner.now(),
    loggedFrom: signInOf(inner),
  };
  const taken =
    answer === DoseAnswer.TAKEN ? await takenColumns(inner, row, { plannedAt, at, amount }) : {};
  const medicine = { reminderId, accountId, name, medicineType, ...taken };
  await auditAccess(inner, accountId, 'dose.write');
  return insertDose(inner, { ...medicine, plannedAt, answer, at, extra, note, ...logged });
}

const signInOf = ({ viewer }: RequestContext): string | null =>
  viewer.sessionId ?? viewer.applicationPasswordId ?? null;

/**
 * Does what answers an occurrence, which is held, with the medicine as it is then, and plans the
 * next one where it counts from this one.
 */
const holding =
  (
    row: ReminderRow,
    occurrenceId: string,
    change: (inner: RequestContext, held: ReminderRow) => Promise<number>,
  ) =>
  async (inner: RequestContext): Promise<number> => {
    const same = await holdOccurrence(inner, row, occurrenceId);
    const id = await change(inner, same ? row : await presentRow(inner, row));
    if (!same || frequencyIn(row).kind === 'after_dose')
      await planAfterDose(inner, row, { kind: 'answer' });
    await settleSupply(inner, row.id, same ? row : undefined);
    return id;
  };

/** Returns a medicine that was changed since it was read, and is held now. */
const presentRow = async (inner: RequestContext, row: ReminderRow): Promise<ReminderRow> =>
  (await inner.loader(remindersById).load(row.id)) ?? row;

/** The answer to an occurrence. */
interface GivenAnswer extends Pick<Dose, 'accountId' | 'note'> {
  readonly id: number;
  readonly answer: DoseAnswer;
}

async function answerTo(
  { db }: RequestContext,
  reminderId: number,
  plannedAt: Date,
): Promise<GivenAnswer | undefined> {
  const [given] = await db.$queryRaw<GivenAnswer[]>`
    SELECT id, account_id AS "accountId", answer, note FROM dose
    WHERE reminder_id = ${reminderId}::int AND planned_at = ${plannedAt.toISOString()}::timestamptz
      AND NOT extra
    LIMIT 1`;
  return given;
}

const alreadyTaken = () =>
  refuse('ALREADY_TAKEN', 'This dose was already taken. Take it back first, or force another one.');

/** Two answers at once meet at the database: the second finds the first. */
function refuseTwin(error: unknown): never {
  throw isUniqueViolation(error) ? alreadyTaken() : error;
}

/**
 * Logs that a dose was taken. Throws OCCURRENCE_NOT_FOUND, ALREADY_TAKEN unless forced, TOO_EARLY,
 * TIME_INVALID.
 */
export async function takeDose(context: RequestContext, input: TakeDoseInput): Promise<Answered> {
  const { row, at: planned } = await occurrenceOf(context, input.occurrenceId);
  refuseEarly(context, planned);
  const at = takenAt(context, input.at, planned - EARLIEST);
  const plannedAt = new Date(planned);
  const take = async (inner: RequestContext, held: ReminderRow) => {
    const before = await answerTo(inner, row.id, plannedAt);
    if (before?.answer === DoseAnswer.TAKEN && !input.force) throw alreadyTaken();
    await settleOccurrence(inner, row.id, plannedAt);
    const taken = { answer: DoseAnswer.TAKEN, at };
    const { amount } = input;
    if (!before || before.answer === DoseAnswer.TAKEN) {
      const extra = before !== undefined;
      const id = await log(inner, held, plannedAt, { ...taken, note: input.note, extra, amount });
      await replanAnswered(inner, held, plannedAt);
      return id;
    }
    const logged = { loggedById: inner.viewer.id, loggedAt: inner.now() };
    const much = await takenColumns(inner, held, { plannedAt, at, amount });
    const data = { ...taken, ...much, note: input.note ?? before.note, ...logged };
    await inner.db.dose.update({ where: { id: before.id }, data, select: { id: true } });
    await recordChange(inner, row.accountId, 'dose.write');
    await replanAnswered(inner, held, plannedAt);
    return before.id;
  };
  const answered = holding(row, input.occurrenceId, take);
  const id = await transact(context, answered, { replayable: true }).catch(refuseTwin);
  return shownDose(context, row, id);
}

/**
 * Logs that a dose is left out; to skip it twice is to skip it once, by the reason and with the note
 * that were given last. Throws OCCURRENCE_NOT_FOUND, ALREADY_TAKEN, TOO_EARLY.
 */
export async function skipDose(
  context: RequestContext,
  { occurrenceId, note, reason }: SkipDoseInput,
): Promise<Answered> {
  const { row, at } = await occurrenceOf(context, occurrenceId);
  refuseEarly(context, at);
  const plannedAt = new Date(at);
  const skip = async (inner: RequestContext, held: ReminderRow) => {
    const before = await answerTo(inner, row.id, plannedAt);
    if (before?.answer === DoseAnswer.TAKEN) throw alreadyTaken();
    await settleOccurrence(inner, row.id, plannedAt);
    const answer = reason ?? before?.answer ?? DoseAnswer.SKIPPED;
    const skipped = { answer, at: inner.now(), note };
    const id = before?.id ?? (await log(inner, held, plannedAt, skipped));
    if (before && !isAnswered(before, { answer, note })) await change(inner, before, skipped);
    await replanAnswered(inner, held, plannedAt);
    return id;
  };
  const answered = holding(row, occurrenceId, skip);
  const id = await transact(context, answered, { replayable: true }).catch(refuseTwin);
  return shownDose(context, row, id);
}

/**
 * Puts a dose off: its reminder comes again in some minutes, 10 unless said otherwise. Throws
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
    await snoozeOccurrence(inner, await keyOf(inner, row, at), until);
    await recordChange(inner, row.accountId, 'dose.write');
    return row.id;
  };
  await transact(context, snooze, { replayable: true });
  return shown(context, row, at);
}

/**
 * Takes an answer back, and plans the alerts of the occurrence again as `reopenOccurrence` says. A
 * dose that stood on its own, since no plan has it, is gone. A retry with the same Idempotency-Key
 * leaves what was logged since. Throws OCCURRENCE_NOT_FOUND, also for the number of a dose that
 * answers an occurrence; NOTHING_LOGGED.
 */
export async function undoDose(
  context: RequestContext,
  { occurrenceId }: UndoDoseInput,
): Promise<Answered> {
  const doseId = await unmatchedDoseOf(context, occurrenceId);
  const named = doseId ? undefined : await namedBy(context, occurrenceId);
  let comes = named?.comes ?? false;
  const undo = async (inner: RequestContext): Promise<UndoneDose> => {
    if (named) {
      const same = await holdReminder(inner, named.row);
      comes = same ? named.comes : (await namedBy(inner, occurrenceId)).comes;
    }
    const where = named
      ? { reminderId: named.row.id, plannedAt: new Date(named.at), extra: false }
      : { id: doseId as number };
    const dose = await inner.db.dose.findFirst({ where });
    // The medicine is held before its stock, as by everybody.
    const row = named?.row ?? (await holdRow(inner, dose?.reminderId ?? null));
    const { count } = await inner.db.dose.deleteMany({ where: { id: dose?.id ?? 0 } });
    if (!dose || count === 0) throw refuse('NOTHING_LOGGED', 'Nothing was logged for this.');
    if (named && comes) await reopenOccurrence(inner, await keyOf(inner, named.row, named.at));
    await returnToStock(inner, dose);
    if (row) await replanAnswered(inner, await presentRow(inner, row), dose.plannedAt);
    const { reminderId, plannedAt } = dose;
    if (reminderId)
      await planAfterDose(
        inner,
        { id: reminderId },
        { kind: 'answer', undone: plannedAt ?? undefined },
      );
    if (row) await settleSupply(inner, row.id);
    const { accountId, at, extra } = dose;
    await recordChange(inner, accountId, 'dose.write');
    return { accountId, at: (extra ? null : plannedAt) ?? at };
  };
  const { accountId: memberId, at } = await deleteOnce(context, undo, UNDONE);
  if (named && comes) return shown(context, named.row, named.at);
  return { memberId, at: at.getTime() };
}

/** An answer that was taken back. */
interface UndoneDose {
  readonly accountId: number;
  /** When it stood on the calendar. */
  readonly at: Date;
}

const UNDONE: Replayed<UndoneDose> = {
  about: ({ accountId }) => [accountId],
  refuse: async (inner, { accountId }) =>
    (await careRights(inner, accountId)).has('answer') ? undefined : lacking('answer'),
};

/** Holds the reminder of a dose that stood on its own, and returns it unless it is gone. */
async function holdRow(
  inner: RequestContext,
  reminderId: number | null,
): Promise<ReminderRow | undefined> {
  const row = await inner.loader(remindersById).load(reminderId ?? 0);
  if (!row || row.deletedAt) return undefined;
  await holdReminder(inner, row);
  return row;
}

/**
 * Logs a dose of a medicine that is taken as needed, or out of turn. Two devices, or the member and
 * a carer, that log a dose within a minute have logged one: the second finds that of the first.
 * From one device it is another dose. Throws REMINDER_NOT_FOUND, TIME_INVALID.
 */
export async function logDose(
  context: RequestContext,
  { reminderId, at, note, amount }: LogDoseInput,
): Promise<Answered> {
  const row = (await context.loader(remindersById).load(reminderId)) as ReminderRow;
  const moment = takenAt(context, at, context.now().getTime() - LOGGED_BACK);
  const answer = { answer: DoseAnswer.TAKEN, at: moment, note, amount };
  const logged = async (inner: RequestContext) => {
    const isSame = await holdReminder(inner, row);
    const same = await loggedElsewhere(inner, row, moment);
    if (same) return same;
    const held = isSame ? row : await presentRow(inner, row);
    const id = await log(inner, held, null, answer);
    await planAfterDose(inner, row, { kind: 'answer' });
    await settleSupply(inner, row.id, isSame ? row : undefined);
    return id;
  };
  const id = await transact(context, logged, { replayable: true });
  return shownDose(context, row, id);
}

/** Within which two sign-ins that log a dose mean the same one, in milliseconds. */
const SAME_DOSE = MINUTE;

/**
 * Returns the dose that another sign-in has logged of a medicine about the same moment, just now.
 */
async function loggedElsewhere(
  inner: RequestContext,
  { id }: ReminderRow,
  at: Date,
): Promise<number | undefined> {
  const around = (by: number) => new Date(at.getTime() + by).toISOString();
  const since = new Date(inner.now().getTime() - SAME_DOSE).toISOString();
  const [row] = await inner.rows<{ id: number }>(Prisma.sql`
    SELECT id FROM dose
    WHERE reminder_id = ${id}::int AND planned_at IS NULL AND answer = ${DoseAnswer.TAKEN}
      AND at BETWEEN ${around(-SAME_DOSE)}::timestamptz AND ${around(SAME_DOSE)}::timestamptz
      AND logged_at >= ${since}::timestamptz AND logged_from IS DISTINCT FROM ${signInOf(inner)}
    ORDER BY id LIMIT 1`);
  return row?.id;
}

/** Whether a dose has an answer and a note already; without a note, whether it has the answer. */
const isAnswered = (
  before: GivenAnswer,
  { answer, note }: { answer: DoseAnswer; note: string | null | undefined },
) => before.answer === answer && (note ?? before.note) === before.note;

/** Changes why a dose was left out, and what was noted if something is. */
async function change(
  inner: RequestContext,
  { id, accountId, note }: GivenAnswer,
  given: { answer: DoseAnswer; note: string | null | undefined },
): Promise<void> {
  const logged = { loggedById: inner.viewer.id as number, loggedAt: inner.now() };
  const data = { answer: given.answer, note: given.note ?? note, ...logged };
  await inner.db.dose.update({ where: { id }, data, select: { id: true } });
  await recordChange(inner, accountId, 'dose.write');
}

/** Returns a dose as it stands on the calendar. */
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

/** Returns an occurrence as it stands on the calendar: it may be answered since. */
async function shown(context: RequestContext, row: ReminderRow, at: number): Promise<Answered> {
  const given = await answerTo(context, row.id, new Date(at));
  if (given) return shownDose(context, row, given.id);
  const { zone } = await memberOf(context, row.accountId);
  const event = eventOf(row, at, statusOf(row, at, context.now().getTime()), zone);
  return { memberId: row.accountId, at, event };
}
