import type { Subject } from '../catalogue/subject.js';

/** Dimensions of a grid besides month and quarter, which every cell has. */
const MOST = 3;
/** The same where one of them is narrow. */
const MOST_NARROW = 2;

/**
 * Returns the grids of a subject, fixed: each a list of dimensions in the order of the catalogue.
 * Cells are of a month, and of a day where `day` is among the dimensions. Day, weekday and hour go
 * with one other dimension at most, since their cells would be too small, and so do dimensions that
 * are narrow, which go neither with weekday nor with hour; these two go together.
 */
export function latticeOf({ dimensions }: Subject): readonly (readonly string[])[] {
  const names = dimensions.filter(({ time }) => !time).map(({ name }) => name);
  const narrow = new Set(dimensions.flatMap(({ name, isNarrow }) => (isNarrow ? name : [])));
  const coarse = subsetsOf(names).filter(
    (grid) => grid.length <= (grid.some((name) => narrow.has(name)) ? MOST_NARROW : MOST),
  );
  const times = ['day', 'weekday', 'hour'].filter((time) =>
    dimensions.some(({ name }) => name === time),
  );
  const fine = times.flatMap((time) => [
    [time],
    ...names.filter((name) => time === 'day' || !narrow.has(name)).map((name) => [time, name]),
  ]);
  const clock = times.includes('hour') ? [['weekday', 'hour']] : [];
  return [...coarse, ...fine, ...clock];
}

function subsetsOf(names: readonly string[]): string[][] {
  const [first, ...others] = names;
  if (first === undefined) return [[]];
  const without = subsetsOf(others);
  return [...without, ...without.map((subset) => [first, ...subset])];
}

/** Returns the name of a grid. */
export const gridName = (grid: readonly string[]): string => grid.join(' ');
