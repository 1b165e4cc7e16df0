/**
 * What a schedule ought to give, found by walking over local days one by one. It shares no code and
 * no library with the service: the clocks of a zone are those of Intl, and where its data are older
 * than 2026f, what the NEWS of the IANA releases say.
 */
export const DAY = 24 * 60 * 60 * 1000;
const HOUR = 60 * 60 * 1000;

/**
 * Since when, until when, and by how much clocks are ahead of UTC that Node 20 shifts otherwise.
 */
const CORRECTED: Readonly<Record<string, readonly [since: number, until: number, offset: number]>> =
  {
    // 2026c: Morocco has been on +00 since 20 September 2026, 02:00.
    'Africa/Casablanca': [Date.parse('2026-09-20T01:00:00Z'), Number.POSITIVE_INFINITY, 0],
    // 2026f: Cuba does not go back to -05 in November 2026.
    'America/Havana': [
      Date.parse('2026-11-01T05:00:00Z'),
      Date.parse('2027-03-14T05:00:00Z'),
      -4 * HOUR,
    ],
  };

const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();

/**
 * What the clocks of a zone (an IANA name, or an offset such as +05:30) are ahead of UTC at an
 * instant, by Intl.
 */
export function offsetByIntl(instant: number, zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(zone) ?? [];
  if (sign) return (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  const [since = Number.NaN, until = Number.NaN, corrected = 0] = CORRECTED[zone] ?? [];
  if (instant >= since && instant < until) return corrected;
  const quarter = Math.floor(instant / (HOUR / 4)) * (HOUR / 4);
  const key = `${zone}${quarter}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(zone, format);
  }
  const part = Object.fromEntries(
    format.formatToParts(quarter).map(({ type, value }) => [type, Number(value)]),
  );
  const shown = Date.UTC(
    part.year ?? 0,
    (part.month ?? 1) - 1,
    part.day,
    part.hour,
    part.minute,
    part.second,
  );
  offsets.set(key, shown - quarter);
  return shown - quarter;
}

/**
 * The instant of a local time: the first that shows it; for one that no clock shows, as much later
 * as the gap is wide.
 */
export function instantByIntl(local: number, zone: string): number {
  const before = offsetByIntl(local - 36 * HOUR, zone);
  const after = offsetByIntl(local + 36 * HOUR, zone);
  const shows = [local - before, local - after].filter(
    (instant) => instant + offsetByIntl(instant, zone) === local,
  );
  return shows.length > 0 ? Math.min(...shows) : local - before;
}

/** A rule as the test makes it: plain data, and its text for the service. */
export interface Drawn {
  text: string;
  /** Whether the series comes on a local day, counted since 1970, given the day it starts on. */
  on(day: number, first: number): boolean;
  times: string[];
  count?: number;
  until?: number;
  /** Elapsed hours instead of all that. */
  hours?: number;
}

export interface Series extends Drawn {
  zone: string;
  /** Local, in milliseconds as if UTC. */
  start: number;
  /** The instant of the start where an offset named it: a local time may come twice. */
  startAt?: number;
}

/** A coming of a series: its instant, and what the clocks should show then. */
export interface Slot {
  at: number;
  local: number;
}

/** A clock time, HH:MM or HH:MM:SS, in milliseconds. */
export const clock = (time: string): number => {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1000;
};

/** Every instant of a series from one instant to another, the second not included. */
export function walk(series: Series, from: number, to: number): number[] {
  return [...new Set(slots(series, from, to).map(({ at }) => at))].sort((a, b) => a - b);
}

/** The same with local times, of which a gap may bring two to one instant; in no order. */
export function slots(
  { zone, start, startAt, on, times, count, until, hours }: Series,
  from: number,
  to: number,
): Slot[] {
  const found: Slot[] = [];
  const add = (at: number, local: number) => {
    if (at >= from && at < to && (until === undefined || at <= until)) found.push({ at, local });
  };
  if (hours) {
    let at = startAt ?? instantByIntl(start, zone);
    for (let i = 0; at < to && (count === undefined || i < count); i++, at += hours * HOUR)
      add(at, at + offsetByIntl(at, zone));
    return found;
  }
  const first = Math.floor(start / DAY);
  let counted = 0;
  // Only what is counted must be walked from the start.
  const begin = count === undefined ? Math.max(first, Math.floor(from / DAY) - 3) : first;
  for (let day = begin; day * DAY < to + 3 * DAY; day++) {
    if (!on(day, first)) continue;
    for (const time of [...times].sort()) {
      const local = day * DAY + clock(time);
      if (local < start) continue;
      if (count !== undefined && counted++ >= count) continue;
      if (local > from - 3 * DAY) add(instantByIntl(local, zone), local);
    }
  }
  return found;
}

interface Shown {
  year: number;
  month: number;
  date: number;
  weekday: number;
  last: number;
}
const shown = new Map<number, Shown>();

/**
 * Year, month (from 1), day and weekday (0 is Monday) of a local day, and the last day of its
 * month.
 */
export function calendar(day: number): Shown {
  const known = shown.get(day);
  if (known) return known;
  const at = new Date(day * DAY);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth() + 1];
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const made = { year, month, date: at.getUTCDate(), weekday: (day + 3) % 7, last };
  shown.set(day, made);
  return made;
}

/** The shifts of a zone in some years: the instant, and the offsets before and after. */
export function shiftsOf(
  zone: string,
  firstYear: number,
  lastYear: number,
): { at: number; before: number; after: number }[] {
  const shifts: { at: number; before: number; after: number }[] = [];
  for (let day = Date.UTC(firstYear, 0, 1); day < Date.UTC(lastYear + 1, 0, 1); day += DAY) {
    if (offsetByIntl(day, zone) === offsetByIntl(day + DAY, zone)) continue;
    for (let at = day + HOUR / 4; at <= day + DAY; at += HOUR / 4) {
      const [before, after] = [offsetByIntl(at - HOUR / 4, zone), offsetByIntl(at, zone)];
      if (before !== after) shifts.push({ at, before, after });
    }
  }
  return shifts;
}
