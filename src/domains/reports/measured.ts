import { exactValue, quantileInterval } from './catalogue/spread.js';
import type { Measure, Subject, Sums } from './catalogue/subject.js';
import type { Cell } from './fold.js';
import type { Interval } from './interval.js';
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
  readonly together: Map<string, { bound: number; numbers: number }>;
  /** Of these bounds, the squares added up. */
  squares: number;
}

/** Returns the tally of no numbers. */
export const emptyTally = (): Tally => ({
  value: 0,
  most: 0,
  variance: 0,
  noisy: 0,
  together: new Map(),
  squares: 0,
});

/**
 * Adds a noisy number to a tally, or takes one away that was added. Noises are uniform, each within
 * its bound, and independent, but for the parts that numbers of one name share: these add up.
 */
export function tally(sum: Tally, number: Noisy, sign: 1 | -1 = 1): void {
  const { value, bound, shared = [], error = 0 } = number;
  sum.value += sign * value;
  if (bound === 0) return;
  sum.noisy += sign;
  const own = (bound - shared.reduce((held, part) => held + part.bound, 0)) ** 2 / 3;
  sum.most += sign * (bound + ROUNDING.most + error);
  sum.variance += sign * (own + ROUNDING.variance + (error / DEVIATIONS) ** 2);
  for (const part of shared) hold(sum, part, sign);
  // Nothing is left of what was rounded on the way.
  if (sum.noisy === 0) Object.assign(sum, { most: 0, variance: 0, squares: 0 });
}

function hold(sum: Tally, { name, bound }: SharedNoise, sign: 1 | -1): void {
  const held = sum.together.get(name) ?? { bound: 0, numbers: 0 };
  sum.squares -= held.bound ** 2;
  held.bound += sign * bound;
  held.numbers += sign;
  if (held.numbers === 0) return void sum.together.delete(name);
  sum.together.set(name, held);
  sum.squares += held.bound ** 2;
}

type SharedNoise = NonNullable<Noisy['shared']>[number];

/** Returns the sum of a tally, with its intervals. */
export function sumOf({ value, most, variance, squares }: Tally): Sum {
  const square = (SHARED_DEVIATIONS ** 2 * squares) / 3 + DEVIATIONS ** 2 * variance;
  const likely = Math.min(most, Math.ceil(Math.sqrt(Math.max(0, square))));
  return { value, sure: around(value, most), likely: around(value, likely) };
}

/** Adds noisy numbers up. */
export function summed(numbers: readonly Noisy[]): Sum {
  const sum = emptyTally();
  for (const number of numbers) tally(sum, number);
  return sumOf(sum);
}

const around = (value: number, by: number): Interval => ({
  low: Math.max(0, Math.ceil(value - by)),
  high: Math.floor(value + by),
});

/** Returns the sums of cells, by the names of the counts of their subject. */
export function sumsOf(cells: readonly Cell[], accounts: Noisy): ReadonlyMap<string, Sum> {
  const tallies = new Map<string, Tally>();
  for (const { sums = {} } of cells)
    for (const [name, number] of Object.entries(sums)) {
      const sum = tallies.get(name) ?? emptyTally();
      tallies.set(name, sum);
      tally(sum, number);
    }
  const sums = [...tallies].map(([name, sum]) => [name, sumOf(sum)] as const);
  return new Map([...sums, ['accounts', summed([accounts])]]);
}

/** Returns the value of a measure; null when there is nothing to divide by. */
export const measureOf = (measure: Measure, sums: ReadonlyMap<string, Sum>): number | null =>
  bounded(
    measure,
    at(sums, ({ value }) => value),
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
      at(sums, ({ value: of }) => of),
    ) !== null
  )
    return { low: value, high: value };
  if (measure.quantile)
    return quantileInterval(measure.quantile, (name) => sums.get(name)?.[which] ?? NOTHING);
  const names = [...sums.keys()];
  const rises = new Map(names.map((name) => [name, risesWith(measure, name, names)]));
  const ends = (['low', 'high'] as const).map((end) =>
    bounded(
      measure,
      at(sums, (sum, name) => sum[which][rises.get(name) === (end === 'high') ? 'high' : 'low']),
    ),
  );
  const [low, high] = ends.map((end) => end ?? value) as [number, number];
  return { low: Math.min(low, value), high: Math.max(high, value) };
}

/** Whether measures rise with sums, by their names: these are the same for each row. */
const rising = new WeakMap<Measure, Map<string, boolean>>();

/** Returns whether a measure rises with a sum, as it does where the first sum is the largest. */
function risesWith(measure: Measure, name: string, names: readonly string[]): boolean {
  const known = rising.get(measure) ?? new Map<string, boolean>();
  rising.set(measure, known);
  const rises = known.get(name) ?? probed(measure, name, names);
  known.set(name, rises);
  return rises;
}

function probed({ of }: Measure, name: string, names: readonly string[]): boolean {
  const probe = Object.fromEntries(names.map((each, i) => [each, i === 0 ? 2_000 : 1_000]));
  const more = { ...probe, [name]: (probe[name] ?? 0) + 1 };
  return (of(more) ?? 0) >= (of(probe) ?? 0);
}

const NOTHING: Interval = { low: 0, high: 0 };

const at = (sums: ReadonlyMap<string, Sum>, pick: (sum: Sum, name: string) => number): Sums =>
  Object.fromEntries([...sums].map(([name, sum]) => [name, pick(sum, name)]));

/** Returns how far a count of a subject may be from the truth at most. */
export function marginOf({ measures }: Subject, sums: ReadonlyMap<string, Sum>): number {
  const widths = measures
    .filter(({ type }) => type === 'int')
    .map((measure) => {
      const { low, high } = intervalOf(measure, sums, 'sure') ?? { low: 0, high: 0 };
      const value = measureOf(measure, sums) ?? 0;
      return Math.max(high - value, value - low);
    });
  return Math.max(0, ...widths);
}
