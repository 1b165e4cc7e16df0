import { dayOf } from '../../../platform/moment.js';

const DAY = 24 * 60 * 60 * 1000;
const WEEK = 7 * DAY;
/** 1970-01-01 was a Thursday: local times since the Monday before. */
const SINCE_MONDAY = 3 * DAY;

/** What leaves out occurrences of a rule that is expanded more broadly than it is written. */
export interface Limits {
  /**
   * Only each so many milliseconds, counted by the clock from the unit of time in which the series
   * starts. INTERVAL of hours, minutes or days together with parts that name some of them.
   */
  readonly step?: { readonly unit: number; readonly every: number };
  /** Only on these weekdays; 0 is Monday. */
  readonly weekdays?: readonly number[];
  /**
   * Only in weeks with these numbers. Weeks begin on a weekday (0 is Monday), the first one has at
   * least four days of the year, and negative numbers count from the last (RFC 5545, BYWEEKNO).
   */
  readonly weeks?: { readonly numbers: readonly number[]; readonly begin: number };
}

/** Returns whether an occurrence at a local time remains of a series that starts at another. */
export function isWithin(limits: Limits | undefined, start: number, local: number): boolean {
  if (!limits) return true;
  const { step, weekdays, weeks } = limits;
  if (weekdays && !weekdays.includes((dayOf(local) - weekOf(local, 0)) / DAY)) return false;
  if (step) {
    const units = Math.floor(local / step.unit) - Math.floor(start / step.unit);
    if (units % step.every !== 0) return false;
  }
  return !weeks || isInWeeks(weeks.numbers, weeks.begin, local);
}

function isInWeeks(numbers: readonly number[], begin: number, local: number): boolean {
  const week = weekOf(local, begin);
  // The fourth day of a week lies in the year that the week belongs to.
  const year = new Date(week + 3 * DAY).getUTCFullYear();
  const number = (week - firstWeek(year, begin)) / WEEK + 1;
  const last = (firstWeek(year + 1, begin) - firstWeek(year, begin)) / WEEK;
  return numbers.includes(number) || numbers.includes(number - last - 1);
}

/** Returns the local midnight at which the week of a local time begins. */
function weekOf(local: number, begin: number): number {
  const shift = SINCE_MONDAY - begin * DAY;
  return Math.floor((dayOf(local) + shift) / WEEK) * WEEK - shift;
}

/** Returns the beginning of the first week of a year: the one with the fourth of January. */
const firstWeek = (year: number, begin: number): number => weekOf(Date.UTC(year, 0, 4), begin);
