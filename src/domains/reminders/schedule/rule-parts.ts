import type { Rule } from './rule.js';

/** The parts of a rule by name. Each value is there once, its numbers without plus and zeros. */
export type RuleParts = Map<string, string>;
export type ReadonlyRuleParts = ReadonlyMap<string, string>;

const DAY = 24 * 60 * 60 * 1000;

/** Bounds of the numbers of each part. `negative` also allows numbers that count from the end. */
const NUMBERS: Readonly<Record<string, readonly [least: number, most: number, negative?: true]>> = {
  INTERVAL: [1, 9_000],
  COUNT: [1, 9_999],
  BYSECOND: [0, 59],
  BYMINUTE: [0, 59],
  BYHOUR: [0, 23],
  BYMONTHDAY: [1, 31, true],
  BYYEARDAY: [1, 366, true],
  BYWEEKNO: [1, 53, true],
  BYMONTH: [1, 12],
  BYSETPOS: [1, 366, true],
};
/** The parts that hold one number instead of a list. */
const SINGLE = new Set(['INTERVAL', 'COUNT']);
/**
 * Weekdays, with or without a number. The 53rd of a year is refused: most years lack it, and the
 * library takes a day of the next year in its place.
 */
const WEEKDAYS = /^([+-]?0?[1-9]|[+-]?[1-4]\d|[+-]?5[0-2])?(MO|TU|WE|TH|FR|SA|SU)$/;
/** Rules are ASCII. Checked before upper-casing, which turns some other letters into ASCII. */
const ASCII = /^[\x21-\x7e]+$/;

/** Returns the parts of a rule. Returns undefined for an unknown part or a value out of bounds. */
export function partsOf(text: string): RuleParts | undefined {
  if (!ASCII.test(text)) return undefined;
  const parts: RuleParts = new Map();
  const bare = text.toUpperCase().replace(/^RRULE:/, '');
  for (const part of bare.split(';').filter(Boolean)) {
    const [name = '', value = '', ...more] = part.split('=');
    if (more.length > 0 || parts.has(name) || !isPart(name, value)) return undefined;
    parts.set(
      name,
      name === 'UNTIL' ? value : [...new Set(value.split(',').map(plainNumber))].join(','),
    );
  }
  return parts;
}

const plainNumber = (value: string) => value.replace(/^\+?0*(?=\d)|^(-)0*(?=\d)/, '$1');

function isPart(name: string, value: string): boolean {
  if (name === 'FREQ' || name === 'UNTIL') return true;
  if (name === 'WKST') return WEEKDAYS.test(value) && value.length === 2;
  if (name === 'BYDAY') return value.split(',').every((day) => WEEKDAYS.test(day));
  const bounds = Object.hasOwn(NUMBERS, name) ? NUMBERS[name] : undefined;
  if (!bounds) return false;
  const [least, most, negative] = bounds;
  const values = value.split(',');
  if (values.length > 400 || (SINGLE.has(name) && values.length > 1)) return false;
  return values.every((number) => {
    const size = Math.abs(Number(number));
    return (
      /^[+-]?\d{1,4}$/.test(number) &&
      size >= least &&
      size <= most &&
      (negative || /^\d/.test(number))
    );
  });
}

/** Returns the numbers of a part, each once, in order. */
export function numbersOf(parts: ReadonlyRuleParts, name: string): number[] {
  const numbers = parts.get(name)?.split(',').map(Number) ?? [];
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** Returns the last moment that the value of UNTIL names. Returns undefined for no such moment. */
export function untilOf(value: string): Rule['until'] {
  const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z)?)?$/.exec(value);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const date = Date.UTC(year, month - 1, day);
  const [, , , , clock] = match;
  if (year < 1900 || new Date(date).getUTCDate() !== day || month > 12 || month < 1)
    return undefined;
  if (clock === undefined) return { local: date + DAY - 1, utc: false };
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  return { local: date + ((hour * 60 + minute) * 60 + second) * 1000, utc: match[7] === 'Z' };
}
