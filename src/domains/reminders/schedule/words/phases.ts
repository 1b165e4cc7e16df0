import { isDeepStrictEqual } from 'node:util';
import type { Edge, Lattice } from './lattice.js';
import type { Amount, Calendar, Meaning, Phase as MeantPhase } from './meaning.js';
import { meant } from './meant.js';
import { decimal, whole } from './number.rules.js';
import { alt, as, mark, opt, type Parse, seq, term, unless } from './parse.js';
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

/** A course in phases that differ by their amounts, or by how often they come. */
export interface Course<Note> extends State<Note> {
  readonly meanings: readonly Meaning[];
}

/** A phase: how many days it lasts, where that is said, and what is taken in it. */
interface Phase<Note> extends State<Note> {
  readonly days?: number;
  /** From which day of the course on, where that is said. */
  readonly from?: number | undefined;
  /** Whether a word says that it follows the one before. */
  readonly follows: boolean;
}

const unit = term('unit', (one) => (one.unit === 'day' || one.unit === 'week') && !one.brief);
const day = term('unit', (one) => one.unit === 'day' && !one.brief);
const lead = opt(mark('lead', 'on', 'at', 'for'));
interface Span {
  /** Days of the course, from 1. */
  readonly from: number;
  /** None: without end. */
  readonly to?: number;
}
const LENGTHS: Readonly<Record<string, number>> = { day: 1, week: 7 };

