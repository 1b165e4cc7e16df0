import { fold } from '../../../core/folding.js';
import { searchTerms } from '../../../core/search.js';

/** So many characters of a word count. */
const LONGEST = 100;

/** Returns the different words of texts, without case and accents. */
export function wordsOf(...texts: readonly string[]): string[] {
  const words = fold(texts.join(' ')).split(/[^\p{L}\p{M}\p{N}]+/u);
  return [...new Set(words.filter(Boolean).map((word) => [...word].slice(0, LONGEST).join('')))];
}

/**
 * Returns a search as a tsquery: each word begins a word of the text. Undefined for a search
 * without words, which finds nothing.
 */
export function tsqueryOf(search: string): string | undefined {
  const terms = searchTerms(search).flatMap(({ text, excluded }) => {
    // Words have letters and digits alone, so none of them needs to be quoted.
    const words = wordsOf(text).map((word) => `'${word}':*`);
    if (words.length === 0) return [];
    return excluded ? [`!(${words.join(' & ')})`] : words;
  });
  return terms.length === 0 ? undefined : terms.join(' & ');
}
