import { type GraphQLRequestListener, type GraphQLResponse, HeaderMap } from '@apollo/server';
import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  getArgumentValues,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import type { App } from '../app/app.js';
import type { RequestContext } from '../core/context.js';
import { isDear } from '../core/dear-work.js';
import { DomainError, type Refusal } from '../core/errors.js';
import { POINTS, pointsOf, pointsOfAsking, pointsOfSize } from '../core/quota.js';
import { passes } from '../platform/http/response-size.js';
import type { Measured } from './document-limits.js';
import { charactersOf, coerced } from './document-variables.js';
import { documentsOf } from './documents.js';
import type { Admitted } from './execution/admitted.js';
import type { ExecutionRequest } from './execution/executor.js';
import { format } from './format.js';
import { measure } from './measuring.js';
import type { PersistedDocuments } from './persisted-documents.js';
import { unresolved } from './request-mistakes.js';

/** The code of a refusal because of a quota. */
export const TOO_MANY = 'TOO_MANY_REQUESTS';

const NOT_STREAMED = new GraphQLError(
  'Subscriptions are answered over WebSocket (graphql-transport-ws), or as server-sent events: ' +
    'send Accept: text/event-stream.',
  { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } },
);
/** What Apollo gets in place of a refused document: there is nothing to parse, validate or run. */
const NONE = { kind: Kind.DOCUMENT, definitions: [] } as const satisfies DocumentNode;

/** What Apollo asks for one request, and the response to one that is refused. */
type Guard = Pick<
  GraphQLRequestListener<RequestContext>,
  'didResolveSource' | 'didResolveOperation'
> & { readonly responseTo: (accept: string | undefined) => GraphQLResponse | undefined };

/**
 * Reads documents, and refuses those that are invalid or too large, wrong variables, introspection
 * without the right to it, tokens that are not good, and what the quota does not cover. Others are
 * put into `admitted`, and those that came with their hash into `persisted`.
 */
export function guard(app: App, admitted: Admitted, persisted: PersistedDocuments): () => Guard {
  const documents = documentsOf(app.schema);
  return () => {
    /** The mistakes of a request that is not executed. */
    let refused: readonly GraphQLError[] = [];
    return {
      async didResolveSource(request) {
        const { contextValue, source } = request;
        const reading = readingFor(app, contextValue);
        const read = await documents.readFor(contextValue.quota, source, reading);
        if ('errors' in read) refused = read.errors;
        Object.assign(request, { document: 'errors' in read ? NONE : read.document });
      },
      async didResolveOperation(resolved) {
        const { contextValue, operation, document, request, metrics } = resolved;
        if (refused.length > 0) return;
        if (!operation) {
          refused = [unresolved(request.operationName)];
          return;
        }
        const given = request.variables ?? {};
        const judged = await admit(app, contextValue, operation, document, given);
        if ('errors' in judged) refused = judged.errors;
        else admitted.set(contextValue, { document, operation, given, ...judged });
        if (metrics.persistedQueryRegister && refused.length === 0)
          persisted.keep(resolved.queryHash, resolved.source);
      },
      responseTo: (accept) => (refused.length > 0 ? responseOf(app, refused, accept) : undefined),
    };
  };
}

/** Refuses a response that is too large: a query with 400, a mutation with 200, as it is done. */
export function boundResponse({ body, http }: GraphQLResponse, changed: boolean): void {
  if (body.kind !== 'single' || !passes(body.singleResult)) return;
  body.singleResult = { errors: [tooLarge(changed).toJSON()] };
  if (!changed) http.status = 400;
}

/**
 * Admits an operation and charges the quota for it. Returns the mistakes in its variables, at most
 * 51, or what is known of it. Throws every other refusal.
 */
export async function admit(
  app: App,
  context: RequestContext,
  operation: OperationDefinitionNode,
  document: DocumentNode,
  given: Record<string, unknown>,
): Promise<
  | { readonly errors: readonly GraphQLError[] }
  | Pick<ExecutionRequest, 'coerced' | 'introspects' | 'isDear'>
> {
  if (operation.operation === 'subscription') throw NOT_STREAMED;
  const measured = measure(app.schema, operation, document, given);
  refuseCaller(app, context, operation, measured);
  if (operation.operation === 'query')
    orThrow(await context.quota.add(pointsOfAsking(charactersOf(given) ?? 0)));
  const variables = coerced(app.schema, operation, given, maySeeSchema(app, context));
  const price =
    'errors' in variables ? POINTS.read : priceOf(app, operation, measured, variables.values);
  orThrow(await context.quota.charge(price));
  if ('errors' in variables) return variables;
  return {
    coerced: variables.values,
    introspects: measured.introspects,
    isDear: hasDear(app, operation, measured),
  };
}

/** Returns whether the price of a root field is known only after it ran. */
const hasDear = (app: App, operation: OperationDefinitionNode, measured: Measured): boolean =>
  rootsOf(app, operation, measured).some(({ field }) => field !== undefined && isDear(field));

