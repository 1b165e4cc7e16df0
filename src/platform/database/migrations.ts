import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  isDriverAdapterError,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import { projectRoot } from '../root.js';
import type { DatabaseRow } from './database.js';
import { StartError } from './database-errors.js';
import { openEngine } from './engine.js';

const migrationsPath = join(projectRoot, 'prisma', 'migrations');

/**
 * A migration of prisma/migrations: the name of its folder and its SQL. A line `-- oldest: 1.2.3`
 * declares the oldest version of the service that runs on what the migration leaves; without it,
 * no version that lacks the migration starts. A line `-- from: 1.3.0` says that a database which is in
 * use gets it from that version on; a new database has all at once.
 */
export interface Migration {
  name: string;
  script: string;
}

/** The version of this service. */
export const ownVersion: string = JSON.parse(
  readFileSync(join(projectRoot, 'package.json'), 'utf8'),
).version;

/** One connection inside a transaction, through which migrations are applied, all or none. */
export interface MigrationSession {
  query(text: string): Promise<DatabaseRow[]>;
  factory: SqlMigrationAwareDriverAdapterFactory;
}

/** Returns the migrations of this code, oldest first: all, or those with some names. */
export function readMigrations(names?: readonly string[]): Migration[] {
  return readdirSync(migrationsPath, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .filter((name) => names?.includes(name) ?? true)
    .sort()
    .map((name) => ({
      name,
      script: readFileSync(join(migrationsPath, name, 'migration.sql'), 'utf8'),
    }));
}

/**
 * Returns the names of the migrations that the database lacks. Throws StartError when it has
 * migrations that this code does not know, unless each of them lets this version run.
 */
export const pendingMigrations = async (
  query: MigrationSession['query'],
  migrations: Migration[],
): Promise<string[]> => (await progressOf(query, migrations)).pending;

/** Returns the names of the migrations that the database has, and of those that it is to get. */
async function progressOf(
  query: MigrationSession['query'],
  migrations: Migration[],
): Promise<{ readonly applied: ReadonlySet<string>; readonly pending: string[] }> {
  const done = 'finished_at IS NOT NULL AND rolled_back_at IS NULL';
  const rows = (await isThere(query, '_prisma_migrations'))
    ? await query(`SELECT migration_name AS name FROM _prisma_migrations WHERE ${done}`)
    : [];
  const applied = new Set(rows.map((row) => String(row.name)));
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = [...applied].filter((name) => !known.has(name)).sort();
  if (unknown.length > 0) await refuseNewer(query, unknown);
  const comes = (migration: Migration) =>
    !applied.has(migration.name) && (applied.size === 0 || !isOfLater(migration));
  return { applied, pending: migrations.filter(comes).map(({ name }) => name) };
}

/** Returns whether a database that is in use gets a migration with a version after this one. */
const isOfLater = ({ script }: Migration): boolean => {
  const from = declared(script, 'from');
  return from !== undefined && !isAtLeast(ownVersion, from);
};

const DECLARED = {
  oldest: /^-- oldest: (\d+\.\d+\.\d+)$/m,
  from: /^-- from: (\d+\.\d+\.\d+)$/m,
} as const;

/** Returns the version that a script declares in a line `-- oldest: 1.2.3` or `-- from: 1.2.3`. */
const declared = (script: string, what: keyof typeof DECLARED): string | undefined =>
  DECLARED[what].exec(script)?.[1];

async function isThere(query: MigrationSession['query'], table: string): Promise<boolean> {
  const [row] = await query(`SELECT to_regclass('${table}') IS NOT NULL AS found`);
  return row?.found === true;
}

async function refuseNewer(query: MigrationSession['query'], unknown: string[]): Promise<void> {
  const rows = (await isThere(query, 'migration_oldest'))
    ? await query('SELECT migration, oldest FROM migration_oldest')
    : [];
  const oldest = new Map(rows.map(({ migration, oldest }) => [String(migration), String(oldest)]));
  const refused = unknown.filter((name) => !isAtLeast(ownVersion, oldest.get(name))).at(-1);
  if (!refused) return;
  const needed = oldest.get(refused);
  const why = needed ? `needs version ${needed}; this is ${ownVersion}` : 'is not known here';
  throw new StartError(`The database is newer than this code: the migration ${refused} ${why}.`);
}

/** Returns whether a version such as 1.2.3 is another one or newer. */
function isAtLeast(version: string, other: string | undefined): boolean {
  if (!other) return false;
  const parts = (text: string) => text.split('.').map(Number);
  const [own, needed] = [parts(version), parts(other)];
  const place = own.findIndex((part, i) => part !== needed[i]);
  return place < 0 || (own[place] as number) > (needed[place] ?? 0);
}

/** Which pending migrations are applied by `applyMigrations`. */
interface Choice {
  /** How many of them at most. */
  readonly most: number;
  /** The name of one whose statements ran already: it is noted alone. */
  readonly ran?: string | undefined;
}

/**
 * Applies pending migrations, oldest first, with Prisma's own engine. Returns their names. The caller
 * must commit the session's transaction: a process that is killed before leaves the database
 * unchanged. Throws StartError with the error of the database.
 */
export async function applyMigrations(
  session: MigrationSession,
  migrations: Migration[],
  { most, ran }: Choice = { most: Number.POSITIVE_INFINITY },
): Promise<string[]> {
  const { applied, pending } = await progressOf(session.query, migrations);
  if (pending.length === 0) return [];
  const next = pending.slice(0, most);
  let failure: unknown;
  const script = migrations.find(({ name }) => name === ran)?.script;
  const engine = await openEngine(watched(session.factory, script, (error) => (failure ??= error)));
  try {
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList: listOf(
        migrations.filter(({ name }) => applied.has(name) || next.includes(name)),
      ),
      filters: { externalTables: [], externalEnums: [] },
    });
    await noteOldest(session.query, migrations, appliedMigrationNames);
    return appliedMigrationNames;
  } catch (error) {
    // The engine reports the last error of the aborted transaction; only the first one explains the
    // failure.
    const cause = failure ?? error;
    throw new StartError(`The migrations were not applied: ${messageOf(cause)}.`, { cause });
  } finally {
    engine.free();
  }
}

