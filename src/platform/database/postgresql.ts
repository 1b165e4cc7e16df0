import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../../generated/prisma/client.js';
import { cancelStatement } from './cancel.js';
import type { Database, DatabaseOptions, QueryOptions, Row } from './database.js';
import {
  ConnectionError,
  isCancelled,
  isUnavailable,
  StartError,
  whyUnwritable,
} from './database-errors.js';
import { migrateClient, queryOf } from './migrate-server.js';
import { pendingMigrations, readMigrations } from './migrations.js';
import { Outage } from './outage.js';
import { within } from './ping.js';
import { observed } from './statement-metrics.js';
import { type TimeBudget, TimeLimitError } from './time-budget.js';
import { parserOf } from './values.js';
import { processOf, UtcClient, Watch, WatchedClient } from './watch.js';
import { WRITE, Writes } from './writes.js';

/**
 * Milliseconds to wait for a free connection. A request without one is answered 503 within a
 * second.
 */
const connectionTimeout = 900;

const transactionOptions = { maxWait: 2_000, timeout: 15_000 };

const DEFAULTS = { poolSize: 10, statementLimit: 30, pooler: 'auto' } as const;

/**
 * Maximum number of texts prepared per connection. Further texts are sent unprepared, to limit the
 * memory of the server.
 */
const MOST_PREPARED = 300;

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
    ...(!pooled && { statement_timeout: limit, idle_in_transaction_session_timeout: 60_000 }),
    keepAlive: true,
  });
  return new ServerDatabase(pool, watch, { prepares: !pooled, log: options.log });
}

/** Returns the configuration for pg. Throws StartError when the address is malformed. */
function configOf(url: string): pg.ClientConfig {
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
async function connect(
  config: pg.ClientConfig,
  { url, wait, log }: ServerOptions,
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
      if (/startup parameter/.test((cause as Error).message))
        throw new StartError(
          `${name} is a pooler that refuses what DATABASE_URL asks for: ${(cause as Error).message}.`,
          {
            cause,
          },
        );
      if (cause instanceof pg.DatabaseError && !isUnavailable(cause)) {
        throw new StartError(`${name} refused: ${cause.message}.`, { cause });
      }
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

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return error instanceof pg.DatabaseError ? message : (code ?? message);
}

async function migrate(
  client: pg.Client,
  { migrate, log }: ServerOptions,
  config: pg.ClientConfig,
): Promise<void> {
  const migrations = readMigrations();
  const pending = await pendingMigrations(queryOf(client), migrations);
  if (pending.length === 0) return;
  if (!migrate)
    throw new StartError(
      `The database lacks migrations up to ${pending.at(-1)}: run \`npm run migrate\`.`,
    );
  for (const name of await migrateClient(client, migrations, { config, log }))
    log?.(`Applied the migration ${name}.`);
}

const ignore = () => {};

class ServerDatabase implements Database {
  readonly kind = 'server';
  readonly prisma: PrismaClient;
  statements = 0;
  readonly #names = new Map<string, string>();
  #closed: Promise<void> | undefined;
  readonly #outage: Outage;
  readonly #writes = new Writes(() => this.query(WRITE, [], { prepared: false }));

  constructor(
    private readonly pool: pg.Pool,
    private readonly watch: Watch,
    private readonly options: { readonly prepares: boolean; readonly log: DatabaseOptions['log'] },
  ) {
    this.#outage = new Outage((message, error) => options.log?.(message, error));
    // Without a listener this event would end the process.
    pool.on('error', (cause) => this.#outage.failed(new ConnectionError(cause.message, { cause })));
    const observer = {
      sent: () => this.statements++,
      isLost,
      failed: (error: unknown) => this.#failed(error),
      succeeded: () => this.#outage.passed(),
    };
    const adapter = observed(new PrismaPg(pool), observer);
    this.prisma = new PrismaClient({ adapter, transactionOptions });
  }

  async query<T extends object = Row>(
    text: string,
    values: readonly unknown[] = [],
    { prepared = true, budget }: QueryOptions = {},
  ): Promise<T[]> {
    this.statements++;
    try {
      const name = prepared && this.options.prepares ? this.#nameOf(text) : undefined;
      const config = { text, values: [...values], name, types: { getTypeParser: parserOf } };
      const rows = budget
        ? await this.#limited<T>(config, budget)
        : (await this.pool.query<T>(config)).rows;
      this.#outage.passed();
      return rows;
    } catch (error) {
      const reported = isLost(error)
        ? new ConnectionError((error as Error).message, { cause: error })
        : error;
      this.#failed(reported);
      throw reported;
    }
  }

  #failed(error: unknown): void {
    if (isUnavailable(error) && !whyUnwritable(error)) this.#outage.failed(error);
    this.#writes.failed(error);
  }

  /**
   * Runs a statement within a time budget. The connection returns to the pool only after a started
   * cancellation has ended, so that it cannot cancel the next statement.
   */
  async #limited<T extends object>(config: pg.QueryConfig, budget: TimeBudget): Promise<T[]> {
    const client = await this.pool.connect();
    // The pool handles errors only of idle clients. The statement rejects with the same error
    client.on('error', ignore);
    let cancelling: Promise<void> | undefined;
    const ended = new AbortController();
    let failure: unknown;
    try {
      const stop = budget.start(() => {
        cancelling = cancelStatement(client, ended.signal);
      });
      return (await client.query<T>(config).finally(stop)).rows;
    } catch (error) {
      failure =
        cancelling && isCancelled(error)
          ? new TimeLimitError('The statement was cancelled.', { cause: error })
          : error;
      throw failure;
    } finally {
      ended.abort();
      await cancelling;
      client.off('error', ignore);
      client.release(isLost(failure));
    }
  }

  async ping(): Promise<void> {
    await within(1000, this.query('SELECT 1'));
  }

  async trouble(): Promise<string | undefined> {
    const answers = await this.ping().then(
      () => true,
      () => false,
    );
    return answers ? this.#writes.trouble() : 'The database does not answer.';
  }

  close(): Promise<void> {
    this.#closed ??= this.prisma
      .$disconnect()
      .then(() => this.pool.end())
      .finally(() => this.watch.close());
    return this.#closed;
  }

  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= MOST_PREPARED) return known;
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    this.#names.set(text, name);
    return name;
  }
}

/**
 * Returns whether an error means a lost connection: every error of the driver that is neither
 * PostgreSQL's (DatabaseError) nor a time limit nor a programming mistake.
 */
function isLost(error: unknown): boolean {
  const others = [pg.DatabaseError, TimeLimitError, TypeError, RangeError];
  return error instanceof Error && !others.some((type) => error instanceof type);
}
