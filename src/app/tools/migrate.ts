import { databaseOptions } from '../../config/config.js';
import { readVariables } from '../../config/read.js';
import { StartError, whyUnwritable } from '../../platform/database/database.js';
import { openDatabase } from '../../platform/database/open.js';
import { untilStopped } from './stopping.js';

/** The variables of `databaseOptions`. Others may name files that are not there where migrations run. */
const NEEDED = [
  'DATABASE_URL',
  'DATA_DIR',
  'DATABASE_WAIT',
  'DATABASE_POOL',
  'DATABASE_STATEMENT_LIMIT',
  'DATABASE_POOLER',
] as const;

const UNDONE = 'the migrations that are left were not applied; the next run goes on there';

/**
 * Runs `npm run migrate`: applies pending migrations to the server of DATABASE_URL, and reads no variable but
 * those of the database. Returns the exit code. Throws StartError, without DATABASE_URL, and after SIGTERM and
 * SIGINT, which cancel the statement that runs.
 */
export async function migrateTool(
  environment: NodeJS.ProcessEnv,
  output: { say(line: string): void },
): Promise<number> {
  const options = databaseOptions(readVariables(environment, NEEDED));
  if (!options.url)
    throw new StartError(
      'DATABASE_URL is missing: it names the PostgreSQL server to migrate. The embedded database ' +
        'migrates itself at start.',
    );
  const log = (message: string) => output.say(message);
  await untilStopped(UNDONE, async (stopping) => {
    const database = await openDatabase({ ...options, migrate: true, log, stopping });
    await database.close();
  }).catch((error: unknown) => {
    const why = whyUnwritable(error)?.replace(/\.$/, '');
    throw why ? new StartError(`${why}: ${UNDONE}.`, { cause: error }) : error;
  });
  output.say('The database is up to date.');
  return 0;
}
