// Which series of a table are drawn by name, in the browser and on pages.

/** Series beyond which the smallest become others. */
export const MOST_SERIES = 12;

/** A place along the axis. */
export type Along = Date | string | number;

/** A value that is drawn, or a gap. */
export interface Point {
  readonly along: Along;
  readonly series: string;
  /** Name of the line: that of the series, but for those that are drawn as others. */
  readonly line: string;
  /** NaN where there is none. */
  readonly value: number;
  /** The interval, where the answer has one. */
  readonly low?: number;
  readonly high?: number;
  /** Whether the time that it is of is not over, or is cut by the range. */
  readonly isPart: boolean;
  /** Why there is no value. */
  readonly hidden?: string;
}

/** Points of which the smallest series are one. */
export interface Folded {
  readonly points: readonly Point[];
  /** Names of the series that are drawn by name, in the order in which they come. */
  readonly kept: readonly string[];
  /** Name of the others; undefined where all are kept. */
  readonly others: string | undefined;
  /** Series that are folded into others. */
  readonly folded: number;
}

/** How values are summed. */
export interface Summing {
  /** Whether they add up. */
  readonly addsUp: boolean;
  /** Whether what has no row is nothing. Else it may be hidden. */
  readonly isExact: boolean;
}

/**
 * Keeps the twelve largest series. The others become their sum, where the values add up and each has
 * one; else each stays a line of the series of others, and they have no value together.
 */
export function folded(points: readonly Point[], { addsUp, isExact }: Summing): Folded {
  const sizes = new Map<string, number>();
  for (const { line, value } of points) {
    const [before, size] = [sizes.get(line) ?? 0, Math.abs(value || 0)];
    sizes.set(line, addsUp ? before + size : Math.max(before, size));
  }
  if (sizes.size <= MOST_SERIES)
    return { points, kept: [...sizes.keys()], others: undefined, folded: 0 };
  const largest = [...sizes].sort(([, a], [, b]) => b - a).slice(0, MOST_SERIES);
  const kept = new Set(largest.map(([name]) => name));
  const count = sizes.size - kept.size;
  const others = `others (${count})`;
  const rest = points
    .filter(({ line }) => !kept.has(line))
    .map((point) => ({ ...point, series: others }));
  return {
    points: [
      ...points.filter(({ line }) => kept.has(line)),
      ...(addsUp ? summed(rest, isExact ? 0 : count) : rest),
    ],
    kept: [...sizes.keys()].filter((name) => kept.has(name)),
    others,
    folded: count,
  };
}

/**
 * Adds up points of one place; of fewer than `least` there is no sum, since what has no row may be
 * hidden. The sum of intervals is none of the sum, so it has no interval.
 */
function summed(points: readonly Point[], least: number): readonly Point[] {
  const sums = new Map<string, { sum: Point; parts: number }>();
  for (const { low: _low, high: _high, ...point } of points) {
    const key = String(point.along);
    const before = sums.get(key);
    sums.set(key, {
      sum: before ? together(before.sum, point) : { ...point, line: point.series },
      parts: (before?.parts ?? 0) + 1,
    });
  }
  return [...sums.values()].map(({ sum, parts }) =>
    parts < least ? { ...sum, value: Number.NaN } : sum,
  );
}

/** A sum of which a part has no value has none: it is hidden where the part is. */
const together = (sum: Point, { value, hidden, isPart }: Point): Point => ({
  ...sum,
  value: sum.value + value,
  isPart: sum.isPart || isPart,
  ...(hidden !== undefined && { hidden }),
});

/** What a sentence about a fold says. */
interface Fold {
  readonly folded: number;
  readonly measure: { readonly name: string; readonly addsUp: boolean };
  /** Whether each of the others has a line. */
  readonly hasLines: boolean;
}

/** Says which series are drawn by name, and what becomes of the others. */
export function foldText({ folded: count, measure: { name, addsUp }, hasLines }: Fold): string {
  const what = `The ${MOST_SERIES} largest of ${count + MOST_SERIES} are drawn by name`;
  if (addsUp) return `${what}, and the others as their sum, where each of them has a value.`;
  const why = `${name} cannot be added up`;
  return hasLines
    ? `${what}, and the others in grey: ${why}.`
    : `${what}. The others have no value together: ${why}.`;
}

/**
 * Returns the measure that is drawn first: the one that the name of the report says, else the first.
 * "Adherence by month" is drawn by `adherenceRate`.
 */
export function measureOf<T extends { readonly name: string }>(
  measures: readonly T[],
  title: string,
): T | undefined {
  const said = new Set(wordsOf(title));
  const share = ({ name }: T) => {
    const words = wordsOf(name);
    return words.filter((word) => said.has(word)).length / words.length;
  };
  const [best] = [...measures].sort((a, b) => share(b) - share(a));
  return best;
}

const wordsOf = (text: string): readonly string[] =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/\p{L}+/gu) ?? [];

/**
 * Whether a reason of `ReportWithheld` says that a value is hidden, since it is of too few people. By
 * the others it is missing.
 */
export const isHiding = (reason: string): boolean => reason.endsWith('FEW_ACCOUNTS');
