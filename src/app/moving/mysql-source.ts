import type { Connection, RowDataPacket } from 'mysql2';
import type { Connection as PromiseConnection } from 'mysql2/promise';
import { StartError } from '../../platform/database/database.js';
import { type SourceTables, tablesOf, USERS } from './source-tables.js';

/**
 * A row as MySQL returns it: numbers up to 2^53, other texts as they are written, dates too. A TIMESTAMP is an
 * instant there: it is in UTC, and ends in Z.
 */
export type SourceRow = Readonly<Record<string, string | number | null>>;

/** A value of a statement. */
export type SourceValue = string | number | readonly (string | number)[];

/** What the address of a database may leave out. */
export interface SourceChoice {
  readonly prefix?: string | undefined;
  /** As which the original reads its texts (its DB_CHARSET): utf8mb4 unless given. */
  readonly charset?: string | undefined;
  readonly password?: string | undefined;
}

/**
 * A database of the original, read in one consistent snapshot. Statements name its tables as
 * `{posts}`, without their prefix.
 */
export class MysqlSource {
  private readonly connection: PromiseConnection;

  private constructor(
    private readonly events: Connection,
    private readonly site: SourceTables,
  ) {
    this.connection = events.promise();
  }

  /** The prefix of the tables of its site. */
  get prefix(): string {
    return this.site.prefix;
  }

  /** The number of its site where that is one of a network; 0 for none. */
  get siteNumber(): number {
    const { prefix, ofUsers } = this.site;
    return prefix === ofUsers ? 0 : Number(/(\d{1,9})_$/.exec(prefix)?.[1] ?? 0);
  }

