import type { Db } from '../../../platform/database/transaction.js';
import type { ImportedKind, ImportRun, Mapped } from '../kind.js';

type Plain =
  | 'integer'
  | 'number'
  | 'boolean'
  | 'text'
  | 'decimal'
  | 'instant'
  | 'json'
  | 'integers'
  | 'texts'
  | 'instants';

/** The type of a field: with a question mark it may be null. */
export type FieldType = Plain | `${Plain}?`;

/**
 * The fields of a line by their names. The column of a field has its name in snake case, unless SQL of the
 * row `t` says what it holds: then an import writes no column of it.
 */
export type Fields = Readonly<
  Record<string, FieldType | { readonly type: FieldType; readonly sql: string }>
>;

/** Rows of another table that stand in a line, as a list of objects. */
export interface Part {
  readonly table: string;
  /** The column with the id of the row of the line. */
  readonly of: string;
  /** The columns by which they are ordered. */
  readonly order: string;
  readonly fields: Fields;
  /** At most one row: an object, or null. */
  readonly isOne?: boolean;
  /** The numbers of one column instead of objects. */
  readonly isList?: boolean;
  /**
   * The fields that tell parts of one row apart; none where all of them go together, and where there is at most
   * one. Numbers are none: a row that is made here may have the same.
   */
  readonly key?: readonly string[];
  /** The field with an instant before which nobody made it. */
  readonly madeAt?: string;
  /** Fields that change without anybody changing the part. */
  readonly passing?: readonly string[];
  /** Other rows refer to its numbers. */
  readonly isReferredTo?: boolean;
  /** `complete` of the kind writes it. */
  readonly isCompleted?: boolean;
}

/** A line as it is read: its fields by their names. */
export type Line = Readonly<Record<string, unknown>> & { readonly kind: string };

/** Columns by their names. */
export type Columns = Readonly<Record<string, unknown>>;

/** A kind of lines: rows of a table, how they are written into an export and read again. */
export interface LineKind
  extends Pick<ImportedKind<ImportRun, Line>, 'own' | 'unused' | 'judged' | 'bare'> {
  readonly name: string;
  readonly table: string;
  /** Columns of numbers by which rows are known and ordered; the id unless given. */
  readonly key?: readonly string[];
  /** SQL of the rows `t` that it has; all unless given. */
  readonly where?: string;
  readonly fields: Fields;
  readonly parts?: Readonly<Record<string, Part>>;
  /** The field with the id of a row of the same kind, which is imported before. */
  readonly parent?: string;
  /** The columns that an import fills beside those of fields, and those of other values than their field has. */
  readonly filled?: readonly string[];
  /** Returns the values of `filled`. */
  fill?(line: Line, run: ImportRun): Columns | Promise<Columns>;
  /** Returns why a line is refused that has the fields of its kind; undefined for one that is taken. */
  fault?(line: Line, run: ImportRun): string | undefined;
  /** Returns a line as it is exported, of what the database has. */
  opened?(line: Line, run: OpenedBy): Line;
  /** Writes what belongs to rows that were written, behind their parts. */
  complete?(db: Db, written: readonly Mapped[], run: ImportRun): Promise<void>;
  /** Does what follows once all lines of the kind are here; again in each import. */
  finish?(run: ImportRun): Promise<void>;
}

/** What opens values that the database has encrypted. */
export type OpenedBy = ImportRun['context']['deps']['keys'];

/** Returns the column of a field. */
export const columnOf = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns the fields that are columns. */
export const storedFields = (fields: Fields): string[] =>
  Object.keys(fields).filter((name) => typeof fields[name] === 'string');

/** Returns the type of a field. */
export const typeOf = (field: Fields[string]): FieldType =>
  typeof field === 'string' ? field : field.type;

/** Returns the columns of a row, of the fields of a line. */
export const columnsOf = (fields: Fields, line: Columns): Columns =>
  Object.fromEntries(storedFields(fields).map((name) => [columnOf(name), line[name]]));
