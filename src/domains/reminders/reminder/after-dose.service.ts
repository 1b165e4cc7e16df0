import type { RequestContext } from '../../../core/context.js';
import type { Reminder } from '../../../generated/prisma/client.js';
import { settleOccurrence } from '../alert/alert-answer.service.js';
import { startAtOf, startText } from '../alert/planned.js';
import { frequencyIn } from '../schedule/schedule-value.js';
import { locked } from './reminder.service.js';
import { planEdited } from './replan.service.js';

const MINUTE = 60_000;

/**
 * Plans the next dose of a medicine that counts from the last one, in the transaction that logged a
 * dose or took one back: so many minutes after the latest that was taken or skipped. Without any
 * left it comes at `otherwise` again. Does nothing for another medicine.
 */
export async function planAfterDose(
  inner: RequestContext,
  { id }: Pick<Reminder, 'id'>,
  otherwise?: Date,
): Promise<void> {
  const row = await inner.db.reminder.findUnique({ where: { id } });
  const frequency = row && frequencyIn(row);
  if (!row || row.deletedAt || frequency?.kind !== 'after_dose') return;
  const before = await locked(inner, id);
  const dose = await inner.db.dose.findFirst({
    where: { reminderId: id },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
  });
  const next = dose ? dose.at.getTime() + frequency.minutes * MINUTE : otherwise?.getTime();
  const at = startAtOf(before);
  if (next === undefined || next === at) return;
  const startLocal = startText(next, before.zone);
  const data = { startLocal, version: { increment: 1 } };
  await inner.db.reminder.update({ where: { id }, data, select: { id: true } });
  // What was to come before is over, whether it was answered or overtaken.
  await settleOccurrence(inner, id, new Date(at));
  await planEdited(inner, before, { startLocal });
}
