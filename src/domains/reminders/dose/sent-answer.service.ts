import type { RequestContext } from '../../../core/context.js';
import { occurrenceId } from '../alert/occurrence-id.js';
import { scheduleOf } from '../alert/planned.js';
import { occurrences } from '../calendar/occurrences.js';
import { type ReminderRow, remindersById } from '../reminder/reminder.service.js';
import { DoseAnswer } from './dose.answer.js';
import { logDose, skipDose, takeDose } from './dose.service.js';
import { EARLIEST } from './dose-time.js';

const DAY = 24 * 60 * 60_000;
/** How many days ago the dose that came last is looked for, until one is found. */
const LOOKED_BACK = [2, 40, 366] as const;

const WORDS: ReadonlySet<string> = new Set(Object.values(DoseAnswer));

/**
 * Returns what answers the dose of a reminder that was just sent, in the transaction that made it
 * or found that it is there; undefined for a word that is no answer. It is the dose that came last,
 * within 366 days, else the first one, if it comes within 24 hours; for a medicine taken as needed,
 * it is a new dose at the present time, if the reminder was just created. Where there is none,
 * nothing is answered. Throws ALREADY_TAKEN for what was taken before and is now left out; the same
 * answer again changes nothing.
 */
export function answerSent(word: string | null | undefined) {
  if (!word || !WORDS.has(word)) return undefined;
  const answer = word as DoseAnswer;
  return async (inner: RequestContext, id: number, made: boolean): Promise<void> => {
    const row = await inner.loader(remindersById).load(id);
    if (!row?.recognized) return;
    const at = await doseAtHand(inner, row);
    if (at !== undefined) await give(inner, row, at, answer);
    else if (made && answer === DoseAnswer.TAKEN && isAsNeeded(row))
      await logDose(inner, { reminderId: id });
  };
}

const isAsNeeded = (row: ReminderRow) => scheduleOf(row).frequency.kind === 'as_needed';

/**
 * Returns the instant of the dose that came last, else of the next one within 24 hours, in
 * milliseconds.
 */
async function doseAtHand(inner: RequestContext, row: ReminderRow): Promise<number | undefined> {
  const now = inner.now().getTime();
  const past = new Map([
    [row.id, await inner.db.pastPlan.findMany({ where: { reminderId: row.id } })],
  ]);
  const between = (from: number, to: number) =>
    [...occurrences(row, { past }, { from, to })].flatMap(({ at, recognized, isWithheld }) =>
      recognized && !isWithheld ? at : [],
    );
  for (const days of LOOKED_BACK) {
    const come = between(now - days * DAY, now + 1);
    if (come.length > 0) return Math.max(...come);
  }
  const [next] = between(now + 1, now + EARLIEST).sort((a, b) => a - b);
  return next;
}

async function give(
  inner: RequestContext,
  { id: reminderId }: ReminderRow,
  at: number,
  answer: DoseAnswer,
): Promise<void> {
  const where = { reminderId, plannedAt: new Date(at), extra: false };
  const before = await inner.db.dose.findFirst({ where, select: { answer: true } });
  if (before?.answer === answer) return;
  const input = { occurrenceId: occurrenceId(reminderId, at) };
  if (answer === DoseAnswer.TAKEN) await takeDose(inner, input);
  else await skipDose(inner, { ...input, reason: answer });
}
