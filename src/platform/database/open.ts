import type { Database, DatabaseOptions } from './database.js';
import type { Replica, ReplicaOptions } from './replica.js';
import type { ReportsDatabase, ReportsOptions } from './reports-database.js';

/**
 * Opens PostgreSQL when `url` is given, otherwise PGlite under `dataDir`. Throws StartError with
 * one sentence when the data directory is unusable or in use, the server does not answer within
 * `wait` seconds, the database is newer than the code, or a server lacks migrations and `migrate`
 * is false.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  // Imported here, so that each database loads only its own driver.
  if (options.url)
    return (await import('./postgresql.js')).openServer({ ...options, url: options.url });
  return (await import('./embedded.js')).openEmbedded(options);
}

/** Uses a replica for reads that may lag, once it answers. */
export async function openReplica(options: ReplicaOptions): Promise<Replica> {
  return new (await import('./replica.js')).Replica(options);
}

/** Uses a server for reports about all members, once it answers. */
export async function openReports(options: ReportsOptions): Promise<ReportsDatabase> {
  return new (await import('./reports-database.js')).ReportsDatabase(options);
}
