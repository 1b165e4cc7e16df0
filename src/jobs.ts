import type { Deps } from './context.js';
import { mailSignInCodes } from './domains/accounts/sign-in-code.service.js';
import { publishDue } from './domains/content/publishing.service.js';
import type { RollingJob } from './platform/jobs/rolling.js';
import { systemContext } from './seed/first-start.js';

/** What the service does by itself, again and again, one line each; every process runs all of it. */
export function jobsOf(deps: Deps): RollingJob[] {
  return [
    // A post appears at most this much after its time.
    { name: 'publish', every: 2_000, run: () => publishDue(deps) },
    // A code for signing in is on its way at most this much after it was asked for.
    { name: 'sign-in codes', every: 1_000, run: async () => mailSignInCodes(await systemContext(deps)) },
  ];
}
