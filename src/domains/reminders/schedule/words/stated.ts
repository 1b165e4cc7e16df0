import type { Edge, Lattice } from './lattice.js';
import { MEASURED } from './note.rules.js';
import type { Term } from './term.js';

/** What only gives what is measured: 10 units in an injection, 5 ml from a spoon. */
const GIVING = new Set(['injection', 'spoon', 'teaspoon', 'tablespoon']);
/** What parts such a word from an amount that is another one. */
const PARTING: ReadonlySet<Term['is']> = new Set(['and', 'then', 'or', 'to', 'amount']);

/** Returns the form of one that is given; undefined for any other term. */
function givenBy(term: Term): string | undefined {
  if (term.is === 'form' && term.one) return GIVING.has(term.name) ? term.name : undefined;
  if (term.is !== 'amount' || term.amount.value !== '1') return undefined;
  const { unit = '' } = term.amount;
  return GIVING.has(unit) ? unit : undefined;
}

/**
 * Returns a lattice in which one injection or spoon, which Arabic says by the word alone, is no
 * amount beside what is measured: 10 units injection.
 */
export function withStated({ edges, ...lattice }: Lattice): Lattice {
  const stated = measured(edges);
  const belongs = (from: number, to: number) =>
    from <= to &&
    !edges.slice(from, to).some((all) => all.some(({ term }) => PARTING.has(term.is)));
  const kept = edges.map((all, at) =>
    all.map((edge): Edge => {
      const name = givenBy(edge.term);
      const gives = stated.some(([from, to]) => belongs(to, at) || belongs(edge.end, from));
      return name && gives ? { ...edge, term: { is: 'form', name } } : edge;
    }),
  );
  return { ...lattice, edges: kept };
}

/** Returns from where to where a number stands before its measured unit. 5 mg/ml is a strength. */
function measured(edges: Lattice['edges']): [number, number][] {
  const isSlash = (at: number) => edges[at]?.some(({ term }) => term.is === 'slash') === true;
  return edges.flatMap((all, from) =>
    all
      .filter(({ term }) => term.is === 'number' && !isSlash(from - 1))
      .flatMap(({ end }) => edges[end] ?? [])
      .filter(({ term, end }) => term.is === 'form' && MEASURED.has(term.name) && !isSlash(end))
      .map(({ end }): [number, number] => [from, end]),
  );
}
