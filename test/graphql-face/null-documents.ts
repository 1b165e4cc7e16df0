// Documents with a variable that has a default, at each place where null may not be.
import { type GraphQLSchema, isNonNullType } from 'graphql';
import { argumentPlaces, literalOf } from './argument-places.js';

/**
 * Yields a document for each place in the arguments of root fields where null may not be. Its one
 * variable `$v` has a default there.
 */
export function* nullDocuments(schema: GraphQLSchema): Generator<string> {
  for (const place of argumentPlaces(schema, 1)) {
    if (!isNonNullType(place.type)) continue;
    const fitting = literalOf(place.type);
    if (fitting === undefined) continue;
    yield `${place.operation}($v: ${place.type.ofType} = ${fitting}) ${place.with('$v')}`;
  }
}
