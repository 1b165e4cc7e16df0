import type { Deps } from './context.js';
import { forgetInvitations } from './domains/accounts/care-invitation.service.js';
import { sealAudit } from './domains/audit/sealing.service.js';
import { publishDue } from './domains/content/publishing.service.js';
import type { RollingJob } from './platform/jobs/rolling.js';
import { systemContext } from './seed/first-start.js';

/** What the service does by itself, again and again, one line each; every process runs all of it. */
export function jobsOf(deps: Deps): RollingJob[] {
  return [
    // A post appears at most this much after its time.
    { name: 'publish', every: 2_000, run: () => publishDue(deps) },
    // Half of the minute within which what happened can no longer be unsaid.
    { name: 'audit', every: 30_000, run: async () => sealAudit(await systemContext(deps)) },
    { name: 'care-invitations', every: 60 * 60 * 1000, run: () => forgetInvitations(deps) },
  ];
}
