import type { Interval } from '../interval.js';
import type { Measure, Quantile, Spread, Sums } from './subject.js';

/** Returns the names of the counts of buckets, in order. */
export const bucketNames = ({ column, ends }: Spread): readonly string[] =>
  ends.slice(1).map((_, i) => `${column} ${i}`);

/** Returns the names of the counts that count a number: that of its bucket; none for no number. */
export function bucketsWith(spread: Spread, number: number | null): readonly string[] {
  if (number === null) return [];
  const at = spread.ends.slice(1, -1).findIndex((end) => number <= end);
  return bucketNames(spread).slice(at, at < 0 ? undefined : at + 1);
}

/**
 * Returns the names of the counts of buckets that have no number of a band: each band is up to its
 * last number, and one that is not named is of those above all.
 */
export function bucketsOutside(
  spread: Spread,
  bands: readonly (readonly [name: string, last: number])[],
  band: string,
): readonly string[] {
  const named = bands.findIndex(([name]) => name === band);
  const at = named < 0 ? bands.length : named;
  const above = bands[at - 1]?.[1] ?? Number.NEGATIVE_INFINITY;
  const last = bands[at]?.[1] ?? Number.POSITIVE_INFINITY;
  const ends = spread.ends.slice(1, -1);
  return bucketNames(spread).filter(
    (_, i) =>
      (ends[i - 1] ?? Number.NEGATIVE_INFINITY) >= last ||
      (ends[i] ?? Number.POSITIVE_INFINITY) <= above,
  );
}

/**
 * Returns the measures of a spread: its median and its 90th percentile. `title` is what their names
 * end with, `what` says of what they are and in which unit.
 */
export function quantilesOf(spread: Spread, title: string, what: string): readonly Measure[] {
  const ends = spread.ends.map((end) => end.toLocaleString('en')).join(', ');
  const measure = (name: string, part: number, share: string): Measure => ({
    name: `${name}${title}`,
    type: 'float',
    description:
      `${share} over ${what} Counted in buckets up to ${ends}; what is beyond these counts as ` +
      'these. The value is interpolated within its bucket, and its interval is of whole buckets; of own ' +
      'facts it is exact. NO_FACTS when there is none, and NOT_COUNTED in months that were closed before it was counted.',
    quantile: { spread, part },
    of: (sums) => valueAt({ spread, part }, sums),
  });
  return [
    measure('median', 0.5, 'Half are not above it:'),
    measure('p90', 0.9, 'Nine of ten are not above it:'),
  ];
}

/** The name of a count of facts with exactly one number: of one's own, which need no buckets. */
export const exactName = ({ column }: Spread, number: number): string => `${column} = ${number}`;

/** Returns how many facts have each number, from the least on; none where buckets are counted. */
function exactCounts({ column }: Spread, sums: Sums): readonly (readonly [number, number])[] {
  const before = `${column} = `;
  return Object.entries(sums)
    .flatMap(([name, count]) =>
      name.startsWith(before) ? [[Number(name.slice(before.length)), count] as const] : [],
    )
    .sort(([a], [b]) => a - b);
}

/** Returns the number of a spread by exact counts: the first of which enough are not above it. */
export function exactValue({ spread, part }: Quantile, sums: Sums): number | null {
  const counts = exactCounts(spread, sums);
  const sought = part * counts.reduce((all, [, count]) => all + count, 0);
  let held = 0;
  for (const [number, count] of counts) {
    held += count;
    if (held > 0 && held >= sought) return number;
  }
  return null;
}

/** Returns the number of a spread, interpolated within its bucket and rounded up; null without facts. */
function valueAt({ spread, part }: Quantile, sums: Sums): number | null {
  const exact = exactValue({ spread, part }, sums);
  if (exact !== null) return exact;
  const counts = bucketNames(spread).map((name) => sums[name] ?? 0);
  const sought = part * counts.reduce((all, count) => all + count, 0);
  if (sought === 0) return null;
  let below = 0;
  for (const [i, count] of counts.entries()) {
    const [from = 0, to = 0] = spread.ends.slice(i, i + 2);
    if (below + count >= sought) return Math.ceil(from + ((sought - below) / count) * (to - from));
    below += count;
  }
  return spread.ends.at(-1) ?? null;
}

/**
 * Returns the buckets that a number of a spread may be in, as one interval: it is lowest when there
 * are most below and fewest above, and the other way round.
 */
export function quantileInterval(
  { spread, part }: Quantile,
  countOf: (name: string) => Interval,
): Interval {
  const counts = bucketNames(spread).map(countOf);
  const sum = (of: readonly Interval[], end: keyof Interval) =>
    of.reduce((all, count) => all + count[end], 0);
  const bucketBy = (below: keyof Interval, above: keyof Interval) => {
    const at = counts.findIndex((_, i) => {
      const held = sum(counts.slice(0, i + 1), below);
      return held > 0 && held >= part * (held + sum(counts.slice(i + 1), above));
    });
    return at < 0 ? counts.length - 1 : at;
  };
  const [first, last] = [bucketBy('high', 'low'), bucketBy('low', 'high')];
  return {
    low: (spread.ends[first] ?? 0) + (first > 0 ? 1 : 0),
    high: spread.ends[last + 1] ?? 0,
  };
}
