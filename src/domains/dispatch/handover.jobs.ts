import type { Deps } from '../../core/context.js';
import type { RollingJob } from '../../platform/jobs/rolling.js';
import { countDueOccurrences } from '../reminders/alert/due-occurrence.service.js';
import { siteReader } from '../site/site.service.js';
import { observeDueReminders } from './handover.metrics.js';
import { handOver } from './handover.service.js';
import { lookAfterUndelivered } from './undelivered.service.js';

/** What turns occurrences whose time has come into pushes. */
export function handoverJobs(deps: Deps): RollingJob[] {
  const site = siteReader(deps);
  return [
    { name: 'hand over', every: 500, run: async (stopping) => handOver(deps, { site: await site(), stopping }) },
    { name: 'look after undelivered reminders', every: 5_000, run: () => lookAfterUndelivered(deps) },
    { name: 'count due reminders', every: 15_000, run: async () => observeDueReminders(await countDueOccurrences(deps)) },
  ];
}
