import { Temporal } from 'temporal-polyfill';

const MINUTE = 60_000;
/** Zones shift on quarter hours, so one offset holds for each quarter of an hour. */
const QUARTER = 15 * MINUTE;
const offsets = new Map<string, number>();
const REMEMBERED = 10_000;

/** Milliseconds that the clocks of an IANA zone are ahead of UTC at an instant (milliseconds since 1970). */
function offsetAt(instant: number, zone: string): number {
  if (zone === 'UTC') return 0;
  const quarter = Math.floor(instant / QUARTER);
  const key = `${zone} ${quarter}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    const zoned = Temporal.Instant.fromEpochMilliseconds(quarter * QUARTER).toZonedDateTimeISO(zone);
    offset = zoned.offsetNanoseconds / 1e6;
    if (offsets.size >= REMEMBERED) offsets.clear();
    offsets.set(key, offset);
  }
  return offset;
}

/** Whether clocks follow a zone of this IANA name. Bare offsets are no zones: they do not know of shifts. */
export function isZone(name: string): boolean {
  if (zones.has(name)) return true;
  if (name.length > 64 || !/^[A-Za-z][\w+-]*(\/[\w+-]+){0,2}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    return false;
  }
  if (zones.size < REMEMBERED) zones.add(name);
  return true;
}
const zones = new Set<string>();
/** What `clockTime` said last: rows are shown in two zones that are often one, and often were changed when they were published. */
let shown = { time: Number.NaN, text: '' };

/** What the clocks of a zone show at an instant: YYYY-MM-DDTHH:MM:SS. */
export function clockTime(instant: Date, zone: string): string {
  const time = instant.getTime() + offsetAt(instant.getTime(), zone);
  if (time !== shown.time) shown = { time, text: new Date(time).toISOString().slice(0, 19) };
  return shown.text;
}

/**
 * The instant at which the clocks of a zone show `local` (milliseconds as if UTC), or, with `offset` minutes, the instant so named.
 * A time that a shift leaves out is taken an hour later, one that comes twice is taken the first time (RFC 5545).
 */
export function instantOf({ local, offset }: { local: number; offset?: number }, zone: string): Date {
  if (offset !== undefined) return new Date(local - offset * MINUTE);
  if (zone === 'UTC') return new Date(local);
  const plain = Temporal.PlainDateTime.from(new Date(local).toISOString().slice(0, -1));
  return new Date(plain.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds);
}

const DAY = 24 * 60 * MINUTE;
const midnights = new Map<string, Map<number, number>>();

/** The offset of a zone at the midnight, in UTC, that begins a day (counted since 1970). */
function offsetAtMidnight(day: number, zone: string): number {
  let known = midnights.get(zone);
  if (!known || known.size >= REMEMBERED) {
    known = new Map();
    midnights.set(zone, known);
  }
  let offset = known.get(day);
  if (offset === undefined) {
    offset = offsetAt(day * DAY, zone);
    known.set(day, offset);
  }
  return offset;
}

/** `instantOf` on numbers, for series: on days without a shift it costs an addition. */
export function instantAt(local: number, zone: string): number {
  const day = Math.floor(local / DAY);
  const offset = offsetAtMidnight(day - 1, zone);
  return offset === offsetAtMidnight(day + 2, zone) ? local - offset : instantOf({ local }, zone).getTime();
}

/** What the clocks of a zone show at an instant, in milliseconds as if UTC. The inverse of `instantAt`, but for gaps and folds. */
export function localAt(instant: number, zone: string): number {
  const day = Math.floor(instant / DAY);
  const offset = offsetAtMidnight(day, zone);
  return instant + (offset === offsetAtMidnight(day + 1, zone) ? offset : offsetAt(instant, zone));
}

/** An instant by the clocks of a zone, ISO 8601 with their offset: 2026-03-01T08:00:00+01:00. */
export function isoIn(instant: number, zone: string): string {
  const local = localAt(instant, zone);
  const minutes = Math.round((local - instant) / MINUTE);
  const sign = minutes < 0 ? '-' : '+';
  const hours = String(Math.floor(Math.abs(minutes) / 60)).padStart(2, '0');
  return `${new Date(local).toISOString().slice(0, 19)}${sign}${hours}:${String(Math.abs(minutes) % 60).padStart(2, '0')}`;
}

/** Hours that a zone is ahead of GMT at an instant, as the site descriptor shows them: "2", "-3.5". */
export function gmtOffset(instant: Date, zone: string): string {
  return String(offsetAt(instant.getTime(), zone) / (60 * MINUTE));
}
