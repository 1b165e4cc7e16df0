import type { Edge, Lattice } from './lattice.js';
import type { Term } from './term.js';
import type { Language } from './vocabulary.js';

/** Words before a part of the day or a length that belong to the word before them: du soir. */
const OF = /^(?:de|del|da|do|du|des|d')$/;
/** Adjectives of time, which may say how often, or what a complaint is like. */
const ADJECTIVE =
  /^(?:semanal|mensual|anual|mensal|quinzenal|trimestral|hebdomadaire|mensuel|annuel|trimestriel)$/;
const ROMANCE: ReadonlySet<Language> = new Set<Language>(['es', 'fr', 'pt']);

const isComplaint = ({ term }: Edge): boolean =>
  term.is === 'symptom' || (term.is === 'note' && term.part === 'indication');
const TIMES: ReadonlySet<Term['is']> = new Set<Term['is']>(
  'unit q every hourly count times part meal clock weekday says'.split(' ') as Term['is'][],
);

/**
 * Returns whether a reason holds words of time, which may say what it is like or since when, rather
 * than how often: para cólica mensal, para tos de 2 semanas, pour douleur du soir, for 2 weeks cough.
 */
export function holdsTimeInReason(lattice: Lattice, language: Language): boolean {
  const { edges } = lattice;
  return edges.some((all, at) => {
    if (all.some(({ term, end }) => term.is === 'for' && isTimedComplaint(lattice, end)))
      return true;
    if (!ROMANCE.has(language)) return false;
    return all.filter(isComplaint).some(({ end }) => isOfTime(lattice, at, end));
  });
}

/** For 5 day fever, for evening agitation. An infection is treated for so many days. */
function isTimedComplaint({ edges }: Lattice, from: number): boolean {
  const places = new Set([from]);
  for (const { term, end } of edges[from] ?? []) if (term.is === 'per') places.add(end);
  const isBefore = ({ end }: Edge) =>
    edges[end]?.some(({ term }) => term.is === 'symptom') === true;
  return [...places].some((at) =>
    (edges[at] ?? []).some((one) => {
      if (one.term.is === 'part') return isBefore(one);
      if (one.term.is !== 'number') return false;
      return edges[one.end]?.some((next) => next.term.is === 'unit' && isBefore(next)) === true;
    }),
  );
}

/** Migraine hebdomadaire beside another rhythm, or behind pour; tos de 2 semanas; dor da noite. */
function isOfTime({ edges, parts }: Lattice, at: number, end: number): boolean {
  if (ADJECTIVE.test(parts[end] ?? ''))
    return edges
      .slice(0, at)
      .some((all) =>
        all.some((one) => one.end <= at && (TIMES.has(one.term.is) || isWhy(one, at))),
      );
  if (!OF.test(parts[end] ?? '')) return false;
  const isArticled = parts[end] !== 'de' || parts[end + 1] === 'la';
  const next = parts[end] === 'de' && parts[end + 1] === 'la' ? end + 2 : end + 1;
  return [end, next].some((from) =>
    (edges[from] ?? []).some((one) => {
      if (one.term.is === 'part') return isArticled;
      const isLength = one.term.is === 'number' && from === next;
      return isLength && edges[one.end]?.some(({ term }) => isDays(term)) === true;
    }),
  );
}
/** Para migraña semanal. */
const isWhy = ({ term, end }: Edge, at: number): boolean =>
  end === at && (term.is === 'for' || term.is === 'purpose');
const isDays = (term: Term): boolean =>
  term.is === 'unit' && term.unit !== 'hour' && term.unit !== 'minute';
