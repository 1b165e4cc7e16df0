import type { Dimension } from './catalogue/subject.js';
import { COHORTS, SINCE_COLUMN } from './noise.js';
import { dayAfter, monthOf, quarterOf, weekOf } from './period.js';
import type { Noisy } from './privacy.js';
import type { Question } from './question.types.js';
import { ReportWithheld } from './report.enums.js';
import type { ReportValues } from './report.types.js';
import type { Sketch } from './rollup/sketch.js';

/** Numbers about one cell of a grid, as they may be shown. */
export interface Cell {
  /** Its first day. */
  readonly date: string;
  /** Its values of the other columns of the grid. */
  readonly values: ReportValues;
  /** Returns its name among all cells; none of one's own facts. */
  readonly name?: () => string;
  /** Returns the name of its values but times, which cells of other spans share. */
  readonly group?: () => string;
  /** Returns its numbers, which are drawn at the first call; none when it may not be shown. */
  readonly numbers?: () => CellNumbers;
  readonly sketch?: Sketch;
  /** False when it was made before facts were counted in buckets. */
  readonly hasSpread?: boolean;
}

/** The numbers of a cell. */
export interface CellNumbers {
  readonly sums: Readonly<Record<string, Noisy>>;
  /** None when that is not known. */
  readonly accounts?: Noisy;
}

/** Cells that belong together. */
export interface GroupedCells {
  readonly key: ReportValues;
  readonly cells: Cell[];
  /** Whether cells of it are not shown. */
  hidden: boolean;
  /** Whether it is of all values but the leading ones. */
  readonly isOthers?: boolean;
  /** Why nothing of it is known, whatever its cells are. */
  unknown?: ReportWithheld | undefined;
}

/** Returns the name of a row among those of a report. */
export const rowName = (values: readonly unknown[], isOthers = false): string =>
  JSON.stringify(isOthers ? [...values, 'others'] : values);

/** Groups cells by the dimensions of a question, those that its filter keeps. */
export function rowsOf(
  { by, filter, weekStart }: Pick<Question, 'by' | 'filter' | 'weekStart'>,
  cells: Iterable<Cell>,
): Map<string, GroupedCells> {
  const rows = new Map<string, GroupedCells>();
  for (const cell of cells) {
    if (!isKept(cell, filter)) continue;
    const key = keyOf(by, cell, weekStart);
    const name = rowName(Object.values(key));
    const row: GroupedCells = rows.get(name) ?? { key, cells: [], hidden: false };
    rows.set(name, row);
    if (cell.numbers) row.cells.push(cell);
    else row.hidden = true;
  }
  return rows;
}

/**
 * Returns why the numbers of a row are not shown. A value of the filter that has no cell is
 * answered as one that is hidden: so no filter tells which of the two it is.
 */
export function withheldOf(
  question: Question,
  { cells, hidden, unknown }: GroupedCells,
): ReportWithheld | null {
  if (unknown) return unknown;
  if (cells.length === 0 && hidden) return ReportWithheld.FEW_ACCOUNTS;
  if (hidden || lacksValues(question, cells)) return ReportWithheld.PARTLY_FEW_ACCOUNTS;
  return null;
}

/** Returns whether a span of a row has no cell for some of the values that the filter adds up. */
function lacksValues(question: Question, cells: readonly Cell[]): boolean {
  const [first] = cells;
  if (!first?.name) return false;
  const { by, filter } = question;
  const weeks = cohortColumns(first);
  if (filter.size === 0 && weeks.length === 0) return false;
  const spans = new Set(cells.map(({ date }) => date));
  const added = [...filter]
    .filter(([name]) => !weeks.includes(name) && !by.some((dimension) => dimension.name === name))
    .reduce((product, [, values]) => product * new Set(values).size, 1);
  const of =
    weeks.length > 0 ? weeksIn(question, spans, valuesOf(question, first, weeks)) : spans.size;
  return cells.length < of * added;
}

