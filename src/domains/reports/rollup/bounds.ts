import type { Subject } from '../catalogue/subject.js';

/** The most of a count that one account adds to a cell of a day, and to one of a month. */
interface Bound {
  readonly day: number;
  readonly month: number;
}

/** Of doses: members with many medicines take twenty a day. */
const DOSES: Bound = { day: 20, month: 620 };
/** Of counts that are not named below. */
const USUAL: Bound = { day: 12, month: 240 };
/** Counts of one account beyond these are cut. They are public: docs/reports.md. */
const BOUNDS: Readonly<Record<string, Readonly<Record<string, Bound>>>> = {
  dose: { taken: DOSES, skipped: DOSES, missed: DOSES, asNeeded: DOSES },
  notification: {
    deliveries: { day: 60, month: 1_200 },
    sent: { day: 60, month: 1_200 },
    failed: { day: 60, month: 1_200 },
    missed: { day: 60, month: 1_200 },
    lateSeconds: { day: 86_400, month: 864_000 },
  },
  account: {
    created: { day: 1, month: 1 },
    guests: { day: 1, month: 1 },
    guestsSignedUp: { day: 1, month: 1 },
    sessions: { day: 12, month: 100 },
  },
  // A month has the first days of five weeks at most.
  cohort: {
    accountWeeks: { day: 1, month: 5 },
    active: { day: 1, month: 5 },
    stopped: { day: 1, month: 5 },
  },
};
/** Counts of something else than facts. */
const AMOUNTS: ReadonlySet<string> = new Set(['lateSeconds']);

/** Returns the most of a count that one account adds to a cell of a grid, by the grid's name. */
export function boundOf({ name }: Subject, count: string, grid: string): number {
  const { day, month } = BOUNDS[name]?.[count] ?? USUAL;
  if (/^day( |$)/.test(grid)) return day;
  if (/^week( |$)/.test(grid)) return 7 * day;
  if (/^quarter( |$)/.test(grid)) return 3 * month;
  return /^weekday( |$)/.test(grid) ? Math.min(5 * day, month) : month;
}

/** Returns whether a count is one of facts. */
export const countsFacts = (count: string): boolean => !AMOUNTS.has(count);

/**
 * SQL of what an account adds to a cell, cut at its bound. `g` is the number of the grid, of those
 * that are given by their names. Counts of public items are not cut. `sql` is what is
 * cut, by default the count.
 */
export function clippedSql(
  subject: Subject,
  count: string,
  grids: readonly string[],
  sql = `"${count}"`,
): string {
  if (subject.isPublic) return sql;
  const usual = boundOf(subject, count, '');
  const others = new Map<number, number[]>();
  for (const [number, grid] of grids.entries()) {
    const bound = boundOf(subject, count, grid);
    if (bound !== usual) others.set(bound, [...(others.get(bound) ?? []), number]);
  }
  const cases = [...others].map(
    ([bound, numbers]) => `WHEN g IN (${numbers.join(', ')}) THEN ${bound}`,
  );
  const bound = cases.length > 0 ? `CASE ${cases.join(' ')} ELSE ${usual} END` : `${usual}`;
  return `least(${sql}, ${bound})`;
}
