import { type ApolloServerPlugin, HeaderMap } from '@apollo/server';
import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  getArgumentValues,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import type { App } from '../app/app.js';
import type { RequestContext } from '../core/context.js';
import { DomainError } from '../core/errors.js';
import { POINTS, pointsOf, pointsOfSize } from '../core/quota.js';
import { passes } from '../platform/http/answer-size.js';
import { documentsOf } from './documents.js';
import { format } from './format.js';
import { type Measured, refuseTooMuch } from './limits.js';
import { coerced } from './variables.js';

/** The code of a refusal because of a quota. */
export const TOO_MANY = 'TOO_MANY_REQUESTS';

const NOT_STREAMED = new GraphQLError(
  'Subscriptions are answered over WebSocket (graphql-transport-ws), or as server-sent events: ' +
    'send Accept: text/event-stream.',
  { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } },
);
/**
 * What Apollo is given in place of a document that is refused: it neither parses nor validates, and
 * finds no operation.
 */
const NONE = { kind: Kind.DOCUMENT, definitions: [] } as const satisfies DocumentNode;

/**
 * Reads documents, and lets through what they and their variables fit, introspection, tokens that
 * are good, and what can be paid for.
 */
export function guard(app: App): ApolloServerPlugin<RequestContext> {
  const { deps, schema } = app;
  const documents = documentsOf(schema);
  const mutations = schema.getMutationType()?.getFields() ?? {};
  const issuesTokens = (operation: OperationDefinitionNode) =>
    operation.operation === 'mutation' &&
    operation.selectionSet.selections.every(
      (node) =>
        node.kind === Kind.FIELD && mutations[node.name.value]?.extensions.issuesTokens === true,
    );
  const letThrough = (
    { input: { refusal }, viewer }: RequestContext,
    operation: OperationDefinitionNode,
    { introspects }: Measured,
  ) => {
    if (refusal?.reason === TOO_MANY) throw new DomainError(refusal);
    if (refusal && !issuesTokens(operation)) {
      throw new GraphQLError(refusal.message, {
        extensions: { code: refusal.reason, http: { status: 401 } },
      });
    }
    if (introspects && deps.config.NODE_ENV !== 'development' && !viewer.can('introspect')) {
      throw new GraphQLError('Introspection is for clinicians, analysts and administrators.', {
        extensions: { code: 'INTROSPECTION_FORBIDDEN', http: { status: 403 } },
      });
    }
  };
  return {
    async requestDidStart() {
      /** The mistakes of a request that is not executed. */
      let refused: readonly GraphQLError[] = [];
      return {
        async didResolveSource(request) {
          const read = documents.read(request.source);
          if ('errors' in read) refused = read.errors;
          Object.assign(request, { document: 'errors' in read ? NONE : read.document });
        },
        async didResolveOperation({ contextValue, operation, document, request }) {
          if (refused.length > 0) return;
          if (!operation) {
            refused = [unresolved(request.operationName)];
            return;
          }
          if (operation.operation === 'subscription') throw NOT_STREAMED;
          const given = request.variables ?? {};
          const measured = refuseTooMuch(schema, operation, document, given);
          letThrough(contextValue, operation, measured);
          const variables = coerced(schema, operation, given);
          if ('errors' in variables) refused = variables.errors;
          const price =
            'errors' in variables
              ? POINTS.read
              : priceOf(app, operation, measured, variables.values);
          const spent = await contextValue.quota.charge(price);
          if (spent) throw new DomainError(spent);
        },
        async responseForOperation({ request: { http } }) {
          if (refused.length === 0) return null;
          const [
            {
              extensions: { http: own },
            },
          ] = refused as readonly [GraphQLError];
          const status =
            (own as { status?: number } | undefined)?.status ??
            statusOfMistakes(http?.headers.get('accept'));
          const errors = refused.map((error) => format(error.toJSON(), error, app));
          return {
            http: { status, headers: new HeaderMap() },
            body: { kind: 'single', singleResult: { errors } },
          };
        },
        async willSendResponse({ operation, response }) {
          if (response.body.kind !== 'single' || !passes(response.body.singleResult)) return;
          const changed = operation?.operation === 'mutation';
          response.body = {
            kind: 'single',
            singleResult: { errors: [tooLarge(changed).toJSON()] },
          };
          if (!changed) response.http.status = 400;
        },
      };
    },
  };
}

/**
 * The refusal of an answer of more than 16 MiB: RESPONSE_TOO_LARGE. Of a mutation it says that what
 * was asked for has been done.
 */
export function tooLarge(changed = false): GraphQLError {
  const done = changed ? ' What was to be changed has been changed.' : '';
  return new GraphQLError(
    `The answer would have more than 16 MiB. Ask for fewer rows, or for fewer texts.${done}`,
    {
      extensions: { code: 'RESPONSE_TOO_LARGE', http: { status: changed ? 200 : 400 } },
    },
  );
}

/**
 * The status of an answer to a document, variables or arguments that do not fit: 200 for who
 * accepts application/json by its name and not the media type of GraphQL (GraphQL over HTTP,
 * 6.4.1), and 400 for everybody else.
 */
export function statusOfMistakes(accept: string | undefined): 200 | 400 {
  const plain =
    accept !== undefined &&
    /application\/json/i.test(accept) &&
    !/application\/graphql-response\+json/i.test(accept);
  return plain ? 200 : 400;
}

function unresolved(name: string | null | undefined): GraphQLError {
  const message = name
    ? `There is no operation ${JSON.stringify(name.slice(0, 100))}.`
    : 'Name the operation: there are several.';
  return new GraphQLError(message, { extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } });
}

/** What an operation pays: each field of its root, and its size. */
function priceOf(
  { schema }: App,
  { operation: kind }: OperationDefinitionNode,
  { roots, cost }: Measured,
  variables: Record<string, unknown>,
): number {
  const fields = schema.getRootType(kind)?.getFields() ?? {};
  const price = (node: FieldNode): number => {
    const field = fields[node.name.value];
    if (!field) return POINTS.read;
    try {
      return pointsOf(field, kind, () => getArgumentValues(field, node, variables));
    } catch {
      return POINTS.read; // arguments that do not fit are for the execution to refuse
    }
  };
  return roots.reduce((sum, node) => sum + price(node), pointsOfSize(cost)) || POINTS.read;
}
