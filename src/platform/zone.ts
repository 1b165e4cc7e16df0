import { packagedZones, tableOffset, type ZoneData, type ZoneTable } from './zone-table.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Zones shift on quarter hours, so one offset is valid for a whole quarter of an hour. */
const QUARTER = 15 * MINUTE;
const REMEMBERED = 10_000;

/** The IANA release of the time zone data in this Node. */
const NODE_VERSION = process.versions.tz ?? '';
let data = newest(packagedZones());
/** Zone tables newer than `data`, as `learnZones` received them. */
let learned: ReadonlyMap<string, ZoneTable> = new Map();
let edition = 0;

const tables = new Map<string, ZoneTable | undefined>();
const offsets = new Map<string, number>();
const midnights = new Map<string, Map<number, number>>();

/**
 * Returns the data when they are at least as new as Node's; else undefined, and Node's data are
 * used. Releases are named in order: 2026a, 2026b.
 */
function newest(other: ZoneData | undefined): ZoneData | undefined {
  return other && other.version >= NODE_VERSION ? other : undefined;
}

/**
 * Returns the IANA release that is used to compute clock times, such as 2026f: the newer one of
 * Node's and the package's.
 */
export const zoneVersion = (): string => data?.version ?? NODE_VERSION;

/**
 * Uses other data instead of the package's, for tests; without an argument, uses the package's
 * again. Drops the tables that `learnZones` received.
 */
export function useZoneData(other: ZoneData = packagedZones()): void {
  data = newest(other);
  goBy(new Map());
}

/**
 * Sets zone tables that are newer than `zoneVersion`, by the names of zones as they are stored.
 * Replaces the tables of the last call; where both say the same, nothing changes.
 */
export function learnZones(newer: ReadonlyMap<string, ZoneTable>): void {
  if (JSON.stringify([...newer]) !== JSON.stringify([...learned])) goBy(newer);
}

function goBy(newer: ReadonlyMap<string, ZoneTable>): void {
  learned = newer;
  edition++;
  for (const cache of [tables, offsets, midnights]) cache.clear();
}

/**
 * Returns a number that is another one whenever the data have changed: what is remembered of zones
 * is remembered by it.
 */
export const zoneEdition = (): number => edition;

/** Returns the tables that `learnZones` received. */
export const learnedZones = (): ReadonlyMap<string, ZoneTable> => learned;

/**
 * Returns how far the clocks of an IANA zone are ahead of UTC at an instant (milliseconds since
 * 1970), in milliseconds.
 */
export function offsetAt(instant: number, zone: string): number {
  if (zone === 'UTC') return 0;
  const newer = learned.get(zone);
  return newer && instant >= newer.from && instant < newer.to
    ? tableOffset(newer, instant)
    : releasedOffsetAt(instant, zone);
}

/** Returns the same by the data of `zoneVersion` alone, without the learned tables. */
export function releasedOffsetAt(instant: number, zone: string): number {
  const table = tableOf(zone);
  return table && instant >= table.from && instant < table.to
    ? tableOffset(table, instant)
    : nodeOffsetAt(instant, zone);
}

function tableOf(zone: string): ZoneTable | undefined {
  let table = tables.get(zone);
  if (table === undefined && !tables.has(zone)) {
    table = data?.table(zone);
    if (tables.size >= REMEMBERED) tables.clear();
    tables.set(zone, table);
  }
  return table;
}

/**
 * Returns the same by Node's data alone. `zone` may be an offset such as +02:00. Throws RangeError
 * for a zone that Node does not know.
 */
