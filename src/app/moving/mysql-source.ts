import type { Connection, RowDataPacket } from 'mysql2/promise';
import { StartError } from '../../platform/database/database.js';

/** A row as MySQL returns it: numbers up to 2^53, other texts as they are written, dates too. */
export type SourceRow = Readonly<Record<string, string | number | null>>;

/** A value of a statement. */
export type SourceValue = string | number | readonly (string | number)[];

/**
 * A database of the original, read in one consistent snapshot. Statements name its tables as
 * `{posts}`, without their prefix.
 */
export class MysqlSource {
  private constructor(
    private readonly connection: Connection,
    readonly prefix: string,
  ) {}

  /** Opens `mysql://USER:PASSWORD@HOST:PORT/DATABASE`. Throws StartError. Close it. */
  static async open(address: string): Promise<MysqlSource> {
    const { createConnection } = await import('mysql2/promise');
    const connection = await createConnection({
      uri: address,
      charset: 'utf8mb4',
      dateStrings: true,
      supportBigNumbers: true,
      connectTimeout: 10_000,
    }).catch((cause: Error) => {
      throw new StartError(`The source does not open: ${cause.message}.`, { cause });
    });
    await connection.query('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await connection.query('SET NAMES utf8mb4');
    // Longer lists of terms would be cut.
    await connection.query('SET SESSION group_concat_max_len = 1000000');
    await connection.query('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
    const [tables] = await connection.query<RowDataPacket[]>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = database() AND table_name LIKE '%options'",
    );
    const [name] = tables.map((table) => String(table.name)).sort((a, b) => a.length - b.length);
    if (!name) {
      await connection.end();
      throw new StartError(
        'The source is no database of the original: it has no table of options.',
      );
    }
    return new MysqlSource(connection, name.slice(0, -'options'.length));
  }

  async rows(statement: string, values: readonly SourceValue[] = []): Promise<SourceRow[]> {
    const named = statement.replaceAll(/\{([\w-]+)\}/g, (_, table) => `\`${this.prefix}${table}\``);
    const [rows] = await this.connection.query<RowDataPacket[]>(named, [...values]);
    return rows as SourceRow[];
  }

  /** Returns whether there is a table. */
  async has(table: string): Promise<boolean> {
    const found = await this.rows(
      'SELECT 1 AS found FROM information_schema.tables WHERE table_schema = database() AND table_name = ?',
      [this.prefix + table],
    );
    return found.length > 0;
  }

  close(): Promise<void> {
    return this.connection.end();
  }
}
