import { asciiDigits } from '../../../platform/digits.js';
import { instantAt, localAt } from '../../../platform/zone.js';
import { plainPhrase } from './phrase.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const HOUR = 60 * MINUTE;
const UNITS: Readonly<Record<string, number>> = {
  ...unit(MINUTE, 'm', 'min', 'mins', 'minute', 'minutes'),
  ...unit(HOUR, 'h', 'hr', 'hrs', 'hour', 'hours'),
  ...unit(DAY, 'd', 'day', 'days'),
  ...unit(7 * DAY, 'w', 'wk', 'wks', 'week', 'weeks'),
};
/** The numbers that are understood as words. */
const WORDS: Readonly<Record<string, number>> = {
  ...{
    a: 1,
    an: 1,
    one: 1,
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
  },
  ...{
    twelve: 12,
    fifteen: 15,
    twenty: 20,
    thirty: 30,
    forty: 40,
    fortyfive: 45,
    sixty: 60,
    ninety: 90,
  },
};
/** Whole phrases, as `plainPhrase` returns them. `none` means at the time of the appointment. */
const PHRASES: Readonly<Record<string, number>> = {
  none: 0,
  attimeofevent: 0,
  attimeofappointment: 0,
  atthetimeofevent: 0,
  atthetimeofappointment: 0,
  ateventtime: 0,
  atappointmenttime: 0,
  atthetimeoftheevent: 0,
  atthetimeoftheappointment: 0,
  atthetime: 0,
  attime: 0,
  atstart: 0,
  ontime: 0,
  halfanhour: HOUR / 2,
  halfhour: HOUR / 2,
};
const BEFORE = /(?:before|beforehand|earlier|early|ahead|prior|inadvance)$/;
/** A whole number as programs write those that have no integers: 30.0. */
const WHOLE = /^(\d{1,9})\.0{1,6}$/;
/** A number of an ISO 8601 duration. Only the last one may have a fraction. */
const NUMBER = String.raw`(\d+(?:[.,]\d+(?=[A-Z]$))?)`;
const DURATION = new RegExp(
  `^-?P(?=.)(?:${NUMBER}W|(?:0+Y)?(?:0+M)?(?:${NUMBER}D)?(?:T(?=.)(?:${NUMBER}H)?(?:${NUMBER}M)?(?:${NUMBER}S)?)?)$`,
  'i',
);
/** Lengths of the groups of DURATION, in milliseconds. */
const PARTS = [7 * 24 * 60 * MINUTE, 24 * 60 * MINUTE, 60 * MINUTE, MINUTE, 1000];

/** Maximum lead of an appointment: four weeks, in milliseconds. */
export const LONGEST_LEAD = 28 * 24 * 60 * MINUTE;

/**
 * Returns the lead of an appointment in milliseconds. Understands:
 *
 * - minutes: `30`, `30.0`;
 * - a number and a unit from minutes to weeks: `30m`, `2 hrs`, `one hour`, `1 day before`;
 * - `half an hour`, `none` and `at time of event`;
 * - hours and minutes below six hours: `01:00`, `00:30`. Later ones may be times of the day;
 * - numbers with falling units, as one length: `1 hour 30 minutes`, `1h30m`. With `and` or a comma
 *   between them they may be two leads;
 * - an ISO 8601 duration of weeks, days, hours, minutes and seconds: `PT30M`, `P1DT2H`, `PT0.5H`.
 *   Years and months may only be zero. With a minus it is the trigger of an alarm before an event
 *   (RFC 5545, 3.8.6.3): `-PT30M`.
 *
 * A lead is never guessed. Returns undefined for ranges, fractions of other forms, other signs and
 * any other text, and for more than four weeks.
 */
export function parseLead(text: string): number | undefined {
  const plain = text.trim().replace(WHOLE, '$1');
  const lead = phrasedLead(plain) ?? summedLead(plain) ?? clockLead(plain) ?? isoLead(plain);
  return lead !== undefined && lead <= LONGEST_LEAD ? lead : undefined;
}

