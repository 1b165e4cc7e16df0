import { belongs, few } from './dose.rules.js';
import { isLess } from './exact.js';
import type { Edge, Lattice } from './lattice.js';
import { MEASURED } from './note.rules.js';
import type { Term } from './term.js';

type Edges = Lattice['edges'];
type NumberEdge = Edge & { readonly term: Extract<Term, { is: 'number' }> };

/** Most whole pieces beside a part of one: nobody takes five tablets and a half. */
const MOST_WHOLE = '5';
/** Most times a day of one piece, behind a name: beyond, the number is a strength. */
const MOST_TIMES = '4';

const numbersIn = (all: readonly Edge[] = []): NumberEdge[] =>
  all.filter((edge): edge is NumberEdge => edge.term.is === 'number');
const isPart = ({ term: { value } }: NumberEdge): boolean => isLess(value, '1');
const isNamed = ({ term }: Edge): boolean => term.is === 'note' && term.named === true;
const isMeasured = ({ term }: Edge): boolean => term.is === 'form' && MEASURED.has(term.name);

/** What may stand between a name and the strength of its pieces: how it is made, its form. */
const isOfName = ({ term }: Edge): boolean =>
  (term.is === 'note' && term.part === 'medicine') ||
  (term.is === 'form' && !MEASURED.has(term.name));
/** What stands between a name and a number that is said behind how often: ramipril od 5. */
const isOften = ({ term }: Edge): boolean => term.is === 'says' || term.is === 'part';

/** Returns the places that names reach, over edges of a kind. */
function reached(edges: Edges, from: ReadonlySet<number>, over: (edge: Edge) => boolean) {
  const places = new Set(from);
  edges.forEach((all, at) => {
    if (places.has(at)) for (const edge of all) if (over(edge)) places.add(edge.end);
  });
  return places;
}

/**
 * Returns a lattice in which a number without a unit behind the name of a medicine may be its
 * strength: warfarin 5 nocte is 5 of it, or that of 5 mg. Before a part of a piece it may be both:
 * Marcumar 3 1/2-0-0 is 3.5, or a half of one of 3 mg. A single one is one either way.
 *
 * - More than 12 pieces and a part are a strength and that part: Previscan 20 1/2.
 * - Without a name more than 4 pieces and a part are none: nobody knows what 5 1/2 tablets are.
 * - 5 x 1 and 5-1-0-0 behind a name have no meaning: the 5 may be its strength.
 */
export function withStrengths(lattice: Lattice): Lattice {
  const { edges } = lattice;
  if (!edges.some((all) => numbersIn(all).length > 0)) return lattice;
  const names = new Set(edges.flatMap((all) => all.filter(isNamed).map(({ end }) => end)));
  const behind = reached(edges, names, isOfName);
  const later = reached(edges, behind, isOften);
  const signed = new Set(
    [...behind].flatMap((at) =>
      (edges[at] ?? []).flatMap(({ term, end }) => (term.is === 'comma' ? [end] : [])),
    ),
  );
  const kept = edges.map((all, at): readonly Edge[] => {
    const numbers = numbersIn(all);
    if (numbers.length === 0) return all;
    const whole = numbers.find(({ end, term }) => end === at + 1 && !term.mixed);
    const mixed = numbers.find(({ term }) => term.mixed);
    const isStrength =
      behind.has(at) || (signed.has(at) && !numbers.some(({ term }) => isLess(term.value, '2')));
    const isBeforePart = hasPart(edges, at + 1) && !(whole && isPart(whole));
    const edge: Edge = { term: { is: 'note', part: 'strength' }, end: at + 1 };
    if (isStrength && isBeforePart) {
      const isMixed = mixed && (few(mixed.term.value) || hasMeasured(edges, mixed.end));
      return [...all.filter((one) => one !== whole && (isMixed || one !== mixed)), edge];
    }
    if (mixed && !isLess(mixed.term.value, MOST_WHOLE) && !hasMeasured(edges, mixed.end))
      return all.filter((one) => one !== mixed);
    if (!whole || !later.has(at)) return all;
    const isMany = isLess(MOST_TIMES, whole.term.value);
    if (isMany && (isTimes(edges, whole) || isInFour(edges, whole))) return [];
    return mayBeStrength(lattice, at, whole) ? [...all, edge] : all;
  });
  return { ...lattice, edges: kept };
}

/** Una vez al día: the number is no amount. */
const isOnce = (all: readonly Edge[] = []): boolean =>
  all.some(({ term: { is } }) => is === 'count');
const hasPart = (edges: Edges, at: number): boolean =>
  numbersIn(edges[at]).some((one) => isPart(one) && !one.term.mixed && one.term.value !== '0');
const hasMeasured = (edges: Edges, at: number): boolean => edges[at]?.some(isMeasured) === true;
/** 5 x 1: so many times, or a strength. */
const isTimes = (edges: Edges, { end }: NumberEdge): boolean =>
  edges[end]?.some(({ term }) => term.is === 'x') === true &&
  numbersIn(edges[end + 1]).length > 0 &&
  !numbersIn(edges[end + 1]).some((one) => hasMeasured(edges, one.end));

/** 5-1-0-0: at four times of the day, or a strength and three of them. */
function isInFour(edges: Edges, { end }: NumberEdge): boolean {
  const isSlot = (at: number) => edges[at]?.some(({ term: { is } }) => is === 'dash') === true;
  const next = numbersIn(edges[end + 1])[0];
  const last = next && numbersIn(edges[next.end + 1])[0];
  return isSlot(end) && !!last && isSlot(next.end) && isSlot(last.end);
}

/** Returns whether a number is an amount alone, and a strength as well. */
const mayBeStrength = (lattice: Lattice, at: number, { term, end }: NumberEdge): boolean =>
  few(term.value) &&
  term.value !== '1' &&
  !term.spelt &&
  (numbersIn(lattice.edges[end]).length === 0 || isOnce(lattice.edges[end])) &&
  belongs(lattice, at + 1).length === 0;
