import type { Frequency } from './frequency.types.js';
import { latticeOf } from './words/lattice.js';
import { plain } from './words/plain.js';
import { VOCABULARIES } from './words/table/tables.js';

/** Returns whether a schedule ends when what is at hand is used up. */
export const endsWithSupply = (frequency: Frequency): boolean =>
  'course' in frequency && frequency.course?.kind === 'supply';

/** Returns whether a text says nothing but that: until finished, in any of the languages. */
export function saysFinished(text: string): boolean {
  const phrase = plain(text);
  if (phrase === undefined) return false;
  return VOCABULARIES.some((vocabulary) => {
    const { edges = [], parts = [] } = latticeOf(phrase, vocabulary) ?? {};
    return edges[0]?.some(
      ({ term, end }) => term.is === 'note' && term.finish === true && end === parts.length,
    );
  });
}
