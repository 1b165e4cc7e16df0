import type { ResultTable } from '../domains/reports/saved/result-table.js';

const DAY = 24 * 60 * 60 * 1000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The length of the times of a column, in days, or in months. */
export type Grain = { readonly days: number } | { readonly months: number };

const GRAINS: Readonly<Record<string, Grain>> = {
  day: { days: 1 },
  week: { days: 7 },
  month: { months: 1 },
  quarter: { months: 3 },
};

/**
 * Returns the length of the times of a column: by its name, or for `date` by the least distance of
 * two; undefined for other columns, and where there is but one `date`.
 */
export function grainOf({ columns, rows }: ResultTable, column: number): Grain | undefined {
  const name = columns[column] ?? '';
  const dates = [...new Set(rows.map((row) => String(row[column])))].sort();
  if (!dates.every((date) => DATE.test(date))) return undefined;
  if (name !== 'date') return Object.hasOwn(GRAINS, name) ? GRAINS[name] : undefined;
  if (dates.length < 2) return undefined;
  const steps = dates
    .slice(1)
    .map((date, i) => (Date.parse(date) - Date.parse(dates[i] ?? '')) / DAY);
  const least = Math.min(...steps);
  return GRAINS[least < 7 ? 'day' : least < 28 ? 'week' : least < 80 ? 'month' : 'quarter'];
}

/** Returns the first day after a time that begins on a date. */
export function nextOf(date: string, grain: Grain): string {
  const at = new Date(date);
  if ('days' in grain) at.setUTCDate(at.getUTCDate() + grain.days);
  else at.setUTCMonth(at.getUTCMonth() + grain.months);
  return at.toISOString().slice(0, 10);
}

/** Returns the day before a date. */
export const dayBefore = (date: string): string =>
  new Date(Date.parse(date) - DAY).toISOString().slice(0, 10);
