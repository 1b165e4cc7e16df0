import type { ApolloServerOptionsWithGateway } from '@apollo/server';
import type { GraphQLSchema } from 'graphql';
import type { RequestContext } from '../../core/context.js';
import { type Asked, Executor } from './executor.js';

/** The operations that may be executed, by the context of their request. */
export class Admitted extends WeakMap<RequestContext, Asked> {}

/**
 * Returns what makes Apollo Server execute what was admitted by our executor. Apollo calls it a
 * gateway; the schema is ours.
 */
export function executing(
  apiSchema: GraphQLSchema,
  admitted: Admitted,
): ApolloServerOptionsWithGateway<RequestContext>['gateway'] {
  const executor = new Executor(apiSchema);
  return {
    onSchemaLoadOrUpdate(tell) {
      tell({ apiSchema, coreSupergraphSdl: '' });
      return () => {};
    },
    async load() {
      return {
        async executor({ context }) {
          const asked = admitted.get(context as RequestContext);
          if (!asked) throw new Error('An operation was not admitted.');
          return executor.execute(context as RequestContext, asked);
        },
      };
    },
    async stop() {},
  };
}
