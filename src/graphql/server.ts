import { createHash, randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { ApolloServerPluginDrainHttpServer } from '@apollo/server/plugin/drainHttpServer';
import { expressMiddleware } from '@as-integrations/express5';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { GraphQLError, type GraphQLFormattedError, Kind, type OperationDefinitionNode } from 'graphql';
import type { App } from '../app.js';
import type { RequestContext } from '../context.js';
import { DomainError } from '../errors.js';
import { isUnavailable } from '../platform/database/database.js';
import { CORS_ALWAYS, corsFor } from '../platform/http/cors.js';
import { timeZoneOf } from '../platform/http/time-zone.js';
import { observeRequest } from '../platform/metrics/metrics.js';
import { LIMITS, refuseTooMuch } from './limits.js';

const LARGEST_BODY = '2mb';

/**
 * GraphQL over HTTP. Errors carry a stable reason in `extensions.code`; what nobody planned is logged and shown as INTERNAL_ERROR.
 * Introspection is for those whose role may, and for everyone under NODE_ENV=development.
 */
export async function graphqlHandler(app: App, http: Server, baseUrl: string): Promise<RequestHandler[]> {
  const apollo = new ApolloServer<RequestContext>({
    schema: app.schema,
    introspection: true,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    hideSchemaDetailsFromClientErrors: app.deps.config.NODE_ENV !== 'development',
    parseOptions: { maxTokens: LIMITS.tokens },
    stopOnTerminationSignals: false,
    persistedQueries: false,
    formatError: (formatted, error) => format(formatted, error, app),
    plugins: [
      ApolloServerPluginDrainHttpServer({ httpServer: http }),
      ApolloServerPluginLandingPageDisabled(),
      guard(app),
      account(app),
    ],
  });
  await apollo.start();
  const context = async ({ req }: { req: Request }): Promise<RequestContext> => {
    const requestId = randomUUID();
    const incoming = { authorization: req.headers.authorization, siteUrl: baseUrl, requestId, idempotency: keyOf(req) };
    return app.createContext({ ...incoming, timeZone: timeZoneOf(req) });
  };
  const cors: RequestHandler = (request, response, next) => {
    const { origin } = request.headers;
    response.set({ ...CORS_ALWAYS, ...corsFor(origin, app.deps.config.CORS_ORIGINS), Vary: 'Origin' });
    if (request.method === 'OPTIONS') response.status(204).end();
    else next();
  };
  return [
    cors,
    express.json({ limit: LARGEST_BODY }),
    refuseBody as unknown as RequestHandler,
    expressMiddleware(apollo, { context }),
  ];
}

function keyOf({ headers, body }: Request) {
  const key = headers['idempotency-key'];
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key)) return undefined;
  const { query, variables, operationName } = (body ?? {}) as Record<string, unknown>;
  return {
    key,
    hash: createHash('sha256')
      .update(JSON.stringify([query, variables, operationName]))
      .digest('hex'),
    ordinal: 0,
  };
}

/** A body that is too large or is no JSON gets the same kind of answer as everything else. */
function refuseBody(error: { status?: number; type?: string }, _request: Request, response: Response, next: NextFunction): void {
  if (!error.status || error.status >= 500) {
    next(error);
    return;
  }
  const message = error.status === 413 ? 'The request body may have 2 MiB at most.' : 'The request body is not valid JSON.';
  response.status(error.status).json({ errors: [{ message, extensions: { code: 'BAD_REQUEST' } }] });
}

/** Lets introspection and tokens that are no longer good through only where they may pass. */
function guard({ deps, schema }: App): ApolloServerPlugin<RequestContext> {
  const mutations = schema.getMutationType()?.getFields() ?? {};
  const issuesTokens = (operation: OperationDefinitionNode | undefined) =>
    operation?.operation === 'mutation' &&
    operation.selectionSet.selections.every(
      (node) => node.kind === Kind.FIELD && mutations[node.name.value]?.extensions.issuesTokens === true,
    );
  return {
    async requestDidStart() {
      return {
        async didResolveOperation({ contextValue, operation, document, request, source }) {
          if (operation) refuseTooMuch(operation, document, request.variables ?? {});
          const { refusal } = contextValue.input;
          if (refusal && !issuesTokens(operation)) {
            throw new GraphQLError(refusal.message, { extensions: { code: refusal.reason, http: { status: 401 } } });
          }
          const open = deps.config.NODE_ENV === 'development' || contextValue.viewer.can('introspect');
          if (!open && /__(schema|type)\b/.test(source ?? '')) {
            throw new GraphQLError('Introspection is for clinicians, analysts and administrators.', {
              extensions: { code: 'INTROSPECTION_FORBIDDEN', http: { status: 403 } },
            });
          }
        },
      };
    },
  };
}

/** One log line and one observation a request. */
function account({ deps }: App): ApolloServerPlugin<RequestContext> {
  return {
    async requestDidStart() {
      const started = performance.now();
      return {
        async willSendResponse({ contextValue, operationName, operation, errors, response }) {
          const seconds = (performance.now() - started) / 1000;
          const status = response.http.status ?? 200;
          const name = operation?.name?.value ?? operationName ?? undefined;
          observeRequest({ method: 'POST', route: 'graphql', operation: operation?.operation, status, seconds });
          deps.log.info(
            {
              request: contextValue.input.requestId,
              face: 'graphql',
              operation: name,
              kind: operation?.operation,
              errors: errors?.length,
              status,
              ms: Math.round(seconds * 1e6) / 1e3,
            },
            'request',
          );
        },
      };
    },
  };
}

const ASKED_WRONGLY = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_REQUEST',
]);

/** Shows refusals and mistakes of the caller as they are, and nothing of our own. */
function format(formatted: GraphQLFormattedError, error: unknown, { deps }: App): GraphQLFormattedError {
  const cause = error instanceof GraphQLError && error.originalError ? error.originalError : error;
  const code = String(formatted.extensions?.code ?? '');
  const { locations, path, message } = formatted;
  const place = { ...(locations && { locations }), ...(path && { path }) };
  if (cause instanceof DomainError) return { message, ...place, extensions: { ...cause.extensions } };
  const planned = ASKED_WRONGLY.has(code) || (cause instanceof GraphQLError && code !== 'INTERNAL_SERVER_ERROR');
  if (planned) return { message, ...place, extensions: { code } };
  if (isUnavailable(cause))
    return { message: 'The service cannot reach its database. Try again soon.', ...place, extensions: { code: 'UNAVAILABLE' } };
  deps.log.error({ err: cause }, 'request failed');
  return {
    message: 'Something went wrong on our side. The error has been recorded.',
    ...place,
    extensions: { code: 'INTERNAL_ERROR' },
  };
}
