import { RequestContext } from './context.js';
import type { Deps } from './deps.js';
import { ANONYMOUS } from './viewer.js';

/**
 * Returns a context for what the service does by itself: jobs, commands and the first start. Its
 * viewer is nobody and has no capability; services that it calls decide by rows. `job` names the
 * work in the log, where requests have their id.
 */
export async function serviceContext(deps: Deps, job: string): Promise<RequestContext> {
  return new RequestContext(deps, {
    viewer: ANONYMOUS,
    site: await deps.readSite(),
    siteUrl: '',
    requestId: job,
  });
}
