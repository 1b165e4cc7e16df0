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
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+){0,2}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** What the clocks of a zone show at an instant: YYYY-MM-DDTHH:MM:SS. */
export function clockTime(instant: Date, zone: string): string {
  return new Date(instant.getTime() + offsetAt(instant.getTime(), zone)).toISOString().slice(0, 19);
}

/**
 * The instant at which the clocks of a zone show `local` (milliseconds as if UTC), or, with `offset` minutes, the instant so named.
 * A time that a shift leaves out is taken an hour later, one that comes twice is taken the first time (RFC 5545).
 */
export function instantOf({ local, offset }: { local: number; offset?: number }, zone: string): Date {
  if (offset !== undefined) return new Date(local - offset * MINUTE);
  if (zone === 'UTC') return new Date(local);
  const plain = Temporal.PlainDateTime.from(new Date(local).toISOString().slice(0, 19));
  return new Date(plain.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds);
}

/** Hours that a zone is ahead of GMT at an instant, as the site descriptor shows them: "2", "-3.5". */
export function gmtOffset(instant: Date, zone: string): string {
  return String(offsetAt(instant.getTime(), zone) / (60 * MINUTE));
}
