import {
  before,
  dayAfter,
  isOfMonths,
  lengthOf,
  monthAfter,
  monthNumber,
  type Period,
  quarterOf,
} from './period.js';
import { datesOf, type Question } from './question.js';
import type { ReportValues } from './report.types.js';

/** The period before that of a question. */
export interface Earlier {
  readonly period: Period;
  /** Whether the two can be compared: both are over, or as long as today. */
  readonly isEqual: boolean;
  /** Whether rows can be as well: their dates lie alike in both. */
  readonly isAligned: boolean;
}

/**
 * Returns the period before that of a question: as many months of whole months, else as many days.
 */
export function earlierOf(question: Question): Earlier {
  const { period, today } = question;
  const dates = datesOf(question);
  const byDays = dates.includes('day') || dates.includes('week');
  const byMonths = isOfMonths(period) && !byDays;
  const isEqual = period.to <= today;
  return {
    period: before(period, byMonths),
    isEqual,
    isAligned: isEqual && areAligned(period, dates, byMonths),
  };
}

function areAligned(period: Period, dates: readonly string[], byMonths: boolean): boolean {
  const [date] = dates;
  if (dates.length !== 1) return dates.length === 0;
  if (date === 'day') return true;
  if (date === 'week') return lengthOf(period) % 7 === 0;
  if (date === 'month') return byMonths;
  const months = monthNumber(period.to) - monthNumber(period.from) + 1;
  return byMonths && months % 3 === 0 && quarterOf(period.from) === period.from;
}

/** Returns the name of the row of the previous period that corresponds to a row. */
export function previousName({ by, period }: Question, earlier: Period, key: ReportValues): string {
  return JSON.stringify(
    by.map(({ name, time }) => {
      const value = key[name];
      if (time === 'month' || time === 'quarter')
        return monthAfter(value as string, monthNumber(earlier.from) - monthNumber(period.from));
      if (time === 'day' || time === 'week') return dayAfter(value as string, -lengthOf(period));
      return value;
    }),
  );
}
