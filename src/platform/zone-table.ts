import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const MINUTE = 60_000;

/** The shifts of a zone's clocks, within a span of time. All numbers are milliseconds. */
export interface ZoneTable {
  /** The table is valid from this instant (inclusive) to `to` (exclusive). */
  readonly from: number;
  readonly to: number;
  /** The instants of the shifts, in order. */
  readonly shifts: readonly number[];
  /** How far the clocks are ahead of UTC: before the first shift, and after each shift. */
  readonly offsets: readonly number[];
}

/** Time zone data of one IANA release. */
export interface ZoneData {
  /** The release, such as 2026f. */
  readonly version: string;
  /**
   * Returns the table of a zone, whose name is compared without case; undefined when the data do
   * not have the zone.
   */
  table(zone: string): ZoneTable | undefined;
}

/**
 * Returns how far the clocks are ahead of UTC at an instant within the table's span, in
 * milliseconds.
 */
export function tableOffset({ shifts, offsets }: ZoneTable, instant: number): number {
  let low = 0;
  let high = shifts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((shifts[middle] as number) <= instant) low = middle + 1;
    else high = middle;
  }
  return offsets[low] as number;
}

/** The packed data are not used before this instant: older shifts are not on whole minutes. */
const FROM = Date.UTC(2000, 0, 1);
/**
 * The packed data list shifts up to the end of 2037. Zones that still shift then go on to do so,
 * but the data do not say when.
 */
const LISTED_UNTIL = Date.UTC(2037, 0, 1);

/**
 * Returns the data of the package moment-timezone. Its packed form is documented at
 * momentjs.com/timezone/docs, Data Formats: each zone is
 * "name|abbreviations|offsets|indices|differences|population". Offsets are in minutes behind UTC,
 * and differences in minutes; both are in base 60.
 */
export function packagedZones(): ZoneData {
  const { version, zones, links } = packedData();
  const packed = new Map(zones.map((zone) => [nameOf(zone), zone]));
  for (const link of links) {
    const [target = '', name = ''] = link.toLowerCase().split('|');
    const zone = packed.get(target);
    if (zone) packed.set(name, zone);
  }
  return {
    version,
    table(zone) {
      const found = packed.get(zone.toLowerCase());
      return found === undefined ? undefined : unpacked(found);
    },
  };
}

/**
 * Returns the names of all zones of that package, those that were renamed included, and the
 * countries that have any, by ISO 3166-1; both in order.
 */
export function packagedNames(): Record<'zones' | 'countries', readonly string[]> {
  const { zones, links, countries } = packedData();
  const names = [
    ...zones.map(beforeBar),
    ...links.map((link) => link.slice(link.indexOf('|') + 1)),
  ];
  return { zones: names.sort(), countries: countries.map(beforeBar).sort() };
}

interface PackedData extends Record<'zones' | 'links' | 'countries', string[]> {
  readonly version: string;
}

function packedData(): PackedData {
  const path = createRequire(import.meta.url).resolve('moment-timezone/data/packed/latest.json');
  return JSON.parse(readFileSync(path, 'utf8'));
}

const beforeBar = (text: string) => text.slice(0, text.indexOf('|'));
const nameOf = (zone: string) => beforeBar(zone).toLowerCase();

function unpacked(zone: string): ZoneTable {
  const [, , west = '', indices = '', differences = ''] = zone.split('|');
  const ahead = west.split(' ').map((minutes) => 0 - Math.round(base60(minutes) * MINUTE));
  const offsets = [...indices].map((index) => ahead[base60(index)] as number);
  let minutes = 0;
  const shifts = differences
    .split(' ')
    .filter(Boolean)
    .map((difference) => {
      minutes += base60(difference);
      return Math.round(minutes * MINUTE);
    });
  shifts.length = offsets.length - 1;
  const earlier = shifts.findIndex((shift) => shift >= FROM);
  const first = earlier < 0 ? shifts.length : earlier;
  const ends = (shifts.at(-1) ?? 0) < LISTED_UNTIL;
  return {
    from: FROM,
    to: ends ? Number.POSITIVE_INFINITY : LISTED_UNTIL,
    shifts: shifts.slice(first),
    offsets: offsets.slice(first),
  };
}

/** Reads a number in base 60. The digits are 0-9, a-z, A-X; a sign and a fraction are allowed. */
function base60(text: string): number {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  let number = 0;
  for (const digit of whole) number = number * 60 + digitOf(digit);
  let unit = 1;
  for (const digit of fraction) {
    unit /= 60;
    number += digitOf(digit) * unit;
  }
  return text.startsWith('-') ? -number : number;
}

function digitOf(digit: string): number {
  const code = digit.charCodeAt(0);
  if (code > 96) return code - 87;
  return code > 64 ? code - 29 : code - 48;
}
