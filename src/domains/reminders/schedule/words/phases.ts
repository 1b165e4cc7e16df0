import type { Edge, Lattice } from './lattice.js';
import { decimal, whole } from './number.rules.js';
import { alt, as, mark, opt, type Parse, seq, term, unless } from './parse.js';
import type { Note as Kept, PhrasePart } from './said.js';
import { type Course, combined, MOST_WAYS, type Phase, type State, together } from './sequence.js';

/** Most phases of a course. */
const MOST = 20;

const unit = term('unit', (one) => (one.unit === 'day' || one.unit === 'week') && !one.brief);
/** On day 4. Of days 4 nobody knows whether they are four of them. */
const oneOf = term(
  'unit',
  (one) => (one.unit === 'day' || one.unit === 'week') && !one.brief && !one.plural,
);
/** Hours of a unit that the first so many may be of. */
const A_DAY = 24;
const HOURS: Readonly<Record<string, number>> = { hour: 1, day: A_DAY, week: 7 * A_DAY };
const first: Parse<number> = as(
  term('unit', (one) => !one.brief),
  (one) => [HOURS[one.unit] ?? 0].filter((hours) => hours > 0),
);
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
    as(seq(lead, oneOf, whole), ([, one, number]) => spanOf(one.unit, number, number)),
    alt(mark('onward'), seq(mark('dash', 'to'), whole)),
  ),
  as(seq(lead, unit, whole, mark('dash', 'to'), whole), ([, one, first, , last]) =>
    last > first ? spanOf(one.unit, first, last) : [],
  ),
  // On days 1 and 2.
  unless(
    as(seq(lead, unit, whole, mark('and', 'slash'), whole), ([, one, first, , last]) =>
      last === first + 1 ? spanOf(one.unit, first, last) : [],
    ),
    seq(mark('and', 'comma', 'slash', 'dash'), whole),
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
      first,
    ),
    ([, , , count = 1, length]) =>
      (count * length) % A_DAY === 0 ? [{ from: 1, to: (count * length) / A_DAY }] : [],
  ),
  // Les 5 premiers jours.
  as(
    seq(
      lead,
      opt(mark('lead')),
      whole,
      term('ordinal', ({ value }) => value === 1),
      first,
    ),
    ([, , count, , length]) =>
      (count * length) % A_DAY === 0 ? [{ from: 1, to: (count * length) / A_DAY }] : [],
  ),
  as(mark('today'), () => [{ from: 1, to: 1 }]),
);
const sign = opt(mark('comma'));

/**
 * Reads a course in phases, one after the other: 40 mg for 3 days, then 20 mg for 3 days, then
 * stop; two today, then one daily; 2 tablets on day 1, 1 tablet on days 2-5; 1 bd for 7 days, then
 * 1 od. Each phase but the last says how long it is. They come once a day where none says how
 * often. What comes equally often has an amount in each; what does not says then between its
 * phases, or the days of each, and keeps the amount of the phase before. `read` reads the words of
 * one phase in all ways.
 */
export function phasesOf<Note extends Kept>(
  lattice: Lattice,
  read: (lattice: Lattice) => readonly State<Note>[],
): readonly Course<Note>[] {
  for (const separators of [THEN, ANY]) {
    const cut = segmentsOf(lattice, separators);
    if (!cut || cut.segments.length > MOST) continue;
    const ways = cut.segments.map((segment, i) => phasesIn(segment, read, i > 0));
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
  isLater: boolean,
): Phase<Note>[] {
  const { length } = segment.parts;
  const whole = read(segment);
  // Daily x 7 is 7 days either way; bd x 7 may be 7 doses, which are no days.
  if (whole.some(isByDoses)) return [];
  const found: Omit<Phase<Note>, 'follows'>[] = whole.flatMap((one) => lasting(one, isLater));
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
const eachDay = (said: PhrasePart): PhrasePart =>
  said.count !== undefined && !said.per && !said.every ? { ...said, per: 'day' } : said;

/** A number alone, beside the days that it is for: two today. */
const alone = (lattice: Lattice): State<never>[] =>
  decimal(lattice, 0)
    .filter(({ end }) => end === lattice.parts.length)
    .map(({ value }) => ({ said: { amount: { value } }, notes: [] }));

/** Returns whether a phase lasts so many doses that do not come once a day. */
const isByDoses = <Note>({ said: { bounds, every, count = 1, at, interval } }: State<Note>) =>
  bounds?.kind === 'doses' &&
  bounds.count > 1 &&
  (interval !== undefined ||
    every?.unit !== 'day' ||
    every.count * count * (at?.length ?? 1) !== 1);

const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7 };

/**
 * Returns whether so many hours are whole days: of what comes by hours, or every day behind another
 * phase. Of 24 hours nobody knows whether they are one day.
 */
const hasWholeDays = ({ interval, every, per }: PhrasePart, hours: number, isLater: boolean) =>
  hours % A_DAY === 0 &&
  (interval !== undefined ||
    (isLater && hours > A_DAY && ((every?.unit === 'day' && every.count === 1) || per === 'day')));

/** Returns a phase with its length; none for one by months or a date. At once is one day. */
function lasting<Note>(
  { said, notes }: State<Note>,
  isLater: boolean,
): Omit<Phase<Note>, 'follows'>[] {
  const { bounds, once, atOnce: _, hoursLong, ...rest } = said;
  if (hoursLong !== undefined) {
    const isWhole = hasWholeDays(rest, hoursLong, isLater) && !bounds && !once;
    return isWhole ? [{ said: rest, notes, days: hoursLong / A_DAY }] : [];
  }
  if (once) return bounds ? [] : [{ said: rest, notes, days: 1 }];
  if (!bounds) return [{ said: rest, notes }];
  if (bounds.kind === 'doses') return bounds.count === 1 ? [{ said: rest, notes, days: 1 }] : [];
  const unit = bounds.kind === 'duration' ? DAYS[bounds.unit] : undefined;
  if (bounds.kind !== 'duration' || !unit) return [];
  return [{ said: rest, notes, days: bounds.count * unit }];
}
