import type { IncomingMessage, Server } from 'node:http';
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { ApolloServerPluginDrainHttpServer } from '@apollo/server/plugin/drainHttpServer';
import { expressMiddleware } from '@as-integrations/express5';
import express, {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { GraphQLError } from 'graphql';
import type { App } from '../app/app.js';
import { idempotencyKeyOf, incomingOf } from '../app/incoming.js';
import type { RequestContext } from '../core/context.js';
import { Quota } from '../core/quota.js';
import { isUnavailable } from '../platform/database/database.js';
import { jsonWithin } from '../platform/http/answer-size.js';
import { alsoHalfClosed } from '../platform/http/body.js';
import { CORS_ALWAYS, corsFor } from '../platform/http/cors.js';
import { holdsTooMuch } from '../platform/http/json-values.js';
import type { Overload } from '../platform/http/overload.js';
import { Shares } from '../platform/http/shares.js';
import { observeRequest } from '../platform/metrics/metrics.js';
import { EventStreams } from './event-stream.js';
import { format, UNAVAILABLE } from './format.js';
import { guard, statusOfMistakes, TOO_MANY, tooLarge } from './guard.js';
import type { Live } from './subscriptions.js';
import { isBounded, tooManyVariables } from './variables.js';
import { serveWebSocket } from './websocket.js';

const LARGEST_BODY = '2mb';
/** Seconds after which it is worth trying again when the database could not be reached. */
const RETRY_AFTER = '1';
/** What reaches the log of a name that a caller chose. */
const LONGEST_NAME = 100;

/**
 * Connections that carry subscriptions, by address and in all; each may have 50 subscriptions when
 * it is a WebSocket.
 */
const STREAMS = { each: 1_000, all: 10_000 };
/** Subscriptions by account, whatever carries them. */
const SUBSCRIPTIONS = { each: 200, all: Number.POSITIVE_INFINITY };

export interface GraphqlFace {
  readonly handlers: RequestHandler[];
  /**
   * Completes the subscriptions: server-sent events by `complete`, WebSockets by 1001. Takes no
   * more.
   */
  readonly endStreams: () => Promise<void>;
}

/**
 * GraphQL over HTTP. Errors carry a stable reason in `extensions.code`; what nobody planned is
 * logged and shown as INTERNAL_ERROR. Introspection is for those whose role may, and for everyone
 * under NODE_ENV=development. `page` answers the visit of a browser, within the quota, and passes
 * on what is none.
 */
export async function graphqlHandler(
  app: App,
  http: Server,
  baseUrl: string,
  overload: Overload,
  page: RequestHandler,
): Promise<GraphqlFace> {
  const apollo = new ApolloServer<RequestContext>({
    schema: app.schema,
    introspection: true,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    // Documents are read by `guard`.
    documentStore: null,
    stringifyResult: bounded,
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
  const { CORS_ORIGINS } = app.deps.config;
  const incoming = (request: IncomingMessage) => incomingOf(request, baseUrl, app.deps.config);
  const arrive: RequestHandler = async (request, response, next) => {
    const made = app.createContext(incoming(request));
    response.locals.context = made;
    // Apollo answers for a context that could not be made for another reason.
    const quota = await made.then(
      (context) => context.quota,
      (error) => (isUnavailable(error) ? undefined : Quota.BOUNDLESS),
    );
    if (!quota)
      return void response
        .status(503)
        .set('Retry-After', RETRY_AFTER)
        .json({ errors: [UNAVAILABLE] });
    const spent = await quota.arrive();
    response.set(quota.headers());
    if (!spent) return next();
    const { reason, message, detail } = spent;
    response.status(429).set('Retry-After', String(detail?.retryAfter));
    response.json({ errors: [{ message, extensions: { code: reason, ...detail } }] });
  };
  const context = async ({
    req,
    res,
  }: {
    req: Request;
    res: Response;
  }): Promise<RequestContext> => {
    const made = (await res.locals.context) as RequestContext;
    return made.under(orBadRequest(() => keyOf(req)));
  };
  const show = (error: unknown) => {
    const shown = format(
      error instanceof GraphQLError ? error.toJSON() : { message: String(error) },
      error,
      app,
    );
    return new GraphQLError(shown.message, { extensions: shown.extensions ?? {} });
  };
  const live: Live = {
    app,
    show,
    incomingOf: incoming,
    subscriptions: new Shares(SUBSCRIPTIONS),
    streams: new Shares(STREAMS),
  };
  const closeSockets = serveWebSocket(live, http, baseUrl);
  const events = new EventStreams(live, (response) => overload.streams(response));
  const cors: RequestHandler = (request, response, next) => {
    const { origin } = request.headers;
    response.set({ ...CORS_ALWAYS, ...corsFor(origin, CORS_ORIGINS), Vary: 'Origin' });
    if (request.method === 'OPTIONS') response.status(204).end();
    else next();
  };
  return {
    handlers: [
      cors,
      arrive,
      page,
      alsoHalfClosed(express.json({ limit: LARGEST_BODY, verify: refuseMany })),
      refuseBody as unknown as RequestHandler,
      events.handler,
      expressMiddleware(apollo, { context }),
    ],
    endStreams: async () => {
      events.close();
      await closeSockets();
    },
  };
}

/** Makes a refusal 400: Apollo answers 500 for what keeps a context from being made. */
function orBadRequest<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const extensions = { ...error.extensions, http: { status: 400 } };
    throw new GraphQLError(error.message, { extensions });
  }
}

/**
 * The key of a request to change something; what it stands for are the document and its variables.
 */
function keyOf(request: Request) {
  const { query, variables, operationName } = (request.body ?? {}) as Record<string, unknown>;
  const asked = [query, variables, operationName];
  // What is not bounded is refused before anything changes.
  if (request.method !== 'POST' || !asked.every(isBounded)) return undefined;
  return idempotencyKeyOf(request, () => asked);
}

/** Refuses a body of so many values that their variables would be refused, before it is parsed. */
function refuseMany(
  _request: IncomingMessage,
  _response: unknown,
  bytes: Buffer,
  charset: string,
): void {
  if (charset !== 'utf-8')
    throw Object.assign(new Error('The charset of a request body must be UTF-8.'), { status: 415 });
  if (holdsTooMuch(bytes)) throw Object.assign(tooManyVariables(), { status: 400 });
}

const MESSAGES: Readonly<Record<number, string>> = {
  413: 'The request body may have 2 MiB at most.',
  415: 'The request body must be JSON in UTF-8.',
};

/** A body that is too large or is no JSON gets the same kind of answer as everything else. */
function refuseBody(
  error: { status?: number; type?: string },
  _request: Request,
  response: Response,
  next: NextFunction,
): void {
  if (!error.status || error.status >= 500) {
    next(error);
    return;
  }
  if (error instanceof GraphQLError) {
    response.status(error.status).json({ errors: [error] });
    return;
  }
  const message = MESSAGES[error.status] ?? 'The request body is not valid JSON.';
  response
    .status(error.status)
    .json({ errors: [{ message, extensions: { code: 'BAD_REQUEST' } }] });
}

/**
 * The JSON of an answer. RESPONSE_TOO_LARGE where only its escapes made it so; `guard` has refused
 * what is larger than that.
 */
function bounded(answer: object): string {
  const text = jsonWithin(answer);
  if (text === undefined) throw tooLarge();
  return text;
}

/** Mistakes of the caller that show only when a field is resolved. */
const MISTAKES = new Set(['BAD_USER_INPUT', 'CURSOR_INVALID']);

/**
 * Says what is left of the quota. An answer that holds nothing but errors is 429 or 503 with
 * Retry-After where a limit or the database is the cause, and 400 where all are mistakes of the
 * caller; whoever names application/json gets 200 for these (GraphQL over HTTP, 6.4.1).
 */
function headers(): ApolloServerPlugin<RequestContext> {
  return {
    async requestDidStart() {
      return {
        async willSendResponse({ contextValue, request, response: { http, body } }) {
          for (const [name, value] of Object.entries(contextValue.quota.headers()))
            http.headers.set(name.toLowerCase(), value);
          const { data, errors = [] } = body.kind === 'single' ? body.singleResult : {};
          if (data && Object.values(data).some((value) => value !== null)) return;
          const because = (code: string) =>
            errors.find(({ extensions }) => extensions?.code === code);
          const limited = because(TOO_MANY);
          const passing = limited ?? because('UNAVAILABLE');
          if (passing) {
            http.status = limited ? 429 : 503;
            http.headers.set('retry-after', String(passing.extensions?.retryAfter ?? RETRY_AFTER));
          } else if (
            data === null &&
            errors.every(({ extensions }) => MISTAKES.has(String(extensions?.code)))
          ) {
            http.status = statusOfMistakes(request.http?.headers.get('accept'));
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
        async willSendResponse({ contextValue, operation, response: { http, body } }) {
          const seconds = (performance.now() - started) / 1000;
          const status = http.status ?? 200;
          const name = operation?.name?.value.slice(0, LONGEST_NAME);
          observeRequest({
            method: 'POST',
            route: 'graphql',
            operation: operation?.operation,
            status,
            seconds,
          });
          deps.log.info(
            {
              request: contextValue.input.requestId,
              face: 'graphql',
              operation: name,
              kind: operation?.operation,
              errors: body.kind === 'single' ? body.singleResult.errors?.length : undefined,
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
