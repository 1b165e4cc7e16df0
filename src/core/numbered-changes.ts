import { defaultFieldResolver, type GraphQLSchema } from 'graphql';
import type { RequestContext } from './context.js';

/**
 * Numbers the root fields of mutations by the order in which they begin, refused or not, for the
 * Idempotency-Key of their request. Fields of such a request begin one after the other. It comes after what
 * may refuse a field.
 */
export function numberChanges(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const { resolve = defaultFieldResolver } = field;
    field.resolve = (source, args, context: RequestContext, info) => {
      beginField(context);
      return resolve(source, args, context, info);
    };
  }
  return schema;
}

function beginField({ input: { idempotency } }: RequestContext): void {
  if (!idempotency) return;
  idempotency.field++;
  idempotency.changes = 0;
}