export function nodeOffsetAt(instant: number, zone: string): number {
  const fixed = /^([+-])(\d\d):(\d\d)$/.exec(zone);
  if (fixed) return Number(`${fixed[1]}1`) * (Number(fixed[2]) * 60 + Number(fixed[3])) * MINUTE;
  const quarter = Math.floor(instant / QUARTER);
  const key = `${zone} ${quarter}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    offset = shownByIntl(quarter * QUARTER, zone) - quarter * QUARTER;
    if (offsets.size >= REMEMBERED) offsets.clear();
    offsets.set(key, offset);
  }
  return offset;
}

const formats = new Map<string, Intl.DateTimeFormat>();
const FIELDS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;
/** Each format takes some kilobytes. */
const MOST_FORMATS = 500;

/** Returns what the clocks of a zone show according to Intl, in milliseconds as if UTC. */
function shownByIntl(instant: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (!format) {
    const fields = Object.fromEntries(FIELDS.map((field) => [field, 'numeric']));
    format = new Intl.DateTimeFormat('en-US', { ...fields, hourCycle: 'h23', timeZone });
    if (formats.size >= MOST_FORMATS) formats.clear();
    formats.set(timeZone, format);
  }
  const parts = new Map(
    format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]),
  );
  const [year, month, day, hour, minute, second] = FIELDS.map(
    (field) => parts.get(field) as number,
  ) as Six;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
type Six = [number, number, number, number, number, number];

/**
 * Returns a zone name with which Intl shows the right clock time at this instant: the zone itself,
 * or a fixed offset where Node's data differ from ours. UTC when there is no such name.
 */
export function zoneForIntl(instant: number, zone: string): string {
  const offset = offsetAt(instant, zone);
  if (offset === nodeOffsetAt(instant, zone)) return zone;
  const hours = offset / (60 * MINUTE);
  if (offset === 0 || !Number.isInteger(hours)) return 'UTC';
  return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

/**
 * Finds the shifts between two instants by calling `offset`: the offset at the start, and each
 * instant at which it changes, to a quarter of an hour.
 */
export function shiftsBetween(
  from: number,
  to: number,
  offset: (instant: number) => number,
): ZoneTable {
  const shifts: number[] = [];
  const found = [offset(from)];
  for (let day = from; day < to; day += DAY) {
    const end = Math.min(day + DAY, to);
    if (offset(end) === found.at(-1)) continue;
    for (let at = day + QUARTER; at <= end; at += QUARTER) {
      if (offset(at) === found.at(-1)) continue;
      shifts.push(at);
      found.push(offset(at));
    }
  }
  return { from, to, shifts, offsets: found };
}

/** The IANA zones whose names have three letters. Intl knows others, such as BST for Bangladesh. */
const THREE_LETTERS = /^(?:CET|EET|EST|GMT|HST|MET|MST|PRC|ROC|ROK|UCT|UTC|WET)$/i;

/**
 * Returns whether a name is an IANA zone. A bare offset is no zone, because it has no shifts; nor is
 * an abbreviation that means several zones, such as IST.
 */
export const isZone = (name: string): boolean =>
  (name.length !== 3 || THREE_LETTERS.test(name)) && hasClocks(name);

/**
 * Returns whether the clocks of a zone can be computed. They can of an abbreviation too, such as
 * BST, as older accounts have it.
 */
export function hasClocks(name: string): boolean {
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
/**
 * The last result of `clockTime`. Each row is shown in two zones that are often the same, and its
 * dates of creation and change are often equal.
 */
let lastShown = { time: Number.NaN, text: '' };

/** Returns what the clocks of a zone show at an instant, as YYYY-MM-DDTHH:MM:SS. */
export function clockTime(instant: Date, zone: string): string {
  const time = instant.getTime() + offsetAt(instant.getTime(), zone);
  if (time !== lastShown.time)
    lastShown = { time, text: new Date(time).toISOString().slice(0, 19) };
  return lastShown.text;
}

/**
 * Returns the instant at which the clocks of a zone show `local` (milliseconds as if UTC). With
 * `offset` (minutes), returns the instant at that offset. A time that a shift skips is taken one
 * hour later; a time that occurs twice is taken the first time (RFC 5545).
 */
export function instantOf(
  { local, offset }: { local: number; offset?: number },
  zone: string,
): Date {
  if (offset !== undefined) return new Date(local - offset * MINUTE);
  return new Date(firstShown(local, zone));
}

/** See `instantOf`. A zone shifts at most once within two days, and by at most one day. */
function firstShown(local: number, zone: string): number {
  const before = offsetAt(local - DAY, zone);
  const after = offsetAt(local + DAY, zone);
  const shows = (offset: number) => offsetAt(local - offset, zone) === offset;
  return local - (shows(before) || !shows(after) ? before : after);
}

/**
 * Returns the offset of a zone at the UTC midnight that begins a day. Days are counted since 1970.
 */
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

/**
 * Does what `instantOf` does, on numbers and for series: on days without a shift it costs one
 * addition.
 */
export function instantAt(local: number, zone: string): number {
  const day = Math.floor(local / DAY);
  const offset = offsetAtMidnight(day - 1, zone);
  return offset === offsetAtMidnight(day + 2, zone)
    ? local - offset
    : instantOf({ local }, zone).getTime();
}

/**
 * Returns what the clocks of a zone show at an instant, in milliseconds as if UTC. It is the
 * inverse of `instantAt`, except for times that are skipped or occur twice.
 */
export function localAt(instant: number, zone: string): number {
  const day = Math.floor(instant / DAY);
  const offset = offsetAtMidnight(day, zone);
  return instant + (offset === offsetAtMidnight(day + 1, zone) ? offset : offsetAt(instant, zone));
}

/**
 * Returns an instant in the clock time of a zone, as ISO 8601 with its offset:
 * 2026-03-01T08:00:00+01:00.
 */
export function isoIn(instant: number, zone: string): string {
  if (instant !== lastIso.instant || zone !== lastIso.zone || edition !== lastIso.edition)
    lastIso = { instant, zone, edition, text: writeIso(instant, zone) };
  return lastIso.text;
}
/** The last result of `isoIn`: much of a calendar comes at one instant. */
let lastIso = { instant: Number.NaN, zone: '', edition: 0, text: '' };

function writeIso(instant: number, zone: string): string {
  const local = localAt(instant, zone);
  const minutes = Math.round((local - instant) / MINUTE);
  const sign = minutes < 0 ? '-' : '+';
  const hours = String(Math.floor(Math.abs(minutes) / 60)).padStart(2, '0');
  return `${new Date(local).toISOString().slice(0, 19)}${sign}${hours}:${String(Math.abs(minutes) % 60).padStart(2, '0')}`;
}

/**
 * Returns how many hours a zone is ahead of GMT at an instant, as the site descriptor shows it:
 * "2", "-3.5".
 */
export function gmtOffset(instant: Date, zone: string): string {
  return String(offsetAt(instant.getTime(), zone) / (60 * MINUTE));
}
