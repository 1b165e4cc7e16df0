import type { RequestContext } from '../core/context.js';
import { failureOf } from './errors.js';
import { failureResponse, type RestResponse } from './message.js';
import type { Endpoint, Route } from './router.js';

/** Statuses of refusals for want of a caller, or of the caller's rights. */
const CALLER_MATTERS: ReadonlySet<number> = new Set([401, 403]);

/** What of an endpoint decides whether strangers are answered. */
interface Answering {
  readonly route: Pick<Route, 'open' | 'kept'>;
  readonly operation: Pick<Endpoint['operation'], 'isQuery'>;
}

/**
 * Answers a request whose credential may be of no use: an access token that has expired, is
 * malformed, or whose session has ended, or one that was not read after many wrong ones. Where
 * strangers are answered too, it is none. Where the caller matters, also in what is asked of such a
 * route, the response is its refusal: 401, or 429. A credential that was not read may be a good
 * one: a change by it is 429, since it would be made as a stranger's.
 */
export async function withCredential(
  { input: { refusal } }: RequestContext,
  endpoint: Answering | undefined,
  run: () => Promise<RestResponse>,
): Promise<RestResponse> {
  if (!refusal) return run();
  const refused = () => failureResponse(failureOf(refusal, false));
  const isOpen = endpoint?.route.open || endpoint?.route.kept;
  const isRead = refusal.reason !== 'TOO_MANY_REQUESTS';
  if (!isOpen || !(isRead || endpoint.operation.isQuery)) return refused();
  const response = await run();
  return callerMatters(response) ? refused() : response;
}

/** Whether a caller, or another one, would have been answered otherwise: also for one parameter. */
function callerMatters({ status, body }: RestResponse): boolean {
  if (CALLER_MATTERS.has(status)) return true;
  const { details = {} } = (body as { data?: { details?: object } } | undefined)?.data ?? {};
  return Object.values(details).some((validationError: { data?: { status?: number } }) =>
    CALLER_MATTERS.has(validationError?.data?.status ?? 0),
  );
}
