import { isWholeNumber } from '../query.js';

/** Decimal, with sign, fraction, exponent and white space around it. */
const NUMERIC = /^[ \t-\r]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[ \t-\r]*$/;
const DATE_TIME =
  /^(\d{4}-\d\d)-([0-2]\d|3[01])[Tt ]([01]\d|2[0-4]):([0-5]\d):([0-5]\d|60)(?:(\.\d{1,9})\d*)?(?:(Z|[+-][01]\d:[0-5]\d)|([+-][01]\d))?$/;
/** The years 0000 to 9999, in milliseconds since 1970. */
const EPOCHS = {
  first: Date.parse('0000-01-01T00:00:00Z'),
  last: Date.parse('9999-12-31T23:59:59Z'),
};
const SEPARATORS = /[ \t-\r,]+/;
const BOOLEANS = new Map<unknown, boolean>([
  ...[true, 1, '1', 'true'].map((yes) => [yes, true] as const),
  ...[false, 0, '0', 'false'].map((no) => [no, false] as const),
]);

/** Returns a boolean for true, false, 1, 0 and their texts in any case; undefined for others. */
export function booleanOf(value: unknown): boolean | undefined {
  return BOOLEANS.get(typeof value === 'string' ? value.toLowerCase() : value);
}

/** Returns a number for a number or a decimal text, undefined for others. */
export function numeric(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && NUMERIC.test(value) ? Number(value) : undefined;
}

/** Returns the text of a scalar: `1` and nothing for booleans. */
export const textOf = (value: unknown) =>
  typeof value === 'boolean' ? (value ? '1' : '') : String(value);

/**
 * Returns a list: a scalar is split on commas and white space, an object with whole numbers for
 * keys gives its values.
 */
export function listOf(value: unknown): unknown[] {
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value) ? value : Object.values(value);
  return textOf(value).split(SEPARATORS).filter(Boolean);
}

/** Returns whether a value has keys that are no whole numbers: then it is no list. */
export const isNamed = (value: unknown) =>
  typeof value === 'object' && value !== null && !Object.keys(value).every(isWholeNumber);

/**
 * Returns a moment of ISO 8601, undefined when there is none. A day, hour or second beyond the last
 * rolls over; a month must exist.
 */
export function dateTime(text: string): string | undefined {
  const [whole, month, day, hour, minute, second, fraction = '', zone = '', hours] =
    DATE_TIME.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const start = Date.parse(`${month}-01T00:00:00Z`);
  const time =
    start +
    (Number(day) - 1) * 864e5 +
    Number(hour) * 36e5 +
    Number(minute) * 6e4 +
    Number(second) * 1e3;
  if (!(time >= EPOCHS.first && time <= EPOCHS.last)) return undefined;
  return new Date(time).toISOString().slice(0, 19) + fraction + (hours ? `${hours}:00` : zone);
}

/** Returns whether a text has more than so many characters. Characters are code points. */
export const longerThan = (text: string, length: number) =>
  text.length > length && (text.length > length * 2 || Array.from(text).length > length);
