import { lengthOf, type Period } from './period.js';
import type { Level } from './pieces.js';
import type { ReportGrain } from './report.enums.js';

/** The longest ranges, in days, that are shown by these spans; longer ones are by quarter. */
const LONGEST = [
  ['day', 45],
  ['week', 200],
  ['month', 1_100],
] as const satisfies readonly (readonly [Level, number])[];

/**
 * Returns the spans that `date` stands for: those that are asked for, else those by which a range
 * has at most 45 rows or is of quarters. By what only months have these are months at least.
 */
export function grainOf(
  asked: ReportGrain | null | undefined,
  period: Period,
  hasDays: boolean,
): Level {
  if (asked) return asked;
  const fits = LONGEST.filter(([level]) => level === 'month' || hasDays);
  return fits.find(([, days]) => lengthOf(period) <= days)?.[0] ?? 'quarter';
}