  /**
   * Opens `mysql://USER:PASSWORD@HOST:PORT/DATABASE`. Where the database has several sites, the prefix of their
   * tables chooses one: `prefix`, or `?prefix=` of the address. `password` is taken where the address has none.
   * Texts are UTF-8 as the server sends them in `charset`: an original that names latin1 has written UTF-8 so.
   * Throws StartError. Close it.
   */
  static async open(
    address: string,
    { prefix: given, charset = 'utf8mb4', password }: SourceChoice = {},
  ): Promise<MysqlSource> {
    const { createConnection } = await import('mysql2');
    const { uri, prefix = given } = placeOf(address);
    const events = createConnection({
      uri,
      ...(password && !new URL(uri).password && { password }),
      charset: 'utf8mb4',
      dateStrings: true,
      supportBigNumbers: true,
      jsonStrings: true,
      connectTimeout: 10_000,
      typeCast: (field, next) => {
        if (field.type === 'TIMESTAMP') return instantOf(field.string());
        if (field.type === 'BIT') return bitsOf(field.buffer());
        return charset !== 'utf8mb4' && TEXTS.has(field.type) ? field.string('utf8') : next();
      },
    });
    // A connection that ends by itself says so here alone while rows stream: unheard it ends the process.
    events.on('error', () => undefined);
    const connection = events.promise();
    await connection.connect().catch((cause: Error) => {
      throw new StartError(`The source does not open: ${cause.message}.`, { cause });
    });
    await connection.query('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await connection.query('SET NAMES utf8mb4');
    await connection.query('SET character_set_results = ?', [charset]).catch((cause: Error) => {
      connection.destroy();
      const said = `The source has no texts in ${charset}: ${cause.message}.`;
      throw new StartError(said, { cause });
    });
    await connection.query(IN_UTC);
    // Longer lists of terms would be cut.
    await connection.query('SET SESSION group_concat_max_len = 1000000');
    // Rows, and the connection, wait while those before them are written here.
    await connection.query('SET SESSION net_write_timeout = 3600, wait_timeout = 86400');
    await connection.query('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
    const [tables] = await connection.query<RowDataPacket[]>(
      'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = database()',
    );
    try {
      const names = tables.map((table) => String(table.name));
      return new MysqlSource(events, tablesOf(names, prefix));
    } catch (error) {
      await connection.end();
      throw error;
    }
  }

  /** Returns the rows of a query. Throws StartError when the server goes away or lacks a table. */
  async rows(statement: string, values: readonly SourceValue[] = []): Promise<SourceRow[]> {
    const named = this.named(statement);
    const [rows] = await this.connection.query<RowDataPacket[]>(named, [...values]).catch(refuse);
    return rows as SourceRow[];
  }

  /**
   * Yields the rows of a query, so many at a time, as they arrive. Nothing else can be asked until the
   * last one has come. Throws as `rows` does.
   */
  async *stream(statement: string, atOnce: number): AsyncGenerator<SourceRow[]> {
    const named = this.named(statement);
    // A connection that was lost meanwhile says so at once.
    let lost: Error | undefined;
    let fail = (error: Error): void => {
      lost = error;
    };
    const failed = (error: Error) => fail(error);
    this.events.on('error', failed);
    const rows = this.events.query(named).stream({ highWaterMark: atOnce });
    fail = (error) => void rows.destroy(error);
    if (lost) fail(lost);
    let batch: SourceRow[] = [];
    try {
      for await (const row of rows) {
        batch.push(row as SourceRow);
        if (batch.length < atOnce) continue;
        yield batch;
        batch = [];
      }
    } catch (error) {
      refuse(error);
    } finally {
      this.events.off('error', failed);
    }
    if (batch.length > 0) yield batch;
  }

  /** Names of tables begin with a letter: `{4}` of a regular expression is none. */
  private named(statement: string): string {
    const { prefix, ofUsers } = this.site;
    return statement.replaceAll(
      /\{([A-Za-z_][\w-]*)\}/g,
      (_, table) => `\`${USERS.has(table) ? ofUsers : prefix}${table}\``,
    );
  }

  /** Reads with another zone of the session than UTC, such as `+13:00`. TIMESTAMPs are none in UTC then. */
  async inZone<T>(zone: string, read: () => Promise<T>): Promise<T> {
    await this.connection.query('SET SESSION time_zone = ?', [zone]).catch(refuse);
    const found = await read();
    await this.connection.query(IN_UTC).catch(refuse);
    return found;
  }

  /** Returns whether there is a table. */
  async has(table: string): Promise<boolean> {
    const found = await this.rows(
      'SELECT 1 AS found FROM information_schema.tables WHERE table_schema = database() AND table_name = ?',
      [this.prefix + table],
    );
    return found.length > 0;
  }

  /** Ends the connection at once: nothing is written there, and rows may still be on their way. */
  async close(): Promise<void> {
    this.connection.destroy();
  }
}

const IN_UTC = "SET SESSION time_zone = '+00:00'";

/** The types whose values are texts. */
const TEXTS: ReadonlySet<string> = new Set([
  ...['VARCHAR', 'VAR_STRING', 'STRING', 'ENUM', 'SET'],
  ...['BLOB', 'TINY_BLOB', 'MEDIUM_BLOB', 'LONG_BLOB'],
]);

const bitsOf = (bytes: Buffer | null): number | null =>
  bytes && Number(BigInt(`0x${bytes.toString('hex') || 0}`));

const instantOf = (timestamp: string | null): string | null => timestamp && `${timestamp}Z`;

/** Returns an address without the prefix that it may name, and that. */
function placeOf(address: string): { readonly uri: string; readonly prefix?: string } {
  const [before = '', ...queries] = address.split('?');
  const settings = queries.join('?').split('&');
  const named = settings.find((setting) => setting.startsWith('prefix='));
  const prefix = new URLSearchParams(named).get('prefix');
  if (!prefix) return { uri: address };
  const others = settings.filter((setting) => setting !== named).join('&');
  return { uri: others ? `${before}?${others}` : before, prefix };
}

/** Codes of errors after which a connection is no more. */
const GONE: ReadonlySet<string> = new Set([
  ...['PROTOCOL_CONNECTION_LOST', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNREFUSED'],
  ...['ER_SERVER_SHUTDOWN', 'ER_CONNECTION_KILLED', 'ER_QUERY_INTERRUPTED'],
]);

/** Throws what an error of the source means, as a sentence; other errors as they are. */
function refuse(cause: unknown): never {
  const { code = '', fatal, message } = cause as Error & { code?: string; fatal?: boolean };
  if (GONE.has(code) || fatal)
    throw new StartError('The source went away: run the import again, it goes on where it was.', {
      cause,
    });
  if (code === 'ER_NO_SUCH_TABLE')
    throw new StartError(`The source is no whole database of the original: ${message}.`, { cause });
  throw cause;
}
