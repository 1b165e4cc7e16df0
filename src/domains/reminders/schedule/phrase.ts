import { asciiDigits } from '../../../platform/digits.js';

/**
 * Spaces of any width within a line, and hyphens that join words. Characters without width, the
 * minus sign and dashes do not belong to them.
 */
const SPACES = /[\t \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
const HYPHENS = /[\u2010\u2011]/g;
const WORDS = /^[a-z0-9 _-]+$/i;
/**
 * Two numbers side by side, or a hyphen beside a number that does not join it to a word: a minus,
 * or an open range.
 */
const DOUBTFUL = /\d[ _-]+\d|(?:^|[ _-])-\d|-[ _]+\d|\d-(?![a-z])|\d[ _]+-/i;

/**
 * Returns a phrase in lower case without the characters that join its words (spaces, `-` and `_`),
 * with its digits as 0 to 9. Returns undefined when the phrase has any other character, and when
 * the removal would turn two numbers into one or hide a sign or a range.
 */
export function plainPhrase(text: string): string | undefined {
  const plain = asciiDigits(text)?.replace(SPACES, ' ').replace(HYPHENS, '-');
  if (plain === undefined || !WORDS.test(plain) || DOUBTFUL.test(plain)) return undefined;
  return plain.toLowerCase().replace(/[ _-]+/g, '');
}
