import type pg from 'pg';
import utils from 'pg/lib/utils.js';
import { parserOf } from './values.js';

/** A statement that is prepared once for each connection, under a name of its own. */
export interface Prepared {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** How the rows of a statement are read. */
interface Columns {
  readonly names: readonly string[];
  readonly parsers: readonly ((text: string) => unknown)[];
  /** A row without values. Copies of it share their shape. */
  readonly empty: Readonly<Record<string, unknown>>;
}

const NONE: Columns = { names: [], parsers: [], empty: {} };

/** The columns of the statements that a connection has prepared, by name. */
const COLUMNS = Symbol('columns');

/** What pg's connection has and its types do not declare. */
interface Connection {
  [COLUMNS]?: Map<string, Columns>;
  readonly stream: { cork(): void; uncork(): void };
  /** The texts of prepared statements by name, kept by pg. */
  readonly parsedStatements: Readonly<Record<string, string>>;
  parse(statement: { name: string; text: string }): void;
  bind(portal: { statement: string; values: readonly (string | Buffer | null)[] }): void;
  describe(portal: { type: 'P' }): void;
  execute(): void;
  sync(): void;
}

/** Runs a prepared statement on a connection, and returns its rows. */
export function runPrepared<T extends object>(
  client: pg.ClientBase,
  prepared: Prepared,
): Promise<T[]> {
  return new Promise((resolve, reject) => {
    const settle = (error: Error | null | undefined, rows: T[]) => {
      if (!error) return resolve(rows);
      Error.captureStackTrace(error); // as pg does: it was made where the response was read
      reject(error);
    };
    client.query(new PreparedQuery<T>(prepared, settle));
  });
}

/**
 * One run of a prepared statement, in the extended protocol of PostgreSQL. pg's own query lets the
 * server describe the columns with each run, which takes as long as reading a row. The columns of a
 * prepared statement never change: PostgreSQL refuses to run it instead.
 */
class PreparedQuery<T extends object> implements pg.Submittable {
  readonly name: string;
  readonly text: string;
  readonly #values: readonly unknown[];
  readonly #rows: T[] = [];
  #columns: Columns | undefined;
  #known: Map<string, Columns> | undefined;
  #failure: Error | undefined;

  /** pg replaces `callback` to limit the time. */
  constructor(
    { name, text, values }: Prepared,
    public callback: (error: Error | null | undefined, rows: T[]) => void,
  ) {
    this.name = name;
    this.text = text;
    this.#values = values;
  }

  /** Sends the statement. Returns an error when a value cannot be sent; then nothing is sent. */
  submit(pgConnection: unknown): Error | null {
    const connection = pgConnection as Connection;
    let values: (string | Buffer | null)[];
    try {
      values = this.#values.map((value) => utils.prepareValue(value));
    } catch (error) {
      return error as Error;
    }
    const { name, text } = this;
    connection[COLUMNS] ??= new Map();
    this.#known = connection[COLUMNS];
    this.#columns = this.#known.get(name);
    connection.stream.cork();
    if (connection.parsedStatements[name] === undefined) connection.parse({ name, text });
    connection.bind({ statement: name, values });
    if (!this.#columns) connection.describe({ type: 'P' });
    connection.execute();
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const names = fields.map((field) => field.name);
    const parsers = fields.map(({ dataTypeID }) => parserOf(dataTypeID));
    const empty = Object.fromEntries(names.map((column) => [column, null]));
    this.#remember({ names, parsers, empty });
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const { names, parsers, empty } = this.#columns ?? NONE;
    const row: Record<string, unknown> = { ...empty };
    try {
      for (let i = 0; i < fields.length; i++) {
        const text = fields[i] as string | null;
        if (text !== null) row[names[i] as string] = parsers[i]?.(text);
      }
    } catch (error) {
      this.#failure ??= error as Error;
    }
    this.#rows.push(row as T);
  }

  handleCommandComplete(): void {
    if (!this.#columns) this.#remember(NONE);
  }

  handleReadyForQuery(): void {
    this.callback(this.#failure, this.#rows);
  }

  handleError(error: Error): void {
    this.callback(error, this.#rows);
  }

  // What no statement of ours makes the server send, but pg may pass on.
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}

  #remember(columns: Columns): void {
    this.#columns = columns;
    this.#known?.set(this.name, columns);
  }
}
