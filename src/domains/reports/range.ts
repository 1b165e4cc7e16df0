import { registerEnumType } from 'type-graphql';
import {
  type AskedRange,
  dateInvalid,
  dayAfter,
  monthAfter,
  monthOf,
  type Period,
  periodOf,
  quarterOf,
  weekOf,
} from './period.js';

/** A range that moves with the day on which it is asked. */
interface RelativeRange {
  readonly description: string;
  readonly of: (today: string, weekStart: number) => Period;
}

const days = (count: number): RelativeRange => ({
  description: `The last ${count} days, today included.`,
  of: (today) => ({ from: dayAfter(today, 1 - count), to: today }),
});

const wholeDays = (count: number): RelativeRange => ({
  description: `The last ${count} days before today, which can be compared with those before.`,
  of: (today) => ({ from: dayAfter(today, -count), to: dayAfter(today, -1) }),
});

const months = (count: number): RelativeRange => ({
  description: `The ${count} months before this one.`,
  of: (today) => ({ from: monthAfter(today, -count), to: dayAfter(monthOf(today), -1) }),
});

/** From the first day of what today is in, up to today. */
const so = (what: string, start: (today: string, weekStart: number) => string): RelativeRange => ({
  description: `This ${what}, up to today.`,
  of: (today, weekStart) => ({ from: start(today, weekStart), to: today }),
});

/** The one before what today is in, as a whole. */
const last = (
  what: string,
  start: (today: string, weekStart: number) => string,
): RelativeRange => ({
  description: `The ${what} before this one.`,
  of: (today, weekStart) => {
    const to = dayAfter(start(today, weekStart), -1);
    return { from: start(to, weekStart), to };
  },
});

const yearOf = (date: string) => `${date.slice(0, 4)}-01-01`;
const dayOf = (date: string) => date;

/** All relative ranges, by their names. */
export const RANGES = {
  TODAY: { ...so('day', dayOf), description: 'Today.' },
  YESTERDAY: { ...last('day', dayOf), description: 'Yesterday.' },
  LAST_7_DAYS: days(7),
  LAST_30_DAYS: days(30),
  LAST_90_DAYS: days(90),
  LAST_365_DAYS: days(365),
  LAST_7_WHOLE_DAYS: wholeDays(7),
  LAST_28_WHOLE_DAYS: wholeDays(28),
  LAST_90_WHOLE_DAYS: wholeDays(90),
  LAST_365_WHOLE_DAYS: wholeDays(365),
  THIS_WEEK: so('week', weekOf),
  LAST_WEEK: last('week', weekOf),
  THIS_MONTH: so('month', monthOf),
  LAST_MONTH: last('month', monthOf),
  LAST_12_MONTHS: months(12),
  LAST_24_MONTHS: months(24),
  THIS_QUARTER: so('quarter', quarterOf),
  LAST_QUARTER: last('quarter', quarterOf),
  THIS_YEAR: so('year', yearOf),
  LAST_YEAR: last('year', yearOf),
} as const satisfies Readonly<Record<string, RelativeRange>>;

/** The name of a relative range. */
export type RangeName = keyof typeof RANGES;

const names = Object.keys(RANGES) as RangeName[];

/** The enum of relative ranges. */
export const ReportRelativeRange = Object.fromEntries(names.map((name) => [name, name]));

registerEnumType(ReportRelativeRange, {
  name: 'ReportRelativeRange',
  description: 'A range of days that moves with the day on which it is asked.',
  valuesConfig: Object.fromEntries(
    names.map((name) => [name, { description: RANGES[name].description }]),
  ),
});

/**
 * Returns the period of a relative or absolute range, the last 30 days by default. Throws
 * DATE_INVALID, RANGE_TOO_LONG.
 */
export function rangeOf(
  { range, weekStart, ...dates }: AskedRange & Partial<AskedRelative>,
  today: string,
): Period {
  if (!range) return periodOf(dates, today);
  if (dates.from ?? dates.to)
    throw dateInvalid('range', 'Ask by `range`, or by `from` and `to`: both are two ranges.');
  return RANGES[range].of(today, weekStart ?? 1);
}

interface AskedRelative {
  readonly range: RangeName | null;
  readonly weekStart: number | null;
}
