import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { GraphQLError } from 'graphql';
import type { App } from '../app/app.js';
import { type Incoming, idempotencyKeyOf } from '../app/incoming.js';
import type { RequestContext } from '../core/context.js';
import { Quota } from '../core/quota.js';
import { isUnavailable } from '../platform/database/database.js';
import { CORS_ALWAYS, corsFor } from '../platform/http/cors.js';
import { isBounded } from './document-variables.js';
import { UNAVAILABLE } from './format.js';
import type { PersistedDocuments } from './persisted-documents.js';
import { sendErrors } from './refusing.js';
import { RETRY_AFTER } from './response-headers.js';

/** Sets the headers of CORS, and answers OPTIONS. `origins`: browser origins that may call. */
export function cors(origins: readonly string[]): RequestHandler {
  return (request, response, next) => {
    const { origin } = request.headers;
    response.set({ ...CORS_ALWAYS, ...corsFor(origin, origins), Vary: 'Origin' });
    if (request.method === 'OPTIONS') response.status(204).end();
    else next();
  };
}

/**
 * Makes the context of a request, as a promise in `locals.context`, and charges the quota for its
 * arrival. Answers 429 when that is spent, 503 when the database cannot be reached.
 */
export function arrival(
  app: App,
  incomingOf: (request: IncomingMessage) => Incoming,
): RequestHandler {
  return async (request, response, next) => {
    const made = app.createContext(incomingOf(request));
    response.locals.context = made;
    // Apollo answers for a context that could not be made for another reason.
    const quota = await made.then(
      (context) => context.quota,
      (error) => (isUnavailable(error) ? undefined : Quota.BOUNDLESS),
    );
    if (!quota) {
      response.set('Retry-After', RETRY_AFTER);
      return sendErrors(request, response, 503, [UNAVAILABLE]);
    }
    const spent = await quota.arrive();
    response.set(quota.headers());
    if (!spent) return next();
    const { reason, message, detail } = spent;
    response.set('Retry-After', String(detail?.retryAfter));
    sendErrors(request, response, 429, [{ message, extensions: { code: reason, ...detail } }]);
  };
}

/**
 * Returns what makes the context of a request: the one of `arrival`, with the Idempotency-Key of
 * the request.
 */
export const contextOf =
  (persisted: PersistedDocuments) =>
  async ({ req, res }: { req: Request; res: Response }): Promise<RequestContext> => {
    const made = (await res.locals.context) as RequestContext;
    return made.under(orBadRequest(() => keyOf(req, persisted)));
  };

/** Makes a refusal 400: Apollo answers 500 when no context can be made. */
function orBadRequest<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const extensions = { ...error.extensions, http: { status: 400 } };
    throw new GraphQLError(error.message, { extensions });
  }
}

/** Returns the Idempotency-Key of a POST. It stands for the document and its variables. */
function keyOf(request: Request, persisted: PersistedDocuments) {
  const { query, variables, operationName, extensions } = (request.body ?? {}) as Asked;
  const hash = query === undefined && extensions?.persistedQuery?.sha256Hash;
  const asked = [hash ? persisted.textOf(String(hash)) : query, variables, operationName];
  // `guard` refuses what is not bounded, before anything changes.
  if (request.method !== 'POST' || !asked.every(isBounded)) return undefined;
  return idempotencyKeyOf(request, () => asked);
}

/** What a request asks, as far as an Idempotency-Key stands for it. */
interface Asked {
  readonly query?: unknown;
  readonly variables?: unknown;
  readonly operationName?: unknown;
  readonly extensions?: {
    readonly persistedQuery?: { readonly sha256Hash?: unknown } | null;
  } | null;
}
