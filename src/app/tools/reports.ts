import { readConfig } from '../../config/config.js';
import { serviceContext } from '../../core/service-context.js';
import { rebuildRollups } from '../../domains/reports/rollup/rollup.service.js';
import type { Output } from './audit.js';
import { withDeps } from './with-deps.js';

/** How often the progress is shown, in milliseconds. */
const EVERY = 2_000;

/**
 * Runs `npm run reports:rebuild`: makes the facts and cells of reports again on the database that
 * the environment names, and shows the progress. The service may run meanwhile. Returns the exit
 * code 0. Throws StartError when the command cannot run.
 */
export async function reportsTool(
  environment: NodeJS.ProcessEnv,
  { say, note }: Output,
): Promise<number> {
  let shown = Date.now();
  return withDeps(readConfig(environment), async (deps) => {
    const context = await serviceContext(deps, 'reports command');
    const { members, months } = await rebuildRollups(context, ({ what, done, of }) => {
      if (Date.now() - shown < EVERY) return;
      shown = Date.now();
      note(`… ${what}: ${done} of ${of}`);
    });
    say(`Built the facts of ${members} members and the cells of ${months} months.`);
    return 0;
  });
}
