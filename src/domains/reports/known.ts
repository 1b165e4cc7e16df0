import type { GroupedCells } from './fold.js';
import { dayAfter, type Period } from './period.js';
import { isLevel, lastDayOf } from './pieces.js';
import type { Question } from './question.types.js';
import { ReportWithheld } from './report.enums.js';
import type { Cells } from './report-source.js';

/** What is known of a period, and from which cells. */
export interface Knowledge {
  readonly period: Period;
  /** The days of which it is known what happened. */
  readonly known: Period;
  readonly uncounted: Cells['uncounted'];
}

/**
 * Notes on rows why nothing of them is known: a row begins before the first day that is kept, or after
 * the last day that is counted and has no cell, or is of a span without cells of the grid.
 */
export function noteUnknown(
  question: Question,
  rows: Iterable<GroupedCells>,
  knowledge: Knowledge,
): void {
  for (const row of rows) row.unknown = unknownOf(question, row, knowledge);
}

function unknownOf(
  question: Question,
  row: GroupedCells,
  { period, known, uncounted }: Knowledge,
): ReportWithheld | undefined {
  const { from, to } = spanOf(question, period, row);
  if (from < known.from) return ReportWithheld.NOT_KEPT;
  if (from > known.to && row.cells.length === 0 && !row.hidden) return ReportWithheld.AFTER_AS_OF;
  const next = uncounted[countBefore(uncounted, from)];
  return next && next.date <= to ? ReportWithheld.NOT_COUNTED : undefined;
}

/** Returns how many spans, in the order of their dates, begin before a date. */
function countBefore(spans: Cells['uncounted'], date: string): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.date ?? '') < date) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the days of a period that a row is of; the last may be after those of the period. */
function spanOf(
  { by, weekStart }: Question,
  period: Period,
  { key }: Pick<GroupedCells, 'key'>,
): Period {
  let { from } = period;
  let to: string | undefined;
  for (const { name, time } of by) {
    if (!isLevel(time)) continue;
    const first = key[name] as string;
    const last = lastDayOf(time, first, weekStart);
    if (first > from) from = first;
    if (to === undefined || last < to) to = last;
  }
  return { from, to: to ?? period.to };
}

/** Returns the first day after spans that are not counted; null where all are. */
export function countedFrom(uncounted: Cells['uncounted']): string | null {
  const [last] = uncounted
    .map(({ level, date }) => lastDayOf(level, date))
    .sort()
    .reverse();
  return last ? dayAfter(last, 1) : null;
}

/**
 * Returns why a row cannot be averaged with others: it begins before the range does, or is not over.
 */
export function partOf(question: Question, row: GroupedCells): ReportWithheld | undefined {
  const { period, open } = question;
  const whole = spanOf(question, { from: '', to: '' }, row);
  if (whole.from < period.from) return ReportWithheld.BEFORE_RANGE;
  return whole.to > period.to || whole.to >= open ? ReportWithheld.UNEQUAL_SPANS : undefined;
}