/** Returns a lead in milliseconds as an ISO 8601 duration of days, hours, minutes and seconds. */
export function leadText(lead: number): string {
  const days = Math.floor(lead / DAY);
  const seconds = Math.round((lead - days * DAY) / 1000);
  const parts = [
    [Math.floor(seconds / 3600), 'H'],
    [Math.floor(seconds / 60) % 60, 'M'],
    [seconds % 60, 'S'],
  ] as const;
  const date = days ? `${days}D` : '';
  const time = parts.map(([count, unit]) => (count ? `${count}${unit}` : '')).join('');
  return date || time ? `P${date}${time && `T${time}`}` : 'PT0S';
}

/**
 * Returns the instant at which an appointment is reminded of, in milliseconds since 1970. Whole
 * days of the lead are days by the clocks of the zone, in whatever unit it was sent (1d, 24h,
 * 1440): a day before 10:00 is 10:00, also when the clocks shift in between.
 */
export function leadStart(at: number, lead: number, zone: string): number {
  const days = Math.floor(lead / DAY) * DAY;
  return instantAt(localAt(at, zone) - days, zone) - (lead - days);
}

/** Nobody is reminded of an appointment between midnight and six: it is a length. */
function clockLead(text: string): number | undefined {
  const [, hours, minutes] = /^0([0-5]):([0-5]\d)(?::00)?$/.exec(text) ?? [];
  return hours === undefined ? undefined : Number(hours) * HOUR + Number(minutes) * MINUTE;
}

function phrasedLead(text: string): number | undefined {
  const phrase = plainPhrase(text);
  if (phrase === undefined) return undefined;
  if (/^\d{1,9}$/.test(phrase)) return Number(phrase) * MINUTE;
  const length = phrase.replace(BEFORE, '');
  if (Object.hasOwn(PHRASES, length)) return PHRASES[length];
  const [, number = '', name = ''] = /^(\d{1,9})([a-z]+)$/.exec(length) ?? wordedLead(length) ?? [];
  const count = Object.hasOwn(WORDS, number) ? WORDS[number] : Number(number || Number.NaN);
  return Object.hasOwn(UNITS, name) && count !== undefined && !Number.isNaN(count)
    ? count * (UNITS[name] as number)
    : undefined;
}

/** Returns the sum of lengths in falling units, each less than one of the unit before. */
function summedLead(text: string): number | undefined {
  const plain = asciiDigits(text)?.toLowerCase();
  if (plain === undefined || !/^[\da-z ]{1,60}$/.test(plain)) return undefined;
  const tokens = plain.match(/\d+|[a-z]+/g) ?? [];
  if (BEFORE.test(tokens.at(-1) ?? '')) tokens.pop();
  if (tokens.length < 4 || tokens.length % 2 === 1) return undefined;
  let sum = 0;
  let unitBefore = Number.POSITIVE_INFINITY;
  for (let i = 0; i < tokens.length; i += 2) {
    const [number = '', name = ''] = tokens.slice(i, i + 2);
    if (!/^\d/.test(number) || !Object.hasOwn(UNITS, name)) return undefined;
    const size = UNITS[name] as number;
    const length = Number(number) * size;
    if (size >= unitBefore || length >= unitBefore) return undefined;
    sum += length;
    unitBefore = size;
  }
  return sum;
}

/**
 * Splits a length into a number word and a unit, in the form of a match of `exec`. The unit has
 * more than one letter, so that `am` is not read as a minute.
 */
function wordedLead(length: string): string[] | undefined {
  for (const word of Object.keys(WORDS)) {
    const name = length.slice(word.length);
    if (length.startsWith(word) && name.length > 1 && Object.hasOwn(UNITS, name))
      return [length, word, name];
  }
  return undefined;
}

function isoLead(text: string): number | undefined {
  const match = text.length <= 40 ? DURATION.exec(text) : null;
  if (!match) return undefined;
  return PARTS.reduce(
    (sum, size, i) => sum + Number(match[i + 1]?.replace(',', '.') ?? 0) * size,
    0,
  );
}

function unit(size: number, ...names: readonly string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, size]));
}
