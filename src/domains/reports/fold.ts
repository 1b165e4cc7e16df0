import type { Dimension } from './catalogue/subject.js';
import {
  dayAfter,
  monthAfter,
  monthNumber,
  monthOf,
  type Period,
  quarterOf,
  weekOf,
} from './period.js';
import type { Question } from './question.js';
import type { ReportValues } from './report.types.js';

/** Numbers about one cell of a grid, as they may be shown. */
export interface Cell {
  /** Its day, or the first day of its month. */
  readonly date: string;
  /** Its values of the other columns of the grid. */
  readonly values: ReportValues;
  readonly sums: Readonly<Record<string, number>>;
  readonly accounts: number;
  /** How far each sum may be from the truth. */
  readonly margin: number;
}

/** Cells that were added up. Accounts cannot be added: the most of one date stand for all. */
export interface Row {
  readonly key: ReportValues;
  readonly sums: Record<string, number>;
  readonly accounts: Map<string, number>;
}

/** Adds cells up by the dimensions of a question, those that its filter keeps. */
export function rowsOf({ by, filter }: Question, cells: Iterable<Cell>): Map<string, Row> {
  const rows = new Map<string, Row>();
  for (const cell of cells) {
    if (!isKept(cell, filter)) continue;
    const key = Object.fromEntries(
      by.map((dimension) => [dimension.name, dimensionValue(dimension, cell)]),
    );
    const name = JSON.stringify(Object.values(key));
    const row = rows.get(name) ?? { key, sums: { margin: 0 }, accounts: new Map() };
    rows.set(name, row);
    add(row, cell);
  }
  return rows;
}

function add({ sums, accounts }: Row, cell: Cell): void {
  for (const [name, sum] of Object.entries(cell.sums)) sums[name] = (sums[name] ?? 0) + sum;
  sums.margin = (sums.margin ?? 0) + cell.margin;
  accounts.set(cell.date, (accounts.get(cell.date) ?? 0) + cell.accounts);
}

const isKept = ({ values }: Cell, filter: Question['filter']) =>
  [...filter].every(([name, kept]) => kept.includes((values[name] ?? null) as string | null));

function dimensionValue({ name, time }: Dimension, { date, values }: Cell): unknown {
  if (time === 'day') return date;
  if (time === 'week') return weekOf(date);
  if (time === 'month') return monthOf(date);
  return time === 'quarter' ? quarterOf(date) : (values[name] ?? null);
}

/** Returns the values of the measures of a row; of no row those of nothing. */
export function measured(
  { measures }: Pick<Question, 'measures'>,
  row: Row | undefined,
  mostAccounts = Number.POSITIVE_INFINITY,
): ReportValues {
  const accounts = Math.min(mostAccounts, Math.max(0, ...(row?.accounts.values() ?? [])));
  const sums = { ...row?.sums, accounts };
  return {
    margin: row?.sums.margin ?? 0,
    ...Object.fromEntries(measures.map(({ name, of }) => [name, of(sums)])),
  };
}

/** Returns the name of the row of the previous period that corresponds to a row. */
export function previousName({ by, period }: Question, earlier: Period, key: ReportValues): string {
  return JSON.stringify(
    by.map(({ name, time }) => {
      const value = key[name];
      return isDate(time) ? shifted(value as string, time, period, earlier) : value;
    }),
  );
}

const isDate = (time: Dimension['time']) =>
  time === 'day' || time === 'week' || time === 'month' || time === 'quarter';

function shifted(date: string, time: Dimension['time'], now: Period, then: Period): string {
  if (!now.days) return monthAfter(date, monthNumber(then.from) - monthNumber(now.from));
  const days = Math.round((Date.parse(then.from) - Date.parse(now.from)) / 86_400_000);
  const date2 = dayAfter(date, days);
  return time === 'week' ? weekOf(date2) : time === 'month' ? monthOf(date2) : date2;
}

/** Orders rows by time, then by the other dimensions, unless the question says otherwise. */
export function ordered<T>(question: Question, rows: T[], valuesOf: (row: T) => ReportValues): T[] {
  const orders = [
    ...question.orderBy.map(({ by, direction }) => ({ by, sign: direction === 'desc' ? -1 : 1 })),
    ...question.by.map(({ name }) => ({ by: name, sign: 1 })),
  ];
  return rows.sort((a, b) => {
    for (const { by, sign } of orders) {
      const order = compared(valuesOf(a)[by], valuesOf(b)[by], sign);
      if (order !== 0) return order;
    }
    return 0;
  });
}

/** Orders numbers and texts; what is null comes last in either direction. */
function compared(a: unknown, b: unknown, sign: number): number {
  if (a === b) return 0;
  if (a === null || a === undefined) return 1;
  if (b === null || b === undefined) return -1;
  return (a as string | number) < (b as string | number) ? -sign : sign;
}
