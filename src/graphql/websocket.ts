import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { GraphQLError } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import type { App, Incoming } from '../app.js';
import { type Prepared, prepare, type Show, start } from './subscriptions.js';

/** Bounds of one connection. */
const LARGEST_MESSAGE = 64 * 1024;
const MOST_OPERATIONS = 50;
const MOST_CONNECTIONS = 10_000;
const KEEP_ALIVE = 12_000;

const tooMany = () =>
  new GraphQLError(`A connection may have ${MOST_OPERATIONS} subscriptions at once. Open another one.`, {
    extensions: { code: 'TOO_MANY_SUBSCRIPTIONS' },
  });

/**
 * Subscriptions over WebSocket at /graphql (protocol graphql-transport-ws). Credentials come in the header of the handshake or as
 * `authorization`, however it is cased, in the payload of connection_init. Browsers may connect from the service's own origin and those of CORS_ORIGINS.
 */
export function serveWebSocket(
  app: App,
  http: Server,
  baseUrl: string,
  incomingOf: (request: IncomingMessage) => Incoming,
  show: Show,
): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LARGEST_MESSAGE });
  const server = useServer(
    {
      schema: app.schema,
      connectionInitWaitTimeout: 5_000,
      onSubscribe: (connection, _id, asked) => {
        const { extra, connectionParams, subscriptions } = connection;
        if (Object.keys(subscriptions).length > MOST_OPERATIONS) return [tooMany()];
        const prepared = prepare(app, asked);
        if ('errors' in prepared) return prepared.errors;
        const [, given] = Object.entries(connectionParams ?? {}).find(([name]) => name.toLowerCase() === 'authorization') ?? [];
        const incoming = { ...incomingOf(extra.request), ...(typeof given === 'string' && { authorization: given }) };
        return { schema: app.schema, ...prepared, contextValue: incoming };
      },
      subscribe: (args) => start(app, args.contextValue as Incoming, args as unknown as Prepared, show),
      isProd: true,
    },
    sockets,
    KEEP_ALIVE,
  );
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const refuse = (status: string) => socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    if (new URL(request.url ?? '/', baseUrl).pathname !== '/graphql') return refuse('404 Not Found');
    if (!isWelcome(request, app, baseUrl)) return refuse('403 Forbidden');
    if (sockets.clients.size >= MOST_CONNECTIONS) return refuse('503 Service Unavailable');
    sockets.handleUpgrade(request, socket, head, (client) => sockets.emit('connection', client, request));
  };
  http.on('upgrade', upgrade);
  return () => {
    http.off('upgrade', upgrade);
    void server.dispose();
  };
}

/** A browser's page must come from us or from an origin that may call the API; programs send no Origin. */
function isWelcome({ headers: { origin } }: IncomingMessage, { deps }: App, baseUrl: string): boolean {
  return origin === undefined || origin === new URL(baseUrl).origin || deps.config.CORS_ORIGINS.includes(origin);
}