/** Notes what applied migrations declare, for versions that do not know them. */
async function noteOldest(
  query: MigrationSession['query'],
  migrations: Migration[],
  applied: string[],
): Promise<void> {
  for (const { name, script } of migrations) {
    const oldest = declared(script, 'oldest');
    if (oldest && applied.includes(name))
      await query(
        `INSERT INTO migration_oldest (migration, oldest) VALUES ('${name}', '${oldest}')`,
      );
  }
}

/** Returns whether a migration makes or drops indexes while others read and write. */
export const isConcurrent = ({ script }: Migration): boolean => / INDEX CONCURRENTLY /.test(script);

/**
 * Returns the statements of a script that makes or drops indexes CONCURRENTLY. They run outside of
 * a transaction, and again where a process was killed between them: see CONTRIBUTING.md.
 */
export const statementsOf = ({ script }: Migration): string[] =>
  script
    .replaceAll(/^--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');

function messageOf(error: unknown): string {
  if (isDriverAdapterError(error)) return error.cause.originalMessage ?? error.message;
  return error instanceof Error ? error.message : String(error);
}

function listOf(migrations: Migration[]) {
  return {
    baseDir: migrationsPath,
    shadowDbInitScript: '',
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    migrationDirectories: migrations.map(({ name, script }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: script } as const },
    })),
  };
}

/** Scripts run in a transaction of a database that nobody else uses, or not at all when they ran. */
function watched(
  factory: SqlMigrationAwareDriverAdapterFactory,
  ran: string | undefined,
  failed: (error: unknown) => void,
): SqlMigrationAwareDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connectToShadowDb: () => factory.connectToShadowDb(),
    connect: async () => {
      const adapter = await factory.connect();
      const executeScript = adapter.executeScript.bind(adapter);
      return Object.assign<SqlDriverAdapter, Partial<SqlDriverAdapter>>(adapter, {
        executeScript: async (script) => {
          if (script === ran) return;
          await executeScript(script.replaceAll(' INDEX CONCURRENTLY ', ' INDEX ')).catch(
            (error: unknown) => {
              failed(error);
              throw error;
            },
          );
        },
      });
    },
  };
}
