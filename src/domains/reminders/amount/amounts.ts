/** How much a dose is: from a day on, at a clock time or at all others. */
export interface AmountRow {
  /** YYYY-MM-DD. */
  readonly startsOn: string;
  /** HH:MM; null for all times without an amount of their own. */
  readonly time: string | null;
  readonly amount: number;
}

/** Returns the amount of a dose at a local date and clock time; undefined where none was set. */
export type AmountFinder = (date: string, time: string) => number | undefined;

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
  const steps = new Map<string, Map<string | null, number>>();
  for (const { startsOn, time, amount } of rows) {
    const step = steps.get(startsOn) ?? new Map<string | null, number>();
    steps.set(startsOn, step.set(time, amount));
  }
  const latestFirst = [...steps].sort(([a], [b]) => (a < b ? 1 : -1));
  return (date, time) => {
    const [, step] = latestFirst.find(([startsOn]) => startsOn <= date) ?? [];
    return step?.get(time) ?? step?.get(null);
  };
}
