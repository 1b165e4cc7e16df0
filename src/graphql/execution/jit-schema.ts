import { extendSchema, type GraphQLSchema, isObjectType, parse } from 'graphql';
import { COERCED } from '../../platform/graphql/coerced-variables.js';
import { guardPromises } from '../../platform/graphql/guarded-promises.js';

/** The error of a field whose promised value could not be read. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

const copies = new WeakMap<GraphQLSchema, GraphQLSchema>();

/**
 * Returns the copy of a schema on which graphql-jit may run. Resolvers and access are the same.
 */
export function jitSchemaOf(schema: GraphQLSchema): GraphQLSchema {
  const copy = copies.get(schema) ?? copyOf(schema);
  copies.set(schema, copy);
  return copy;
}

function copyOf(schema: GraphQLSchema): GraphQLSchema {
  const copy = extendSchema(schema, parse(`scalar ${COERCED}`));
  for (const type of Object.values(copy.getTypeMap()))
    if (isObjectType(type) && !type.name.startsWith('__'))
      guardPromises(type, (cause) => new Unreadable('A value cannot be read.', { cause }));
  return copy;
}