/** Returns days of the course by the numbers of days or weeks. */
function spanOf(one: string, first: number, last: number | undefined): Span[] {
  const length = LENGTHS[one] as number;
  const from = (first - 1) * length + 1;
  if (first < 1 || (last !== undefined && last < first)) return [];
  return [{ from, ...(last !== undefined && { to: last * length }) }];
}
/** On day 1, days 2-5, week 2, day 8 onwards, from day 8, on the first day, today. */
const span: Parse<Span> = alt(
  unless(
    as(seq(lead, unit, whole), ([, one, number]) => spanOf(one.unit, number, number)),
    alt(mark('onward'), seq(mark('dash', 'to'), whole)),
  ),
  as(seq(lead, unit, whole, mark('dash', 'to'), whole), ([, one, first, , last]) =>
    last > first ? spanOf(one.unit, first, last) : [],
  ),
  as(seq(opt(mark('from')), lead, unit, whole, mark('onward')), ([, , one, first]) =>
    spanOf(one.unit, first, undefined),
  ),
  unless(
    as(seq(mark('from'), unit, whole), ([, one, first]) => spanOf(one.unit, first, undefined)),
    alt(mark('onward'), seq(mark('dash', 'to'), whole)),
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
 * two today, then one daily; 2 tablets on day 1, 1 tablet on days 2-5; 1 bd for 7 days, then 1 od.
 * Each phase but the last says how long it is. They come once a day where none says how often. What
 * comes equally often has an amount in each; what does not says then between its phases, or the days
 * of each, and keeps the amount of the phase before. `read` reads the words of one phase in all ways.
 */
export function phasesOf<Note>(
  lattice: Lattice,
  read: (lattice: Lattice) => readonly State<Note>[],
): readonly Course<Note>[] {
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

/** A phase in words. */
interface Segment {
  readonly words: Lattice;
  /** Whether a word says that it follows the one before. */
  readonly follows: boolean;
}

/** Returns what stands between the words that part phases, and whether an end follows them. */
function segmentsOf(lattice: Lattice, separators: ReadonlySet<string>) {
  const { length } = lattice.parts;
  const segments: Segment[] = [];
  let [from, follows] = [0, false];
  const close = (to: number) => {
    const words = pieceOf(lattice, from, to);
    if (words) segments.push({ words, follows });
    if (words) follows = false;
  };
  for (let at = 0; at < length; ) {
    if (lattice.edges[at]?.some((edge) => edge.term.is === 'stop' && edge.end === length)) {
      close(at);
      return segments.length < 2 ? undefined : { segments, stops: true };
    }
    const parts = lattice.parts[at] !== ':';
    const ends = lattice.edges[at]?.filter(({ term: { is } }) => parts && separators.has(is)) ?? [];
    if (ends.length === 0) {
      at++;
      continue;
    }
    close(at);
    follows ||= ends.some(({ term }) => term.is === 'then');
    from = Math.min(...ends.map(({ end }) => end));
    at = from;
  }
  close(length);
  return segments.length < 2 ? undefined : { segments, stops: false };
}

/** Returns the pieces from one place to another, without signs at their ends; undefined of none. */
function pieceOf(lattice: Lattice, from: number, to: number): Lattice | undefined {
  const isSign = (at: number) => lattice.edges[at]?.some(({ term: { is } }) => JOINING.has(is));
  let [first, last] = [from, to];
  while (first < last && isSign(first)) first++;
  while (last > first && isSign(last - 1)) last--;
  return first === last ? undefined : slice(lattice, first, last);
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
  { words: segment, follows }: Segment,
  read: (lattice: Lattice) => readonly State<Note>[],
): Phase<Note>[] {
  const { length } = segment.parts;
  const found: Omit<Phase<Note>, 'follows'>[] = read(segment).flatMap(lasting);
  for (let at = 0; at < length; at++) {
    for (const { value: days, end } of seq(span, sign)(segment, at)) {
      const [{ from, to }] = days;
      if (at > 0 && end < length) continue;
      const rest = at > 0 ? slice(segment, 0, at) : slice(segment, end, length);
      for (const { said, notes } of [...read(rest), ...alone(rest)])
        if (!said.bounds && !said.once)
          found.push({
            said: eachDay(said),
            notes,
            from,
            ...(to !== undefined && { days: to - from + 1 }),
          });
    }
  }
  const each = new Map(found.map((one) => [keyOf(one), { ...one, follows }]));
  return [...each.values()];
}

const keyOf = <Note>({ said, days, from }: Omit<Phase<Note>, 'follows'>) =>
  JSON.stringify([said, days, from]);

/** Once on day 1, twice on days 2-5: so many times a day. */
const eachDay = (said: Said): Said =>
  said.count !== undefined && !said.per && !said.every ? { ...said, per: 'day' } : said;

/** A number alone, beside the days that it is for: two today. */
const alone = (lattice: Lattice): State<never>[] =>
  decimal(lattice, 0)
    .filter(({ end }) => end === lattice.parts.length)
    .map(({ value }) => ({ said: { amount: { value } }, notes: [] }));

const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7 };

/** Returns a phase with its length; none for one by months or a date. At once is one day. */
function lasting<Note>({ said, notes }: State<Note>): Omit<Phase<Note>, 'follows'>[] {
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
function together<Note>(phases: readonly Phase<Note>[], stops: boolean): Course<Note> {
  const notes = phases.flatMap((phase) => phase.notes);
  const total = lengthOf(phases, stops);
  const ways = total === undefined ? [] : phases.map((phase) => oftenIn(phase, phases));
  const count = ways.reduce((all, { length }) => all * length, 1);
  if (total === undefined || count > MOST_WAYS) return { said: {}, notes, meanings: [] };
  const meanings = combined(ways).flatMap((often) =>
    often.every((one) => isDeepStrictEqual(one, often[0]) && one.unit === 'day' && one.every === 1)
      ? tapered(phases, often[0] as Often, total)
      : differing(phases, often),
  );
  return { said: {}, notes, meanings };
}

type Often = MeantPhase['often'];

/** Returns how often a phase comes; what does not say it comes as the others, if that is once a day. */
function oftenIn<Note>({ said }: Phase<Note>, phases: readonly Phase<Note>[]): Often[] {
  const own = saidOften(said);
  const often = meant(own ?? commonOf(phases) ?? {});
  return often.flatMap((one) =>
    one.kind === 'calendar' && !one.bounds && (own || one.timesADay === 1) ? [one] : [],
  );
}

/** Returns how often all phases come that say it, daily where none does. Undefined where they differ. */
function commonOf<Note>(phases: readonly Phase<Note>[]): Said | undefined {
  const [first = DAILY, ...others] = phases.flatMap(({ said }) => saidOften(said) ?? []);
  return others.every((one) => isDeepStrictEqual(one, first)) ? first : undefined;
}
const DAILY: Said = { every: { unit: 'day', count: 1 } };

function saidOften({ amount: _, strength: __, ...often }: Said): Said | undefined {
  return Object.keys(often).length > 0 ? often : undefined;
}

/** Returns the course of days that differ by their amounts. */
function tapered<Note>(phases: readonly Phase<Note>[], often: Often, total: number): Meaning[] {
  const amount = keptAmount(phases);
  const changes = (amount?.steps?.length ?? 0) === phases.length - 1;
  if (!amount || !changes || phases.some(({ said }) => !said.amount)) return [];
  const bounds = total > 0 && ({ kind: 'duration', unit: 'day', count: total } as const);
  return often.cycle ? [] : [{ ...often, ...(bounds && { bounds }), amount }];
}

/** Returns what phases mean that come differently often. */
function differing<Note>(phases: readonly Phase<Note>[], often: readonly Often[]): Meaning[] {
  const amount = keptAmount(phases);
  const fit = often.every((one, i) => isPhase(one, phases[i]?.days));
  if (!isSequence(phases, often) || !fit || amount === null) return [];
  const all = often.map((one, i): MeantPhase => {
    const days = phases[i]?.days;
    return { ...(days !== undefined && { days }), often: one };
  });
  const changed = all.every((one, i) => {
    const before = all[i - 1];
    return !before || !isDeepStrictEqual(one.often, before.often) || isStep(amount, all, i);
  });
  return changed ? [{ kind: 'phased', phases: all, ...(amount && { amount }) }] : [];
}

/**
 * Returns whether phases follow each other: by a word, or by the days of each. Where a word stands
 * before the last one only, those with times of the day may as well be for the same days: 1 in the
 * morning for 7 days, 2 at night for 7 days, then 1 daily.
 */
function isSequence<Note>(phases: readonly Phase<Note>[], often: readonly Often[]): boolean {
  const [, ...later] = phases;
  const isList = later.at(-1)?.follows === true && !often.some(({ at }) => at);
  return isList || later.every(({ from, follows }) => follows || from !== undefined);
}

/** Returns whether the amount changes with a phase. */
function isStep(amount: Amount | undefined, phases: readonly MeantPhase[], i: number): boolean {
  const after = phases.slice(0, i).reduce((sum, { days = 0 }) => sum + days, 0);
  return amount?.steps?.some((step) => step.after === after) === true;
}

const LEAST = { day: 1, week: 7, month: 28, year: 365 } as const;

/** A phase is at least as long as its period, and has one amount. */
const isPhase = ({ unit, every, at }: Calendar, days = Number.POSITIVE_INFINITY): boolean =>
  !at?.some(({ amount }) => amount) && days >= LEAST[unit] * every;

/**
 * Returns the amount of the first phase with its steps, where a phase without one keeps that of the
 * phase before; undefined where none has one, null where they do not fit.
 */
function keptAmount<Note>(phases: readonly Phase<Note>[]): Amount | undefined | null {
  const stated = phases.map(({ said: { amount, strength } }) => ({ amount, strength }));
  if (stated.every(({ amount, strength }) => !amount && !strength)) return undefined;
  const [first] = stated;
  const amounts = stated.flatMap(({ amount }) => amount ?? []);
  const [unit, another] = new Set(amounts.flatMap((one) => one.unit ?? []));
  if (!first?.amount || another !== undefined || amounts.some(({ upTo }) => upTo)) return null;
  const { each } = first.amount;
  const unlike =
    amounts.some((one) => !isDeepStrictEqual(one.each, each)) ||
    stated.some(({ strength: one }) => one && !isDeepStrictEqual(one, first.strength));
  return unlike ? null : stepped({ ...first.amount, ...(unit !== undefined && { unit }) }, phases);
}

/** Returns an amount with the steps to those of later phases. */
function stepped<Note>(first: Amount, phases: readonly Phase<Note>[]): Amount {
  let [after, last] = [0, first.value];
  const steps = phases.flatMap(({ said: { amount }, days = 0 }) => {
    const { value = last } = amount ?? {};
    const step = value === last ? [] : [{ after, value }];
    after += days;
    last = value;
    return step;
  });
  return steps.length > 0 ? { ...first, steps } : first;
}

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
