import type { Deps } from './context.js';
import { pruneSignInLimits } from './domains/accounts/sign-in-limits.service.js';
import { publishDue } from './domains/content/publishing.service.js';
import type { RollingJob } from './platform/jobs/rolling.js';

/** What the service does by itself, again and again, one line each; every process runs all of it. */
export function jobsOf(deps: Deps): RollingJob[] {
  return [
    // A post appears at most this much after its time.
    { name: 'publish', every: 2_000, run: () => publishDue(deps) },
    { name: 'sign-in limits', every: 600_000, run: () => pruneSignInLimits(deps) },
  ];
}
