import {
  type GraphQLField,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
} from 'graphql';
import { anyone } from '../../core/access.js';

/**
 * Gives the payload of every mutation the field `query`: what can be asked, as it is after the
 * change. A client asks there for what its screens show, and its cache is as true as after a fresh
 * read, without a second request. A change that is repeated under its Idempotency-Key shows what is
 * by then.
 */
export function withQuery(schema: GraphQLSchema): GraphQLSchema {
  const query = schema.getQueryType() as GraphQLObjectType;
  for (const { type } of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const payload = getNamedType(type);
    if (isObjectType(payload) && payload.name.endsWith('Payload'))
      payload.getFields().query ??= fieldOf(query);
  }
  return schema;
}

const fieldOf = (query: GraphQLObjectType): GraphQLField<unknown, unknown> => ({
  name: 'query',
  description: 'What can be asked, as it is after the change, by whoever sent the request.',
  type: new GraphQLNonNull(query),
  args: [],
  resolve: () => ({}),
  subscribe: undefined,
  deprecationReason: undefined,
  extensions: { access: anyone },
  astNode: undefined,
});
