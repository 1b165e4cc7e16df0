import type { App } from '../app/app.js';
import { observeRequest } from '../platform/metrics/metrics.js';
import type { Sending } from './response-headers.js';

/** What reaches the log of a name that a caller chose, in characters. */
const LONGEST_NAME = 100;

/** Writes one log line and one observation of a request. `started`: by `performance.now()`. */
export function logOperation(
  { deps }: App,
  { contextValue, operation, response: { http, body } }: Sending,
  started: number,
): void {
  const seconds = (performance.now() - started) / 1000;
  const status = http.status ?? 200;
  const name = operation?.name?.value.slice(0, LONGEST_NAME);
  observeRequest({
    method: 'POST',
    route: 'graphql',
    operation: operation?.operation,
    status,
    seconds,
  });
  deps.log.info(
    {
      request: contextValue.input.requestId,
      face: 'graphql',
      operation: name,
      kind: operation?.operation,
      errors: body.kind === 'single' ? body.singleResult.errors?.length : undefined,
      status,
      ms: Math.round(seconds * 1e6) / 1e3,
    },
    'request',
  );
}
