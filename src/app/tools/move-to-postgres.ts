import { readConfig } from '../../config/config.js';
import { StartError } from '../../platform/database/database.js';
import { moveToServer, UNFINISHED_MOVE } from '../backup/relocating.js';
import { auditCommand, type Output } from './audit.js';
import { progressOf } from './progress.js';
import { untilStopped } from './stopping.js';
import { withDeps } from './with-deps.js';

/**
 * Runs `npm run move-to-postgres`: moves the embedded database of DATA_DIR, which must not be open, to the
 * empty one of DATABASE_URL, and verifies its audit. A run that was ended goes on in the next one. Returns
 * the exit code: 1 when the audit is not whole. Throws StartError with one sentence.
 */
export async function moveToPostgresTool(
  environment: NodeJS.ProcessEnv,
  output: Output,
): Promise<number> {
  const config = readConfig(environment);
  const { DATABASE_URL: url, DATA_DIR: folder } = config;
  if (!url) throw new StartError('DATABASE_URL is missing: the database that is moved to.');
  const shown = progressOf(output.note);
  const { rows, tables } = await withDeps({ ...config, DATABASE_URL: undefined }, ({ database }) =>
    untilStopped(UNFINISHED_MOVE, (stopping) =>
      moveToServer(database, config, { progress: shown.step, stopping }),
    ),
  ).finally(() => shown.end());
  output.say(`Moved ${rows} rows of ${tables} tables, and compared them.`);
  output.note(`${folder}/database stays as it is: remove it once the service runs on the new one.`);
  return withDeps(config, (deps) => auditCommand(['verify'])(deps, output));
}
