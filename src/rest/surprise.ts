import type { RequestContext } from '../core/context.js';
import { isCancelled, isRetryable, isUnavailable } from '../platform/database/database.js';
import { type Failure, failure } from './message.js';

type Traced = {
  readonly deps: Pick<RequestContext['deps'], 'log'>;
  readonly input: Pick<RequestContext['input'], 'requestId'>;
};

/**
 * Logs an error that is no refusal, with its cause and the request's id. Returns the failure that
 * the caller gets, which says nothing of the cause: 503 when the database cannot be reached or was
 * too busy for a statement, else 500.
 */
export function surprise(error: Error, { deps, input }: Traced): Failure {
  const cause = ('originalError' in error && error.originalError) || error;
  if (isUnavailable(cause)) return UNAVAILABLE;
  deps.log.error({ err: cause, request: input.requestId }, 'request failed');
  if (isCancelled(cause) || isRetryable(cause)) return BUSY;
  return failure(
    500,
    'internal_error',
    'Something went wrong on our side. The error has been recorded.',
  );
}

const UNAVAILABLE = failure(
  503,
  'service_unavailable',
  'The service cannot reach its database. Try again soon.',
);
const BUSY = failure(503, 'service_unavailable', 'The database is busy. Try again soon.');
