import { fold } from './folding.js';

/**
 * Limits of a search: the number of words and "quoted phrases", repetitions included, and the
 * characters of each.
 */
export const SEARCH_BOUNDS = { terms: 10, characters: 200 } as const;

/** A word or phrase of a search. */
export interface SearchTerm {
  readonly text: string;
  /** Results that contain it are left out. It was written with a minus before it. */
  readonly excluded: boolean;
}

/**
 * Returns the words and phrases of a search as written. A "quoted phrase" is one term. A minus
 * before a term excludes it.
 */
export function searchTerms(search: string): SearchTerm[] {
  const terms = [...search.matchAll(/(-?)"([^"]*)"|(\S+)/g)].map(([, minus, phrase, word]) => {
    if (phrase !== undefined) return { text: phrase.trim(), excluded: minus === '-' };
    const excluded = word !== undefined && word.length > 1 && word.startsWith('-');
    return { text: (word ?? '').replaceAll('"', '').slice(excluded ? 1 : 0), excluded };
  });
  return terms.filter(({ text }) => text !== '');
}

/** Returns a LIKE pattern that stands for a text itself. */
export const literally = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/**
 * Returns the LIKE pattern of texts that contain another without regard to case and accents. It
 * fits what `fold`, or `folded` in SQL, makes of a text.
 */
export const containing = (text: string) => `%${literally(foldedTerm(text))}%`;

/** Folding makes up to eighteen letters of one: so many characters of a folded term count. */
const LONGEST_FOLDED = 2 * SEARCH_BOUNDS.characters;

/**
 * Returns a term as it is compared, cut where it is longer than any that is written letter by
 * letter.
 */
export function foldedTerm(text: string): string {
  const folded = fold(text);
  return folded.length > LONGEST_FOLDED ? [...folded].slice(0, LONGEST_FOLDED).join('') : folded;
}

/** Returns whether a search is within SEARCH_BOUNDS. */
export function isBounded(search: string): boolean {
  const terms = searchTerms(search);
  return (
    terms.length <= SEARCH_BOUNDS.terms &&
    terms.every(({ text }) => [...text].length <= SEARCH_BOUNDS.characters)
  );
}

/**
 * Points of one term. The index is of no use for a term without three letters or digits in a row,
 * so such a term costs more.
 */
const TERM_POINTS = { indexed: 2, short: 10 } as const;
const INDEXED = /[\p{L}\p{M}\p{N}]{3}/u;

/**
 * Returns the points of a search, in addition to those of the list (src/core/quota.ts); 0 without a
 * search.
 */
export function searchPoints(search: string | null | undefined): number {
  if (typeof search !== 'string') return 0;
  const terms = searchTerms(search).slice(0, SEARCH_BOUNDS.terms);
  return terms.reduce(
    (sum, { text }) => sum + (INDEXED.test(text) ? TERM_POINTS.indexed : TERM_POINTS.short),
    0,
  );
}
