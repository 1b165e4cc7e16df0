import { isDeepStrictEqual } from 'node:util';
import type { Planned } from '../alert/planned.js';
import { unitName } from '../schedule/fhir/dose-reading.js';
import type { KeptDosage } from '../schedule/fhir/prescription.js';
import { frequencyIn } from '../schedule/schedule-value.js';
import { eachClock, type MemberTimes } from '../schedule/words/anchors.js';
import {
  type AmountRow,
  BEGINNING,
  beginKey,
  portionKey,
  quantityKey,
  rowKey,
  stepsOf,
} from './amounts.js';
import { courseDays } from './course-days.js';

/** What a direction says is taken: from which day or instant on, at each of its times or at all of them. */
export interface Stated {
  readonly unit: string;
  readonly portions: readonly AmountRow[];
}

/** Returns the amounts that a FHIR Dosage states; undefined where it states none. */
export function prescribedAmounts(
  { steps, unit, since }: KeptDosage,
  plan: Planned,
  member: MemberTimes,
): Stated | undefined {
  const all = steps.flatMap(({ portions }) => portions);
  if (!all.every(({ amount }) => amount)) return undefined;
  const frequency = frequencyIn(plan);
  const clocks = 'at' in frequency && frequency.at ? eachClock(frequency.at, member) : [];
  const { beginOf } = courseDays(plan, since);
  const portions = steps.flatMap((step) => {
    const begin = step.from === 0 ? { startsOn: BEGINNING } : beginOf(step.from);
    return step.portions.flatMap(({ times = [null], amount, upTo, weekdays }) =>
      times.map((place) => ({
        ...begin,
        time: place === null ? null : (clocks[place] ?? null),
        amount: amount as NonNullable<typeof amount>,
        ...(upTo && { upTo }),
        ...(weekdays && { weekdays }),
      })),
    );
  });
  return { unit: unitName(unit), portions };
}

/**
 * Returns whether amounts are those that a direction states. What was moved to other times of the member
 * has one step more, and before it the same amounts at the former times, or on one day at both.
 */
export function areOf(portions: Stated['portions'], set: readonly AmountRow[]): boolean {
  if (portions.some(({ startsAt }) => startsAt)) return areAlike(portions, set, rowKey);
  const [stated, steps] = [portions, set].map(stepsOf) as [AmountRow[][], AmountRow[][]];
  const begins = new Set(set.map(beginKey));
  const isWhole = portions.every((row) => begins.has(beginKey(row)));
  const same = steps.every((rows) => {
    const begun = stated.filter(
      ([first]) => first && beginKey(first) <= beginKey(rows[0] as AmountRow),
    );
    return haveAlike(rows, begun.at(-1) ?? [], quantityKey);
  });
  return isWhole && same && areAlike(steps.at(-1) ?? [], stated.at(-1) ?? [], portionKey);
}

/** Returns whether rows have the same keys, however often. */
const haveAlike: typeof areAlike = (one, other, key) => {
  const [these, those] = [one, other].map((rows) => new Set(rows.map(key)));
  return isDeepStrictEqual(these, those);
};

/** Returns whether rows have the same keys, in whatever order. */
function areAlike(
  one: readonly AmountRow[],
  other: readonly AmountRow[],
  key: (row: AmountRow) => string,
): boolean {
  const [these, those] = [one, other].map((rows) => rows.map(key).sort().join('|'));
  return these === those;
}
