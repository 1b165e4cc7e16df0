import { createHash } from 'node:crypto';
import type pg from 'pg';
import utils from 'pg/lib/utils.js';
import { Recent } from '../lru.js';
import { hasOtherColumns } from './database-errors.js';
import { parserOf } from './values.js';

/** Maximum number of statements that a connection keeps prepared. */
const MOST_PREPARED = 300;
/** How many of the texts that were sent last are remembered. */
const MOST_REMEMBERED = 3_000;
/** What PostgreSQL plans. */
const PLANNED = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;

/** Gives names to the texts that a process sends again and again. */
export class StatementNames {
  readonly #names = new Recent<string, string>(MOST_REMEMBERED);

  /** Returns the name of a text; undefined for one that was not sent before, and for no statement. */
  nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known) return known;
    if (known === '') {
      const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
      this.#names.set(text, name);
      return name;
    }
    if (PLANNED.test(text)) this.#names.set(text, '');
    return undefined;
  }
}

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

/** The statements that a connection has prepared, by name, the one that was used last at the end. */
const PREPARED = Symbol('prepared');

/** What pg's connection has and its types do not declare. */
interface Connection {
  [PREPARED]?: Map<string, Columns | undefined>;
  readonly stream: { cork(): void; uncork(): void };
  /** The texts of prepared statements by name, kept by pg. */
  readonly parsedStatements: Record<string, string>;
  close(statement: { type: 'S'; name: string }): void;
  parse(statement: { name: string; text: string }): void;
  bind(portal: { statement: string; values: readonly (string | Buffer | null)[] }): void;
  describe(portal: { type: 'P' }): void;
  execute(): void;
  sync(): void;
}

/**
 * Notes that a statement is about to run on a connection. Where it is one too many, the one that was
 * used longest ago is closed.
 */
export const keepPrepared = (client: pg.ClientBase, name: string): void => {
  keep((client as unknown as { readonly connection: Connection }).connection, name);
};

function keep(connection: Connection, name: string): Map<string, Columns | undefined> {
  connection[PREPARED] ??= new Map();
  const prepared = connection[PREPARED];
  const columns = prepared.get(name);
  prepared.delete(name);
  prepared.set(name, columns);
  const [oldest] = prepared.keys();
  if (prepared.size > MOST_PREPARED) drop(connection, oldest as string);
  return prepared;
}

/** Closes a prepared statement. Whoever runs it next prepares it again. */
function drop(connection: Connection, name: string): void {
  connection[PREPARED]?.delete(name);
  if (connection.parsedStatements[name] === undefined) return;
  delete connection.parsedStatements[name];
  connection.close({ type: 'S', name });
}

/** Closes all prepared statements of a connection, after a migration has changed columns. */
export function forgetPrepared(client: pg.ClientBase): void {
  const { connection } = client as unknown as { readonly connection: Connection };
  for (const name of Object.keys(connection.parsedStatements)) drop(connection, name);
}

/** What a statement returned. */
interface Rows<T> {
  readonly rows: T[];
  /** How many rows it returned or changed; null where it does not say. */
  readonly rowCount: number | null;
}

/** Runs a prepared statement on a connection. */
export function runPrepared<T extends object>(
  client: pg.ClientBase,
  prepared: Prepared,
): Promise<Rows<T>> {
  return new Promise((resolve, reject) => {
    const settle = (error: Error | null | undefined, result: Rows<T>) => {
      if (!error) return resolve(result);
      Error.captureStackTrace(error); // as pg does: it was made where the response was read
      reject(error);
    };
    client.query(new PreparedQuery<T>(prepared, settle));
  });
}

/**
 * One run of a prepared statement, in the extended protocol of PostgreSQL. pg's own query lets the
 * server describe the columns with each run, which takes as long as reading a row. The columns of a
 * prepared statement never change: PostgreSQL refuses to run it instead, and it is closed.
 */
class PreparedQuery<T extends object> implements pg.Submittable {
  readonly name: string;
  readonly text: string;
  readonly #values: readonly unknown[];
  readonly #rows: T[] = [];
  #columns: Columns | undefined;
  #connection: Connection | undefined;
  #rowCount: number | null = null;
  #failure: Error | undefined;

  /** pg replaces `callback` to limit the time. */
  constructor(
    { name, text, values }: Prepared,
    public callback: (error: Error | null | undefined, result: Rows<T>) => void,
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
    this.#connection = connection;
    connection.stream.cork();
    this.#columns = keep(connection, name).get(name);
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

  handleCommandComplete({ text }: { text: string }): void {
    if (!this.#columns) this.#remember(NONE);
    const [, count] = / (\d+)$/.exec(text) ?? [];
    this.#rowCount = count === undefined ? null : Number(count);
  }

  handleReadyForQuery(): void {
    this.callback(this.#failure, this.#result());
  }

  handleError(error: Error): void {
    if (this.#connection && hasOtherColumns(error)) drop(this.#connection, this.name);
    this.callback(error, this.#result());
  }

  #result = (): Rows<T> => ({ rows: this.#rows, rowCount: this.#rowCount });

  // What no statement of ours makes the server send, but pg may pass on.
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}

  #remember(columns: Columns): void {
    this.#columns = columns;
    this.#connection?.[PREPARED]?.set(this.name, columns);
  }
}
