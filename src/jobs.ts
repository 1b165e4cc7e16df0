import type { Deps } from './context.js';
import { forgetExpiredTokens } from './domains/accounts/provider-sign-in.service.js';
import { publishDue } from './domains/content/publishing.service.js';
import type { RollingJob } from './platform/jobs/rolling.js';

/** What the service does by itself, again and again, one line each; every process runs all of it. */
export function jobsOf(deps: Deps): RollingJob[] {
  return [
    // A post appears at most this much after its time.
    { name: 'publish', every: 2_000, run: () => publishDue(deps) },
    { name: 'forget-used-tokens', every: 60 * 60_000, run: () => forgetExpiredTokens(deps) },
  ];
}
