import type { Deps } from '../../core/deps.js';
import type { RollingJob } from '../../platform/jobs/rolling.js';
import { countDueOccurrences } from '../reminders/alert/due-occurrence.service.js';
import { observeDueReminders } from './handover.metrics.js';
import { handOver } from './handover.service.js';
import { lookAfterUndelivered } from './undelivered.service.js';

/** What turns occurrences whose time has come into pushes. */
export function handoverJobs(deps: Deps): RollingJob[] {
  return [
    { name: 'hand over', every: 500, run: (stopping) => handOver(deps, { stopping }) },
    {
      name: 'look after undelivered reminders',
      every: 5_000,
      run: () => lookAfterUndelivered(deps),
    },
    {
      name: 'count due reminders',
      every: 15_000,
      run: async () => observeDueReminders(await countDueOccurrences(deps)),
    },
  ];
}
