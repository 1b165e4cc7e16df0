import { dayAfter, monthAfter, monthOf, type Period, quarterOf, weekOf } from './period.js';

/** Spans that have cells of their own, from the longest to the shortest. */
export const LEVELS = ['quarter', 'month', 'week', 'day'] as const;
export type Level = (typeof LEVELS)[number];

/** Returns whether a dimension of time is such a span. */
export const isLevel = (time: string | undefined): time is Level => LEVELS.includes(time as Level);

/** A span that has cells, by its first day. */
export interface Piece {
  readonly level: Level;
  readonly date: string;
}

const STARTS: Readonly<Record<Level, (date: string) => string>> = {
  quarter: quarterOf,
  month: monthOf,
  week: weekOf,
  day: (date) => date,
};

/** Returns the first day of the span that comes after that of a date. */
function nextOf(level: Level, date: string): string {
  const start = STARTS[level](date);
  if (level === 'quarter') return monthAfter(start, 3);
  if (level === 'month') return monthAfter(start, 1);
  return dayAfter(start, level === 'week' ? 7 : 1);
}

/**
 * Returns spans of the given levels, longest first, that are a period together, in order: those
 * with the fewest days, whose cells are small, then the fewest. The last may end after the period
 * where nothing later has happened yet: not before `today`. Undefined when no such spans are it, as
 * half a month without days or weeks.
 */
export function piecesOf(
  period: Period,
  levels: readonly Level[],
  today: string,
): readonly Piece[] | undefined {
  const isOpen = period.to >= today;
  const all = divided(period, levels, isOpen);
  if (!all || !levels.includes('week')) return all;
  const weeks = divided(period, ['week', 'day'], isOpen);
  return weeks && daysOf(weeks) < daysOf(all) ? weeks : all;
}

const daysOf = (pieces: readonly Piece[]) => pieces.filter(({ level }) => level === 'day').length;

/** Divides a period, that may be exceeded when it is open, into the longest spans. */
function divided(
  period: Period,
  [level, ...shorter]: readonly Level[],
  isOpen: boolean,
): readonly Piece[] | undefined {
  const { from, to } = period;
  if (from > to) return [];
  if (!level) return undefined;
  const units: Piece[] = [];
  let date = STARTS[level](from) === from ? from : nextOf(level, from);
  while (date <= to && (isOpen || nextOf(level, date) <= dayAfter(to, 1))) {
    units.push({ level, date });
    date = nextOf(level, date);
  }
  const [first] = units;
  if (!first) return divided(period, shorter, isOpen);
  const before = divided({ from, to: dayAfter(first.date, -1) }, shorter, false);
  const after = divided({ from: date, to }, shorter, isOpen);
  return before && after && [...before, ...units, ...after];
}

/**
 * Returns a period in parts of whole spans of a level; the first and last may be shorter. Weeks
 * begin on a day of the week, Monday unless told.
 */
export function bucketsOf({ from, to }: Period, level: Level, weekStart = 1): readonly Period[] {
  const buckets: Period[] = [];
  for (let date = from; date <= to; ) {
    const last = lastDayOf(level, date, weekStart);
    buckets.push({ from: date, to: last < to ? last : to });
    date = dayAfter(last, 1);
  }
  return buckets;
}

/** Returns the last day of the span of a level that a date is in. */
export function lastDayOf(level: Level, date: string, weekStart = 1): string {
  if (level === 'day') return date;
  return dayAfter(
    level === 'week' ? dayAfter(weekOf(date, weekStart), 7) : nextOf(level, date),
    -1,
  );
}
