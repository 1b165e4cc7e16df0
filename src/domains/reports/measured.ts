import { exactValue, quantileInterval } from './catalogue/spread.js';
import { type Measure, type Subject, type Sums, sumsRead } from './catalogue/subject.js';
import type { Cell } from './fold.js';
import type { Interval } from './interval.js';
import type { SharedPart } from './noise.js';
import { type Noisy, ROUNDING } from './privacy.js';

/** Sums over cells, with the intervals of each. */
export interface Sum {
  readonly value: number;
  /** What the truth is within in any case, and in 19 of 20 cases. */
  readonly sure: Interval;
  readonly likely: Interval;
}

/** 19 of 20 values of a normal distribution are within so many standard deviations. */
const DEVIATIONS = 1.96;
/**
 * 99 of 100 are within so many: all numbers of a month have some of their noise in common, so that
 * of a month with much of it most intervals would be too narrow.
 */
const SHARED_DEVIATIONS = 2.58;

/**
 * What is added up of noisy numbers: their values, and what their noises are at most and likely.
 */
export interface Tally {
  value: number;
  most: number;
  variance: number;
  /** Numbers with a noise. */
  noisy: number;
  /** Of the parts of noises that numbers of one name share, the bounds added up by name. */
  together?: Map<string, { bound: number; numbers: number }>;
  /** Of these bounds, the squares added up. */
  squares: number;
}

/** Returns the tally of no numbers. */
const emptyTally = (): Tally => ({ value: 0, most: 0, variance: 0, noisy: 0, squares: 0 });

/**
 * Adds a noisy number to a tally, or takes one away that was added. Noises are uniform, each within
 * its bound, and independent, but for the parts that numbers of one name share: these add up.
 */
function tally(sum: Tally, number: Noisy, sign: 1 | -1 = 1): void {
  const { value, most, variance } = alone(number);
  sum.value += sign * value;
  if (most === 0) return;
  sum.noisy += sign;
  sum.most += sign * most;
  sum.variance += sign * variance;
  for (const part of number.shared ?? []) hold(sum, part, sign);
  // Nothing is left of what was rounded on the way.
  if (sum.noisy === 0) Object.assign(sum, { most: 0, variance: 0, squares: 0 });
}

/** What a sum is made of. */
type Summed = Pick<Tally, 'value' | 'most' | 'variance' | 'squares'>;

/** Returns the tally of one number, as of no other. */
function alone({ value, bound, shared = [], error = 0 }: Noisy): Summed {
  if (bound === 0) return { value, most: 0, variance: 0, squares: 0 };
  let [own, squares] = [bound, 0];
  for (const part of shared) {
    own -= part.bound;
    squares += part.bound ** 2;
  }
  return {
    value,
    most: bound + ROUNDING.most + error,
    variance: own ** 2 / 3 + ROUNDING.variance + (error / DEVIATIONS) ** 2,
    squares,
  };
}

function hold(sum: Tally, { name, bound }: SharedPart, sign: 1 | -1): void {
  sum.together ??= new Map();
  const known = sum.together.get(name);
  const held = known ?? { bound: 0, numbers: 0 };
  sum.squares -= held.bound ** 2;
  held.bound += sign * bound;
  held.numbers += sign;
  if (held.numbers === 0) return void sum.together.delete(name);
  if (!known) sum.together.set(name, held);
  sum.squares += held.bound ** 2;
}

/** Returns the sum of a tally, with its intervals. */
export function sumOf({ value, most, variance, squares }: Summed): Sum {
  const square = (SHARED_DEVIATIONS ** 2 * squares) / 3 + DEVIATIONS ** 2 * variance;
  const likely = Math.min(most, Math.ceil(Math.sqrt(Math.max(0, square))));
  return { value, sure: around(value, most), likely: around(value, likely) };
}

const around = (value: number, by: number): Interval => ({
  low: Math.max(0, Math.ceil(value - by)),
  high: Math.floor(value + by),
});

const NOTHING: Interval = { low: 0, high: 0 };

/** What is needed of sums: whether their intervals are. */
export interface Needed {
  readonly intervals: boolean;
}

/** Returns the sums of cells, by the names of the counts of their subject. */
export function sumsOf(
  cells: readonly Cell[],
  accounts: Noisy,
  needed: Needed,
): ReadonlyMap<string, Sum> {
  const sums = new Map<string, Sum>();
  const [first] = cells;
  if (first && cells.length === 1) {
    const { sums: own = {} } = first.numbers?.() ?? {};
    for (const name in own) {
      const number = own[name];
      if (number) sums.set(name, needed.intervals ? sumOf(alone(number)) : withoutInterval(number));
    }
  } else {
    const tallies = new Map<string, Tally>();
    for (const cell of cells) tallyCell(tallies, cell, needed);
    for (const [name, sum] of tallies) sums.set(name, sumOf(sum));
  }
  return sums.set('accounts', sumOf(alone(accounts)));
}