/** Returns the fields of an operation's root, and those of `Query` that its payloads show. */
function rootsOf(
  { schema }: App,
  { operation }: OperationDefinitionNode,
  { roots, queried }: Measured,
) {
  const of = (kind: OperationTypeNode, nodes: readonly FieldNode[]) =>
    nodes.map((node) => ({
      kind,
      node,
      field: schema.getRootType(kind)?.getFields()[node.name.value],
    }));
  return [...of(operation, roots), ...of(OperationTypeNode.QUERY, queried)];
}

/** Throws the refusal of a quota. */
export function orThrow(spent: Refusal | undefined): void {
  if (spent) throw new DomainError(spent);
}

/**
 * Throws for a token that is not good, unless the operation only issues tokens, and for
 * introspection without the right to it.
 */
function refuseCaller(
  app: App,
  context: RequestContext,
  operation: OperationDefinitionNode,
  { introspects }: Measured,
): void {
  const { refusal } = context.input;
  if (refusal?.reason === TOO_MANY) throw new DomainError(refusal);
  if (refusal && !issuesTokens(app.schema, operation)) {
    throw new GraphQLError(refusal.message, {
      extensions: { code: refusal.reason, http: { status: 401 } },
    });
  }
  if (introspects && !maySeeSchema(app, context)) {
    throw new GraphQLError('Introspection is for clinicians, analysts and administrators.', {
      extensions: { code: 'INTROSPECTION_FORBIDDEN', http: { status: 403 } },
    });
  }
}

/**
 * Returns how a caller's documents are read: who may read the schema is told of its names, and writes
 * other documents than the registered ones also with PERSISTED_DOCUMENTS_ONLY.
 */
export function readingFor(app: App, context: RequestContext) {
  const suggests = maySeeSchema(app, context);
  return {
    suggests,
    onlyRegistered: !suggests && app.deps.config.PERSISTED_DOCUMENTS_ONLY === 'on',
  };
}

/** Returns whether a caller may read the schema, and be told of its names. */
const maySeeSchema = ({ deps }: App, { viewer }: RequestContext) =>
  deps.config.NODE_ENV === 'development' || viewer.can('introspect');

/** Returns whether an operation does nothing but issue tokens. */
function issuesTokens(
  schema: GraphQLSchema,
  { operation, selectionSet }: OperationDefinitionNode,
): boolean {
  const mutations = schema.getMutationType()?.getFields() ?? {};
  return (
    operation === 'mutation' &&
    selectionSet.selections.every(
      (node) =>
        node.kind === Kind.FIELD && mutations[node.name.value]?.extensions.issuesTokens === true,
    )
  );
}

/** Returns the response to a request with mistakes. The first one decides about the status. */
function responseOf(
  app: App,
  refused: readonly GraphQLError[],
  accept: string | undefined,
): GraphQLResponse {
  const own = refused[0]?.extensions.http as { status?: number } | undefined;
  const errors = refused.map((error) => format(error.toJSON(), error, app));
  const status = own?.status ?? statusOfMistakes(accept);
  return {
    http: { status, headers: new HeaderMap() },
    body: { kind: 'single', singleResult: { errors } },
  };
}

/**
 * Returns the refusal of a response above 16 MiB: RESPONSE_TOO_LARGE. After a mutation it says that
 * the change was made.
 */
export function tooLarge(changed = false): GraphQLError {
  const done = changed ? ' What was to be changed has been changed.' : '';
  return new GraphQLError(
    `The response would have more than 16 MiB. Ask for fewer rows, or for fewer texts.${done}`,
    {
      extensions: { code: 'RESPONSE_TOO_LARGE', http: { status: changed ? 200 : 400 } },
    },
  );
}

/**
 * Returns the status for a document, variables or arguments that do not fit: 200 for who accepts
 * application/json by its name and not the media type of GraphQL, as older clients expect, else
 * 400. (GraphQL over HTTP of September 2026 prefers 422 to 400 for all but syntax; the audits of
 * graphql-http expect 400.)
 */
export function statusOfMistakes(accept: string | undefined): 200 | 400 {
  const plain =
    accept !== undefined &&
    /application\/json/i.test(accept) &&
    !/application\/graphql-response\+json/i.test(accept);
  return plain ? 200 : 400;
}

/** Returns the points of an operation: of each field of its root, and of its size. */
export function priceOf(
  app: App,
  operation: OperationDefinitionNode,
  measured: Measured,
  variables: Record<string, unknown>,
): number {
  const roots = rootsOf(app, operation, measured);
  const price = ({ kind, node, field }: (typeof roots)[number]): number => {
    if (!field) return POINTS.read;
    try {
      return pointsOf(field, kind, () => getArgumentValues(field, node, variables));
    } catch {
      return POINTS.read; // arguments that do not fit are for the execution to refuse
    }
  };
  return roots.reduce((sum, root) => sum + price(root), pointsOfSize(measured.cost)) || POINTS.read;
}
