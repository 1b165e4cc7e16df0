import { trimmedEnd } from './trim.js';

/**
 * A number in its one plain form: no sign, a zero before the point, at most four decimals, no zero
 * at their end, no exponent. `0.05`, `1500`, `0.0625`. No float is ever made of it to reckon with.
 */
export type Decimal = `${number}`;

export const ZERO: Decimal = '0';

const DECIMALS = 4;
const WHOLE = 10n ** BigInt(DECIMALS);
/** Digits, and four after the point; what follows are zeros. Bounded, since texts come from outside. */
const WRITTEN = /^(\d{1,15})(?:\.(\d{1,4})0{0,20})?$/;
/** What a double holds for sure: digits behind these are of its binary form, and nobody meant them. */
const DOUBLE_DIGITS = 15;

/**
 * Returns a text of digits, or a number, in its plain form; undefined for one that has a sign, an
 * exponent or more than four decimals. Of a number the 15 digits count that a double holds: 0.1 + 0.2
 * is 0.3.
 */
export function decimalOf(value: string | number): Decimal | undefined {
  const text = typeof value === 'number' ? value.toPrecision(DOUBLE_DIGITS) : value;
  const [, whole, part = ''] = WRITTEN.exec(text) ?? [];
  return whole === undefined ? undefined : decimalFrom(partsIn(whole, part));
}

/** Returns how many ten-thousandths a decimal is: these are compared, added and subtracted. */
export function partsOf(decimal: Decimal): bigint {
  const [whole = '', part = ''] = decimal.split('.');
  return partsIn(whole, part);
}

const partsIn = (whole: string, part: string) => BigInt(whole + part.padEnd(DECIMALS, '0'));

/** Returns so many ten-thousandths, which are not negative, as a decimal. */
export function decimalFrom(parts: bigint): Decimal {
  const part = trimmedEnd(String(parts % WHOLE).padStart(DECIMALS, '0'), '0');
  return `${parts / WHOLE}${part && `.${part}`}` as Decimal;
}

/** Returns the sum of two decimals. */
export const sum = (one: Decimal, other: Decimal): Decimal =>
  decimalFrom(partsOf(one) + partsOf(other));
