import { databaseOptions, readConfig } from '../../config/config.js';
import { serviceContext } from '../../core/service-context.js';
import { rereadable, rereadPhrases } from '../../domains/reminders/reminder/reread.service.js';
import { StartError } from '../../platform/database/database.js';
import { openDatabase } from '../../platform/database/open.js';
import { makeLog } from '../../platform/log.js';
import { storedSecret } from '../../platform/secret.js';
import { closeDeps, makeDeps } from '../make-deps.js';
import { checkSecretKey } from '../secret-key.service.js';
import type { Output } from './audit.js';

const USAGE = `Usage: npm run directions:check [-- --mend]
  Counts the medicines whose directions an earlier version has read. With --mend it reads them
  again, as the job of the service does: what is certain is corrected, what is not is marked, and
  members and carers are notified.`;

/**
 * Runs `npm run directions:check` on the database that the environment names. The service may run
 * meanwhile. Returns the exit code 0. Throws StartError when the command cannot run.
 */
export async function directionsTool(
  environment: NodeJS.ProcessEnv,
  args: readonly string[],
  { say }: Output,
): Promise<number> {
  if (args.some((one) => one !== '--mend')) throw new StartError(USAGE);
  const config = readConfig(environment);
  const secret = config.SECRET_KEY ?? (await storedSecret(config.DATA_DIR));
  const database = await openDatabase({
    ...databaseOptions(config),
    migrate: !config.DATABASE_URL,
  });
  const deps = makeDeps({ config, database, secret, log: makeLog(config.LOG_LEVEL) });
  try {
    await checkSecretKey(deps);
    await deps.watch.check();
    const context = await serviceContext(deps, 'directions command');
    if (args.length === 0) {
      say(`${await rereadable(context)} medicines are to be read again. --mend does it.`);
      return 0;
    }
    const { looked, corrected, doubted } = await rereadPhrases(
      context,
      new AbortController().signal,
    );
    say(`Read ${looked} medicines again: ${corrected} corrected, ${doubted} in doubt.`);
    return 0;
  } finally {
    await closeDeps(deps);
  }
}
