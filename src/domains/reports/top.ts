import { refuse } from '../../core/errors.js';
import type { Dimension, Subject } from './catalogue/subject.js';
import { type Cell, type GroupedCells, rowName, withheldOf } from './fold.js';
import type { Question, Top } from './question.types.js';
import type { ReportArgs } from './report.inputs.js';

/** Returns which values are shown apart; undefined for all. Throws TOP_INVALID. */
export function topOf(
  { measures }: Subject,
  { top }: ReportArgs,
  by: readonly Dimension[],
): Top | undefined {
  if (!top) return undefined;
  const dimensions = by.filter(({ time }) => !time);
  const of = top.of ? by.find(({ name }) => name === top.of) : dimensions[0];
  const measure = measures.find(({ name }) => name === top.by);
  if (of && measure) return { count: top.count, by: measure, of };
  const message = `Select ${top.of ?? 'a dimension beside dates'} to show its leading values.`;
  throw refuse('TOP_INVALID', message, { param: 'top' });
}

/**
 * Returns the leading values of a dimension: those of which what is shown is the most in the whole
 * range. A value of which nothing is shown leads nowhere.
 */
export function leadersOf(
  { count, of }: Top,
  rows: Iterable<GroupedCells>,
  amountOf: (cells: readonly Cell[]) => number | null,
): ReadonlySet<unknown> {
  const cells = new Map<unknown, Cell[]>();
  for (const row of rows) {
    const value = row.key[of.name];
    const before = cells.get(value) ?? [];
    before.push(...row.cells);
    if (before.length > 0) cells.set(value, before);
  }
  return new Set(
    [...cells]
      .map(([value, each]) => ({ value, sum: amountOf(each) ?? Number.NEGATIVE_INFINITY }))
      .sort((a, b) => b.sum - a.sum || (String(a.value) < String(b.value) ? -1 : 1))
      .slice(0, count)
      .map(({ value }) => value),
  );
}

/**
 * Joins the rows of all values but the leading ones. The joined row is hidden when any of them is,
 * so that nobody learns by subtraction what one of them hides.
 */
export function joinOthers(
  question: Question,
  { of }: Top,
  rows: ReadonlyMap<string, GroupedCells>,
  leaders: ReadonlySet<unknown>,
): Map<string, GroupedCells> {
  const joined = new Map<string, GroupedCells>();
  for (const [name, row] of rows) {
    if (leaders.has(row.key[of.name])) {
      joined.set(name, row);
      continue;
    }
    const key = { ...row.key, [of.name]: null };
    const others = rowName(Object.values(key), true);
    const before = joined.get(others) ?? { key, cells: [], hidden: false, isOthers: true };
    joined.set(others, before);
    before.cells.push(...row.cells);
    before.hidden ||= withheldOf(question, row) !== null;
  }
  return joined;
}
