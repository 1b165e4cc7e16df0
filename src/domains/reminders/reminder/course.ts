import { refuse } from '../../../core/errors.js';
import { dayOf, END_YEAR, type Moment, parseMoment } from '../../../platform/moment.js';
import { localAt } from '../../../platform/zone.js';

const MINUTE = 60_000;

/** Two ends of a course, or of a range of days. */
export interface Course {
  readonly start?: Moment | undefined;
  readonly end?: Moment | undefined;
}

/**
 * Reads two ends together, since a program that knows dates alone may send midnights. An end that
 * says midnight is a date, its whole day,
 *
 * - when the other end says midnight too, or is a date: by the clocks that it was written in, or,
 *   of an instant in UTC, by those of `zone` (`T22:00:00.000Z` is midnight in Berlin in summer).
 *   Beside a start at midnight, 23:59:59 counts as midnight;
 * - when it is the last one, and there is no start;
 * - when it is midnight in UTC (`T00:00:00.000Z`): a date picker's `toISOString`, while people
 *   who choose midnight choose their own.
 *
 * Any other midnight is a clock time as it was written: a lone start at midnight, local or by an
 * offset, and an end beside a start with another clock time. A moment that belongs to no course, as
 * that of an appointment, is always what it says.
 */
export function courseOf({ start, end }: Course, zone: string): Course {
  const [first, last] = [start && dayIn(start, zone), end && dayIn(end, zone)];
  const closes = last !== undefined || (end !== undefined && endsDay(end, zone));
  return {
    start: first && (isUtcMidnight(start) || closes) ? first : start,
    end: last && (isUtcMidnight(end) || first || !start) ? last : end,
  };
}

/**
 * The same of the fields of a medicine; an end after the year 2199 is none, and neither is a text that
 * cannot be read.
 */
export function readCourse(
  {
    startDate,
    endDate,
  }: { startDate?: string | null | undefined; endDate?: string | null | undefined },
  zone: string,
): Course {
  const start = readMoment(startDate);
  if (!endDate || !isEndless(endDate)) return courseOf({ start, end: readMoment(endDate) }, zone);
  // It still tells whether its program knows dates alone.
  const end = parseMoment(endDate.replace('9999', '9998'), END_YEAR);
  return { start: courseOf({ start, end }, zone).start };
}
const FOREVER = /^\s*9999[-/]|^\s*9999\d{4}T|[ -]9999(?!\d)/;
/** Returns whether an end lies after all years that are read. */
const isEndless = (text: string) =>
  FOREVER.test(text) || (!parseMoment(text) && parseMoment(text, END_YEAR) !== undefined);

/** Reads a date that was sent; undefined for an empty one and for one that cannot be read. */
export const readMoment = (text: string | null | undefined): Moment | undefined =>
  text?.trim() ? parseMoment(text) : undefined;

/** Returns whether a start that was sent can be read, or is none. */
export const isReadable = (text: string | null | undefined): boolean =>
  !text?.trim() || parseMoment(text) !== undefined;

/** Returns whether an end that was sent can be read, or is none. */
export const isReadableEnd = (text: string | null | undefined): boolean =>
  isReadable(text) || isEndless(text as string);

/** Reads a date that was sent; an empty one is none. Throws DATE_INVALID. */
export function momentOf(text: string | null | undefined, param: string): Moment | undefined {
  if (!text?.trim()) return undefined;
  const moment = parseMoment(text);
  if (moment) return moment;
  const expected =
    'a date such as 2026-03-01, or a date and time such as 2026-03-01T08:00:00, with or ' +
    'without an offset';
  throw refuse('DATE_INVALID', `${param} must be ${expected}.`, { param });
}

/** Returns whether a local time is a midnight. */
export const isMidnight = (local: number): boolean => local === dayOf(local);

const isUtcMidnight = (moment: Moment | undefined) =>
  moment?.utc === true && isMidnight(moment.local);

/**
 * Returns the date that a moment says, when it says no clock time or midnight: as it was written,
 * or, of an instant in UTC, in a zone.
 */
export function dayIn(moment: Moment, zone: string): Moment | undefined {
  if (!moment.clock) return moment;
  const local = shownIn(moment, zone).find(isMidnight);
  return local === undefined ? undefined : { local, clock: false };
}

const endsDay = (moment: Moment, zone: string) =>
  shownIn(moment, zone).some((shown) => isMidnight(shown + 1000));

/**
 * Returns the local times that a moment may mean: as it was written, and, of an instant in UTC, by
 * the clocks of the zone.
 */
function shownIn({ local, offset = 0, universal }: Moment, zone: string): number[] {
  return universal ? [local, localAt(local - offset * MINUTE, zone)] : [local];
}