/** Returns a sum of which no interval is needed. */
function withoutInterval({ value }: Noisy): Sum {
  return { value, sure: NOTHING, likely: NOTHING };
}

/** Adds the numbers of a cell to the tallies of their counts, or takes them away again. */
export function tallyCell(
  tallies: Map<string, Tally>,
  cell: Cell,
  { intervals }: Needed,
  sign: 1 | -1 = 1,
): void {
  const { sums = {} } = cell.numbers?.() ?? {};
  for (const name in sums) {
    const number = sums[name];
    if (!number) continue;
    const sum = tallies.get(name) ?? emptyTally();
    tallies.set(name, sum);
    if (intervals) tally(sum, number, sign);
    else sum.value += sign * number.value;
  }
}

/** Returns the value of a measure; null when there is nothing to divide by. */
export const measureOf = (measure: Measure, sums: ReadonlyMap<string, Sum>): number | null =>
  bounded(
    measure,
    picked(measure, sums, ({ value }) => value),
  );

/** Noise may make more of a part than of the whole; no share is above 1. */
function bounded({ of, most = Number.POSITIVE_INFINITY }: Measure, sums: Sums): number | null {
  const value = of(sums);
  return value === null ? null : Math.min(most, value);
}

/**
 * Returns the interval of a measure, in its own unit: what it is at the ends of the intervals of
 * its sums. Every measure rises or falls with each sum, whatever the others are, but for numbers of
 * a spread, which have the ends of buckets. Null for no value.
 */
export function intervalOf(
  measure: Measure,
  sums: ReadonlyMap<string, Sum>,
  which: 'sure' | 'likely' = 'likely',
): Interval | null {
  const value = measureOf(measure, sums);
  if (value === null) return null;
  if (
    measure.quantile &&
    exactValue(
      measure.quantile,
      picked(measure, sums, ({ value: of }) => of),
    ) !== null
  )
    return { low: value, high: value };
  if (measure.quantile)
    return quantileInterval(measure.quantile, (name) => sums.get(name)?.[which] ?? NOTHING);
  const rises = (name: string) => risesWith(measure, name, sums);
  const sumsAt = (end: 'low' | 'high') =>
    picked(
      measure,
      sums,
      (sum, name) => sum[which][rises(name) === (end === 'high') ? 'high' : 'low'],
    );
  const highest = sumsAt('high');
  // A rate is of something: where there may be nothing to divide by, it is highest of one.
  const ofOne = () => picked(measure, sums, (_, name) => highest[name] || (rises(name) ? 0 : 1));
  return {
    low: Math.min(bounded(measure, sumsAt('low')) ?? value, value),
    high: Math.max(bounded(measure, highest) ?? bounded(measure, ofOne()) ?? value, value),
  };
}

/** Whether measures rise with sums, by their names: these are the same for each row. */
const rising = new WeakMap<Measure, Map<string, boolean>>();

/** Returns whether a measure rises with a sum, as it does where the first sum is the largest. */
function risesWith(measure: Measure, name: string, sums: ReadonlyMap<string, unknown>): boolean {
  const known = rising.get(measure) ?? new Map<string, boolean>();
  rising.set(measure, known);
  const rises = known.get(name) ?? probed(measure, name, [...sums.keys()]);
  known.set(name, rises);
  return rises;
}

function probed({ of }: Measure, name: string, names: readonly string[]): boolean {
  const probe = Object.fromEntries(names.map((each, i) => [each, i === 0 ? 2_000 : 1_000]));
  const more = { ...probe, [name]: (probe[name] ?? 0) + 1 };
  return (of(more) ?? 0) >= (of(probe) ?? 0);
}

/**
 * Returns what is picked of the sums that a measure is made of. Of a number of a spread these are
 * all: of one's own facts each number has a sum.
 */
function picked(
  measure: Measure,
  sums: ReadonlyMap<string, Sum>,
  pick: (sum: Sum, name: string) => number,
): Sums {
  const values: Record<string, number> = {};
  for (const name of measure.quantile ? sums.keys() : sumsRead(measure)) {
    const sum = sums.get(name);
    if (sum) values[name] = pick(sum, name);
  }
  return values;
}

/** Returns the measures that `margin` is of: those that count. */
export const countedOf = ({ measures }: Subject): readonly Measure[] =>
  measures.filter(({ type }) => type === 'int');

/** Returns how far a count of a subject may be from the truth at most. */
export function marginOf(subject: Subject, sums: ReadonlyMap<string, Sum>): number {
  const widths = countedOf(subject).map((measure) => {
    const { low, high } = intervalOf(measure, sums, 'sure') ?? { low: 0, high: 0 };
    const value = measureOf(measure, sums) ?? 0;
    return Math.max(high - value, value - low);
  });
  return Math.max(0, ...widths);
}
