/** A moment as a caller wrote it. `local` is milliseconds as if UTC; a date alone has no `clock`. */
export interface Moment {
  readonly local: number;
  /** Whether a clock time was given. */
  readonly clock: boolean;
  /** Minutes ahead of UTC, if an offset was given. */
  readonly offset?: number;
  /** The offset was Z or zero, or the moment a number: it names an instant and teaches nothing about where the caller is. */
  readonly universal?: boolean;
}

const DAY = 24 * 60 * 60 * 1000;
const MINUTE = 60_000;
const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?: ?(Z|[+-]\d\d(?::?[0-5]\d)?| \d\d:[0-5]\d)(?:\[[\w/+-]+\])?)?)?$/i;
/** Seconds and milliseconds since 1970 of the years 2001 to 2286 have 10 and 13 digits; no date has as many. */
const EPOCH = /^(\d{10}|\d{13})$/;
/** Years that every zone and every column can show. */
const LAST = Date.UTC(9999, 0, 1);

/**
 * Reads `YYYY-MM-DD`, `YYYY-MM-DDTHH:MM[:SS[.fff]]` (or a space), with `Z` or an offset, or seconds or milliseconds since 1970. A `+` that
 * stood in an address or a form unescaped arrives as a space, and is taken for one. The name of a zone may stand in brackets behind an
 * offset, which counts; a name alone would be passed over, and the moment be another one, so it is no moment.
 * Undefined for anything else, for days that do not exist and for years before 1900 or after 9998. Fractions of a second are dropped.
 */
export function parseMoment(text: string): Moment | undefined {
  const trimmed = text.trim();
  if (EPOCH.test(trimmed)) {
    const local = trimmed.length === 10 ? Number(trimmed) * 1000 : Math.floor(Number(trimmed) / 1000) * 1000;
    return { local, clock: true, offset: 0, universal: true };
  }
  const match = DATE_TIME.exec(trimmed);
  if (!match) return undefined;
  const [year, month, day] = match.slice(1, 4).map(Number) as [number, number, number];
  const date = Date.UTC(year, month - 1, day);
  if (year < 1900 || month < 1 || month > 12 || day < 1 || new Date(date).getUTCDate() !== day || date >= LAST) return undefined;
  if (match[4] === undefined) return { local: date, clock: false };
  const [hour, minute, second] = match.slice(4, 7).map((part) => Number(part ?? 0)) as [number, number, number];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const local = date + (hour * 60 + minute) * MINUTE + second * 1000;
  const offset = offsetOf(match[7]);
  if (offset === undefined) return { local, clock: true };
  return Math.abs(offset) > 14 * 60 ? undefined : { local, clock: true, offset, ...(offset === 0 && { universal: true }) };
}

function offsetOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (text.toUpperCase() === 'Z') return 0;
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
