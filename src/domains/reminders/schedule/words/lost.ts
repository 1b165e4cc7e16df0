import type { Edge, Lattice } from './lattice.js';
import { MEASURED } from './note.rules.js';
import type { Term } from './term.js';

/** The hours into which a day is divided: 12 hs are some, rather than 12 at bedtime. */
const HOURS: ReadonlySet<string> = new Set(['4', '6', '8', '12', '24']);
const standsBeforeHours = (term: Term) =>
  term.is === 'every' || (term.is === 'number' && HOURS.has(term.value));

/** Returns a lattice in which the hs of hours is no bedtime: cada hs, 12 hs. */
export function withoutLostHours({ edges, ...lattice }: Lattice): Lattice {
  const isBehind = (at: number) =>
    edges.some((all) => all.some(({ term, end }) => end === at && standsBeforeHours(term)));
  const isBedtime = ({ term }: Edge) => term.is === 'part' && term.latin === true;
  const kept = edges.map((all, at) =>
    all.some(isBedtime) && isBehind(at) ? all.filter((edge) => !isBedtime(edge)) : all,
  );
  return { ...lattice, edges: kept };
}

/** What says when, or how often. */
const OFTEN: ReadonlySet<string> = new Set(
  'unit q every hourly count times x part meal clock weekday ordinal'.split(' '),
);
const isNeeded = (term: Term): boolean =>
  term.is === 'says' && term.said.some(({ asNeeded }) => asNeeded === true);
const saysWhen = (term: Term): boolean =>
  OFTEN.has(term.is) || (term.is === 'says' && !isNeeded(term));
const isRectal = (term: Term): boolean => term.is === 'form' && term.name === 'suppository';
const isPiece = (term: Term): boolean =>
  (term.is === 'form' && !MEASURED.has(term.name) && term.name !== 'application') ||
  term.is === 'amount';
const isNumber = (term: Term): boolean => term.is === 'number';
const isRoute = (term: Term): boolean => term.is === 'note' && term.part === 'route';
const isComplaint = (term: Term): boolean =>
  term.is === 'symptom' || (term.is === 'note' && term.part === 'indication');

const isPr = (words: readonly string[]) => /^p ?r$/.test(words.join(' '));

/**
 * Returns whether pr is prn that was cut, rather than a route: 1 tab q8h pr, q6h pr. It is a route
 * beside suppositories, and where it stands before how often, or beside prn, and nothing that is
 * taken by mouth or treated is named.
 */
export function isCutShort({ edges, parts }: Lattice): boolean {
  // In p r n it is whole.
  const at = edges.findIndex(
    (all, from) =>
      all.some(({ term, end }) => isRoute(term) && isPr(parts.slice(from, end))) &&
      !all.some(({ term }) => isNeeded(term)),
  );
  if (at < 0) return false;
  const has = (is: (term: Term) => boolean, to = edges.length) =>
    edges.some((all, from) => from < to && from !== at && all.some(({ term }) => is(term)));
  if (has(isRectal)) return false;
  const isCounted = edges.some((all) => all.some(({ term, end }) => end === at && isNumber(term)));
  if (isCounted || has(isPiece) || has(isRoute)) return true;
  return !has(isNeeded) && (has(isComplaint) || has(saysWhen, at));
}
