import { type GraphQLResponse, HeaderMap } from '@apollo/server';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { App } from '../app/app.js';
import type { RequestContext } from '../core/context.js';
import { inTurn } from '../core/dear-work.js';
import { inOperation, nameRequest } from '../platform/tracing/tracing.js';
import type { Admitted } from './execution/admitted.js';
import { Executor } from './execution/executor.js';
import { format } from './format.js';
import { nameOf } from './operation-log.js';
import { isPublic } from './sharing.js';

/**
 * Returns what executes the operation that was admitted for a context, and makes the response of it.
 * A fault of the execution itself is answered 500.
 *
 * Apollo Server would call an executor as that of a gateway. For each call it makes an object with
 * accessors, whose shape V8 keeps until a full collection of garbage, with the request and all that
 * came of it.
 */
export function executing(
  app: App,
  admitted: Admitted,
): (context: RequestContext) => Promise<GraphQLResponse> {
  const executor = new Executor(app.schema);
  return async (context) => {
    try {
      const asked = admitted.get(context);
      if (!asked) throw new Error('An operation was not admitted.');
      nameRequest('graphql');
      const { operation } = asked;
      if (app.deps.replica && operation.operation === 'query' && isPublic(app.schema, asked))
        context.mayLag();
      const { errors, ...result } = await inOperation(operation.operation, nameOf(operation), () =>
        inTurn(context, asked.isDear, () => executor.execute(context, asked)),
      );
      return responseWith({
        ...result,
        ...(errors && { errors: errors.map((error) => shown(app, error)) }),
      });
    } catch (error) {
      return responseWith({ errors: [shown(app, error)] }, 500);
    }
  };
}

const NO_HEADERS = new HeaderMap();

const responseWith = (
  singleResult: Extract<GraphQLResponse['body'], { kind: 'single' }>['singleResult'],
  status?: number,
): GraphQLResponse => ({
  http: { status, headers: NO_HEADERS },
  body: { kind: 'single', singleResult },
});

function shown(app: App, error: unknown): GraphQLFormattedError {
  return format(error instanceof GraphQLError ? error.toJSON() : { message: '' }, error, app);
}
