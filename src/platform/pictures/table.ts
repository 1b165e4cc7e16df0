// What a result is made of: the tables in it, and what their columns are. The pages and the playground
// draw by it.

/** What the values of a column are. */
export type ColumnKind = 'time' | 'number' | 'text';

/** A field of the rows, by its path from the row: `author.name`. */
export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Whether rows are grouped by it: it is no number to draw. */
  readonly isKey: boolean;
  /**
   * Whether values of rows add up to the value of the rows together: counts of facts do. Others, and
   * those of which it is not known, do not.
   */
  readonly addsUp: boolean;
  /** Whether it explains others, as intervals and reasons do: it is neither drawn nor a series. */
  readonly isAbout: boolean;
}

export type Cell = string | number | boolean | null;
export type TableRow = Readonly<Record<string, Cell>>;

/** A list of an answer as rows, or the numbers of one object as one row. */
export interface Table {
  /** Path from the data: `doseReport.rows`. */
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
  /** Whether it is an object of its own and no list. */
  readonly isSingle: boolean;
  /** What the object that has the list says of its time: dates, and the instant of its facts. */
  readonly span?: Span | undefined;
}

/** The time that a list is of. */
export interface Span {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly asOf?: string | undefined;
  /** The day that it is by the clocks of the days. */
  readonly today?: string | undefined;
  /** Whether it is of one's own doses, exactly. */
  readonly isExact?: true | undefined;
  /** What `date` of rows stands for, as the schema has it. */
  readonly grain?: string | undefined;
  /** Whether the report has more rows than the list. */
  readonly isCut?: true | undefined;
  /** The first day that is not over, or of which facts may still come, where that is known. */
  readonly open?: string | undefined;
}

/** Says that a report has more rows than so many. */
export const cutText = (rows: number): string =>
  `${rows === 1 ? 'This is the first row' : `These are the first ${rows} rows`}: there are more.`;

/** What is known of the columns of an answer. */
export interface Known {
  /** Whether rows are grouped by a column; without it, and where it is undefined, names and values tell. */
  readonly isKey?: ((name: string) => boolean | undefined) | undefined;
  /** Whether a column of a table adds up over rows; without it none does. */
  readonly addsUp?: ((name: string, table: string) => boolean) | undefined;
}

/** Numbers by which reports are grouped; others named so are no measure either. */
const NUMBERED_KEYS = /(?:^|\.)(?:weekday|hour|id|databaseId|version)$|Id$/;
const TIME = /^\d{4}-\d{2}(-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?)?$/;
/** Levels that are looked through for lists, and tables that are offered. */
const DEEPEST = 6;
const MOST_TABLES = 20;

/** Columns that explain others. */
const ABOUT = /(^|\.)(interval(\.|$)|withheld$|is[A-Z]\w*$)/;

/**
 * Returns the tables of an answer's data: lists of objects, lists of values, and objects with
 * numbers. Lists come first, longest first.
 */
export function tablesOf(data: unknown, known: Known = {}): readonly Table[] {
  const found: Table[] = [];
  search(data, { path: [], known }, found);
  const weight = ({ isSingle, rows }: Table) => (isSingle ? -1 : rows.length);
  return found.sort((a, b) => weight(b) - weight(a)).slice(0, MOST_TABLES);
}

interface Nesting {
  readonly path: readonly string[];
  readonly known: Known;
  readonly span?: Span | undefined;
}

/** What is known of a table before its columns are told apart. */
type Rows = Pick<Table, 'rows' | 'isSingle'>;

function search(value: unknown, place: Nesting, found: Table[]): void {
  const { path } = place;
  if (path.length > DEEPEST || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    found.push(tableOf(place, { rows: value.map(rowOf), isSingle: false }));
    return;
  }
  const own = rowOf(
    Object.fromEntries(Object.entries(value).filter(([, member]) => typeof member !== 'object')),
  );
  const hasNumber = Object.entries(own).some(([, cell]) => typeof cell === 'number');
  if (hasNumber) found.push(tableOf(place, { rows: [own], isSingle: true }));
  const span = spanOf(own) ?? place.span;
  for (const [key, member] of Object.entries(value))
    search(member, { ...place, path: [...path, key], span }, found);
}

function spanOf({ from, to, asOf, today, grain, isExact, isCut }: TableRow): Span | undefined {
  const text = (cell: Cell | undefined) => (typeof cell === 'string' ? cell : undefined);
  const span = {
    ...{ from: text(from), to: text(to), grain: text(grain) },
    ...{ asOf: text(asOf), today: text(today) },
    ...(isExact === true && { isExact }),
    ...(isCut === true && { isCut }),
  };
  return Object.values(span).some((part) => part !== undefined) ? span : undefined;
}

/** Returns the scalars of a value by their paths. A list in a row is shown as JSON. */
function rowOf(value: unknown): TableRow {
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

const tableOf = ({ path, known, span }: Nesting, rows: Rows): Table =>
  tableFrom({ ...rows, name: path.join('.'), span }, known);

/** Returns a table of rows whose columns are what is known of them. */
export function tableFrom(
  { name, rows, isSingle, span }: Omit<Table, 'columns'>,
  known: Known,
): Table {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  const columns = [...names].map((column) => ({
    ...columnOf(column, rows, known),
    addsUp: known.addsUp?.(column, name) ?? false,
  }));
  // A null object beside objects of other rows leaves a column of nulls under its own name.
  const shown = columns.filter(
    (column) => !columns.some((other) => other.name.startsWith(`${column.name}.`)),
  );
  return { name, columns: shown, rows: withOthers(rows, shown), isSingle, span };
}

/** Name of what is not among the leading values of a report. */
export const OTHERS = 'others';

/**
 * Names the others of leading values, which have null as those without a value do: by a name that no
 * value has.
 */
function withOthers(rows: readonly TableRow[], columns: readonly Column[]): readonly TableRow[] {
  const others = rows.filter(({ isOthers }) => isOthers === true);
  if (others.length === 0) return rows;
  const joined = columns.find(
    ({ name, isKey }) => isKey && others.every((row) => row[name] === null),
  );
  if (!joined) return rows;
  const isTaken = rows.some((row) => row[joined.name] === OTHERS);
  const named = { [joined.name]: isTaken ? `all ${OTHERS}` : OTHERS };
  return rows.map((row) => (row.isOthers === true ? { ...row, ...named } : row));
}

function columnOf(
  name: string,
  rows: readonly TableRow[],
  { isKey }: Known,
): Omit<Column, 'addsUp'> {
  const values = rows
    .map((row) => row[name])
    .filter((value) => value !== null && value !== undefined);
  const isAbout = ABOUT.test(name);
  const all = (is: (value: Cell | undefined) => boolean) => values.length > 0 && values.every(is);
  const isNumber = all((value) => typeof value === 'number');
  const isTime = all((value) => typeof value === 'string' && TIME.test(value));
  const kind = isNumber ? 'number' : isTime ? 'time' : 'text';
  const looksLikeKey = isNumber ? NUMBERED_KEYS.test(name) : values.length > 0;
  const said = isKey?.(name);
  if (said === undefined) return { name, kind, isKey: !isAbout && looksLikeKey, isAbout };
  const isNothing = values.length === 0 && !said && !isAbout;
  return { name, kind: isNothing ? 'number' : kind, isKey: said, isAbout };
}
