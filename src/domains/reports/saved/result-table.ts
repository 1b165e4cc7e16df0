import { type GraphQLSchema, isEnumType } from 'graphql';
import type { CsvValue } from '../../../platform/csv.js';

/** A list of a result as rows, or the values of one object as one row. */
export interface ResultTable {
  /** Path from the data: `doseReport.rows`. */
  readonly name: string;
  /** Paths from a row: `month`, `interval.taken.low`. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly CsvValue[])[];
  /** Whether it is an object of its own and no list. */
  readonly isSingle: boolean;
  /** Whether its report has more rows. */
  readonly isCut?: true;
}

/** Levels that are looked through for tables, and tables of a result. */
const DEEPEST = 6;
const MOST_TABLES = 40;

/**
 * Returns the tables of a result's data, in its order but lists first. What is hidden is null in
 * them, beside a column `withheld` that says why.
 */
export function tablesOf(data: unknown): ResultTable[] {
  const found: ResultTable[] = [];
  search(data, { path: [], isCut: false }, found);
  return [
    ...found.filter(({ isSingle }) => !isSingle),
    ...found.filter(({ isSingle }) => isSingle),
  ].slice(0, MOST_TABLES);
}

interface Nesting {
  readonly path: readonly string[];
  /** Whether the object around it says that its rows are cut. */
  readonly isCut: boolean;
}

function search(value: unknown, { path, isCut }: Nesting, found: ResultTable[]): void {
  if (path.length > DEEPEST || typeof value !== 'object' || value === null) return;
  const name = path.join('.') || 'answer';
  if (Array.isArray(value)) {
    const table = tableOf(name, value.map(rowOf), false);
    return void found.push(isCut ? { ...table, isCut } : table);
  }
  // What has a reason is measures of one row: its intervals belong to it.
  if ('withheld' in value) return void found.push(tableOf(name, [rowOf(value)], true));
  const isReportCut = 'isCut' in value && value.isCut === true;
  const own = Object.fromEntries(
    Object.entries(value).filter(([, member]) => typeof member !== 'object'),
  );
  if (Object.values(own).some((member) => typeof member === 'number'))
    found.push(tableOf(name, [rowOf(own)], true));
  for (const [key, member] of Object.entries(value))
    search(member, { path: [...path, key], isCut: isReportCut }, found);
}

type TableRow = ReadonlyMap<string, CsvValue>;

function rowOf(value: unknown): TableRow {
  const cells = new Map<string, CsvValue>();
  const add = (member: unknown, path: string): void => {
    if (typeof member !== 'object' || member === null) cells.set(path, cellOf(member));
    else if (Array.isArray(member) || path.split('.').length > DEEPEST)
      cells.set(path, JSON.stringify(member));
    else
      for (const [key, inner] of Object.entries(member)) add(inner, path ? `${path}.${key}` : key);
  };
  add(value, typeof value === 'object' && value !== null && !Array.isArray(value) ? '' : 'value');
  return cells;
}

const cellOf = (value: unknown): CsvValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : null;

function tableOf(name: string, rows: readonly TableRow[], isSingle: boolean): ResultTable {
  const all = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  // A null object beside objects of other rows leaves a column of nulls under its own name.
  const columns = all.filter((column) => !all.some((other) => other.startsWith(`${column}.`)));
  const values = (row: TableRow) => columns.map((column) => row.get(column) ?? null);
  return { name, columns, rows: rows.map(values), isSingle };
}

/** Returns the reasons for which numbers of some tables are hidden, with what they mean. */
export function reasonsIn(
  schema: GraphQLSchema,
  tables: readonly ResultTable[],
): [reason: string, meaning: string][] {
  const type = schema.getType('ReportWithheld');
  const said = new Set(tables.flatMap(({ rows }) => rows.flat()));
  return (isEnumType(type) ? type.getValues() : []).flatMap(({ name, description }) =>
    said.has(name) ? [[name, description ?? '']] : [],
  );
}
