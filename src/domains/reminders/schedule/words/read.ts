import { course } from './course.rules.js';
import { monthDays, numberedWeekdays, weekdays } from './day.rules.js';
import { dose } from './dose.rules.js';
import { type Lattice, latticeOf } from './lattice.js';
import type { Meaning } from './meaning.js';
import { meant } from './meant.js';
import { alt, mark, opt } from './parse.js';
import { often } from './period.rules.js';
import { plain } from './plain.js';
import { join, type Said } from './said.js';
import { VOCABULARIES } from './table/tables.js';
import { times } from './time.rules.js';
import { uneven } from './uneven.rules.js';
import type { Vocabulary } from './vocabulary.js';

/** Most different readings of the beginning of a phrase. A phrase with more is not understood. */
const MOST_READINGS = 64;

const clause = alt(often, weekdays, numberedWeekdays, monthDays, times, course, dose, uneven);
const between = opt(mark('comma'));

/**
 * Returns all that a phrase can mean, in any one of the languages, each meaning once. No meaning:
 * it is not understood. Several: it is ambiguous, and none of them may be taken. Every word of the
 * phrase counts: one that has no place in the grammar leaves no meaning.
 */
export function meaningsOf(text: string): readonly Meaning[] {
  const phrase = plain(text);
  if (!phrase) return [];
  const found = VOCABULARIES.flatMap((vocabulary) => readIn(phrase, vocabulary));
  return [...new Map(found.map((meaning) => [JSON.stringify(meaning), meaning])).values()];
}

function readIn(phrase: string, vocabulary: Vocabulary): Meaning[] {
  const lattice = latticeOf(phrase, vocabulary);
  if (!lattice) return [];
  return saidBy(lattice).flatMap((said) => meant(said) ?? []);
}

/** All that the clauses of a phrase say together, from its first place to its last. */
function saidBy(lattice: Lattice): readonly Said[] {
  const at: Map<string, Said>[] = Array.from({ length: lattice.length + 1 }, () => new Map());
  at[0]?.set('', {});
  for (let from = 0; from < lattice.length; from++) {
    const before = at[from] as Map<string, Said>;
    if (before.size === 0) continue;
    if (before.size > MOST_READINGS) return [];
    for (const { value, end } of clausesAt(lattice, from)) {
      for (const said of before.values()) {
        const joined = join(said, value);
        if (joined) at[end]?.set(keyOf(joined), joined);
      }
    }
  }
  return [...(at[lattice.length]?.values() ?? [])];
}

/** The same parts in another order say the same. */
const keyOf = (said: Said) =>
  JSON.stringify(Object.entries(said).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Returns the clauses that begin at a place, with the comma behind them. */
function clausesAt(lattice: Lattice, from: number) {
  return clause(lattice, from).flatMap(({ value, end }) =>
    between(lattice, end)
      .filter((next) => next.end === end || next.end < lattice.length)
      .map((next) => ({ value, end: next.end })),
  );
}
