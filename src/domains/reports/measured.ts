import type { Measure, Subject, Sums } from './catalogue/subject.js';
import type { Cell } from './fold.js';
import { type Noisy, ROUNDING } from './privacy.js';

/** The least and the most that a number may be. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Sums over cells, with the intervals of each. */
export interface Sum {
  readonly value: number;
  /** What the truth is within in any case, and in 19 of 20 cases. */
  readonly sure: Interval;
  readonly likely: Interval;
}

/** 19 of 20 values of a normal distribution are within so many standard deviations. */
const DEVIATIONS = 1.96;

/** What is added up of noisy numbers: their values, and what their noises are at most and likely. */
export interface Tally {
  readonly value: number;
  readonly most: number;
  readonly variance: number;
  /** Of the parts of noises that numbers of one name share, the bounds added up by name. */
  readonly together: ReadonlyMap<string, number>;
}

/** The tally of no numbers. */
export const NO_TALLY: Tally = { value: 0, most: 0, variance: 0, together: new Map() };

/**
 * Adds a noisy number up. Noises are uniform, each within its bound, and independent, but for the
 * part that numbers of one name share: that is taken for the most that it can be.
 */
export function tallied(tally: Tally, number: Noisy): Tally {
  if (!number.shared || number.bound === 0) return added(tally, number);
  const together = new Map(tally.together);
  for (const shared of number.shared) hold(together, shared);
  return { ...added(tally, number), together };
}

function added(tally: Tally, { value, bound, shared = [], error = 0 }: Noisy): Tally {
  const sum = { ...tally, value: tally.value + value };
  if (bound === 0) return sum;
  const held = shared.reduce((sum, part) => sum + part.bound, 0);
  const own = (bound - held) ** 2 / 3;
  return {
    ...sum,
    most: tally.most + bound + ROUNDING.most + error,
    variance: tally.variance + own + ROUNDING.variance + (error / DEVIATIONS) ** 2,
  };
}

function hold(
  together: Map<string, number>,
  { name, bound }: NonNullable<Noisy['shared']>[number],
): void {
  together.set(name, (together.get(name) ?? 0) + bound);
}

/** Returns the sum of a tally, with its intervals. */
export function sumOf({ value, most, variance, together }: Tally): Sum {
  const held = Math.hypot(...together.values());
  const likely = Math.min(most, Math.ceil(held + DEVIATIONS * Math.sqrt(variance)));
  return { value, sure: around(value, most), likely: around(value, likely) };
}

/** Adds noisy numbers up. */
export function summed(numbers: readonly Noisy[]): Sum {
  const together = new Map<string, number>();
  for (const { shared = [], bound } of numbers)
    if (bound > 0) for (const part of shared) hold(together, part);
  return sumOf({ ...numbers.reduce(added, NO_TALLY), together });
}

const around = (value: number, by: number): Interval => ({
  low: Math.max(0, Math.ceil(value - by)),
  high: Math.floor(value + by),
});

/** Returns the sums of cells, by the names of the counts of their subject. */
export function sumsOf(cells: readonly Cell[], accounts: Noisy): ReadonlyMap<string, Sum> {
  const names = new Set(cells.flatMap(({ sums }) => Object.keys(sums ?? {})));
  const sums = [...names].map(
    (name) => [name, summed(cells.flatMap((cell) => cell.sums?.[name] ?? []))] as const,
  );
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
 * Returns the interval of a measure, in its own unit: what it is at the ends of the intervals of its
 * sums. Every measure rises or falls with each sum, whatever the others are. Null for no value.
 */
export function intervalOf(
  measure: Measure,
  sums: ReadonlyMap<string, Sum>,
  which: 'sure' | 'likely' = 'likely',
): Interval | null {
  const value = measureOf(measure, sums);
  if (value === null) return null;
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

/** Returns whether a measure rises with a sum, as it does where the first sum is the largest. */
function risesWith({ of }: Measure, name: string, names: readonly string[]): boolean {
  const probe = Object.fromEntries(names.map((each, i) => [each, i === 0 ? 2_000 : 1_000]));
  const more = { ...probe, [name]: (probe[name] ?? 0) + 1 };
  return (of(more) ?? 0) >= (of(probe) ?? 0);
}

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
