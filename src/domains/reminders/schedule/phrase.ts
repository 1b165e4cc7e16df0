import { asciiDigits } from '../../../platform/digits.js';

/**
 * Spaces of any width on one line, and hyphens that only join: not the minus, the dashes, or what
 * has no width.
 */
const SPACES = /[\t \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
const HYPHENS = /[\u2010\u2011]/g;
const WORDS = /^[a-z0-9 _-]+$/i;
/**
 * Two numbers side by side; a hyphen beside a number that does not join it to a word, as a minus or
 * in an open range.
 */
const DOUBTFUL = /\d[ _-]+\d|(?:^|[ _-])-\d|-[ _]+\d|\d-(?![a-z])|\d[ _]+-/i;

/**
 * Returns a phrase in small letters without what joins its words (spaces, `-` and `_`), its digits
 * as 0 to 9. Undefined for any other character, and where leaving these out would make one number
 * of two or hide a sign or a range.
 */
export function plainPhrase(text: string): string | undefined {
  const plain = asciiDigits(text)?.replace(SPACES, ' ').replace(HYPHENS, '-');
  if (plain === undefined || !WORDS.test(plain) || DOUBTFUL.test(plain)) return undefined;
  return plain.toLowerCase().replace(/[ _-]+/g, '');
}
