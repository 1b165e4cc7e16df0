import {
  before,
  dayAfter,
  isOfMonths,
  lengthOf,
  monthAfter,
  monthNumber,
  type Period,
  quarterOf,
  yearBefore,
} from './period.js';
import { datesOf } from './question.js';
import type { Question } from './question.types.js';
import { ReportComparison } from './report.enums.js';
import type { ReportValues } from './report.types.js';

/** The period with which that of a question is compared. */
export interface Earlier {
  readonly period: Period;
  /** Whether the two can be compared: both are over, and as long. */
  readonly isEqual: boolean;
  /** Whether rows can be as well: their dates lie alike in both. */
  readonly isAligned: boolean;
  /** Whether days correspond by their dates, a year apart. */
  readonly byDates?: boolean;
}

/**
 * Returns the period before that of a question: as many months of whole months, else as many days.
 */
export function earlierOf(question: Question, compare: ReportComparison): Earlier {
  if (compare === ReportComparison.PREVIOUS_YEAR) return lastYearOf(question);
  const { period, open } = question;
  const dates = datesOf(question);
  const byDays = dates.includes('day') || dates.includes('week');
  const byMonths = isOfMonths(period) && !byDays;
  const isEqual = period.to < open;
  const earlier = before(period, byMonths);
  return {
    period: earlier,
    isEqual,
    isAligned: isEqual && haveWeekdays(question, earlier) && areAligned(period, dates, byMonths),
  };
}

/** Returns whether both periods have as many of each day of the week, where rows are of these. */
const haveWeekdays = ({ by, period }: Question, earlier: Period) =>
  !by.some(({ time }) => time === 'weekday') ||
  (lengthOf(period) % 7 === 0 && lengthOf(earlier) === lengthOf(period));

function areAligned(period: Period, dates: readonly string[], byMonths: boolean): boolean {
  const [date] = dates;
  if (dates.length !== 1) return dates.length === 0;
  if (date === 'day') return true;
  if (date === 'week') return lengthOf(period) % 7 === 0;
  if (date === 'month') return byMonths;
  const months = monthNumber(period.to) - monthNumber(period.from) + 1;
  return byMonths && months % 3 === 0 && quarterOf(period.from) === period.from;
}

const DAY = 24 * 60 * 60 * 1000;
/** Days of 52 weeks, after which days of the week come again. */
const YEAR_OF_WEEKS = 364;

/** Returns the same dates of the year before; by weeks those of 52 weeks before. */
function lastYearOf(question: Question): Earlier {
  const { period, open } = question;
  const dates = datesOf(question);
  const byWeeks = dates.length === 1 && dates[0] === 'week';
  const [from, to] = byWeeks
    ? [dayAfter(period.from, -YEAR_OF_WEEKS), dayAfter(period.to, -YEAR_OF_WEEKS)]
    : [yearBefore(period.from), lastBefore(period)];
  const earlier = { from: from ?? period.from, to: to ?? period.to };
  const lieAlike = isOfMonths(period) || lengthOf(period) === lengthOf(earlier);
  const isEqual = from !== undefined && to !== undefined && lieAlike && period.to < open;
  const isAligned = isEqual && haveWeekdays(question, earlier) && dates.length <= 1;
  return { period: earlier, isEqual, isAligned, byDates: !byWeeks };
}

/** Returns the last day of a period in the year before: of whole months the last of a month. */
const lastBefore = (period: Period) =>
  isOfMonths(period) ? dayAfter(monthAfter(period.to, -11), -1) : yearBefore(period.to);

/**
 * Returns the values of the row of the earlier period that corresponds to a row; undefined when no
 * row does.
 */
export function previousKey(
  { by, period }: Question,
  { period: earlier, byDates }: Earlier,
  key: ReportValues,
): readonly unknown[] | undefined {
  const months = monthNumber(earlier.from) - monthNumber(period.from);
  const days = Math.round((Date.parse(earlier.from) - Date.parse(period.from)) / DAY);
  const values = by.map(({ name, time }) => {
    const value = key[name];
    if (time === 'month' || time === 'quarter') return monthAfter(value as string, months);
    if (time === 'day' && byDates) return yearBefore(value as string);
    return time === 'day' || time === 'week' ? dayAfter(value as string, days) : value;
  });
  return values.includes(undefined) ? undefined : values;
}
