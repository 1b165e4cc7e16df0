import type { RequestContext } from '../../../core/context.js';
import type { Reminder } from '../../../generated/prisma/client.js';
import { dayOf, parseMoment } from '../../../platform/moment.js';
import { instantAt } from '../../../platform/zone.js';
import { settleOccurrence } from '../alert/alert-answer.service.js';
import { startAtOf, startText } from '../alert/planned.js';
import { startsByDate } from '../alert/start.js';
import { occurrences } from '../calendar/occurrences.js';
import { pausesAhead } from '../pause/pause-plan.service.js';
import { afterPauses, sameClock } from '../schedule/after-dose.js';
import { frequencyIn } from '../schedule/schedule-value.js';
import { sinceMidnight } from '../schedule/times.js';
import { locked, pastPlansAfter } from './reminder.service.js';
import { planEdited } from './replan.service.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/**
 * What has changed: an answer to a dose, the schedule, the start, or a pause. A start that somebody gave
 * stays where a pause changes, and one that a pause moved does not.
 */
export type AfterDoseChange =
  | { readonly kind: 'answer'; readonly undone?: Date | undefined }
  | { readonly kind: 'schedule' | 'start' | 'pause' };

/**
 * Plans the next dose of a medicine that counts from the last one, in the transaction of a change: so many
 * minutes after the latest dose that was taken or skipped. Where that has passed, one that has come
 * and that nobody answered stays due, as does one whose answer was taken back; else it comes at once. Without
 * any dose it comes at its start, or at the same clock time again. What falls into a pause comes at
 * its clock time when the pause is over. Does nothing for another medicine.
 */
export async function planAfterDose(
  inner: RequestContext,
  { id }: Pick<Reminder, 'id'>,
  change: AfterDoseChange,
): Promise<void> {
  const row = await inner.db.reminder.findUnique({ where: { id } });
  const frequency = row && frequencyIn(row);
  if (!row || row.deletedAt || frequency?.kind !== 'after_dose') return;
  const before = await locked(inner, id);
  const dose = await inner.db.dose.findFirst({
    where: { reminderId: id },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
  });
  const counted = dose ? wholeSecond(dose.at) + frequency.minutes * MINUTE : undefined;
  const { next, since } = await nextOf(inner, before, counted, change);
  const at = startAtOf(before);
  if (next === at && (since !== undefined || at >= (before.planFrom?.getTime() ?? at))) return;
  const startLocal = startText(next, before.zone);
  const data = { startLocal, version: { increment: 1 } };
  await inner.db.reminder.update({ where: { id }, data, select: { id: true } });
  // What was to come before is over, whether it was answered or overtaken.
  if (next !== at) await settleOccurrence(inner, id, new Date(at));
  await planEdited(inner, before, { startLocal }, since);
}

/** Starts are kept in whole seconds: a next dose with milliseconds would be another than the one that stands. */
const wholeSecond = (at: Date): number => Math.floor(at.getTime() / SECOND) * SECOND;

/**
 * Returns when the next dose is, and from when on the plan counts that has it; default: from now.
 * Instants in milliseconds; `counted`: when it is by the last dose.
 */
async function nextOf(
  inner: RequestContext,
  row: Reminder,
  counted: number | undefined,
  change: AfterDoseChange,
): Promise<{ readonly next: number; readonly since?: number }> {
  const now = Math.floor(inner.now().getTime() / MINUTE) * MINUTE;
  const undone = change.kind === 'answer' ? change.undone?.getTime() : undefined;
  const due =
    change.kind === 'answer'
      ? (counted ?? undone ?? firstOf(row))
      : dueBy(row, counted, change.kind);
  if (due < now && (due === undone || (await isOpen(inner, row, due))))
    return { next: due, since: due };
  const late = counted === undefined ? sameClock(due, row.zone, now) : now;
  const next = due < now ? late : due;
  const ending = (await pausesAhead(inner, [row.id])).filter(({ untilAt }) => untilAt);
  return { next: afterPauses(next, row.zone, ending) ?? next };
}

/** Returns when the next dose would be without pauses, after a change of the plan. */
function dueBy(row: Reminder, counted: number | undefined, kind: 'schedule' | 'start' | 'pause') {
  const standing = startAtOf(row);
  if (kind === 'start') return standing;
  if (kind === 'schedule') return counted ?? standing;
  const origin = counted ?? firstOf(row);
  const isMoved = standing >= origin && sameClock(origin, row.zone, standing) === standing;
  return isMoved || (counted !== undefined && standing < origin) ? origin : standing;
}

/** Returns whether a plan has, or had, an occurrence at an instant, that nobody answered. */
async function isOpen(inner: RequestContext, row: Reminder, at: number): Promise<boolean> {
  const past = new Map([[row.id, await pastPlansAfter(inner, [row.id], new Date(at))]]);
  const [one] = occurrences(row, { past }, { from: at, to: at + 1 });
  if (!one?.recognized || one.isWithheld) return false;
  const where = { reminderId: row.id, plannedAt: new Date(at), extra: false };
  return (await inner.db.dose.count({ where })) === 0;
}

/** Returns the instant at which a medicine was to come first. */
function firstOf(row: Reminder): number {
  const sent = row.startDate ? parseMoment(row.startDate) : undefined;
  if (!sent) return startAtOf(row);
  const isTimed = sent.clock && !startsByDate(row, sent);
  if (isTimed && sent.offset !== undefined) return sent.local - sent.offset * MINUTE;
  const [clock] = row.times;
  const local = isTimed || !clock ? sent.local : dayOf(sent.local) + sinceMidnight(clock);
  return instantAt(local, row.zone);
}
