import type { Decimal } from '../../../platform/decimal.js';

/** The day of a step that counts from the beginning. */
export const BEGINNING = '0001-01-01';

/** How much a dose is: from a day on, at a clock time or at all others. */
export interface AmountRow {
  /** YYYY-MM-DD. */
  readonly startsOn: string;
  /** HH:MM; null for all times without an amount of their own. */
  readonly time: string | null;
  readonly amount: Decimal;
}

/** Returns the amount of a dose at a local date and clock time; undefined where none was set. */
export type AmountFinder = (date: string, time: string) => Decimal | undefined;

/** Finders by their rows: a calendar asks for thousands of doses of few medicines. */
const finders = new WeakMap<readonly AmountRow[], AmountFinder>();

/**
 * Returns what finds the amount of a dose: of the latest step that has begun, its amount for that
 * time, else for all times.
 */
export function amountFinder(rows: readonly AmountRow[]): AmountFinder {
  const finder = finders.get(rows) ?? finderOf(rows);
  finders.set(rows, finder);
  return finder;
}

function finderOf(rows: readonly AmountRow[]): AmountFinder {
  const steps = new Map<string, Map<string | null, Decimal>>();
  for (const { startsOn, time, amount } of rows) {
    const step = steps.get(startsOn) ?? new Map<string | null, Decimal>();
    steps.set(startsOn, step.set(time, amount));
  }
  const latestFirst = [...steps].sort(([a], [b]) => (a < b ? 1 : -1));
  return (date, time) => {
    const [, step] = latestFirst.find(([startsOn]) => startsOn <= date) ?? [];
    return step?.get(time) ?? step?.get(null);
  };
}

/**
 * Returns the rows from a day on, with other clock times for those that move: the step that counts
 * on that day begins on it, and later steps stay. A row of a time at which no dose was gives way.
 */
export function movedRows(
  rows: readonly AmountRow[],
  startsOn: string,
  clocks: ReadonlyMap<string, string>,
): AmountRow[] {
  const begun = rows.filter((row) => row.startsOn <= startsOn).map((row) => row.startsOn);
  const latest = begun.reduce((a, b) => (a > b ? a : b), '');
  const from = rows
    .filter((row) => row.startsOn >= latest)
    .map((row) => (row.startsOn === latest ? { ...row, startsOn } : row));
  const taken = new Set(clocks.values());
  return from.flatMap((row) => {
    const { time } = row;
    if (time === null) return row;
    const now = clocks.get(time);
    if (now === undefined) return taken.has(time) ? [] : row;
    return { ...row, time: now };
  });
}
