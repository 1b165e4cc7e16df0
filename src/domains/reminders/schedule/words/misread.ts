import { decimalOf, valuesOf, whole } from './lexer.js';
import { plain } from './plain.js';

/** A number with a mark between its digits. */
const MARKED = /(?<![\d.,])(\d{1,4})[.,](\d{1,4})(?![\d.,]*\d)/g;

/** Returns whether a text has a number that earlier versions misread: 0.05 as 0.5, 1,500 as 1.5. */
export const hasMarked = (text: string): boolean => misreadIn(text).size > 0;

/**
 * Returns how earlier versions read the numbers of a text that are other ones now: their digits
 * around the mark, joined as text. Exact decimals: what is read now, and what was read then.
 */
export function misreadIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [piece, before = '', after = ''] of (plain(text) ?? '').matchAll(MARKED)) {
    const then = decimalOf(before, whole(after));
    for (const sign of ['.', ','] as const)
      for (const now of valuesOf(piece, sign)) if (now !== then) found.set(now, then);
  }
  return found;
}
