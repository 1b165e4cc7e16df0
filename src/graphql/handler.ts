import type { IncomingMessage, Server } from 'node:http';
import { expressMiddleware } from '@as-integrations/express5';
import type { RequestHandler } from 'express';
import { GraphQLError } from 'graphql';
import type { App } from '../app/app.js';
import { incomingOf } from '../app/incoming.js';
import type { Overload } from '../platform/http/overload.js';
import { Shares } from '../platform/http/shares.js';
import { startApollo } from './apollo.js';
import { arrival, contextOf, cors } from './arrival.js';
import { EventStreams } from './event-stream.js';
import { format } from './format.js';
import { lineStream } from './line-stream.js';
import { PersistedDocuments } from './persisted-documents.js';
import { REQUEST_BODY } from './request-body.js';
import type { Live } from './subscriptions.js';
import { serveWebSocket } from './websocket.js';

/** Most connections with subscriptions, by address and in all. A WebSocket may carry 50. */
const STREAMS = { each: 1_000, all: 10_000 };
/** Most subscriptions by account, over all of its connections. */
const SUBSCRIPTIONS = { each: 200, all: Number.POSITIVE_INFINITY };

export interface GraphqlFace {
  readonly handlers: RequestHandler[];
  /** Ends the subscriptions, event streams by `complete`, WebSockets by 1001. Takes no more. */
  readonly endStreams: () => Promise<void>;
}

/**
 * GraphQL over HTTP. Errors carry a stable reason in `extensions.code`. An error that is no refusal
 * is logged and shown as INTERNAL_ERROR. Introspection is for roles that may, and for everyone
 * under NODE_ENV=development. `page` answers browsers, within the quota, and passes other requests
 * on.
 */
export async function graphqlHandler(
  app: App,
  http: Server,
  baseUrl: string,
  overload: Overload,
  page: RequestHandler,
): Promise<GraphqlFace> {
  const persisted = PersistedDocuments.of(app.schema, app.deps.config.PERSISTED_DOCUMENTS);
  const apollo = await startApollo(app, http, persisted);
  const live = liveOf(app, baseUrl);
  const closeSockets = serveWebSocket(live, http, baseUrl);
  const events = new EventStreams(live, (response) => overload.streams(response));
  return {
    handlers: [
      cors(app.deps.config.CORS_ORIGINS),
      arrival(app, live.incomingOf),
      page,
      ...REQUEST_BODY,
      events.handler,
      lineStream,
      expressMiddleware(apollo, { context: contextOf(persisted) }),
    ],
    endStreams: async () => {
      events.close();
      await closeSockets();
    },
  };
}

/** Returns what subscriptions need, whatever carries them. */
function liveOf(app: App, baseUrl: string): Live {
  return {
    app,
    show(error) {
      const shown = format(
        error instanceof GraphQLError ? error.toJSON() : { message: String(error) },
        error,
        app,
      );
      return new GraphQLError(shown.message, { extensions: shown.extensions ?? {} });
    },
    incomingOf: (request: IncomingMessage) => incomingOf(request, baseUrl, app.deps.config),
    subscriptions: new Shares(SUBSCRIPTIONS),
    streams: new Shares(STREAMS),
  };
}
