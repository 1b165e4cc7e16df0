import { decimalOf } from './lexer.js';

/** No range of times or amounts is wider: 1 to 4 hours, 10 to 40 mg. */
export const MOST_TIMES_MORE = 4;

/** Returns whether two decimals are the ends of a range. */
export const isRange = (low: string, high: string): boolean =>
  isLess(low, high) && parts(high) <= BigInt(MOST_TIMES_MORE) * parts(low);

/** Returns whether the larger one of two decimals is no more than some times the other. */
export const isNear = (one: string, other: string): boolean =>
  one === other || isRange(one, other) || isRange(other, one);

/** Returns whether a decimal is less than another. Both are exact, as the lexer writes them. */
export const isLess = (one: string, other: string): boolean => parts(one) < parts(other);
/** Digits behind the point that are compared. */
const PLACES = 9;
const parts = (value: string) => {
  const [before = '', after = ''] = value.split('.');
  return BigInt(`${before}${after.padEnd(PLACES, '0')}`);
};

/** Returns whether decimals are another one together. */
export const isSumOf = (values: readonly string[], all: string): boolean =>
  values.reduce((sum, value) => sum + parts(value), 0n) === parts(all);

/** Returns whether so many times a decimal are another one at most. */
export const isAtMost = (count: number, value: string, most: string): boolean =>
  BigInt(count) * parts(value) <= parts(most);

/** Returns whether the products of two decimals each are the same. */
export const isSameProduct = (one: readonly string[], other: readonly string[]): boolean =>
  product(one) === product(other);
const product = (values: readonly string[]) =>
  values.reduce((all, value) => all * parts(value), 1n);

/** Returns the product of two exact decimals. */
export function multiplied(one: string, other: string): string {
  const digits = `${parts(one) * parts(other)}`.padStart(2 * PLACES + 1, '0');
  return decimalOf(digits.slice(0, -2 * PLACES), digits.slice(-2 * PLACES));
}

/** Returns an exact decimal divided by a whole number; undefined where that is none. */
export function divided(value: string, by: number): string | undefined {
  const [all, count] = [parts(value), BigInt(by)];
  if (all % count !== 0n) return undefined;
  const digits = `${all / count}`.padStart(PLACES + 1, '0');
  return decimalOf(digits.slice(0, -PLACES), digits.slice(-PLACES));
}
