import { GRACE } from '../reminders/calendar/occurrences.js';
import type { Subject } from './catalogue/subject.js';
import type { GroupedCells } from './fold.js';
import { dayAfter, type Period, weekOf } from './period.js';
import { isLevel, lastDayOf } from './pieces.js';
import type { Question } from './question.types.js';
import { ReportWithheld } from './report.enums.js';
import type { Cells, KnownDays } from './report-source.js';

/** After so many milliseconds from its beginning in UTC a day is over in every zone. */
const OVER_EVERYWHERE = 36 * 60 * 60 * 1000;

/**
 * Returns the last day of which something is counted, and the first of which facts may still come.
 * Most facts count at once, and a dose is missed two hours after its time; those of the subjects
 * with `countsWhole` once their day or week is over in every zone.
 */
export function countedDays(
  { countsWhole }: Pick<Subject, 'countsWhole'>,
  asOf: Date,
  dateAt: (at: Date) => string,
): Pick<KnownDays, 'to' | 'open'> {
  if (!countsWhole) return { to: dateAt(asOf), open: dateAt(new Date(asOf.getTime() - GRACE)) };
  const day = new Date(asOf.getTime() - OVER_EVERYWHERE).toISOString().slice(0, 10);
  if (countsWhole === 'day') return { to: day, open: dayAfter(day, 1) };
  const monday = weekOf(dayAfter(day, -6));
  return { to: monday, open: dayAfter(monday, 7) };
}

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
