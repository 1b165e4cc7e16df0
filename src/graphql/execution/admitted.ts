import type { ApolloServerOptionsWithGateway } from '@apollo/server';
import type { GraphQLSchema } from 'graphql';
import type { RequestContext } from '../../core/context.js';
import { type Asked, Executor } from './executor.js';

const PLACE = Symbol('asked');
type Carrying = RequestContext & { [PLACE]?: { asked?: Asked } };

/**
 * The operations that may be executed, by the context of their request, which carries them: a
 * WeakMap would keep each request until a full collection of garbage. Apollo copies the context, so
 * original and copy share a place.
 */
export class Admitted {
  /** Gives a context its place. */
  receive(context: RequestContext): RequestContext {
    (context as Carrying)[PLACE] = {};
    return context;
  }

  get(context: RequestContext): Asked | undefined {
    return (context as Carrying)[PLACE]?.asked;
  }

  /** Admits an operation. The context must have been received. */
  set(context: RequestContext, asked: Asked): void {
    ((context as Carrying)[PLACE] as { asked?: Asked }).asked = asked;
  }
}

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
