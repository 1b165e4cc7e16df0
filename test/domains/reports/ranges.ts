import fc from 'fast-check';
import { dayAfter } from '../../../src/domains/reports/period.js';

/** First days of weeks, by their names in questions. */
export const WEEK_STARTS = { MONDAY: 1, SATURDAY: 6, SUNDAY: 7 } as const;
export type WeekStart = keyof typeof WEEK_STARTS;

/** What questions about any subject have: a range, and what dates stand for. */
export const ranged = {
  start: fc.nat({ max: 340 }),
  days: fc.nat({ max: 364 }),
  months: fc.boolean(),
  weekStart: fc.constantFrom(...(Object.keys(WEEK_STARTS) as WeekStart[])),
  grain: fc.option(fc.constantFrom('DAY', 'WEEK', 'MONTH', 'QUARTER'), { nil: undefined }),
  fill: fc.boolean(),
};

/** Returns a range of 2025, of whole months or not. */
export function rangeOf({ start, days, months }: { start: number; days: number; months: boolean }) {
  const first = dayAfter('2025-01-01', start);
  const last = dayAfter(first, Math.min(days, 364 - start));
  const endOfMonth = dayAfter(`${dayAfter(`${last.slice(0, 7)}-28`, 4).slice(0, 7)}-01`, -1);
  return months ? { from: `${first.slice(0, 7)}-01`, to: endOfMonth } : { from: first, to: last };
}
