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

/** Verbs of what goes into an eye, as `plain` spells them. */
const INSTILLED = new Set(
  'instil instill instilled instiller instillez instilar instile pingar pingue eintropfen traufeln'.split(
    ' ',
  ),
);
/** Verbs of what may go onto a skin as well. */
const APPLIED = new Set(
  'aplicar aplique aplicarse appliquer appliquez mettre mettez poner ponga colocar coloque'.split(
    ' ',
  ),
);
/** Forms that go into an eye, or onto a skin. */
const SPREAD: ReadonlySet<string> = new Set(['drop', 'application']);
/** Forms of which nobody swallows one. */
const UNSWALLOWED: ReadonlySet<string> = new Set([...SPREAD, 'spray']);

const isSpread = ({ term }: Edge): boolean => term.is === 'form' && SPREAD.has(term.name);
const isMadeForEyes = ({ term }: Edge): boolean => term.is === 'note' && term.eyes === true;

/** Returns whether something is named that may go into an eye: drops, an ointment. */
const goesIntoEyes = ({ edges, parts }: Pick<Lattice, 'edges' | 'parts'>): boolean =>
  parts.some((part) => INSTILLED.has(part)) ||
  edges.some((all) => all.some((edge) => isMadeForEyes(edge) || isSpread(edge)));
const isSwallowed = (edges: Edges): boolean =>
  edges.some((all) => all.some(({ term }) => term.is === 'form' && !UNSWALLOWED.has(term.name)));

/** Returns whether od is once a day at most of what is swallowed. */
const isOfSwallowed = (all: readonly Edge[] = []): boolean =>
  all.some(({ term }) => term.is === 'says' && term.swallowed === true);

/** What an abbreviation is at a place: an eye, how often, or neither. */
export type Abbreviation = 'eye' | 'often' | 'neither';

/**
 * Returns a function that says what an abbreviation is at a place: an eye beside what may go into
 * one. Od is once a day where another word says where: 1 drop in both eyes od. Not in brackets, or
 * joined to that word: right eye (od), od and os. In French, Spanish and Portuguese it is once a day
 * only of what is swallowed.
 */
export function eyesOf(
  lattice: Pick<Lattice, 'edges' | 'parts'>,
): (at: number, end: number) => Abbreviation {
  const { edges, parts } = lattice;
  const isForEyes = goesIntoEyes(lattice);
  const isNever = !isSwallowed(edges);
  const isApplied = parts.some((part) => APPLIED.has(part));
  // Eye drops are what goes there: they say nothing of which eye.
  const isSaid = edges.some((all) => saysWhere(all) && !all.some(isMadeForEyes));
  const isJoined = (at: number, end: number) =>
    opens(edges[at - 1]) ||
    (joins(edges[at - 1]) && saysWhere(edges[at - 2])) ||
    (joins(edges[end]) && edges.slice(end + 1, end + 3).some(saysWhere));
  return (at, end) => {
    if (isNever && isOfSwallowed(edges[at])) return isForEyes || isApplied ? 'eye' : 'neither';
    const isEye = isForEyes && !(isSaid && isEither(edges[at] ?? []) && !isJoined(at, end));
    return isEye ? 'eye' : 'often';
  };
}
