import { type DecimalSign, pieces } from './lexer.js';
import { folded } from './plain.js';
import type { Table, Term } from './term.js';

/** The words of one language, to be looked up. */
export interface Vocabulary {
  /** The terms that some pieces of a text are, joined by spaces. */
  readonly terms: ReadonlyMap<string, readonly Term[]>;
  /** All beginnings of the entries, so that a search ends where no entry goes on. */
  readonly beginnings: ReadonlySet<string>;
  /** Words that apps write without a space between them: everyotherday. */
  readonly glued: readonly string[];
  readonly sign: DecimalSign;
  readonly language: Language;
}

/** The languages of directions. */
export type Language = 'en' | 'es' | 'fr' | 'de' | 'pt' | 'ar';

/** Makes a vocabulary of tables. Entries in a table are parted by commas or bars. */
export function vocabularyOf(
  language: Language,
  tables: readonly Table[],
  glued: readonly string[] = [],
): Vocabulary {
  const terms = new Map<string, Term[]>();
  const beginnings = new Set<string>();
  for (const [term, words] of tables.flat()) {
    for (const word of words.split('|')) {
      const parts = pieces(folded(word.trim()));
      const key = parts.join(' ');
      for (let end = 1; end <= parts.length; end++) beginnings.add(parts.slice(0, end).join(' '));
      const brief = term.is === 'weekday' && key.length <= 2;
      terms.set(key, [...(terms.get(key) ?? []), brief ? { ...term, brief } : term]);
    }
  }
  const sign = language === 'en' || language === 'ar' ? '.' : ',';
  return { terms, beginnings, glued, sign, language };
}

/**
 * Parts a word that apps have written together: `timesaday` is times, a, day. Returns the word
 * itself when the vocabulary has it, or when there is no way, or more than one, to part it.
 */
export function parted(word: string, { terms, glued }: Vocabulary): readonly string[] {
  const rest = word.slice(1);
  const before = word.slice(0, -1);
  // Bidx9: for nine.
  if (before.length > 1 && word.endsWith('x') && !terms.has(word) && terms.has(before))
    return [before, 'x'];
  if (!terms.has(word) && terms.has(rest))
    for (const prefix of PREFIXES) if (word.startsWith(prefix)) return [prefix, rest];
  if (terms.has(word) || glued.length === 0 || word.length > LONGEST_GLUED) return [word];
  const ways: (readonly string[])[][] = [[[]]];
  for (let end = 1; end <= word.length; end++) {
    ways[end] = glued
      .filter((part) => part.length <= end && word.startsWith(part, end - part.length))
      .flatMap((part) => (ways[end - part.length] ?? []).map((way) => [...way, part]))
      .slice(0, 2);
  }
  const [only, ...others] = ways[word.length] ?? [];
  return only && others.length === 0 ? only : [word];
}
const LONGEST_GLUED = 30;
/** Arabic writes its and, and its by, together with the next word. */
const PREFIXES = ['و', 'ب'];
