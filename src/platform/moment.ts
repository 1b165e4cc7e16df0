import { asciiDigits } from './digits.js';
import { Recent } from './lru.js';

/**
 * A moment as a caller wrote it. `local` is the clock time in milliseconds as if UTC. A date
 * without a time has `clock` false.
 */
export interface Moment {
  readonly local: number;
  /** Whether the text has a time of day. */
  readonly clock: boolean;
  /** Minutes ahead of UTC, if the text has an offset. */
  readonly offset?: number;
  /**
   * Whether the offset is Z or zero, or the moment is a number. Such a moment names an instant, but
   * says nothing about the caller's zone.
   */
  readonly universal?: boolean;
  /** Whether the text ends in `Z`, `GMT` or `UTC`. Programs write so; people rarely do. */
  readonly utc?: boolean;
}

const DAY = 24 * 60 * 60 * 1000;
const MINUTE = 60_000;
/**
 * Seconds or milliseconds since 1970. For the years 2001 to 2286 they have 10 or 13 digits; no date
 * has that many.
 */
const EPOCH = /^(\d{10}|\d{13})$/;
/**
 * The last year that is read. Dates that are centuries ahead belong to another calendar, such as the
 * Buddhist one, which is 543 years ahead.
 */
const LAST_YEAR = 2199;
/** The last year of an end that is none. Every zone and every column can represent it. */
export const END_YEAR = 9998;

const CLOCK = String.raw`(?<hour>\d\d?):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,]\d{1,9})?)?(?: ?(?<half>AM|PM|A\.M\.|P\.M\.))?`;
const OFFSET = String.raw`[+-]\d\d(?::?[0-5]\d)?`;
const NAMED_ZONE = String.raw`(?: ?(?<zone>(?:GMT|UTC?)?[+-]\d\d:?[0-5]\d|GMT|UTC?|Z)(?: \([^()]{1,60}\))?)?`;
const WEEKDAY = '(?:(?<weekday>[a-z]{3,9}),? )?';
/**
 * The accepted forms. All are unambiguous: the year has four digits, and stands first or beside the
 * name of a month.
 */
const FORMS: readonly RegExp[] = [
  // ISO 8601 and RFC 3339, also with slashes, and with a time such as 8:00 after a space
  String.raw`(?<year>\d{4})(?<joint>[-/])(?<month>\d\d?)\k<joint>(?<day>\d\d?)(?:(?:T(?=\d\d)| )${CLOCK}(?: ?(?<zone>Z|UTC|GMT|${OFFSET}| \d\d:[0-5]\d)(?:\[[\w/+-]+\])?)?)?`,
  // ISO 8601, basic format
  String.raw`(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)T(?<hour>\d\d)(?<minute>\d\d)(?:(?<second>\d\d)(?:[.,]\d{1,9})?)?(?<zone>Z|${OFFSET})?`,
  // RFC 2822: Mon, 23 Nov 2026 08:00:00 +0100
  String.raw`${WEEKDAY}(?<day>\d\d?)(?<joint>[ -])(?<name>[a-z]{3,9})\.?\k<joint>(?<year>\d{4})(?:,? (?:at )?${CLOCK}${NAMED_ZONE})?`,
  // Nov 23, 2026 8:00 AM; ECMAScript's Mon Nov 23 2026 08:00:00 GMT+0100 (Central European Standard
  // Time)
  String.raw`${WEEKDAY}(?<name>[a-z]{3,9})\.? (?<day>\d\d?),? (?<year>\d{4})(?:,? (?:at )?${CLOCK}${NAMED_ZONE})?`,
].map((form) => new RegExp(`^${form}$`, 'i'));

const MONTHS =
  'january february march april may june july august september october november december'.split(
    ' ',
  );
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');

type Parts = Readonly<Partial<Record<string, string>>>;

/** Texts that were read last: the dates of a reminder are read some ten times for one plan of it. */
const read = new Recent<string, Moment | 'none'>(32);
/** Longer texts are not remembered; few of them are dates. */
const MOST_REMEMBERED = 64;

/**
 * Reads a date, or a date and a time in 24 or 12 hours, with or without an offset, in the forms
 * above and in the digits of any script. Also reads seconds or milliseconds since 1970. Fractions
 * of a second are dropped.
 * - A space before an offset is read as `+`, because an unescaped `+` in a URL or a form arrives as
 *   a space.
 * - The name of a zone may follow an offset in brackets; the offset counts. A zone name without an
 *   offset is refused: to ignore it would give another moment.
 * - Nothing is guessed. Returns undefined for anything else, such as 05/12/2026, two-digit years,
 *   24:00, 13:00 PM, zone abbreviations, days that do not exist, a weekday that does not match the
 *   date, and years before 1900 or after `lastYear` (2199 when the digits are of another script).
 */