/** Returns the columns of a cell of which both together are one week: that of the start, and since. */
function cohortColumns({ values }: Cell): readonly string[] {
  const start = COHORTS.find((name) => name in values);
  return start && SINCE_COLUMN in values ? [start, SINCE_COLUMN] : [];
}

/** Returns the values of columns that a row is of: its own, or those of the filter. */
const valuesOf = ({ by, filter }: Question, { values }: Cell, columns: readonly string[]) =>
  columns.map((name) =>
    by.some((dimension) => dimension.name === name)
      ? [String(values[name])]
      : [...new Set(filter.get(name) ?? [])].map(String),
  );

/**
 * Returns how many weeks there are of cohorts so many weeks on, in spans: each is in one month. Only
 * those count that are in the period, and over.
 */
function weeksIn(
  { by, period, today }: Question,
  dates: ReadonlySet<string>,
  [starts = [], since = []]: readonly (readonly string[])[],
): number {
  const spanOf = by.some(({ time }) => time === 'month') ? monthOf : quarterOf;
  const spans = new Set([...dates].map(spanOf));
  const isThere = (start: string, week: string) => {
    // What is no date has no cell, and is answered as hidden.
    if (Number.isNaN(Date.parse(start))) return true;
    const day = dayAfter(start, 7 * Number(week));
    const isOver = dayAfter(day, 8) <= today;
    return isOver && day >= period.from && day <= period.to && spans.has(spanOf(day));
  };
  return starts.flatMap((start) => since.filter((week) => isThere(start, week))).length;
}

const isKept = ({ values }: Cell, filter: Question['filter']) =>
  [...filter].every(([name, kept]) => {
    const value = values[name] ?? null;
    return kept.includes(value === null ? null : String(value));
  });

/** Returns the values that a cell has of some dimensions. */
export const keyOf = (
  by: readonly Dimension[],
  cell: Pick<Cell, 'date' | 'values'>,
  weekStart: number,
): ReportValues => {
  const key: Record<string, unknown> = {};
  for (const dimension of by) key[dimension.name] = dimensionValue(dimension, cell, weekStart);
  return key;
};

function dimensionValue(
  { name, time }: Dimension,
  { date, values }: Pick<Cell, 'date' | 'values'>,
  weekStart: number,
): unknown {
  if (time === 'day') return date;
  if (time === 'week') return weekOf(date, weekStart);
  if (time === 'month') return monthOf(date);
  return time === 'quarter' ? quarterOf(date) : (values[name] ?? null);
}

/**
 * Orders rows by time, then by the other dimensions, unless the question says otherwise. The others
 * come last of their values, and days of the week from the first one on.
 */
export function ordered(
  question: Question,
  rows: readonly GroupedCells[],
  valueBy: (row: GroupedCells, by: string) => unknown,
): GroupedCells[] {
  const { weekStart, top } = question;
  const orders = [
    ...question.orderBy.map(({ by, direction }) => ({ by, sign: direction === 'desc' ? -1 : 1 })),
    ...question.by.map(({ name }) => ({ by: name, sign: 1 })),
  ];
  const value = (row: GroupedCells, by: string) =>
    by === 'weekday' ? ((row.key.weekday as number) - weekStart + 7) % 7 : valueBy(row, by);
  return rows
    .map((row) => ({ row, values: orders.map(({ by }) => value(row, by)) }))
    .sort((a, b) => {
      for (let i = 0; i < orders.length; i++) {
        const { by, sign } = orders[i] as (typeof orders)[number];
        const isLast = by === top?.of.name && Boolean(a.row.isOthers) !== Boolean(b.row.isOthers);
        if (isLast) return a.row.isOthers ? 1 : -1;
        const order = compared(a.values[i], b.values[i], sign);
        if (order !== 0) return order;
      }
      return 0;
    })
    .map(({ row }) => row);
}

/** Orders numbers and texts; what is null comes last in either direction. */
function compared(a: unknown, b: unknown, sign: number): number {
  if (a === b) return 0;
  if (a === null || a === undefined) return 1;
  if (b === null || b === undefined) return -1;
  return (a as string | number) < (b as string | number) ? -sign : sign;
}
