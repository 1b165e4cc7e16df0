import { localText } from '../../../platform/moment.js';
import { knownPlan } from '../alert/known-plan.js';
import type { Planned } from '../alert/planned.js';
import { unitName } from '../schedule/fhir/dose-reading.js';
import type { KeptDosage } from '../schedule/fhir/prescription.js';
import { frequencyIn } from '../schedule/schedule-value.js';
import { eachClock, type MemberTimes } from '../schedule/words/anchors.js';
import { type AmountRow, BEGINNING, portionKey, quantityKey, rowKey } from './amounts.js';

const DAY = 24 * 60 * 60_000;
const DATE = 'YYYY-MM-DD'.length;

/** What a direction says is taken: from which day on, at each of its times or at all of them. */
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
  const first = since ?? firstDay(plan);
  const portions = steps.flatMap((step) => {
    const startsOn = step.from === 0 ? BEGINNING : dayAfter(first, step.from);
    return step.portions.flatMap(({ times = [null], amount, upTo, weekdays }) =>
      times.map((place) => ({
        startsOn,
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
 * Returns whether amounts are those that a direction states. Steps with the same ones at other
 * times are from when the member had other times.
 */
export function areOf(portions: Stated['portions'], set: readonly AmountRow[]): boolean {
  if (new Set(portions.map(({ startsOn }) => startsOn)).size > 1)
    return areAlike(portions, set, rowKey);
  const days = [...new Set(set.map(({ startsOn }) => startsOn))];
  const steps = days.map((day) => set.filter(({ startsOn }) => startsOn === day));
  const same = steps.every((rows) => areAlike(rows, portions, quantityKey));
  return same && areAlike(steps.at(-1) ?? [], portions, portionKey);
}

/** Returns whether rows have the same keys, in whatever order. */
function areAlike(
  one: readonly AmountRow[],
  other: readonly AmountRow[],
  key: (row: AmountRow) => string,
): boolean {
  const [these, those] = [one, other].map((rows) => rows.map(key).sort().join('|'));
  return these === those;
}

/**
 * Returns the day of the first dose, YYYY-MM-DD; that of the start of what is taken as needed, and
 * of phases that count from it.
 */
export function firstDay(plan: Planned): string {
  const frequency = frequencyIn(plan);
  if (frequency.kind === 'phased' && frequency.fromStart) return plan.startLocal.slice(0, DATE);
  const { first } = knownPlan(plan);
  return first ? localText(first.local).slice(0, DATE) : plan.startLocal.slice(0, DATE);
}

/** Returns the date so many days after another. */
export const dayAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY).toISOString().slice(0, DATE);
