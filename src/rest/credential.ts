import type { RequestContext } from '../core/context.js';
import { failureOf } from './errors.js';
import { failureResponse, type RestResponse } from './message.js';
import type { Route } from './router.js';

/** Statuses of refusals for want of a caller, or of the caller's rights. */
const CALLER_MATTERS: ReadonlySet<number> = new Set([401, 403]);

/**
 * Answers a request whose credential may be of no use: an access token that has expired, is
 * malformed, or whose session has ended, or one that was not read after many wrong ones. Where
 * strangers are answered too, it is none. Where the caller matters, also in what is asked of such a
 * route, the response is its refusal: 401, or 429.
 */
export async function withCredential(
  { input: { refusal } }: RequestContext,
  route: Pick<Route, 'open' | 'kept'> | undefined,
  run: () => Promise<RestResponse>,
): Promise<RestResponse> {
  if (!refusal) return run();
  const refused = () => failureResponse(failureOf(refusal, false));
  const isOpen = route?.open || route?.kept;
  if (!isOpen) return refused();
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
