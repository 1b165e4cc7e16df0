import type { Column, Table } from './table.js';

/** The ways in which a table can be shown. */
export const KINDS = ['table', 'line', 'bar', 'stack', 'heat', 'number'] as const;
export type Kind = (typeof KINDS)[number];

/** What people call them. */
export const KIND_NAMES: Readonly<Record<Kind, string>> = {
  table: 'Table',
  line: 'Lines',
  bar: 'Bars',
  stack: 'Stacked bars',
  heat: 'Heat map',
  number: 'Numbers',
};

/** What a drawing shows: which column goes where. */
export interface Roles {
  /** Along the horizontal axis. */
  readonly along: Column | undefined;
  /** The columns that tell the series apart. */
  readonly series: readonly Column[];
  /** The numbers that can be drawn, the likeliest first. */
  readonly measures: readonly Column[];
}

/** Bars beyond which nobody reads a drawing. */
const MOST_BARS = 60;
/** Days from which a heat map by day shows more than a line. */
const DAYS_FOR_HEAT = 120;

/** Measures that explain others: they are drawn when somebody chooses them. */
const EXPLAINS = /(^|\.)(margin|members)$|^previous\./;

/** Returns which column of a table goes where. */
export function rolesOf({ columns }: Table): Roles {
  const keys = columns.filter(({ isKey }) => isKey);
  const times = keys.filter(({ kind }) => kind === 'time');
  const numbered = keys.filter(
    ({ kind, name }) => kind === 'number' && !/(^|\.)(id|version|\w*Id)$/.test(name),
  );
  const along = times[0] ?? numbered[0] ?? keys.find(({ kind }) => kind === 'text');
  const numbers = columns.filter(
    ({ kind, isKey, isAbout }) => kind === 'number' && !isKey && !isAbout,
  );
  const explains = numbers.filter(({ name }) => EXPLAINS.test(name));
  return {
    along,
    series: keys.filter(
      (column) => column !== along && (column.kind !== 'number' || numbered.includes(column)),
    ),
    measures: [...numbers.filter((column) => !explains.includes(column)), ...explains],
  };
}

/**
 * Returns why a table cannot be drawn in a way; undefined when it can.
 */
export function objectionTo(kind: Kind, table: Table): string | undefined {
  if (kind === 'table') return undefined;
  const { along, series, measures } = rolesOf(table);
  if (table.rows.length === 0) return 'There are no rows.';
  if (measures.length === 0) return 'No number is selected: select a measure.';
  if (kind === 'number') return table.rows.length > 1 ? 'There are several rows.' : undefined;
  if (!along || table.isSingle) return 'There is nothing to draw along: select a dimension.';
  return objections[kind]({ table, along, series, measures });
}

interface Drawing {
  readonly table: Table;
  readonly along: Column;
  readonly series: readonly Column[];
  readonly measures: readonly Column[];
}

const objections: Readonly<
  Record<Exclude<Kind, 'table' | 'number'>, (drawing: Drawing) => string | undefined>
> = {
  line: ({ along }) =>
    along.kind === 'text' ? 'Lines go along time: select day, week, month or quarter.' : undefined,
  bar: ({ table, along }) => tooManyBars(table, along),
  stack: ({ table, along, series, measures }) => {
    if (series.length === 0) return 'There is nothing to stack: select a second dimension.';
    if (!measures.some(({ addsUp }) => addsUp))
      return 'Stacks are of counts that add up: select one.';
    return tooManyBars(table, along);
  },
  heat: ({ along, series }) =>
    isByDay(along) || series.length === 1
      ? undefined
      : 'A heat map is by day, or by two dimensions.',
};

function tooManyBars({ rows }: Table, along: Column): string | undefined {
  const count = new Set(rows.map((row) => row[along.name])).size;
  if (count <= MOST_BARS) return undefined;
  return `These would be ${count} bars, and ${MOST_BARS} can be read: ask by week or month, or narrow the filter.`;
}

/** Returns what tells a row apart from rows of other series: its values, and not what they are called. */
export const seriesKey = (row: Table['rows'][number], series: readonly Column[]): string =>
  JSON.stringify(series.map(({ name }) => row[name] ?? null));

const isByDay = ({ name, kind }: Column) => kind === 'time' && /(^|\.)(day|date)$/.test(name);

/** Returns how a table is shown first. */
export function kindOf(table: Table): Kind {
  const can = (kind: Kind) => objectionTo(kind, table) === undefined;
  const { along, series, measures } = rolesOf(table);
  if (can('number')) return 'number';
  if (!along || measures.length === 0) return 'table';
  if (along.name === 'weekday' || along.name === 'hour')
    return series.length === 1 && can('heat') ? 'heat' : firstOf(['bar', 'line'], can);
  if (along.kind === 'time') {
    const days = new Set(table.rows.map((row) => row[along.name])).size;
    if (isByDay(along) && series.length === 0 && days >= DAYS_FOR_HEAT) return 'heat';
    return firstOf(['line'], can);
  }
  const [first] = measures;
  if (series.length > 0 && first?.addsUp) return firstOf(['stack'], can);
  return firstOf(['bar'], can);
}

const firstOf = (kinds: readonly Kind[], can: (kind: Kind) => boolean): Kind =>
  kinds.find(can) ?? 'table';
