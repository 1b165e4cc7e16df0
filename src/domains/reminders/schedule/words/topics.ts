import type { Edge, Lattice } from './lattice.js';
import { MEASURED } from './note.rules.js';
import type { Term } from './term.js';

type Kind = Term['is'];

/** What says when, how often or how long. */
const RHYTHM: ReadonlySet<Kind> = new Set<Kind>(
  'unit q every hourly count times part meal clock weekday ordinal says until'.split(' ') as Kind[],
);
/** What begins a rhythm behind a name: for 7 days, x2, bei Bedarf, max 3. */
const BEGINNING: ReadonlySet<Kind> = new Set<Kind>([...RHYTHM, 'x', 'for', 'incase', 'max']);
/** What makes a rhythm of the number before it: 4 times, 2x, 3 days, 1-0-1, 8/8h, 3 em 3 meses. */
const COUNTED: ReadonlySet<Kind> = new Set<Kind>(
  'times x unit dash slash hourly lead onto in per every'.split(' ') as Kind[],
);
/** What stands between a name and its rhythm. */
const JOINT: ReadonlySet<Kind> = new Set<Kind>([
  'aspect',
  'lead',
  'at',
  'onto',
  'relation',
  'dash',
]);
/** What a name behind it is a reason for, or a part of. */
const EXPLAINS: ReadonlySet<Kind> = new Set<Kind>(
  'for purpose incase incaseOrFor of relation'.split(' ') as Kind[],
);
/** What stands between such a word and the name. */
const ARTICLES: ReadonlySet<Kind> = new Set<Kind>([
  'lead',
  'side',
  'quality',
  'every',
  'each',
  'of',
]);
const AGAIN: ReadonlySet<Kind> = new Set<Kind>(['and', 'or', 'slash']);
/** Terms that say what they are for in one piece: zum Schlafen, للضغط. */
const EXPLAINED = /^(?:zum|zur|bei|pour|para|for|to|لل?\p{L}+)$/u;

/** What is spoken of: what is treated or measured, a medicine, a form, a renewal, a ban. */
interface Topic {
  readonly at: number;
  readonly end: number;
  readonly kind: 'ailment' | 'name' | 'form' | 'renewal' | 'ban';
}

const isIndication = ({ term }: Edge): boolean => term.is === 'note' && term.part === 'indication';
const isAilment = (edge: Edge): boolean =>
  edge.term.is === 'symptom' || edge.term.is === 'body' || isIndication(edge);

/**
 * Returns whether a phrase goes on to something else that has a rhythm of its own: 1 tablet at night,
 * cholesterol yearly; 10 units, blood sugar 4 times a day; 2 puffs bd, salbutamol as needed. That
 * rhythm is none of the medicine's. A reason, as of for blood pressure, is nothing else.
 */
export function speaksOfAnother(lattice: Lattice): boolean {
  const topics = topicsOf(lattice);
  if (topics.length === 0) return false;
  const explained = explainedPlaces(lattice);
  return topics.some((one) => !explained.has(one.at) && hasOwnRhythm(lattice, one));
}

