import type { Deps } from '../../core/deps.js';
import type { RollingJob } from '../../platform/jobs/rolling.js';
import { countDueAlerts } from '../reminders/alert/due-alert.service.js';
import { observeDueReminders } from './handover.metrics.js';
import { handOver } from './handover.service.js';
import { lookAfterUndelivered } from './undelivered.service.js';

/** The jobs that turn due alerts into notifications. */
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
      run: async () => observeDueReminders(await countDueAlerts(deps)),
    },
  ];
}
