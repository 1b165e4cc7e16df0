import { databaseOptions } from '../../config/config.js';
import { readVariables } from '../../config/read.js';
import { openDatabase } from '../../platform/database/open.js';

/**
 * Runs `npm run migrate`: applies pending migrations to the server of DATABASE_URL. Returns the
 * exit code. Throws StartError.
 */
export async function migrateTool(
  environment: NodeJS.ProcessEnv,
  output: { say(line: string): void },
): Promise<number> {
  const database = await openDatabase({
    ...databaseOptions(readVariables(environment)),
    migrate: true,
    log: (message) => output.say(message),
  });
  await database.close();
  output.say('The database is up to date.');
  return 0;
}
