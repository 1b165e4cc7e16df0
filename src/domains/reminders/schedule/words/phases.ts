import { isDeepStrictEqual } from 'node:util';
import type { Edge, Lattice } from './lattice.js';
import type { Amount, Meaning } from './meaning.js';
import { meant } from './meant.js';
import { decimal, whole } from './number.rules.js';
import { alt, as, mark, opt, type Parse, seq, term } from './parse.js';
import type { Said } from './said.js';

/** Most phases of a course. */
const MOST = 20;
/** Most ways to read a course in phases. */
const MOST_WAYS = 16;

/** What a part of a phrase says, with `Notes` of anything else. */
interface State<Note> {
  readonly said: Said;
  readonly notes: readonly Note[];
}

/** A course in phases that differ by their amounts. */
export interface Phased<Note> extends State<Note> {
  readonly meanings: readonly Meaning[];
}

/** A phase: how many days it lasts, where that is said, and what is taken in it. */
interface Phase<Note> extends State<Note> {
  readonly days?: number;
  /** From which day of the course on, where that is said. */
  readonly from?: number;
}

const day = term('unit', ({ unit, brief }) => unit === 'day' && !brief);
const lead = opt(mark('lead', 'on', 'at', 'for'));
/** On day 1, days 2-5, on the first day, for the first 3 days, today. */
const span: Parse<{ from: number; to: number }> = alt(
  as(seq(lead, day, whole, opt(seq(mark('dash', 'to'), whole))), ([, , from, more]) =>
    more && more[1] <= from ? [] : [{ from, to: more?.[1] ?? from }],
  ),
  as(
    seq(
      lead,
      opt(mark('lead')),
      term('ordinal', ({ value }) => value === 1),
      opt(whole),
      day,
    ),
    ([, , , count]) => [{ from: 1, to: count ?? 1 }],
  ),
  as(mark('today'), () => [{ from: 1, to: 1 }]),
);
const sign = opt(mark('comma'));

/**
 * Reads a course in phases, one after the other: 40 mg for 3 days, then 20 mg for 3 days, then stop;
 * two today, then one daily; 2 tablets on day 1, 1 tablet on days 2-5. All phases come equally often,
 * once a day where none says how often. Each but the last says how long it is, and each how much.
 * `read` reads the words of one phase in all ways.
 */
export function phasesOf<Note>(
  lattice: Lattice,
  read: (lattice: Lattice) => readonly State<Note>[],
): readonly Phased<Note>[] {
  for (const separators of [THEN, ANY]) {
    const cut = segmentsOf(lattice, separators);
    if (!cut || cut.segments.length > MOST) continue;
    const ways = cut.segments.map((segment) => phasesIn(segment, read));
    const count = ways.reduce((all, { length }) => all * length, 1);
    if (count === 0 || count > MOST_WAYS) continue;
    return combined(ways).map((phases) => together(phases, cut.stops));
  }
  return [];
}
const THEN = new Set(['then']);
const ANY = new Set(['then', 'comma']);

/** Returns what stands between the words that part phases, and whether an end follows them. */
function segmentsOf(lattice: Lattice, separators: ReadonlySet<string>) {
  const { length } = lattice.parts;
  const segments: Lattice[] = [];
  let from = 0;
  for (let at = 0; at < length; ) {
    if (lattice.edges[at]?.some((edge) => edge.term.is === 'stop' && edge.end === length)) {
      return segments.length + 1 < 2
        ? undefined
        : { segments: [...segments, ...pieceOf(lattice, from, at)], stops: true };
    }
    const parts = lattice.parts[at] !== ':';
    const ends = lattice.edges[at]?.filter(({ term: { is } }) => parts && separators.has(is)) ?? [];
    const end = Math.min(...ends.map((edge) => edge.end));
    if (ends.length > 0) {
      segments.push(...pieceOf(lattice, from, at));
      from = end;
    }
    at = ends.length > 0 ? end : at + 1;
  }
  segments.push(...pieceOf(lattice, from, length));
  return segments.length < 2 ? undefined : { segments, stops: false };
}

/** Returns the pieces from one place to another, without signs at their ends; none of no piece. */
function pieceOf(lattice: Lattice, from: number, to: number): Lattice[] {
  const isSign = (at: number) => lattice.edges[at]?.some(({ term: { is } }) => JOINING.has(is));
  let [first, last] = [from, to];
  while (first < last && isSign(first)) first++;
  while (last > first && isSign(last - 1)) last--;
  return first === last ? [] : [slice(lattice, first, last)];
}
const JOINING = new Set(['comma', 'and', 'then']);

function slice({ edges, parts, joined }: Lattice, from: number, to: number): Lattice {
  const within = (all: readonly Edge[]) =>
    all.filter(({ end }) => end <= to).map((edge) => ({ ...edge, end: edge.end - from }));
  return {
    edges: edges.slice(from, to).map(within),
    parts: parts.slice(from, to),
    joined: joined.slice(from, to),
  };
}

