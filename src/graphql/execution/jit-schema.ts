import {
  defaultFieldResolver,
  extendSchema,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  parse,
} from 'graphql';
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
  callPayloads(copy);
  for (const type of Object.values(copy.getTypeMap()))
    if (isObjectType(type) && !type.name.startsWith('__'))
      guardPromises(type, (cause) => new Unreadable('A value cannot be read.', { cause }));
  return copy;
}

/** Has functions in the payloads of mutations called, as graphql-js does: they read what is selected alone. */
function callPayloads(schema: GraphQLSchema): void {
  for (const { type } of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const payload = getNamedType(type);
    if (!isObjectType(payload)) continue;
    for (const field of Object.values(payload.getFields())) field.resolve ??= defaultFieldResolver;
  }
}
