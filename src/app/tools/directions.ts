import { readConfig } from '../../config/config.js';
import { serviceContext } from '../../core/service-context.js';
import { rereadable, rereadPhrases } from '../../domains/reminders/reminder/reread.service.js';
import { StartError } from '../../platform/database/database.js';
import type { Output } from './audit.js';
import { withDeps } from './with-deps.js';

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
  return withDeps(readConfig(environment), async (deps) => {
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
  });
}
