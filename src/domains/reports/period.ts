import { refuse } from '../../core/errors.js';

const DAY = 24 * 60 * 60 * 1000;
const MOST_DAYS = 5 * 366;
/** Reports know nothing of the time before, and years of fewer than four digits are no dates there. */
const FIRST_DAY = '1970-01-01';
/** Days from the first to the last when none are given. */
const USUAL_DAYS = 30;

/** The days of a report, first and last included, as YYYY-MM-DD. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** A range as it is asked for. */
export interface AskedRange {
  readonly from?: string | null;
  readonly to?: string | null;
}

/**
 * Returns the period that is asked for, the last 30 days by default. Throws DATE_INVALID,
 * RANGE_TOO_LONG.
 */
export function periodOf({ from, to }: AskedRange, today: string): Period {
  const last = to ?? today;
  const first = from ?? dayAfter(last, 1 - USUAL_DAYS);
  if (first > last)
    throw dateInvalid('to', `The range ends on ${last}, before it begins on ${first}.`);
  // The day begins earlier in other zones.
  if (first > dayAfter(today, 1))
    throw dateInvalid('from', 'The range begins in the future, where nothing has happened yet.');
  if (Date.parse(last) - Date.parse(first) > MOST_DAYS * DAY)
    throw refuse('RANGE_TOO_LONG', 'A report is of at most five years. Ask for fewer.', {
      param: 'to',
    });
  if (first < FIRST_DAY)
    throw dateInvalid(from ? 'from' : 'to', `Reports begin on ${FIRST_DAY} at the earliest.`);
  return { from: first, to: last };
}

/** Makes a refusal of a range, of which `param` is at fault. */
export const dateInvalid = (param: string, message: string) =>
  refuse('DATE_INVALID', message, { param });

/** Returns whether a period is of whole months. */
export const isOfMonths = ({ from, to }: Period): boolean =>
  from === monthOf(from) && dayAfter(to, 1) === monthOf(dayAfter(to, 1));

/** Returns how many days a period has. */
export const lengthOf = ({ from, to }: Period): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY) + 1;

/** Returns the period right before another: of as many days, or of as many months. */
export function before({ from, to }: Period, byMonths: boolean): Period {
  const last = dayAfter(from, -1);
  if (!byMonths) return { from: dayAfter(from, -lengthOf({ from, to })), to: last };
  return { from: monthAfter(from, monthNumber(from) - monthNumber(to) - 1), to: last };
}

/** Returns the date that comes so many days after another. */
export const dayAfter = (date: string, days: number): string =>
  textOf(Date.parse(date) + days * DAY);

/** Returns the first day of the month that comes so many months after that of a date. */
export function monthAfter(date: string, months: number): string {
  const day = new Date(date);
  return textOf(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months, 1));
}

/** Returns the first day of the month of a date. */
export const monthOf = (date: string): string => `${date.slice(0, 7)}-01`;

/** Returns the first day of the quarter of a date. */
export const quarterOf = (date: string): string =>
  monthAfter(date, -(new Date(date).getUTCMonth() % 3));

/** Returns the day of the week of a date, 1 for Monday to 7 for Sunday. */
export const weekdayOf = (date: string): number => new Date(date).getUTCDay() || 7;

/** Returns the first day of the week of a date; weeks begin on Monday unless told. */
export const weekOf = (date: string, weekStart = 1): string =>
  dayAfter(date, -((weekdayOf(date) - weekStart + 7) % 7));

/** Returns the same date of the year before; undefined for 29 February. */
export function yearBefore(date: string): string | undefined {
  const before = `${String(Number(date.slice(0, 4)) - 1).padStart(4, '0')}${date.slice(4)}`;
  return before.endsWith('-02-29') ? undefined : before;
}

/** Returns how many months lie between the year 0 and the month of a date. */
export const monthNumber = (date: string): number =>
  Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));

const textOf = (time: number) => new Date(time).toISOString().slice(0, 10);
