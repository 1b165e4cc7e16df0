import type { Decimal } from '../../../platform/decimal.js';
import { wordsOf } from '../schedule/saying/say.js';
import type { Quantity } from './amounts.js';

/** How much, and of what. */
export interface SaidAmount extends Quantity {
  /** What is counted; may be empty. */
  readonly unit: string;
}

const formats = new Map<string, Intl.NumberFormat>();
const REMEMBERED = 100;
/** Most characters of a unit that stands behind a name. */
const LONGEST_UNIT = 20;

/**
 * Returns the name of a medicine with the amount of a dose, such as "Ibuprofen (1.5 tablet)", in a
 * language (BCP 47). An amount of a longer unit is left out: cut within a number, "1000 mg" would be
 * "10".
 */
export function withAmount(name: string, said: SaidAmount | undefined, language: string): string {
  if (!said || [...said.unit.trim()].length > LONGEST_UNIT) return name;
  return `${name} (${amountWords(said, language)})`;
}

/**
 * Returns an amount with its unit as a language (BCP 47) writes it, English for one that is not
 * known: "0.05 mg", "0,05 mg", "1 to 2 tablet". As safe prescribing asks, a zero stands before the
 * decimal sign and none at the end, nothing groups the digits, and a space parts the number from
 * its unit. All decimals are shown.
 */
export function amountWords({ amount, upTo, unit }: SaidAmount, language: string): string {
  const number = (value: Decimal) => formatIn(language).format(value);
  const much = upTo ? wordsOf(language).upTo(number(amount), number(upTo)) : number(amount);
  return `${much} ${unit.trim()}`.trim();
}

function formatIn(language: string): Intl.NumberFormat {
  const known = formats.get(language);
  if (known) return known;
  const options = { maximumFractionDigits: 4, useGrouping: false };
  const format = new Intl.NumberFormat([language, 'en'], options);
  if (formats.size >= REMEMBERED) formats.clear();
  formats.set(language, format);
  return format;
}
