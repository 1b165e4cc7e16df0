import type { Deps } from './context.js';
import { publishDue } from './domains/content/publishing.service.js';
import { planDue } from './domains/reminders/occurrence.service.js';
import type { RollingJob } from './platform/jobs/rolling.js';

/** What the service does by itself, again and again, one line each; every process runs all of it. */
export function jobsOf(deps: Deps): RollingJob[] {
  return [
    // Messages are planned 36 to 48 hours ahead.
    { name: 'plan', every: 60_000, run: () => planDue(deps) },
    // A post appears at most this much after its time.
    { name: 'publish', every: 2_000, run: () => publishDue(deps) },
  ];
}
