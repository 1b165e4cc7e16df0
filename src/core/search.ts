/**
 * What a search may hold: so many words and "quoted phrases" as written, repetitions included, of
 * so many characters each.
 */
export const SEARCH_BOUNDS = { terms: 10, characters: 200 } as const;

/** A word or phrase that is searched for. */
export interface SearchTerm {
  readonly text: string;
  /** What contains it is left out: it was written with a minus before it. */
  readonly excluded: boolean;
}

/**
 * The words and phrases of a search, as written: "quoted phrases" are one, and a minus before
 * either excludes it.
 */
export function searchTerms(search: string): SearchTerm[] {
  const terms = [...search.matchAll(/(-?)"([^"]*)"|(\S+)/g)].map(([, minus, phrase, word]) => {
    if (phrase !== undefined) return { text: phrase.trim(), excluded: minus === '-' };
    const excluded = word !== undefined && word.length > 1 && word.startsWith('-');
    return { text: (word ?? '').replaceAll('"', '').slice(excluded ? 1 : 0), excluded };
  });
  return terms.filter(({ text }) => text !== '');
}

/** Whether a search is within SEARCH_BOUNDS. */
export function isBounded(search: string): boolean {
  const terms = searchTerms(search);
  return (
    terms.length <= SEARCH_BOUNDS.terms &&
    terms.every(({ text }) => [...text].length <= SEARCH_BOUNDS.characters)
  );
}

/**
 * Points of one word or phrase. No index helps with one that has no three letters or digits in a
 * row, so it costs more.
 */
const TERM_POINTS = { indexed: 2, short: 10 } as const;
const INDEXED = /[\p{L}\p{M}\p{N}]{3}/u;

/**
 * What a search costs beside the list that it narrows, in points of the quota (src/core/quota.ts);
 * nothing without a search.
 */
export function searchPoints(search: string | null | undefined): number {
  if (typeof search !== 'string') return 0;
  const terms = searchTerms(search).slice(0, SEARCH_BOUNDS.terms);
  return terms.reduce(
    (sum, { text }) => sum + (INDEXED.test(text) ? TERM_POINTS.indexed : TERM_POINTS.short),
    0,
  );
}
