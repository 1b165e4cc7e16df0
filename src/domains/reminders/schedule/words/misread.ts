import { decimalOf, valuesOf, whole } from './lexer.js';
import { plain } from './plain.js';
import { meaningsOf } from './read.js';

/** A number with a mark between its digits. */
const MARKED = /(?<![\d.,])(\d{1,4})[.,](\d{1,4})(?![\d.,]*\d)/g;

/** A strength, and a part of a piece behind it. */
const MIXED = /(?<![\d.,/])(\d{1,2})[ -]?(1\/2|1\/4|3\/4|[½¼¾])(?![\d/])/g;
const PARTS: Readonly<Record<string, string>> = {
  '1/2': '5',
  '½': '5',
  '1/4': '25',
  '¼': '25',
  '3/4': '75',
  '¾': '75',
};

/**
 * Returns whether a text has a number that earlier versions misread: 0.05 as 0.5, 1,500 as 1.5, a
 * half of one of 20 mg as 20.5.
 */
export const hasMarked = (text: string): boolean => misreadIn(text).size > 0;

/**
 * Returns how earlier versions read the numbers of a text that are other ones now: their digits
 * around the mark, joined as text; a strength and a part of a piece as one number. Exact decimals:
 * what is read now, and what was read then.
 */
export function misreadIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const phrase = plain(text) ?? '';
  for (const [, before = '', part = ''] of phrase.matchAll(MIXED)) {
    const then = `${whole(before)}.${PARTS[part]}`;
    if (meaningsOf(text).every(({ amount }) => amount?.value !== then))
      found.set(`0.${PARTS[part]}`, then);
  }
  for (const [piece, before = '', after = ''] of phrase.matchAll(MARKED)) {
    const then = decimalOf(before, whole(after));
    for (const sign of ['.', ','] as const)
      for (const now of valuesOf(piece, sign)) if (now !== then) found.set(now, then);
  }
  return found;
}
