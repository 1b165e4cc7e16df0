import { refuse } from '../../../../core/errors.js';
import { type Decimal, decimalOf, partsOf } from '../../../../platform/decimal.js';

/** A value of a FHIR document, and the path that names it: Dosage.timing.repeat. */
export interface Element {
  readonly path: string;
  readonly value: unknown;
}

export type Children<Name extends string> = Partial<Record<Name, Element>>;

/** Longest text of an element, in characters. */
const LONGEST = 2_000;

/** Makes SCHEDULE_INVALID for an element, which the message names. */
export const refused = (path: string, message: string) =>
  refuse('SCHEDULE_INVALID', `${path}: ${message}`, { param: 'fhirDosage' });

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the elements of an object. Throws SCHEDULE_INVALID for each that is not of `names`, with
 * what `others` says of it: what a reminder cannot hold is never dropped. The `id` of an element
 * says nothing.
 */
export function childrenOf<Name extends string>(
  { path, value }: Element,
  names: readonly Name[],
  others: Readonly<Record<string, string>> = {},
): Children<Name> {
  if (!isObject(value)) throw refused(path, 'This must be an object.');
  for (const name of Object.keys(value)) {
    if (name === 'id' || names.includes(name as Name)) continue;
    const why = Object.hasOwn(others, name) ? others[name] : undefined;
    throw refused(`${path}.${name}`, why ?? 'A reminder cannot hold this. Leave it out.');
  }
  const given = names.filter((name) => Object.hasOwn(value, name));
  return Object.fromEntries(
    given.map((name) => [name, { path: `${path}.${name}`, value: value[name] }]),
  ) as Children<Name>;
}

/** Returns the elements of a list, one to `most`. */
export function listOf({ path, value }: Element, most: number): Element[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > most)
    throw refused(path, `This must be a list of 1 to ${most}.`);
  return value.map((one, i) => ({ path: `${path}[${i}]`, value: one }));
}

/** Returns a text without control characters but line breaks and tabs. */
export function textOf({ path, value }: Element): string {
  const isText = typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST;
  if (isText && !CONTROLS.test(value)) return value;
  throw refused(path, `This must be a text of 1 to ${LONGEST.toLocaleString('en')} characters.`);
}
const CONTROLS = /(?![\t\r\n])\p{Cc}/u;

export function booleanOf({ path, value }: Element): boolean {
  if (typeof value === 'boolean') return value;
  throw refused(path, 'This must be true or false.');
}

/** Returns a whole number from 1, or `least`, to `most`. */
export function wholeOf({ path, value }: Element, most: number, least = 1): number {
  if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most)
    return Number(value);
  throw refused(path, `This must be a whole number from ${least} to ${most}.`);
}

/** Returns a positive number of at most four decimals. */
export function decimalIn({ path, value }: Element): Decimal {
  const decimal = typeof value === 'number' && value < LARGEST ? decimalOf(value) : undefined;
  if (decimal && partsOf(decimal) > 0n) return decimal;
  throw refused(path, 'This must be a number above 0 with at most four decimals.');
}
const LARGEST = 1e9;

/** Returns what a table has for a code. */
export function codeIn<T>({ path, value }: Element, table: Readonly<Record<string, T>>): T {
  if (typeof value === 'string' && Object.hasOwn(table, value)) return table[value] as T;
  throw refused(path, `This must be one of ${Object.keys(table).join(', ')}.`);
}

/** Throws SCHEDULE_INVALID for the first of some elements that is there. */
export function refuseAny(elements: readonly (Element | undefined)[], message: string): void {
  const first = elements.find((element) => element !== undefined);
  if (first) throw refused(first.path, message);
}
