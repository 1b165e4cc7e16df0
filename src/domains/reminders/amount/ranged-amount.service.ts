import type { RequestContext } from '../../../core/context.js';
import type { Reminder } from '../../../generated/prisma/client.js';
import { RANGED } from '../reminder/reading.js';
import { frequencyIn, type Often, statedIn } from '../schedule/schedule-value.js';
import type { MemberTimes } from '../schedule/words/anchors.js';
import { amountsOf } from './amount.service.js';
import { type AmountRow, amountColumns } from './amounts.js';
import { areOf } from './prescribed-amount.js';
import { isSetByHand, statedBy } from './stated-amount.service.js';

/** Returns whether the directions of a plan state a range of amounts: 1 to 2 tablets. */
export function statesRange(often: Often): boolean {
  const frequency = frequencyIn(often);
  const { steps = [], onDays = [], ...stated } = statedIn(often) ?? {};
  const times = ('at' in frequency && frequency.at) || [];
  return [stated, ...steps, ...onDays, ...times].some((one) => 'upTo' in one);
}

/**
 * Gives a medicine the ranges that its directions state, where an earlier version had kept none of
 * its amounts, or the smaller ends of those that follow an exact one. What somebody has set stays,
 * and what somebody has removed stays away. Returns the smaller ends that it had, as exact decimals;
 * undefined when nothing was amiss.
 */
export async function restateRanges(
  inner: RequestContext,
  member: MemberTimes,
  row: Reminder,
): Promise<readonly string[] | undefined> {
  if (row.reading >= RANGED || isSetByHand(row)) return undefined;
  const stated = statedBy(row, member);
  const [first] = stated?.portions ?? [];
  if (!stated || !first || !stated.portions.some(({ upTo }) => upTo)) return undefined;
  const { id } = row;
  const [set = []] = await amountsOf(inner, [id]);
  const isMissing = set.length === 0 && row.doseUnit === null;
  const isSmaller =
    !first.upTo && row.doseUnit === stated.unit && areOf(stated.portions.map(smallerEnd), set);
  if (!isMissing && !isSmaller) return undefined;
  await inner.db.doseAmount.deleteMany({ where: { reminderId: id } });
  const data = stated.portions.map((one) => amountColumns(id, one));
  await inner.db.doseAmount.createMany({ data });
  await inner.db.reminder.update({ where: { id }, data: { doseUnit: stated.unit } });
  const ends = stated.portions.filter(({ upTo }) => upTo).map(({ amount }) => amount);
  return isMissing ? [] : ends;
}

const smallerEnd = ({ upTo: _, ...row }: AmountRow): AmountRow => row;
