import type { Edge, Lattice } from './lattice.js';
import type { Meaning } from './meaning.js';
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

/**
 * Returns a lattice without meals of which more is said (le repas du soir is not each of them), and
 * without mañana, which alone, beside then, without another part of the day, or apart from one that
 * has its article is tomorrow: por la noche, mañana. Nor is the bed of a number a time: bed 12.
 */
export function withoutHalves({ edges, ...lattice }: Lattice): Lattice {
  const has = (is: (term: Term) => boolean) =>
    edges.some((all) => all.some(({ term }) => is(term)));
  const isPart = has((term) => term.is === 'part' && !term.tomorrow);
  const isApart = TONIGHT.test(lattice.parts.join(' '));
  const isMorning = isPart && !isApart && !has((term) => term.is === 'then');
  const kept = edges.map((each, at) => {
    const all = isHospitalBed(lattice.parts, at) ? [] : each;
    const longest = Math.max(0, ...all.map(({ term, end }) => (term.is === 'meal' ? end : 0)));
    return all.filter(({ term, end }) => {
      if (term.is === 'meal') return end === longest;
      return term.is !== 'part' || !term.tomorrow || isMorning;
    });
  });
  return { ...lattice, edges: kept };
}

const TONIGHT = /\bla (?:noche|tarde) [.,;(–-] manana\b/;
const isHospitalBed = (parts: readonly string[], at: number): boolean =>
  parts[at] === 'bed' &&
  /^\d+$/.test(parts[at + 1] ?? '') &&
  !/^(?:before|at|to|in|of)$/.test(parts[at - 1] ?? '') &&
  !/^[a-z]/.test(parts[at + 2] ?? '');

/** What stands before a plural that is written as its singular: les repas. */
const PLURAL = /^(?:les|des|aux|ces)$/;
/** Returns a lattice in which meals behind each, or behind a plural, are all of them. */
export function withMeals({ edges, parts, ...lattice }: Lattice): Lattice {
  const isEach = (at: number) =>
    PLURAL.test(parts[at - 1] ?? '') ||
    edges.some((all) => all.some(({ term, end }) => end === at && term.is === 'every'));
  const kept = edges.map((all, at) =>
    all.map((edge): Edge => {
      if (edge.term.is !== 'meal' || !edge.term.single || !isEach(at)) return edge;
      const { single: _, ...term } = edge.term;
      return { ...edge, term };
    }),
  );
  return { ...lattice, parts, edges: kept };
}

/** What says when, or how often. */
const OFTEN: ReadonlySet<string> = new Set(
  'unit q every hourly count times x part meal clock weekday ordinal'.split(' '),
);
const isNeeded = (term: Term): boolean =>
  term.is === 'says' && term.said.some(({ asNeeded }) => asNeeded === true);
const saysWhen = (term: Term): boolean =>
  OFTEN.has(term.is) || (term.is === 'says' && !isNeeded(term));
const isRectal = (term: Term): boolean => term.is === 'form' && RECTAL.has(term.name);
const RECTAL: ReadonlySet<string> = new Set(['suppository', 'enema']);
const isPiece = (term: Term): boolean =>
  (term.is === 'form' && !MEASURED.has(term.name) && term.name !== 'application') ||
  term.is === 'amount';
const isNumber = (term: Term): boolean => term.is === 'number';
const isRoute = (term: Term): boolean => term.is === 'note' && term.part === 'route';
const isComplaint = (term: Term): boolean =>
  term.is === 'symptom' || (term.is === 'note' && term.part === 'indication');

/** What stays for hours, and how many minutes at least: sooner a number is lost, as of q72h. */
const LASTING: ReadonlyMap<string, number> = new Map([
  ['patch', 480],
  ['suppository', 180],
  ['pessary', 180],
]);

/** Returns whether patches come each 2 hours, or suppositories, which nobody is told. */
export function isTooSoon({ edges }: Lattice, meaning: Meaning): boolean {
  const forms = edges.flatMap((all) => all.map(({ term }) => formOf(term) ?? ''));
  const least = Math.max(...forms.map((name) => LASTING.get(name) ?? 0), 0);
  const all = meaning.kind === 'phased' ? meaning.phases.map(({ often }) => often) : [meaning];
  return all.some((one) => {
    if (one.kind === 'as_needed') return (one.leastMinutes ?? least) < least;
    return one.kind === 'interval' && one.minutes < least;
  });
}
const formOf = (term: Term): string | undefined => {
  if (term.is === 'form') return term.name;
  return term.is === 'amount' ? term.amount.unit : undefined;
};

const TIME: ReadonlySet<string> = new Set(['part', 'clock', 'meal']);
const isTime = (term: Term): boolean =>
  TIME.has(term.is) || (term.is === 'says' && term.said.some(({ at }) => at !== undefined));
const NEEDED: ReadonlySet<string> = new Set(['incase', 'incaseOrFor']);
const COMPLAINT: ReadonlySet<string> = new Set(['symptom', 'lead', 'side', 'quality']);
const isAmount = (term: Term): boolean => isNumber(term) || isPiece(term);
const PARTING: ReadonlySet<string> = new Set(['comma', 'and', 'plus']);

/**
 * Returns whether as needed may be said of the last of several times alone: 1 in the morning, 1 at
 * night if needed; daily, at night if needed. Without an amount of its own the last is one of a list
 * behind an and, or behind other times with commas: morning, noon, night as needed.
 */
export function isNeededLast({ edges, parts }: Lattice): boolean {
  const has = (is: (term: Term) => boolean, from: number, to: number) =>
    edges.slice(from, to).some((all) => all.some(({ term, end }) => end <= to && is(term)));
  // عند النوم is a time.
  const isIfNeeded = (from: number, to: number) =>
    has(isNeeded, from, to) ||
    edges
      .slice(from, to)
      .some((all) =>
        all.some(
          ({ term, end }) =>
            NEEDED.has(term.is) && edges[end]?.some((next) => COMPLAINT.has(next.term.is)),
        ),
      );
  const parting = (at: number) => has((term) => PARTING.has(term.is), at, at + 1);
  const starts = parts.flatMap((_, at) => (parting(at) && !parting(at + 1) ? [at + 1] : []));
  return starts.some((from, i) => {
    const to = (starts[i + 1] ?? parts.length + 1) - 1;
    if (!has(isTime, from, to) || !isIfNeeded(from, to)) return false;
    if (!has(saysWhen, 0, from - 1)) return false;
    const isListed =
      has((term) => term.is === 'and', from - 1, from) || has(isTime, starts[i - 1] ?? from, from);
    return !isListed || has(isAmount, from, to);
  });
}

/** What stands before the first of the days from which to which. */
const FROM = /^(?:from|between|desde|del?|entre|du|von|vom|zwischen|da|من)$/;
const isDay = (term: Term): boolean => term.is === 'weekday' && term.days.length === 1;
/** Returns whether the to between two days is lost: de lunes viernes. */
export function isRangeCut({ edges, parts }: Lattice): boolean {
  const daysAt = (at: number) => (edges[at] ?? []).filter(({ term }) => isDay(term));
  const skip = (at: number) => edges[at]?.find(({ term }) => term.is === 'lead')?.end ?? at;
  return parts.some((part, at) => {
    if (!FROM.test(part)) return false;
    const first = [at + 1, skip(at + 1)].flatMap(daysAt);
    return first.some(({ end }) => {
      const next = parts[end] === ',' ? end + 1 : end;
      const last = daysAt(next);
      return last.length > 0 && !last.some((one) => goesOn(edges, one.end));
    });
  });
}
/** Behind two days of a list more of them follow. */
const goesOn = (edges: Lattice['edges'], at: number): boolean =>
  edges[at]?.some(({ term: { is } }) => ['and', 'comma', 'weekday'].includes(is)) === true;

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

const isNamed = ({ term }: Edge): boolean => term.is === 'note' && term.named === true;
/** What a name behind it is a reason for, and what stands around it. */
const EXPLAINS: ReadonlySet<string> = new Set(['for', 'purpose', 'open']);

/**
 * Returns whether two people are named, or two medicines, with a number between them: ramipril
 * 40 mg for 3 days, salbutamol 2 puffs qds. In brackets, or as a reason, a name is no other medicine.
 */
export function areSeveral({ edges, parts }: Lattice): boolean {
  const people = edges.flatMap((all) =>
    all.filter(({ term }) => term.is === 'person').map(({ end }) => end),
  );
  if (new Set(people).size > 1) return true;
  const names = edges.flatMap((all, at) => {
    const end = Math.max(...all.filter(isNamed).map((edge) => edge.end), 0);
    const explains = edges[at - 1]?.some(({ term }) => EXPLAINS.has(term.is)) === true;
    return end > 0 && !explains ? [{ at, end, text: parts.slice(at, end).join(' ') }] : [];
  });
  return names.some(({ text, end }, i) => {
    const next = names[i + 1];
    if (!next || next.text === text || text === CLASS || next.text === CLASS) return false;
    return edges.slice(end, next.at).some((all) => all.some(({ term }) => isNumber(term)));
  });
}
const CLASS = 'insulin';
