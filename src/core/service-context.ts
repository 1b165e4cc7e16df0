import { RequestContext } from './context.js';
import type { Deps } from './deps.js';
import { ANONYMOUS } from './viewer.js';

/**
 * Returns a context for work of the service itself: jobs, commands and the first start. Its viewer
 * is anonymous and has no capability, so the services that it calls must decide by rows. `job`
 * identifies the work in the log, in place of a request id.
 */
export async function serviceContext(deps: Deps, job: string): Promise<RequestContext> {
  return new RequestContext(deps, {
    viewer: ANONYMOUS,
    site: await deps.readSite(),
    siteUrl: '',
    requestId: job,
  });
}
