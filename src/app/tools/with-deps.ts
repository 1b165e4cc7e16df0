import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, databaseOptions } from '../../config/config.js';
import type { Deps } from '../../core/deps.js';
import { StartError } from '../../platform/database/database.js';
import { openDatabase } from '../../platform/database/open.js';
import { openLimits } from '../../platform/limits/open-limits.js';
import { makeLog } from '../../platform/log.js';
import { makeDeps } from '../make-deps.js';
import { checkSecretKey, secretOf } from '../secret-key.service.js';

/**
 * Runs the work of a command on the database of a configuration, and closes it. The embedded
 * database must not be open, so the service must be stopped first. Throws StartError where there is
 * no database, unless an embedded one may be made, and where the configuration has another key than the
 * database.
 */
export async function withDeps<T>(
  config: Config,
  work: (deps: Deps) => Promise<T>,
  { mayMake = false }: { readonly mayMake?: boolean } = {},
): Promise<T> {
  if (!mayMake) requireDatabase(config);
  const database = await openDatabase({
    ...databaseOptions(config),
    migrate: !config.DATABASE_URL,
  });
  try {
    const secret = await secretOf(config, database);
    const log = makeLog(config.LOG_LEVEL);
    const limits = openLimits({ on: false, clock: Date.now, log });
    const deps = makeDeps({ config, database, secret, limits, log });
    await checkSecretKey(deps);
    await deps.watch.check();
    return await work(deps);
  } finally {
    await database.close();
  }
}

/** Returns whether there is a database: a server, or one in the folder of the embedded database. */
export const hasDatabase = ({ DATABASE_URL: url, DATA_DIR: dataDir }: Config): boolean =>
  url !== undefined || existsSync(join(dataDir, 'database'));

/** Throws StartError when the folder of the embedded database has none. */
export function requireDatabase(config: Config): void {
  if (!hasDatabase(config))
    throw new StartError(
      `There is no database in ${config.DATA_DIR}: set DATA_DIR or DATABASE_URL.`,
    );
}
