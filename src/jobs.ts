import type { Deps } from './context.js';
import { publishDue } from './domains/content/publishing.service.js';
import { pruneConnectionAttempts } from './domains/mail/connection.service.js';
import { pruneMails, sendDueMails } from './domains/mail/sending.service.js';
import { issueResetCodes, pruneResets } from './domains/passwords/reset-code.service.js';
import type { RollingJob } from './platform/jobs/rolling.js';

const HOUR = 60 * 60 * 1000;

/** What the service does by itself, again and again, one line each; every process runs all of it. */
export function jobsOf(deps: Deps): RollingJob[] {
  return [
    // A post appears at most this much after its time.
    { name: 'publish', every: 2_000, run: () => publishDue(deps) },
    // Somebody waits for these: a reset code reaches the mail server at most two seconds after it was asked for.
    { name: 'reset codes', every: 1_000, run: () => issueResetCodes(deps) },
    { name: 'mail', every: 1_000, run: () => sendDueMails(deps) },
    { name: 'prune mail', every: HOUR, run: () => Promise.all([pruneMails(deps), pruneConnectionAttempts(deps)]) },
    { name: 'prune resets', every: HOUR / 12, run: () => pruneResets(deps) },
  ];
}
