import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { PrismaClient } from '../../generated/prisma/client.js';
import type { Database, DatabaseOptions, QueryOptions, Row } from './database.js';
import { ConnectionError, isUnavailable, StartError } from './errors.js';
import { applyMigrations, type Migration, pendingMigrations, readMigrations } from './migrate.js';
import { observed } from './observe.js';
import { within } from './ping.js';
import { parserOf } from './values.js';

/** A request is answered 503 within a second when no connection is to be had. */
const connectionTimeout = 900;

const transactionOptions = { maxWait: 2_000, timeout: 15_000 };

/** Texts that are prepared once per connection; more than these are sent as they are, so that servers do not fill up. */
const mostNames = 300;

/** Of the advisory lock under which processes apply migrations one after the other: a number that nothing else uses. */
export const migrationLock = 7_208_114_563;

type ServerOptions = DatabaseOptions & { url: string };

/** Opens a PostgreSQL server. Throws StartError: see openDatabase. */
export async function openServer(options: ServerOptions): Promise<Database> {
  const config = configOf(options.url);
  const client = await connect(config, options);
  try {
    await migrate(client, options);
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    throw new StartError(`The migrations of the database could not be read or applied: ${(cause as Error).message}.`, { cause });
  } finally {
    await client.end();
  }
  const pool = new pg.Pool({
    ...config,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: connectionTimeout,
    statement_timeout: 30_000,
    query_timeout: 31_000, // a server that fell silent cannot time out by itself
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
  });
  return new ServerDatabase(pool, options.log);
}

/** The address as pg reads it. Sessions run in UTC: Prisma's adapter takes every instant it reads to be in UTC. */
function configOf(url: string): pg.ClientConfig {
  let address: URL;
  try {
    address = new URL(url);
  } catch {
    throw new StartError('DATABASE_URL is not an address; it should look like postgres://user:password@host:5432/database.');
  }
  if (!/^postgres(?:ql)?:$/.test(address.protocol)) {
    throw new StartError(`DATABASE_URL should begin with postgres://, not with ${address.protocol}//.`);
  }
  const options = `${address.searchParams.get('options') ?? ''} -c TimeZone=UTC`.trim();
  address.searchParams.delete('options');
  return { connectionString: address.href, options, application_name: 'care' };
}

/** Connects to the server, and tries again for `wait` seconds while it cannot be reached. */
async function connect(config: pg.ClientConfig, { url, wait, log }: ServerOptions): Promise<pg.Client> {
  const { host, pathname } = new URL(url);
  const name = `PostgreSQL at ${host || 'the local socket'}${pathname}`;
  const deadline = Date.now() + wait * 1000;
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client({ ...config, connectionTimeoutMillis: Math.min(Math.max(deadline - Date.now(), 1_000), 5_000) });
    client.on('error', () => {}); // the query that meets it reports it
    try {
      await client.connect();
      return client;
    } catch (cause) {
      await client.end().catch(() => {});
      if (cause instanceof pg.DatabaseError && !isUnavailable(cause)) {
        throw new StartError(`${name} refused: ${cause.message}.`, { cause });
      }
      const left = deadline - Date.now();
      if (left <= 0) {
        throw new StartError(`${name} cannot be reached, after waiting ${wait} seconds (${reasonOf(cause)}).`, { cause });
      }
      if (attempt === 1) log?.(`${name} cannot be reached yet (${reasonOf(cause)}); waiting up to ${wait} seconds.`);
      await sleep(Math.min(left, 100 * 2 ** attempt, 1_000));
    }
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}

async function migrate(client: pg.Client, { migrate, log }: ServerOptions): Promise<void> {
  const migrations = readMigrations();
  const pending = await pendingMigrations(queryOf(client), migrations);
  if (pending.length === 0) return;
  if (!migrate) throw new StartError(`The database lacks migrations up to ${pending.at(-1)}: run \`npm run migrate\`.`);
  for (const name of await migrateClient(client, migrations)) log?.(`Applied the migration ${name}.`);
}

/** Applies pending migrations, all or none, and answers their names; processes that start at once take turns. */
export async function migrateClient(client: pg.Client, migrations: Migration[]): Promise<string[]> {
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    const applied = await applyMigrations({ query: queryOf(client), factory: sessionFactory(client) }, migrations);
    await client.query('COMMIT');
    return applied;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {}); // a lost connection has rolled back already
    throw error;
  }
}

function queryOf(client: pg.Client): (text: string) => Promise<Row[]> {
  return async (text) => (await client.query<Row>(text)).rows;
}

/** Prisma's adapter over one connection. Its own scripts are cut at every semicolon, also those inside functions and texts. */
function sessionFactory(client: pg.Client): SqlMigrationAwareDriverAdapterFactory {
  const session = Object.assign(new pg.Pool({ max: 1 }), { query: client.query.bind(client) });
  const factory = new PrismaPg(session);
  return Object.assign(factory, {
    connect: async () => {
      const adapter = await PrismaPg.prototype.connect.call(factory);
      return Object.assign(adapter, { executeScript: async (script: string) => void (await client.query(script)) });
    },
  });
}

class ServerDatabase implements Database {
  readonly kind = 'server';
  readonly prisma: PrismaClient;
  statements = 0;
  readonly #names = new Map<string, string>();
  #closed: Promise<void> | undefined;

  constructor(
    private readonly pool: pg.Pool,
    log?: (message: string) => void,
  ) {
    // Unheard, this event would end the process.
    pool.on('error', (error) => log?.(`A connection to PostgreSQL was lost: ${error.message}.`));
    const adapter = observed(new PrismaPg(pool), { sent: () => this.statements++, isLost });
    this.prisma = new PrismaClient({ adapter, transactionOptions });
  }

  async query<T extends object = Row>(
    text: string,
    values: readonly unknown[] = [],
    { prepared = true }: QueryOptions = {},
  ): Promise<T[]> {
    this.statements++;
    try {
      const name = prepared ? this.#nameOf(text) : undefined;
      const config = { text, values: [...values], name, types: { getTypeParser: parserOf } };
      return (await this.pool.query<T>(config)).rows;
    } catch (error) {
      throw isLost(error) ? new ConnectionError((error as Error).message, { cause: error }) : error;
    }
  }

  async ping(): Promise<void> {
    await within(1000, this.query('SELECT 1'));
  }

  close(): Promise<void> {
    this.#closed ??= this.prisma.$disconnect().then(() => this.pool.end());
    return this.#closed;
  }

  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= mostNames) return known;
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    this.#names.set(text, name);
    return name;
  }
}

/** PostgreSQL's errors are DatabaseErrors; whatever else comes out of the driver, mistakes apart, is about the connection. */
function isLost(error: unknown): boolean {
  const others = [pg.DatabaseError, TypeError, RangeError];
  return error instanceof Error && !others.some((type) => error instanceof type);
}
