import { type FieldNode, type GraphQLField, type GraphQLSchema, Kind } from 'graphql';
import { isLasting, isShared } from '../core/marks.js';
import { SHARED } from '../core/response-cache.js';
import type { Admitted } from './execution/admitted.js';
import type { ExecutionRequest } from './execution/executor.js';
import { measure } from './measuring.js';
import type { Sending } from './response-headers.js';

/** The headers of a request that answers depend on. */
const VARY = 'Origin, Accept, Authorization, Time-Zone';

/**
 * Sets `Cache-Control`. Caches may keep the response to a query by GET without `Authorization` when
 * all of its root fields are marked as shared, no password comes along, and nothing failed.
 * `no-store` stands on every other response.
 */
export function setCacheControl(
  schema: GraphQLSchema,
  admitted: Admitted,
  { contextValue, request, response: { http, body } }: Sending,
): void {
  const asked = admitted.get(contextValue);
  const failed = body.kind !== 'single' || !body.singleResult.data || body.singleResult.errors;
  const { method, headers } = request.http ?? {};
  const isAnonymous = !headers?.get('authorization') && !contextValue.viewer.id;
  const shared =
    asked !== undefined && !failed && method === 'GET' && isAnonymous && isPublic(schema, asked);
  http.headers.set('cache-control', shared ? SHARED : 'no-store');
  if (method === 'GET') http.headers.set('vary', VARY);
}

/** Returns whether every anonymous caller gets all root fields of a query alike. */
export const isPublic = (
  schema: GraphQLSchema,
  { operation, document, given }: ExecutionRequest,
): boolean =>
  measure(schema, operation, document, given).roots.every((root) => mayShare(schema, root));

/** Returns whether the response to a shared query lasts until its rows change. */
export const lasts = (
  schema: GraphQLSchema,
  { operation, document, given }: ExecutionRequest,
): boolean =>
  measure(schema, operation, document, given).roots.every(({ name }) => {
    const field = fieldOf(schema, name.value);
    return field === undefined || isLasting(field);
  });

/**
 * Returns whether every anonymous caller gets this root field alike. A password opens one post to
 * its holder.
 */
function mayShare(schema: GraphQLSchema, { name, arguments: given = [] }: FieldNode): boolean {
  if (name.value === '__typename') return true;
  const field = fieldOf(schema, name.value);
  return (
    field !== undefined &&
    isShared(field) &&
    given.every(
      (argument) => argument.name.value !== 'password' || argument.value.kind === Kind.NULL,
    )
  );
}

/** Returns a root field; undefined for `__typename`. */
const fieldOf = (schema: GraphQLSchema, name: string): GraphQLField<unknown, unknown> | undefined =>
  schema.getQueryType()?.getFields()[name];
