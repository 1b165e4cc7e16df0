import type { RequestContext } from '../../../core/context.js';
import type { Reminder } from '../../../generated/prisma/client.js';
import { dayOf, parseMoment } from '../../../platform/moment.js';
import { instantAt } from '../../../platform/zone.js';
import { settleOccurrence } from '../alert/alert-answer.service.js';
import { startAtOf, startText } from '../alert/planned.js';
import { pausesAhead } from '../pause/pause-plan.service.js';
import { sameClock } from '../schedule/after-dose.js';
import { frequencyIn } from '../schedule/schedule-value.js';
import { sinceMidnight } from '../schedule/times.js';
import { locked } from './reminder.service.js';
import { planEdited } from './replan.service.js';

const MINUTE = 60_000;

/**
 * Plans the next dose of a medicine that counts from the last one, in the transaction that changed
 * its doses, its schedule or its pauses: so many minutes after the latest dose that was taken or
 * skipped. If that has passed meanwhile it comes at once. Without any dose it comes at its start, or
 * at the same clock time again. What falls into a pause comes at its clock time when the pause is
 * over. `undone`: the occurrence whose answer was taken back, which stands again where its time has
 * passed. Does nothing for another medicine.
 */
export async function planAfterDose(
  inner: RequestContext,
  { id }: Pick<Reminder, 'id'>,
  undone?: Date,
): Promise<void> {
  const row = await inner.db.reminder.findUnique({ where: { id } });
  const frequency = row && frequencyIn(row);
  if (!row || row.deletedAt || frequency?.kind !== 'after_dose') return;
  const before = await locked(inner, id);
  const dose = await inner.db.dose.findFirst({
    where: { reminderId: id },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
  });
  const counted = dose && dose.at.getTime() + frequency.minutes * MINUTE;
  const { next, since } = await nextOf(inner, before, { counted, undone: undone?.getTime() });
  const at = startAtOf(before);
  if (next === at && at >= (before.planFrom?.getTime() ?? at)) return;
  const startLocal = startText(next, before.zone);
  const data = { startLocal, version: { increment: 1 } };
  await inner.db.reminder.update({ where: { id }, data, select: { id: true } });
  // What was to come before is over, whether it was answered or overtaken.
  if (next !== at) await settleOccurrence(inner, id, new Date(at));
  await planEdited(inner, before, { startLocal }, since);
}

/** What the next dose follows from. Instants in milliseconds. */
interface Last {
  /** When it is by the last dose; null without any. */
  readonly counted: number | null;
  /** The occurrence whose answer was taken back. */
  readonly undone: number | undefined;
}

/** Returns when the next dose is, and from when on the plan counts that has it; default: from now. */
async function nextOf(
  inner: RequestContext,
  row: Reminder,
  { counted, undone }: Last,
): Promise<{ readonly next: number; readonly since?: number }> {
  const now = Math.floor(inner.now().getTime() / MINUTE) * MINUTE;
  const due = counted ?? undone ?? firstOf(row);
  if (due < now && undone !== undefined && undone < now) return { next: undone, since: undone };
  const late = counted === null ? sameClock(due, row.zone, now) : now;
  let next = due < now ? late : due;
  for (const { fromAt, untilAt } of await pausesAhead(inner, [row.id]))
    if (untilAt && fromAt.getTime() <= next && next < untilAt.getTime())
      next = sameClock(next, row.zone, untilAt.getTime());
  return { next };
}

/** Returns the instant at which a medicine was to come first. */
function firstOf(row: Reminder): number {
  const sent = row.startDate ? parseMoment(row.startDate) : undefined;
  if (!sent) return startAtOf(row);
  if (sent.offset !== undefined) return sent.local - sent.offset * MINUTE;
  const [clock] = row.times;
  const local = sent.clock || !clock ? sent.local : dayOf(sent.local) + sinceMidnight(clock);
  return instantAt(local, row.zone);
}
