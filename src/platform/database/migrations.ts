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

/** A migration of prisma/migrations: the name of its folder and its SQL. */
export interface Migration {
  name: string;
  script: string;
}

/** One connection inside a transaction, through which migrations are applied, all or none. */
export interface MigrationSession {
  query(text: string): Promise<DatabaseRow[]>;
  factory: SqlMigrationAwareDriverAdapterFactory;
}

/** Returns the migrations of this code, oldest first. */
export function readMigrations(): Migration[] {
  return readdirSync(migrationsPath, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => ({
      name,
      script: readFileSync(join(migrationsPath, name, 'migration.sql'), 'utf8'),
    }));
}

/**
 * Returns the names of the migrations that the database lacks. Throws StartError when it has
 * migrations that this code does not know.
 */
export async function pendingMigrations(
  query: MigrationSession['query'],
  migrations: Migration[],
): Promise<string[]> {
  const [table] = await query(`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found`);
  const done = 'finished_at IS NOT NULL AND rolled_back_at IS NULL';
  const rows = table?.found
    ? await query(`SELECT migration_name AS name FROM _prisma_migrations WHERE ${done}`)
    : [];
  const applied = new Set(rows.map((row) => String(row.name)));
  const known = migrations.map(({ name }) => name);
  const unknown = [...applied].filter((name) => !known.includes(name)).sort();
  if (unknown.length > 0) {
    throw new StartError(
      `The database is newer than this code: the migration ${unknown.at(-1)} is not known here.`,
    );
  }
  return known.filter((name) => !applied.has(name));
}

/**
 * Applies pending migrations with Prisma's own engine. Returns their names. The caller must commit
 * the session's transaction: a process that is killed before leaves the database unchanged. Throws
 * StartError with the error of the database.
 */
export async function applyMigrations(
  session: MigrationSession,
  migrations: Migration[],
): Promise<string[]> {
  if ((await pendingMigrations(session.query, migrations)).length === 0) return [];
  let failure: unknown;
  const engine = await openEngine(watched(session.factory, (error) => (failure ??= error)));
  try {
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList: listOf(migrations),
      filters: { externalTables: [], externalEnums: [] },
    });
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

function watched(
  factory: SqlMigrationAwareDriverAdapterFactory,
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
          await executeScript(script).catch((error: unknown) => {
            failed(error);
            throw error;
          });
        },
      });
    },
  };
}
