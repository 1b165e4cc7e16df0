import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { ApolloServerPluginDrainHttpServer } from '@apollo/server/plugin/drainHttpServer';
import { expressMiddleware } from '@as-integrations/express5';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import {
  type FieldNode,
  GraphQLError,
  type GraphQLFormattedError,
  getArgumentValues,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import type { App, Incoming } from '../app.js';
import type { RequestContext } from '../context.js';
import { DomainError } from '../errors.js';
import { isUnavailable } from '../platform/database/database.js';
import { callerAddress } from '../platform/http/address.js';
import { CORS_ALWAYS, corsFor } from '../platform/http/cors.js';
import { timeZoneOf } from '../platform/http/time-zone.js';
import { observeRequest } from '../platform/metrics/metrics.js';
import { POINTS, pointsOf, pointsOfSize, Quota } from '../quota.js';
import { eventStream } from './event-stream.js';
import { LIMITS, type Measured, refuseTooMuch } from './limits.js';
import { serveWebSocket } from './websocket.js';

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
      headers(),
      account(app),
    ],
  });
  await apollo.start();
  const { CORS_ORIGINS, TRUSTED_PROXIES } = app.deps.config;
  const incomingOf = ({ headers, socket }: IncomingMessage): Incoming => ({
    authorization: headers.authorization,
    userAgent: headers['user-agent'],
    refreshToken: headers['refresh-token']?.toString(),
    timeZone: timeZoneOf({ headers }),
    siteUrl: baseUrl,
    requestId: randomUUID(),
    address: callerAddress(socket.remoteAddress, headers['x-forwarded-for']?.toString(), TRUSTED_PROXIES),
  });
  const arrive: RequestHandler = async (request, response, next) => {
    const made = app.createContext(incomingOf(request));
    response.locals.context = made;
    // Apollo answers for a context that could not be made.
    const quota = await made.then(
      (context) => context.quota,
      () => Quota.BOUNDLESS,
    );
    const spent = await quota.arrive();
    response.set(quota.headers());
    if (!spent) return next();
    const { reason, message, detail } = spent;
    response.status(429).set('Retry-After', String(detail?.retryAfter));
    response.json({ errors: [{ message, extensions: { code: reason, ...detail } }] });
  };
  const context = async ({ req, res }: { req: Request; res: Response }): Promise<RequestContext> => {
    const made = (await res.locals.context) as RequestContext;
    return made.under(keyOf(req));
  };
  const show = (error: unknown) => {
    const shown = format(error instanceof GraphQLError ? error.toJSON() : { message: String(error) }, error, app);
    return new GraphQLError(shown.message, { extensions: shown.extensions ?? {} });
  };
  http.once('close', serveWebSocket(app, http, baseUrl, incomingOf, show));
  const cors: RequestHandler = (request, response, next) => {
    const { origin } = request.headers;
    response.set({ ...CORS_ALWAYS, ...corsFor(origin, CORS_ORIGINS), Vary: 'Origin' });
    if (request.method === 'OPTIONS') response.status(204).end();
    else next();
  };
  return [
    cors,
    arrive,
    express.json({ limit: LARGEST_BODY }),
    refuseBody as unknown as RequestHandler,
    eventStream(app, incomingOf, show),
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

const TOO_MANY = 'TOO_MANY_REQUESTS';

/** Says what is left of the quota; an answer that holds nothing but a refusal because of a limit is 429 with Retry-After. */
function headers(): ApolloServerPlugin<RequestContext> {
  return {
    async requestDidStart() {
      return {
        async willSendResponse({ contextValue, response: { http, body } }) {
          for (const [name, value] of Object.entries(contextValue.quota.headers())) http.headers.set(name.toLowerCase(), value);
          const { data, errors = [] } = body.kind === 'single' ? body.singleResult : {};
          const limited = errors.find(({ extensions }) => extensions?.code === TOO_MANY);
          if (!limited || data) return;
          http.status = 429;
          http.headers.set('retry-after', String(limited.extensions?.retryAfter));
        },
      };
    },
  };
}

const NOT_STREAMED = new GraphQLError(
  'Subscriptions are answered over WebSocket (graphql-transport-ws), or as server-sent events: send Accept: text/event-stream.',
  { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } },
);

/** Lets introspection and tokens that are no longer good through only where they may pass, and what can be paid for. */
function guard({ deps, schema }: App): ApolloServerPlugin<RequestContext> {
  /** What an operation pays: each field of its root, and its size. */
  const priceOf = (operation: OperationDefinitionNode, { roots, cost }: Measured, given: Record<string, unknown>): number => {
    const { operation: kind, variableDefinitions = [] } = operation;
    const fields = schema.getRootType(kind)?.getFields() ?? {};
    const price = (node: FieldNode): number => {
      const field = fields[node.name.value];
      if (!field) return POINTS.read;
      try {
        return pointsOf(field, kind, () =>
          getArgumentValues(field, node, getVariableValues(schema, variableDefinitions, given).coerced),
        );
      } catch {
        return POINTS.read; // arguments that do not fit are for the execution to refuse
      }
    };
    return roots.reduce((sum, node) => sum + price(node), pointsOfSize(cost)) || POINTS.read;
  };
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
          if (operation?.operation === 'subscription') throw NOT_STREAMED;
          const variables = request.variables ?? {};
          const measured = operation && refuseTooMuch(operation, document, variables);
          const { refusal } = contextValue.input;
          if (refusal?.reason === TOO_MANY) throw new DomainError(refusal);
          if (refusal && !issuesTokens(operation)) {
            throw new GraphQLError(refusal.message, { extensions: { code: refusal.reason, http: { status: 401 } } });
          }
          const open = deps.config.NODE_ENV === 'development' || contextValue.viewer.can('introspect');
          if (!open && /__(schema|type)\b/.test(source ?? '')) {
            throw new GraphQLError('Introspection is for clinicians, analysts and administrators.', {
              extensions: { code: 'INTROSPECTION_FORBIDDEN', http: { status: 403 } },
            });
          }
          const spent = measured && (await contextValue.quota.charge(priceOf(operation, measured, variables)));
          if (spent) throw new DomainError(spent);
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

/** A mistake quotes what was sent: of a long one the beginning, and the end, which says what is expected. */
const shortened = (message: string) => (message.length > 1_000 ? `${message.slice(0, 500)} … ${message.slice(-400)}` : message);

/** Shows refusals and mistakes of the caller as they are, and nothing of our own. */
function format(formatted: GraphQLFormattedError, error: unknown, { deps }: App): GraphQLFormattedError {
  const cause = error instanceof GraphQLError && error.originalError ? error.originalError : error;
  const code = String(formatted.extensions?.code ?? '');
  const { locations, path } = formatted;
  const message = shortened(formatted.message);
  const place = { ...(locations && { locations }), ...(path && { path }) };
  if (cause instanceof DomainError) return { message, ...place, extensions: { ...cause.extensions } };
  const planned = ASKED_WRONGLY.has(code) || (cause instanceof GraphQLError && code !== 'INTERNAL_SERVER_ERROR');
  if (planned) return { message, ...place, extensions: { code: code || 'BAD_USER_INPUT' } };
  if (isUnavailable(cause))
    return { message: 'The service cannot reach its database. Try again soon.', ...place, extensions: { code: 'UNAVAILABLE' } };
  deps.log.error({ err: cause }, 'request failed');
  return {
    message: 'Something went wrong on our side. The error has been recorded.',
    ...place,
    extensions: { code: 'INTERNAL_ERROR' },
  };
}