/** Returns the ways to read one phase: its days may stand before the rest of it or behind. */
function phasesIn<Note>(
  segment: Lattice,
  read: (lattice: Lattice) => readonly State<Note>[],
): Phase<Note>[] {
  const { length } = segment.parts;
  const found = read(segment).flatMap(lasting);
  for (let at = 0; at < length; at++) {
    for (const { value: days, end } of seq(span, sign)(segment, at)) {
      const [{ from, to }] = days;
      if (at > 0 && end < length) continue;
      const rest = at > 0 ? slice(segment, 0, at) : slice(segment, end, length);
      for (const phase of [...read(rest), ...alone(rest)])
        if (!phase.said.bounds && !phase.said.once)
          found.push({ ...phase, from, days: to - from + 1 });
    }
  }
  return [...new Map(found.map((one) => [keyOf(one), one])).values()];
}

const keyOf = <Note>({ said, days, from }: Phase<Note>) => JSON.stringify([said, days, from]);

/** A number alone, beside the days that it is for: two today. */
const alone = (lattice: Lattice): State<never>[] =>
  decimal(lattice, 0)
    .filter(({ end }) => end === lattice.parts.length)
    .map(({ value }) => ({ said: { amount: { value } }, notes: [] }));

const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7 };

/** Returns a phase with its length; none for one by months or a date. At once is one day. */
function lasting<Note>({ said, notes }: State<Note>): Phase<Note>[] {
  const { bounds, once, ...rest } = said;
  if (once) return bounds ? [] : [{ said: rest, notes, days: 1 }];
  if (!bounds) return [{ said: rest, notes }];
  if (bounds.kind === 'doses') return bounds.count === 1 ? [{ said: rest, notes, days: 1 }] : [];
  const unit = bounds.kind === 'duration' ? DAYS[bounds.unit] : undefined;
  if (bounds.kind !== 'duration' || !unit) return [];
  return [{ said: rest, notes, days: bounds.count * unit }];
}

/** Returns each choice of one way for each phase. */
function combined<T>(ways: readonly (readonly T[])[]): T[][] {
  return ways.reduce<T[][]>(
    (before, all) => before.flatMap((phases) => all.map((one) => [...phases, one])),
    [[]],
  );
}

/** Returns what phases mean together: no meaning where they do not follow each other. */
function together<Note>(phases: readonly Phase<Note>[], stops: boolean): Phased<Note> {
  const notes = phases.flatMap((phase) => phase.notes);
  const said = commonOf(phases);
  const amount = said && amountOf(phases);
  const total = lengthOf(phases, stops);
  if (!amount || total === undefined) return { said: {}, notes, meanings: [] };
  const bounds = total > 0 && ({ kind: 'duration', unit: 'day', count: total } as const);
  const all = meant({ ...said, amount, ...(bounds && { bounds }) });
  const meanings = all.filter(
    (one) => one.kind === 'calendar' && one.unit === 'day' && one.every === 1 && !one.cycle,
  );
  return { said, notes, meanings };
}

/** Returns how often all phases come. Undefined where they differ. */
function commonOf<Note>(phases: readonly Phase<Note>[]): Said | undefined {
  const often = phases.map(({ said: { amount: _, strength: __, ...rest } }) => rest);
  const named = often.filter((one) => Object.keys(one).length > 0);
  const [first = DAILY] = named;
  if (!named.every((one) => isDeepStrictEqual(one, first))) return undefined;
  if (named.length === often.length) return first;
  // Who says it once only cannot mean several times a day for the others.
  const [one] = meant(first);
  return one?.kind === 'calendar' && one.timesADay === 1 ? first : undefined;
}
const DAILY: Said = { every: { unit: 'day', count: 1 } };

/** Returns how many days there are, 0 without an end; undefined where they do not follow. */
function lengthOf<Note>(phases: readonly Phase<Note>[], stops: boolean): number | undefined {
  let total = 0;
  for (const [i, { days, from }] of phases.entries()) {
    const isLast = i === phases.length - 1;
    if (from !== undefined && from !== total + 1) return undefined;
    if (days === undefined) return isLast && !stops ? 0 : undefined;
    total += days;
  }
  return total;
}

/** Returns the amount of the first phase with the steps to those of the others. */
function amountOf<Note>(phases: readonly Phase<Note>[]): Amount | undefined {
  const amounts = phases.flatMap(({ said: { amount } }) => (amount && !amount.upTo ? amount : []));
  if (amounts.length < phases.length) return undefined;
  const units = new Set(amounts.flatMap(({ unit }) => unit ?? []));
  const strengths = phases.map(({ said: { strength, amount } }) => [strength, amount?.each]);
  const [first] = amounts;
  if (!first || units.size > 1) return undefined;
  if (!strengths.every((one) => isDeepStrictEqual(one, strengths[0]))) return undefined;
  if (amounts.some(({ value }, i) => value === amounts[i - 1]?.value)) return undefined;
  let after = 0;
  const steps = amounts.slice(1).map(({ value }, i) => {
    after += phases[i]?.days ?? 0;
    return { after, value };
  });
  const [unit] = units;
  return { ...first, ...(unit !== undefined && { unit }), steps };
}