export function parseMoment(text: string, lastYear = LAST_YEAR): Moment | undefined {
  if (lastYear !== LAST_YEAR || text.length > MOST_REMEMBERED) return momentIn(text, lastYear);
  const moment = read.get(text) ?? momentIn(text, lastYear) ?? 'none';
  read.set(text, moment);
  return moment === 'none' ? undefined : moment;
}

function momentIn(text: string, lastYear: number): Moment | undefined {
  const given = text.trim();
  const plain = asciiDigits(given)?.replace(/[\u00a0\u202f]/g, ' ');
  if (plain === undefined) return undefined;
  if (EPOCH.test(plain)) {
    const local =
      plain.length === 10 ? Number(plain) * 1000 : Math.floor(Number(plain) / 1000) * 1000;
    return { local, clock: true, offset: 0, universal: true };
  }
  const parts = partsOf(plain);
  const isForeign = /[^\P{Nd}0-9]/u.test(given);
  const date = parts && dateOf(parts, isForeign ? LAST_YEAR : lastYear);
  if (date === undefined) return undefined;
  if (parts?.hour === undefined) return { local: date, clock: false };
  const clock = clockOf(parts);
  const offset = offsetOf(parts.zone);
  if (clock === undefined || Number.isNaN(offset) || Math.abs(offset ?? 0) > 14 * 60)
    return undefined;
  if (offset === undefined) return { local: date + clock, clock: true };
  const utc = /^[a-z]+$/i.test(parts.zone ?? '');
  return {
    local: date + clock,
    clock: true,
    offset,
    ...(offset === 0 && { universal: true }),
    ...(utc && { utc }),
  };
}

function partsOf(text: string): Parts | undefined {
  for (const form of FORMS) {
    const match = form.exec(text);
    if (match) return match.groups;
  }
  return undefined;
}

/**
 * Returns the midnight of a date in milliseconds as if UTC; undefined for a day that does not
 * exist.
 */
function dateOf({ year, month, name, day, weekday }: Parts, lastYear: number): number | undefined {
  const number = name === undefined ? Number(month) - 1 : indexOf(name, MONTHS);
  const date = Date.UTC(Number(year), number, Number(day));
  const shown = new Date(date);
  const exists = shown.getUTCMonth() === number && shown.getUTCDate() === Number(day);
  if (!exists || Number(year) < 1900 || Number(year) > lastYear) return undefined;
  return weekday === undefined || indexOf(weekday, WEEKDAYS) === shown.getUTCDay()
    ? date
    : undefined;
}

/**
 * Returns the index of an English name in a list, by its first letters (at least three); -1 when
 * none matches.
 */
const indexOf = (name: string, names: readonly string[]) =>
  names.findIndex((one) => one.startsWith(name.toLowerCase()));

/**
 * Returns milliseconds since midnight, from a time in 24 or 12 hours; undefined for a time that
 * does not exist.
 */
function clockOf({ hour, minute, second = '0', half }: Parts): number | undefined {
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  if (minutes > 59 || seconds > 59 || hours > 23 || (half && (hours < 1 || hours > 12)))
    return undefined;
  const past = half ? (hours % 12) + (/^p/i.test(half) ? 12 : 0) : hours;
  return (past * 60 + minutes) * MINUTE + seconds * 1000;
}

function offsetOf(zone: string | undefined): number | undefined {
  if (zone === undefined) return undefined;
  const text = zone.replace(/^[a-z]+/i, '');
  if (text === '') return 0;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(3).replace(':', '') || 0);
  return text.startsWith('-') ? -minutes : minutes;
}

/** Returns an offset as the name of a zone, such as +02:00. */
export function offsetZone(minutes: number): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${String(Math.floor(size / 60)).padStart(2, '0')}:${String(size % 60).padStart(2, '0')}`;
}

/** Returns a local time as YYYY-MM-DDTHH:MM:SS. */
export const localText = (local: number): string => new Date(local).toISOString().slice(0, 19);

/** Reads what `localText` wrote. Ignores an offset at the end. */
export const localOf = (text: string): number => Date.parse(`${text.slice(0, 19)}Z`);

/** Returns the local midnight at the start of a local time's day. */
export const dayOf = (local: number): number => Math.floor(local / DAY) * DAY;
