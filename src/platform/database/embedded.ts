import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { PGlite, QueryOptions as PGliteQueryOptions } from '@electric-sql/pglite';
import { PrismaClient } from '../../generated/prisma/client.js';
import { inStatement } from '../tracing/tracing.js';
import type { Database, DatabaseOptions, DatabaseRow, QueryOptions } from './database.js';
import { ConnectionError, StartError } from './database-errors.js';
import { lockFolder } from './lock.js';
import { readMigrations } from './migrations.js';
import { openPGlite } from './pglite.js';
import { migratePGlite, PGliteAdapterFactory } from './pglite-adapter.js';
import { within } from './ping.js';
import { isRead, observed } from './statement-metrics.js';
import { template, unpackTemplate } from './template.js';
import type { Db } from './transaction.js';
import { parsers } from './values.js';

/**
 * The version of PostgreSQL inside PGlite, as the file PG_VERSION of a data directory states it.
 */
const POSTGRES_VERSION = '18';

/**
 * Names that a data directory may contain before it has a database: other files of this service,
 * and what file systems create.
 */
const ALLOWED_NAMES =
  /^(?:\..*|lost\+found|secret\.key|audit-heads|files|work|outbox|\w+-outbox.*)$/;

/** Transactions queue in this process, so they may wait long before they start. Milliseconds. */
const transactionOptions = { maxWait: 30_000, timeout: 30_000 };

/**
 * Opens PGlite in the folder `database` of the data directory, and applies pending migrations. No
 * other process can open it meanwhile. Throws StartError when the directory cannot be used.
 */
export async function openEmbedded({
  dataDir,
  log,
  migrations,
}: Pick<DatabaseOptions, 'dataDir' | 'log' | 'migrations'>): Promise<Database> {
  const directory = resolve(dataDir);
  prepare(directory);
  const lock = await lockFolder(directory);
  try {
    const database = new EmbeddedDatabase(await openIn(directory, migrations), () =>
      lock.release(),
    );
    await database
      .migrate(log, migrations)
      .catch((error: unknown) => database.close().then(() => Promise.reject(error)));
    return database;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * Opens a migrated database in memory, for tests. Closing it deletes it. It keeps the process alive
 * until it is closed.
 */
export async function openMemory(): Promise<Database> {
  return new EmbeddedDatabase(await openPGlite({ loadDataDir: await template() }), async () => {});
}

function prepare(directory: string): void {
  const refuse = (problem: string, cause?: unknown) =>
    new StartError(`The data directory ${directory} ${problem}.`, { cause });
  try {
    makeFolder(directory);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw refuse(
      code === 'EEXIST' || code === 'ENOTDIR' ? 'is not a directory' : `cannot be made (${code})`,
      cause,
    );
  }
  const cluster = join(directory, 'database');
  try {
    for (const path of [directory, cluster].filter(existsSync))
      accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw refuse('cannot be read and written by this user', cause);
  }
  if (!existsSync(cluster)) {
    const foreign = readdirSync(directory).find((name) => !ALLOWED_NAMES.test(name));
    if (foreign !== undefined)
      throw refuse(`holds something else (${foreign}) and no database of this service`);
    return;
  }
  const version = versionOf(cluster);
  if (version === undefined)
    throw refuse('has a folder `database` that was not made by this service');
  if (version !== POSTGRES_VERSION)
    throw refuse(
      `was made by PostgreSQL ${version}, and this version of the service has ${POSTGRES_VERSION}`,
    );
}

/**
 * Creates a folder and its parents one by one. Node's own recursion never ends where the system
 * reports ENOENT, as under /proc.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder) && statSync(folder).isDirectory()) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(folder).isDirectory())
      throw error;
  }
}

function versionOf(cluster: string): string | undefined {
  const file = join(cluster, 'PG_VERSION');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

async function openIn(directory: string, migrations?: readonly string[]): Promise<PGlite> {
  const cluster = join(directory, 'database');
  try {
    for (const name of readdirSync(directory)) {
      if (name.startsWith('.unfinished-'))
        rmSync(join(directory, name), { recursive: true, force: true });
    }
    // The template has all migrations: a database that lacks some is made from nothing.
    const hasAll = readMigrations(migrations).length === readMigrations().length;
    if (!existsSync(cluster) && hasAll) await makeCluster(directory, cluster);
    return await openPGlite({ dataDir: cluster });
  } catch (cause) {
    throw new StartError(
      `The database in ${cluster} could not be opened: ${(cause as Error).message}.`,
      { cause },
    );
  }
}

/**
 * Unpacks the template into another folder and renames it. A process that is killed in between
 * leaves nothing that looks like a database.
 */
async function makeCluster(directory: string, cluster: string): Promise<void> {
  const unfinished = join(directory, `.unfinished-${process.pid}`);
  await unpackTemplate(unfinished);
  renameSync(unfinished, cluster);
}

class EmbeddedDatabase implements Database {
  readonly kind = 'embedded';
  readonly prisma: PrismaClient;
  readonly db: Db;
  statements = 0;
  writes = 0;
  #closed: Promise<void> | undefined;

  constructor(
    private readonly pg: PGlite,
    private readonly released: () => Promise<void>,
  ) {
    const observer = {
      sent: () => this.statements++,
      changed: () => this.writes++,
      isLost: () => this.#closed !== undefined,
    };
    this.prisma = new PrismaClient({
      adapter: observed(new PGliteAdapterFactory(pg), observer),
      transactionOptions,
    });
    this.db = withNumbers(this.prisma);
  }

  async migrate(log?: (message: string) => void, names?: readonly string[]): Promise<void> {
    for (const name of await migratePGlite(this.pg, readMigrations(names)))
      log?.(`Applied the migration ${name}.`);
  }

  async query<T extends object = DatabaseRow>(
    text: string,
    values: readonly unknown[] = [],
    { prepared: prepare = true }: QueryOptions = {},
  ): Promise<T[]> {
    if (this.#closed) throw new ConnectionError('The database is closed.');
    this.statements++;
    const { rows } = await inStatement(text, () =>
      this.pg.query<T>(text, [...values], { parsers, prepare } as PGliteQueryOptions),
    );
    if (!isRead(text)) this.writes++;
    return rows;
  }

  transaction<T>(work: (db: Db) => Promise<T>, options: { timeout?: number } = {}): Promise<T> {
    return this.prisma.$transaction((db) => work(withNumbers(db)), {
      ...transactionOptions,
      ...options,
    });
  }

  async ping(): Promise<void> {
    await within(1000, this.query('SELECT 1'));
  }

  trouble(): Promise<string | undefined> {
    return this.ping().then(
      () => undefined,
      () => 'The database does not answer.',
    );
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.prisma.$disconnect();
    await this.pg.close();
    await this.released();
  }
}

/** Reads whole numbers of 64 bits by SQL as numbers, as those of a server are read. */
function withNumbers(db: Db): Db {
  return new Proxy(db, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== '$queryRaw' && name !== '$queryRawUnsafe') return value.bind(target);
      return async (...args: unknown[]) =>
        ((await value.apply(target, args)) as object[]).map(withNumber);
    },
  });
}

const withNumber = (row: object): object =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, numberOf(value)]));

function numberOf(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  return Array.isArray(value) ? value.map(numberOf) : value;
}
