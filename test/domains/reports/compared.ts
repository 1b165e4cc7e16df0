import type { Truth } from './year.js';

/** The numbers of a row of a report. */
export type Values = Readonly<Record<string, unknown>> & {
  readonly interval: Readonly<Record<string, Interval | null>>;
};

interface Interval {
  readonly low: number;
  readonly high: number;
}

/** What is compared of rows. */
export interface Compared {
  /** These are at most `margin` off. */
  readonly counts: readonly string[];
  /** All measures. */
  readonly measures: readonly string[];
  /** Those of spreads and rates: there may be too few facts of them, beside counts that are shown. */
  readonly quantiles: readonly string[];
  readonly rates: readonly string[];
}

/** How many intervals there are, and how many of them hold the truth. */
export class Tally {
  all = 0;
  held = 0;

  note({ low, high }: Interval, real: number): void {
    this.all++;
    if (low <= real + 1e-9 && real - 1e-9 <= high) this.held++;
  }
}

/**
 * Compares a row with the truth. Expects null where a reason is due, 0 where nothing happened, and
 * a number near the truth in all other cases: a measure that is null for no reason fails.
 */
export function compare(
  { counts, measures, quantiles, rates }: Compared,
  { values, truth, what }: { values: Values; truth: Truth | undefined; what: string },
  tally: Tally,
): void {
  const isPart = values.withheld === 'NO_FACTS';
  const fewer = isPart ? [...quantiles, ...rates].filter((name) => values[name] === null) : [];
  const withheld = values.withheld && !isPart ? measures : fewer;
  for (const name of withheld) expect([what, name, values[name]]).toStrictEqual([what, name, null]);
  expect([what, isPart, fewer.length > 0]).toStrictEqual([what, isPart, isPart]);
  if (values.withheld && !isPart) return;
  expect([what, truth === undefined && values[counts[0] ?? ''] !== 0]).toStrictEqual([what, false]);
  // What is certain is that nothing happened.
  expect([what, values.margin === 0 && truth !== undefined]).toStrictEqual([what, false]);
  for (const name of measures) {
    const real = truth?.[name] ?? null;
    if (real === null || withheld.includes(name)) continue;
    const value = values[name];
    expect([what, name, typeof value, real]).toStrictEqual([what, name, 'number', real]);
    tally.note(values.interval[name] ?? { low: 0, high: 0 }, real);
    if (!counts.includes(name)) continue;
    const isNear = Math.abs((value as number) - real) <= (values.margin as number);
    expect([what, name, value, real, isNear]).toStrictEqual([what, name, value, real, true]);
  }
}
