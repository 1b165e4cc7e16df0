import type { DatabaseRow } from './database.js';
import { StartError } from './database-errors.js';
import { queryOf } from './migrate-server.js';
import { type MigrationSession, pendingMigrations, readMigrations } from './migrations.js';
import { configOf, connect } from './postgresql.js';
import { refuseUnfinished } from './unfinished-move.js';

/** What a server says of itself and of the rights of this user. */
export interface ServerState {
  /** Its version, such as 15.20, and as a number, such as 150020. */
  readonly version: string;
  readonly number: number;
  readonly encoding: string;
  readonly isReadOnly: boolean;
  /** Connections that it takes of users like this one. */
  readonly connections: number;
  /** Whether the user may make temporary tables, tables, and extensions. */
  readonly makesTemporary: boolean;
  readonly makesTables: boolean;
  readonly makesExtensions: boolean;
  /** Extensions that the database lacks, and those of them that the server does not have. */
  readonly lacking: readonly string[];
  readonly unavailable: readonly string[];
  /** Tables that the user may not read and write, and those that it does not own. */
  readonly forbidden: readonly string[];
  readonly foreign: readonly string[];
  /** Its clock, in milliseconds since 1970. */
  readonly now: number;
  /** Names of the migrations that the database lacks. */
  readonly pending: readonly string[];
  /** Why this version cannot go by the migrations of the database; undefined when it can. */
  readonly fault: string | undefined;
}

/** The extensions that the migrations make. */
const EXTENSIONS = "'{cube,pg_trgm}'::text[]";
const OWN = `SELECT oid, relname, relowner FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
    AND relname NOT LIKE '\\_prisma%'`;
const STATE = `SELECT current_setting('server_version') AS version,
  current_setting('server_version_num')::int AS number,
  current_setting('server_encoding') AS encoding,
  pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean AS "isReadOnly",
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    AS connections,
  has_database_privilege(current_database(), 'TEMPORARY') AS "makesTemporary",
  has_schema_privilege('public', 'CREATE') AS "makesTables",
  has_database_privilege(current_database(), 'CREATE') AS "makesExtensions",
  ARRAY(SELECT e FROM unnest(${EXTENSIONS}) AS e
    WHERE NOT EXISTS (SELECT FROM pg_extension WHERE extname = e)) AS lacking,
  ARRAY(SELECT e FROM unnest(${EXTENSIONS}) AS e
    WHERE NOT EXISTS (SELECT FROM pg_available_extensions WHERE name = e)) AS unavailable,
  ARRAY(SELECT relname::text FROM (${OWN}) AS own
    WHERE NOT has_table_privilege(oid, 'SELECT') OR NOT has_table_privilege(oid, 'INSERT')
      OR NOT has_table_privilege(oid, 'UPDATE') OR NOT has_table_privilege(oid, 'DELETE')
    ORDER BY 1) AS forbidden,
  ARRAY(SELECT relname::text FROM (${OWN}) AS own WHERE NOT pg_has_role(relowner, 'USAGE')
    ORDER BY 1) AS foreign,
  (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`;

/**
 * Looks at a PostgreSQL server over one connection, and changes nothing. Throws StartError when it
 * cannot be reached within so many seconds, refuses the user, or cannot be looked at.
 */
export async function inspectServer(url: string, wait: number): Promise<ServerState> {
  const client = await connect(configOf(url), { url, wait });
  try {
    const { rows } = await client.query<Omit<ServerState, 'pending' | 'fault'>>(STATE);
    const state = rows[0] as (typeof rows)[0];
    return { ...state, ...(await migrationsOf(queryOf(client))) };
  } catch (cause) {
    const { message } = cause as Error;
    throw new StartError(`The database cannot be looked at: ${message}.`, { cause });
  } finally {
    await client.end();
  }
}

async function migrationsOf(
  query: MigrationSession['query'],
): Promise<Pick<ServerState, 'pending' | 'fault'>> {
  try {
    await refuseUnfinished(query);
    return { pending: await pendingMigrations(query, readMigrations()), fault: undefined };
  } catch (error) {
    const { message } = error as Error;
    const fault = error instanceof StartError ? message : `They cannot be read: ${message}.`;
    return { pending: [], fault };
  }
}

/**
 * Returns the name of a table of a server that has rows, beside those that only have what the
 * migrations write; undefined when there is none. Throws StartError as `inspectServer` does.
 */
export async function filledTable(url: string, wait: number): Promise<string | undefined> {
  const client = await connect(configOf(url), { url, wait });
  try {
    return await firstFilled(queryOf(client));
  } finally {
    await client.end();
  }
}

/** Returns what `filledTable` does, by a function that runs a text and returns its rows. */
export async function firstFilled(
  query: (text: string) => Promise<DatabaseRow[]>,
): Promise<string | undefined> {
  const rows = await query(`
    SELECT quote_ident(relname) AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      AND relname <> ALL('{${WRITTEN_BY_MIGRATIONS.join()}}'::text[]) ORDER BY 1`);
  for (const { name } of rows) {
    const found = await query(`SELECT 1 AS found FROM public.${name} LIMIT 1`);
    if (found.length > 0) return String(name);
  }
  return undefined;
}

/** Tables that have rows before the first start. */
const WRITTEN_BY_MIGRATIONS = [
  '_prisma_migrations',
  'item_count_state',
  'language',
  'migration_oldest',
  'site',
  'term',
];
