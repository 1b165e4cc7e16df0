import type { Decimal } from '../../../platform/decimal.js';
import type { Frequency } from '../schedule/frequency.types.js';
import { eachClock, type MemberTimes } from '../schedule/words/anchors.js';
import type { Amount, Portion } from '../schedule/words/meaning.js';
import { type AmountRow, BEGINNING } from './amounts.js';
import type { CourseDays } from './course-days.js';

/** The days that steps count, and whose times of day are meant. */
interface Course {
  readonly days: CourseDays;
  readonly member: MemberTimes;
}

/**
 * Returns the amounts that a phrase states, as they are kept: from the beginning at all times or at
 * each, on some weekdays, and from later days on. Their values are those of the phrase.
 */
export function portionsOf(
  stated: Amount,
  frequency: Frequency,
  { days, member }: Course,
): AmountRow[] {
  const at = ('at' in frequency && frequency.at) || [];
  const clocks = at.some(({ amount }) => amount !== undefined) ? eachClock(at, member) : [null];
  const first = clocks.map((time, i) => {
    const { amount: value, upTo } = at[i] ?? {};
    return rowOf(value === undefined ? stated : { value, ...(upTo && { upTo }) }, { time });
  });
  const { onDays = [], steps = [] } = stated;
  return [
    ...first,
    ...onDays.map(({ weekdays, ...some }) => rowOf(some, { weekdays })),
    ...steps.map(({ after, ...some }) => rowOf(some, days.beginOf(after))),
  ];
}

const rowOf = ({ value, upTo }: Portion, given: Partial<AmountRow>): AmountRow => ({
  startsOn: BEGINNING,
  time: null,
  amount: value as Decimal,
  ...(upTo !== undefined && { upTo: upTo as Decimal }),
  ...given,
});

/** Returns what a phrase counts: tablet, × 500 mg of "2 x 500 mg"; nothing of "1 bd". */
export const statedUnit = ({ unit = '', each }: Amount): string =>
  each ? `× ${each.value} ${each.unit}` : unit;
