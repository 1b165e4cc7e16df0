import type { Deps } from '../../core/deps.js';
import type { RollingJob } from '../../platform/jobs/rolling.js';
import { NEXT_ALERT } from '../reminders/alert/due-alert.service.js';
import { handOver } from './handover.service.js';
import { tellOfStock } from './stock-notice.service.js';
import { settleUndelivered } from './undelivered.service.js';

/** Returns the jobs that turn due alerts, and stock that runs out, into notifications. */
export function handoverJobs(deps: Deps): RollingJob[] {
  return [
    {
      name: 'hand over',
      every: 500,
      awaits: NEXT_ALERT,
      run: (stopping) => handOver(deps, { stopping }),
    },
    {
      name: 'look after undelivered reminders',
      every: 5_000,
      run: (stopping) => settleUndelivered(deps, stopping),
    },
    { name: 'tell of stock', every: 60_000, run: (stopping) => tellOfStock(deps, stopping) },
  ];
}
