import type { Edge, Lattice } from './lattice.js';

type Edges = Lattice['edges'];

/** Returns whether a word is an eye by its abbreviation: od, ou. */
export const isEye = ({ term }: Edge): boolean => term.is === 'note' && term.eye === true;

/** Returns whether a word may be once a day and an eye: od. */
const isEither = (all: readonly Edge[]): boolean =>
  all.some(isEye) && all.some(({ term }) => term.is === 'says' && term.latin === true);

/** Returns whether a word says where: an eye, an ear, another abbreviation of an eye. */
const saysWhere = (all: readonly Edge[] = []): boolean =>
  all.some((edge) => edge.term.is === 'body' || (isEye(edge) && !isEither(all)));

const joins = (all: readonly Edge[] = []): boolean =>
  all.some(({ term: { is } }) => is === 'and' || is === 'slash');
const opens = (all: readonly Edge[] = []): boolean => all.some(({ term: { is } }) => is === 'open');

/**
 * Returns a function that says whether an abbreviation at a place is an eye: beside drops. Od is once
 * a day where another word says where: 1 drop in both eyes od. Not in brackets, or joined to
 * that word: right eye (od), od and os.
 */
export function eyesOf(edges: Edges): (at: number, end: number) => boolean {
  const drops = edges.some((all) =>
    all.some(({ term }) => term.is === 'form' && term.name === 'drop'),
  );
  const isSaid = edges.some(saysWhere);
  const isJoined = (at: number, end: number) =>
    opens(edges[at - 1]) ||
    (joins(edges[at - 1]) && saysWhere(edges[at - 2])) ||
    (joins(edges[end]) && edges.slice(end + 1, end + 3).some(saysWhere));
  return (at, end) => drops && !(isSaid && isEither(edges[at] ?? []) && !isJoined(at, end));
}
