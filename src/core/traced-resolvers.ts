import { type GraphQLSchema, isObjectType } from 'graphql';
import { inResolver, isRecording } from '../platform/tracing/tracing.js';

/**
 * Lets each resolver of a schema run in a span, which begins if it sends a statement. Fields that
 * read a property have no resolver, and cost nothing.
 */
export function traceResolvers(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field;
      const name = `${type.name}.${field.name}`;
      if (!resolve) continue;
      field.resolve = (source, args, context, info) =>
        isRecording()
          ? inResolver(name, () => resolve(source, args, context, info))
          : resolve(source, args, context, info);
    }
  }
  return schema;
}
