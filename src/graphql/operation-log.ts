import type { OperationDefinitionNode } from 'graphql';
import type { App } from '../app/app.js';
import type { ResponseLabels } from '../platform/http/counted-response.js';
import type { Sending } from './response-headers.js';

/** What reaches the log of a name that a caller chose, in characters. */
const LONGEST_NAME = 100;

/** The code of an error that `formatError` makes of a fault. */
const FAULT = 'INTERNAL_ERROR';

/** What is told of an answered request. */
interface Answered {
  readonly request: string;
  /** The operation's name, if it has one. */
  readonly operation: string | undefined;
  readonly kind: string | undefined;
  readonly errors?: number | undefined;
  readonly status: number;
}

/** What the metrics call responses to operations of this kind. */
export const labelsOf = (kind: string | undefined): ResponseLabels => ({
  route: 'graphql',
  operation: kind,
});

/**
 * Writes one log line of a request. `started`: by `performance.now()`. Returns what the metrics call it: where a field
 * failed by a fault of the service, it counts as one of status 500, as over REST, although HTTP says 200.
 */
export function logOperation(
  app: App,
  { contextValue, operation, response: { http, body } }: Sending,
  started: number,
): ResponseLabels {
  const { errors } = body.kind === 'single' ? body.singleResult : {};
  logAnswered(
    app,
    {
      request: contextValue.input.requestId,
      operation: nameOf(operation),
      kind: operation?.operation,
      errors: errors?.length,
      status: http.status ?? 200,
    },
    started,
  );
  const isFault = errors?.some(({ extensions }) => extensions?.code === FAULT);
  return { ...labelsOf(operation?.operation), ...(isFault && { status: 500 }) };
}

/** Returns what the log calls an operation: the beginning of its name. */
export const nameOf = (operation: OperationDefinitionNode | undefined) =>
  operation?.name?.value.slice(0, LONGEST_NAME);

/** Like `logOperation`, of a request that was not executed. */
export function logAnswered({ deps }: App, response: Answered, started: number): void {
  const { request, operation, kind, errors, status } = response;
  const ms = Math.round((performance.now() - started) * 1e3) / 1e3;
  deps.log.info({ request, face: 'graphql', operation, kind, errors, status, ms }, 'request');
}