function hasOwnRhythm(lattice: Lattice, { at, end, kind }: Topic): boolean {
  const { parts, edges } = lattice;
  const isParted = /^[,;:(–-]$/.test(parts[at - 1] ?? '');
  if (kind === 'ban') return edges[end]?.some(({ term }) => term.is === 'for') === true;
  if (!saysRhythm(lattice, end, isParted)) return false;
  const isTimed = has(edges, 0, at, ({ term: { is } }) => RHYTHM.has(is));
  const amounts = amountEnds(lattice);
  // 1 si besoin, à renouveler toutes les 6 heures: the dose. Alone, si besoin is of the prescription.
  if (kind === 'renewal') {
    const saysWhen = (one: Edge) => isTiming(one.term);
    const isAlone = amounts.length === 0 && !has(edges, 0, edges.length, saysWhen);
    return isAlone || has(edges, 0, at, saysWhen);
  }
  const isCounted = amounts.some(([, to]) => to <= at);
  if (kind === 'ailment') {
    if (isTimed || isCounted) return true;
    const isFirst = at === 0 || (at === 1 && parts[0] === '(');
    const isMeasured = LOOKED_AT.test(parts.slice(at, end).join(' '));
    return isFirst && (isMeasured ? amounts.length > 0 : isAnotherBehind(lattice, end));
  }
  return (isTimed && (isCounted || isParted)) || (kind === 'form' && hasPieces(lattice, at));
}

/** 1 tablet, a patch every 3 days. */
const hasPieces = (lattice: Lattice, before: number): boolean =>
  amountEnds(lattice).some(
    ([at, to]) =>
      to <= before &&
      has(lattice.edges, at, to, ({ term }) => term.is === 'form' && PIECES.has(term.name)),
  );
const PIECES = new Set(['tablet', 'capsule', 'pill']);

/** What is measured of somebody: blood pressure weekly, 1 tablet. */
const LOOKED_AT =
  /^(?:blood sugar|sugar|blood pressure|bp|cholesterol|potassium|weight|blutzucker|zucker|bz|blutdruck|rr|gewicht|glycemie|temperature|tension(?: arterielle)?|ta|glucemia|glucosa|azucar en sangre|presion(?: arterial)?|glicemia|glicose|pressao(?: arterial)?|temperatura|peso|colesterol)$/;

/** Diabetes weekly, 1 tablet at night. */
function isAnotherBehind(lattice: Lattice, from: number): boolean {
  const { edges } = lattice;
  return amountEnds(lattice).some(
    ([at, to]) =>
      at > from &&
      has(edges, from, at, ({ term: { is } }) => RHYTHM.has(is)) &&
      has(edges, to, edges.length, ({ term: { is } }) => RHYTHM.has(is)),
  );
}

/** Returns whether a rhythm stands at a place. Behind a sign and a name its strength may come first. */
function saysRhythm(lattice: Lattice, from: number, isParted: boolean): boolean {
  const { edges, parts } = lattice;
  const all = edges[from] ?? [];
  if (parts[from] === ':') return saysRhythm(lattice, from + 1, isParted);
  return all.some(({ term, end }) => {
    if (BEGINNING.has(term.is)) return true;
    if (term.is === 'number') {
      const next = edges[end] ?? [];
      if (next.some((one) => COUNTED.has(one.term.is))) return true;
      const strengths = next.filter((one) => one.term.is === 'form');
      return isParted && strengths.some((one) => saysRhythm(lattice, one.end, false));
    }
    return JOINT.has(term.is) && saysRhythm(lattice, end, false);
  });
}

/** Returns where each amount begins and ends. */
function amountEnds({ edges }: Lattice): [number, number][] {
  return edges.flatMap((all, at) =>
    all.flatMap(({ term, end }): [number, number][] => {
      if (term.is === 'amount' || (term.is === 'form' && term.one)) return [[at, end]];
      if (term.is !== 'number') return [];
      return (edges[end] ?? [])
        .filter((next) => next.term.is === 'form')
        .map((next): [number, number] => [at, next.end]);
    }),
  );
}

function topicsOf({ edges, parts }: Lattice): Topic[] {
  const counted = new Set(
    edges.flatMap((all, at) =>
      all.flatMap(({ term }) => (term.is === 'form' && isCountedAt(edges, at) ? [term.name] : [])),
    ),
  );
  let reached = 0;
  const known = new Set<string>();
  return edges.flatMap((all, at): Topic[] => {
    const end = Math.max(0, ...all.map((one) => one.end));
    const isWithin = end <= reached;
    reached = Math.max(reached, end);
    if (isWithin || EXPLAINED.test(parts[at] ?? '')) return [];
    const longest = all.filter((one) => one.end === end);
    // Dry skin is a place, and 12 mcg/hour a strength. Behind 1x/week comes another.
    const isPlace = has(edges, 0, end, (one) => one.end === end && one.term.is === 'body');
    const isStrength = [at - 2, at - 3].some((i) => parts[i] === '/' && !isEveryAt(edges, i + 1));
    const kind = isPlace
      ? undefined
      : kindOf(longest, counted, isStrength || isCountedAt(edges, at));
    const text = parts.slice(at, end).join(' ');
    const said = RENEWAL.test(text) ? 'renewal' : BAN.test(text) ? 'ban' : kind;
    if (!said || known.has(text)) return [];
    known.add(text);
    return [{ at, end, kind: said }];
  });
}

/** 1x/week, 2x/j: how often, and no strength. */
const isEveryAt = (edges: Lattice['edges'], at: number): boolean =>
  edges[at - 2]?.some(({ term: { is } }) => is === 'x' || is === 'times') === true &&
  edges[at]?.some(({ term }) => term.is === 'unit') === true;

const isCountedAt = (edges: Lattice['edges'], at: number): boolean =>
  has(edges, 0, at, ({ term, end }) => end === at && isCounting(term));
/** What stands before a form whose number was said: 2, a, 2 x 500 mg. */
const isCounting = (term: Term): boolean =>
  COUNTING.has(term.is) || (term.is === 'form' && MEASURED.has(term.name));
const COUNTING: ReadonlySet<Kind> = new Set<Kind>(['number', 'per', 'x', 'amount']);

function kindOf(
  all: readonly Edge[],
  counted: ReadonlySet<string>,
  isCounted: boolean,
): Topic['kind'] | undefined {
  if (all.some(({ term }) => term.is === 'symptom' || term.is === 'body')) return undefined;
  if (all.some(({ term }) => term.is === 'note' && term.named)) return 'name';
  if (all.some(({ term }) => term.is === 'note' && term.part === 'medicine')) return undefined;
  if (all.some(isIndication)) return 'ailment';
  const other = all.some(
    ({ term }) => term.is === 'form' && !MEASURED.has(term.name) && !counted.has(term.name),
  );
  return other && !isCounted && counted.size > 0 ? 'form' : undefined;
}

/** Returns the places of what is a reason: for high blood pressure and the heart. */
function explainedPlaces({ edges }: Lattice): ReadonlySet<number> {
  const places = new Set<number>();
  const behind = new Set<number>();
  edges.forEach((all, at) => {
    for (const { term, end } of all) {
      if (EXPLAINS.has(term.is)) places.add(end);
      if (places.has(at) && ARTICLES.has(term.is)) places.add(end);
      if (places.has(at) && (isAilment({ term, end }) || isMedicine(term))) behind.add(end);
      if (behind.has(at) && term.is === 'aspect') behind.add(end);
      if (behind.has(at) && AGAIN.has(term.is)) places.add(end);
    }
  });
  return places;
}
/** The next prescription, rather than the next dose. */
const RENEWAL = /^(?:a renouveler|renouveler|repeat prescription)$/;
/** What is left out for a while, without an end of the medicine. */
const BAN = /^(?:no alcohol|do not d|avoid|not with)/;
const isTiming = (term: Term): boolean =>
  RHYTHM.has(term.is) &&
  !(term.is === 'says' && term.said.some(({ asNeeded }) => asNeeded === true));
const isMedicine = (term: Term): boolean => term.is === 'note' && term.part === 'medicine';

/** Returns whether an edge that lies between two places is of some kind. */
const has = (
  edges: Lattice['edges'],
  from: number,
  to: number,
  is: (edge: Edge) => boolean,
): boolean => edges.slice(from, to).some((all) => all.some((one) => one.end <= to && is(one)));
