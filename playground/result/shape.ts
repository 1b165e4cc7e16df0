// What an answer is made of: the tables in it, and what their columns are.

/** What the values of a column are. */
export type ColumnKind = 'time' | 'number' | 'text';

/** A field of the rows, by its path from the row: `author.name`. */
export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Whether rows are grouped by it: it is no number to draw. */
  readonly isKey: boolean;
}

export type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell>>;

/** A list of an answer as rows, or the numbers of one object as one row. */
export interface Table {
  /** Path from the data: `doseReport.rows`. */
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Whether it is an object of its own and no list. */
  readonly isSingle: boolean;
}

/** Numbers by which reports are grouped; others named so are no measure either. */
const NUMBERED_KEYS = /(^|\.)(weekday|hour|id|databaseId|version|.*Id)$/;
const TIME = /^\d{4}-\d{2}(-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?)?$/;
/** Levels that are looked through for lists, and tables that are offered. */
const DEEPEST = 6;
const MOST_TABLES = 20;

/**
 * Returns the tables of an answer's data: lists of objects, lists of values, and objects with
 * numbers. Lists come first, longest first.
 */
export function tablesOf(data: unknown): readonly Table[] {
  const found: Table[] = [];
  search(data, [], found);
  const weight = ({ isSingle, rows }: Table) => (isSingle ? -1 : rows.length);
  return found.sort((a, b) => weight(b) - weight(a)).slice(0, MOST_TABLES);
}

function search(value: unknown, path: readonly string[], found: Table[]): void {
  if (path.length > DEEPEST || typeof value !== 'object' || value === null) return;
  const name = path.join('.');
  if (Array.isArray(value)) {
    found.push(tableOf(name, value.map(rowOf), false));
    return;
  }
  const own = rowOf(
    Object.fromEntries(Object.entries(value).filter(([, member]) => typeof member !== 'object')),
  );
  const hasNumber = Object.entries(own).some(([, cell]) => typeof cell === 'number');
  if (hasNumber) found.push(tableOf(name, [own], true));
  for (const [key, member] of Object.entries(value)) search(member, [...path, key], found);
}

/** Returns the scalars of a value by their paths. A list in a row is shown as JSON. */
function rowOf(value: unknown): Row {
  const cells: Record<string, Cell> = {};
  const add = (member: unknown, path: string): void => {
    if (typeof member !== 'object' || member === null) cells[path] = cellOf(member);
    else if (Array.isArray(member)) cells[path] = JSON.stringify(member);
    else if (path.split('.').length > DEEPEST) cells[path] = JSON.stringify(member);
    else
      for (const [key, inner] of Object.entries(member)) add(inner, path ? `${path}.${key}` : key);
  };
  // The node of a Relay edge is the row itself.
  const row = isEdge(value) ? value.node : value;
  if (typeof row === 'object' && row !== null && !Array.isArray(row)) add(row, '');
  else add(row, 'value');
  return cells;
}

const isEdge = (value: unknown): value is { node: unknown } =>
  typeof value === 'object' && value !== null && 'node' in value && 'cursor' in value;

const cellOf = (value: unknown): Cell =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : null;

function tableOf(name: string, rows: readonly Row[], isSingle: boolean): Table {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  const columns = [...names].map((column) => columnOf(column, rows));
  // A null object beside objects of other rows leaves a column of nulls under its own name.
  const shown = columns.filter(
    (column) => !columns.some((other) => other.name.startsWith(`${column.name}.`)),
  );
  return { name, columns: shown, rows, isSingle };
}

function columnOf(name: string, rows: readonly Row[]): Column {
  const values = rows
    .map((row) => row[name])
    .filter((value) => value !== null && value !== undefined);
  const all = (is: (value: Cell | undefined) => boolean) => values.length > 0 && values.every(is);
  if (all((value) => typeof value === 'number'))
    return { name, kind: 'number', isKey: NUMBERED_KEYS.test(name) };
  if (all((value) => typeof value === 'string' && TIME.test(value)))
    return { name, kind: 'time', isKey: true };
  return { name, kind: 'text', isKey: true };
}
