import { asciiDigits } from './digits.js';

/**
 * A moment as a caller wrote it. `local` is milliseconds as if UTC; a date alone has no `clock`.
 */
export interface Moment {
  readonly local: number;
  /** Whether a clock time was given. */
  readonly clock: boolean;
  /** Minutes ahead of UTC, if an offset was given. */
  readonly offset?: number;
  /**
   * The offset was Z or zero, or the moment a number: it names an instant and teaches nothing about
   * where the caller is.
   */
  readonly universal?: boolean;
  /** `Z`, `GMT` or `UTC` stood behind it: the clock of a program, hardly ever that of a person. */
  readonly utc?: boolean;
}

const DAY = 24 * 60 * 60 * 1000;
const MINUTE = 60_000;
/**
 * Seconds and milliseconds since 1970 of the years 2001 to 2286 have 10 and 13 digits; no date has
 * as many.
 */
const EPOCH = /^(\d{10}|\d{13})$/;
/** Years that every zone and every column can show. */
const LAST = Date.UTC(9999, 0, 1);
/**
 * Digits of another script may be those of another calendar, such as the Buddhist one, 543 years
 * ahead.
 */
const LAST_OF_SCRIPTS = Date.UTC(2200, 0, 1);

const CLOCK = String.raw`(?<hour>\d\d?):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,]\d{1,9})?)?(?: ?(?<half>AM|PM|A\.M\.|P\.M\.))?`;
const OFFSET = String.raw`[+-]\d\d(?::?[0-5]\d)?`;
const NAMED_ZONE = String.raw`(?: ?(?<zone>(?:GMT|UTC?)?[+-]\d\d:?[0-5]\d|GMT|UTC?|Z)(?: \([^()]{1,60}\))?)?`;
const WEEKDAY = '(?:(?<weekday>[a-z]{3,9}),? )?';
/**
 * The ways to write a moment that leave no doubt: the year has four digits, and stands first or
 * beside the name of a month.
 */
const FORMS: readonly RegExp[] = [
  // ISO 8601 and RFC 3339, also with slashes, and 8:00 behind a space
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

/**
 * Reads a date, or a date and time by 24 or 12 hours, with or without an offset, in the forms above
 * and in the digits of any script, or seconds or milliseconds since 1970. A `+` that stood in an
 * address or a form unescaped arrives as a space, and is taken for one. The name of a zone may
 * stand in brackets behind an offset, which counts; a name alone would be passed over, and the
 * moment be another one, so it is no moment. A moment is never guessed: undefined for anything
 * else, as 05/12/2026, two-digit years, 24:00, 13:00 PM, abbreviations of zones, days that do not
 * exist, a weekday that the day is not, and years before 1900 or after 9998. Fractions of a second
 * are dropped.
 */
export function parseMoment(text: string): Moment | undefined {
  const given = text.trim();
  const plain = asciiDigits(given)?.replace(/[\u00a0\u202f]/g, ' ');
  if (plain === undefined) return undefined;
  if (EPOCH.test(plain)) {
    const local =
      plain.length === 10 ? Number(plain) * 1000 : Math.floor(Number(plain) / 1000) * 1000;
    return { local, clock: true, offset: 0, universal: true };
  }
  const parts = partsOf(plain);
  const date = parts && dateOf(parts);
  if (date === undefined || (/[^\P{Nd}0-9]/u.test(given) && date >= LAST_OF_SCRIPTS))
    return undefined;
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

/** The midnight of a date, in milliseconds as if UTC. Undefined for a day that does not exist. */
function dateOf({ year, month, name, day, weekday }: Parts): number | undefined {
  const number = name === undefined ? Number(month) - 1 : indexOf(name, MONTHS);
  const date = Date.UTC(Number(year), number, Number(day));
  const shown = new Date(date);
  const exists = shown.getUTCMonth() === number && shown.getUTCDate() === Number(day);
  if (!exists || Number(year) < 1900 || date >= LAST) return undefined;
  return weekday === undefined || indexOf(weekday, WEEKDAYS) === shown.getUTCDay()
    ? date
    : undefined;
}

/**
 * The place of an English name in a list, by its first letters, three at least; -1 for any other.
 */
const indexOf = (name: string, names: readonly string[]) =>
  names.findIndex((one) => one.startsWith(name.toLowerCase()));

/** Milliseconds since midnight, by 24 hours or by twice twelve. */
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

/** An offset as the name of a zone: +02:00. */
export function offsetZone(minutes: number): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${String(Math.floor(size / 60)).padStart(2, '0')}:${String(size % 60).padStart(2, '0')}`;
}

/** A local time as text: YYYY-MM-DDTHH:MM:SS. */
export const localText = (local: number): string => new Date(local).toISOString().slice(0, 19);

/** The local time that `localText` wrote; an offset behind it does not count. */
export const localOf = (text: string): number => Date.parse(`${text.slice(0, 19)}Z`);

/** The local midnight that begins the day of a local time. */
export const dayOf = (local: number): number => Math.floor(local / DAY) * DAY;
