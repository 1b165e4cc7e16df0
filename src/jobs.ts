import type { Deps } from './context.js';
import { publishDue } from './domains/content/publishing.service.js';
import { deliveryJobs } from './domains/notifications/delivery.jobs.js';
import type { RollingJob } from './platform/jobs/rolling.js';

/** What the service does by itself, again and again, one line each; every process runs all of it. */
export function jobsOf(deps: Deps): RollingJob[] {
  return [
    // A post appears at most this much after its time.
    { name: 'publish', every: 2_000, run: () => publishDue(deps) },
    ...deliveryJobs(deps),
  ];
}
