import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Database, DatabaseOptions } from './database.js';
import { isUnavailable, StartError } from './database-errors.js';
import { migrateClient, queryOf } from './migrate-server.js';
import { pendingMigrations, readMigrations } from './migrations.js';
import { ServerDatabase } from './server-database.js';
import { isMoveUnfinished, refuseUnfinished } from './unfinished-move.js';
import { processOf, UtcClient, Watch, WatchedClient } from './watch.js';

/**
 * Milliseconds to wait for a free connection. A request without one is answered 503 within three
 * seconds. On a busy machine a new one takes more than a second.
 */
const connectionTimeout = 2_500;

const DEFAULTS = { poolSize: 10, statementLimit: 30, pooler: 'auto' } as const;

type ServerOptions = DatabaseOptions & { url: string };

/** Opens a PostgreSQL server. Throws StartError as `openDatabase` does. */
export async function openServer(options: ServerOptions): Promise<Database> {
  const { url, poolSize = DEFAULTS.poolSize, statementLimit = DEFAULTS.statementLimit } = options;
  const config = configOf(url);
  const client = await connect(config, options);
  let pooled: boolean;
  try {
    pooled = await isPooled(client, options);
    await migrate(client, options, config);
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    throw new StartError(
      `The migrations of the database could not be read or applied: ${(cause as Error).message}.`,
      { cause },
    );
  } finally {
    await client.end();
  }
  const watch = new Watch({ config, pooled });
  const limit = statementLimit * 1_000;
  const pool = new pg.Pool({
    ...config,
    ...({ watch } as object),
    Client: WatchedClient as unknown as new () => pg.ClientBase,
    max: poolSize,
    connectionTimeoutMillis: connectionTimeout,
    query_timeout: limit + 1_000, // for servers that do not enforce the limit
    // A pooler shares a session between clients and refuses session settings.
    ...(!pooled && {
      statement_timeout: limit,
      idle_in_transaction_session_timeout: 60_000,
      // A list in JSON is planned for a hundred rows: to compile that took seconds for each.
      options: '-c jit=off',
    }),
    keepAlive: true,
  });
  const { server = 'primary', log } = options;
  return new ServerDatabase(pool, watch, { prepares: !pooled, statementLimit, server, log });
}

/** Returns the configuration for pg. Throws StartError when the address is malformed. */
export function configOf(url: string): pg.ClientConfig {
  let address: URL;
  try {
    address = new URL(url);
  } catch {
    throw new StartError(
      'DATABASE_URL is not an address; it should look like ' +
        'postgres://user:password@host:5432/database.',
    );
  }
  if (!/^postgres(?:ql)?:$/.test(address.protocol)) {
    throw new StartError(
      `DATABASE_URL should begin with postgres://, not with ${address.protocol}//.`,
    );
  }
  return { connectionString: address.href, application_name: 'care' };
}

/**
 * Returns whether a pooler stands before the server and gives each transaction any of its
 * connections. Then no prepared statement or setting may stay in a session. Detection: the process
 * id of the connection differs from that of the server process, because a pooler reports an id of
 * its own.
 */
async function isPooled(
  client: pg.Client,
  { pooler = DEFAULTS.pooler, log, statementLimit }: ServerOptions,
): Promise<boolean> {
  const { rows } = await client.query<{ pid: number; zone: string; limit: string }>(
    `SELECT pg_backend_pid() AS pid, current_setting('TimeZone') AS zone, current_setting('statement_timeout') AS limit`,
  );
  const [{ pid, zone, limit } = { pid: 0, zone: '', limit: '' }] = rows;
  if (zone !== 'UTC')
    throw new StartError(
      `The sessions of the database are in the time zone ${zone} whatever is asked for; they must be in UTC.`,
    );
  const pooled = pooler === 'auto' ? processOf(client) !== pid : pooler === 'transaction';
  if (pooled && limit === '0')
    log?.(
      `A pooler stands before PostgreSQL, so its statements have no time limit there: ALTER ROLE … SET statement_timeout = '${statementLimit ?? DEFAULTS.statementLimit}s'.`,
    );
  return pooled;
}

/** Connects to the server. Tries again for `wait` seconds while it cannot be reached. */
export async function connect(
  config: pg.ClientConfig,
  { url, wait, log, stopping }: Pick<ServerOptions, 'url' | 'wait' | 'log' | 'stopping'>,
): Promise<pg.Client> {
  const { host, pathname } = new URL(url);
  const name = `PostgreSQL at ${host || 'the local socket'}${pathname}`;
  const deadline = Date.now() + wait * 1000;
  for (let attempt = 1; ; attempt++) {
    const client = new UtcClient({
      ...config,
      connectionTimeoutMillis: Math.min(Math.max(deadline - Date.now(), 1_000), 5_000),
    });
    client.on('error', () => {}); // the query that fails reports the error
    try {
      await client.connect();
      return client;
    } catch (cause) {
      await client.end().catch(() => {});
      stopping?.throwIfAborted();
      throwRefusal(name, cause as Error);
      const left = deadline - Date.now();
      if (left <= 0) {
        throw new StartError(
          `${name} cannot be reached, after waiting ${wait} seconds (${reasonOf(cause)}).`,
          { cause },
        );
      }
      if (attempt === 1)
        log?.(`${name} cannot be reached yet (${reasonOf(cause)}); waiting up to ${wait} seconds.`);
      await sleep(Math.min(left, 100 * 2 ** attempt, 1_000));
    }
  }
}

/** Throws StartError when the server refused the connection, so that waiting is of no use. */
function throwRefusal(name: string, cause: Error): void {
  const { message } = cause;
  if (/startup parameter/.test(message))
    throw new StartError(
      `${name} is a pooler that refuses what DATABASE_URL asks for: ${message}.`,
      { cause },
    );
  if (cause instanceof pg.DatabaseError && !isUnavailable(cause))
    throw new StartError(`${name} refused: ${message}.`, { cause });
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return error instanceof pg.DatabaseError ? message : (code ?? message);
}

async function migrate(
  client: pg.Client,
  { migrate, log, migrations: names, stopping, isMove = false }: ServerOptions,
  config: pg.ClientConfig,
): Promise<void> {
  const migrations = readMigrations(names);
  if (isMove && (await isMoveUnfinished(queryOf(client)))) return;
  await refuseUnfinished(queryOf(client));
  const pending = await pendingMigrations(queryOf(client), migrations);
  if (pending.length === 0) return;
  if (!migrate)
    throw new StartError(
      `The database lacks migrations up to ${pending.at(-1)}: run \`npm run migrate\`.`,
    );
  await migrateClient(client, migrations, { config, log, stopping });
}
