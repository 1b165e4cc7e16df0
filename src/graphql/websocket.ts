import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { GraphQLError } from 'graphql';
import { type Extra, useServer } from 'graphql-ws/use/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Incoming } from '../app/incoming.js';
import { DomainError } from '../core/errors.js';
import { POINTS, Quota } from '../core/quota.js';
import { turnAway } from '../platform/http/connections.js';
import {
  addressOf,
  isExpired,
  type Live,
  type Prepared,
  prepare,
  start,
  tooMany,
  whenExpired,
} from './subscriptions.js';

/** Bounds of one connection. */
const LARGEST_MESSAGE = 64 * 1024;
const MOST_OPERATIONS = 50;
/** Bytes sent that the client has not read. */
const MOST_UNREAD = 1024 * 1024;
const KEEP_ALIVE = 12_000;
/** Milliseconds that clients have to close after they are notified that the service ends. */
const GOING_AWAY = 1_000;

/**
 * Close codes after which clients connect again: 4403 (graphql-transport-ws: Forbidden) with a new
 * token, 1001 to another process, 1013 later.
 */
const CLOSED = { expired: 4403, goingAway: 1001, unavailable: 1013 } as const;

type Options = Parameters<typeof useServer<Record<string, unknown>>>[0];

/** What the library knows of a connection. */
interface Connection {
  readonly extra: Extra;
  readonly connectionParams?: Readonly<Record<string, unknown>> | undefined;
}

/** What an operation runs with, besides its document. */
interface Asking {
  readonly incoming: Incoming;
  readonly socket: WebSocket;
}

/**
 * Subscriptions over WebSocket at /graphql (protocol graphql-transport-ws). Credentials are in the
 * header of the handshake or in the payload of connection_init, as `authorization` in any case.
 * When the token has expired, the connection is closed with 4403; while the database is away, with
 * 1013. Browsers may connect from the service's own origin and those of CORS_ORIGINS. Returns a
 * function that closes all connections with 1001 and takes no more.
 */
export function serveWebSocket(live: Live, http: Server, baseUrl: string): () => Promise<void> {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LARGEST_MESSAGE });
  useServer<Record<string, unknown>>(protocol(live), sockets, KEEP_ALIVE);
  let closed = false;
  // Other upgrades never come here (see Connections).
  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (closed) return turnAway(socket, '503 Service Unavailable');
    if (!isWelcome(request, live, baseUrl)) return turnAway(socket, '403 Forbidden');
    const leave = live.streams.take(addressOf(live.incomingOf(request)));
    if (!leave) return turnAway(socket, '429 Too Many Requests');
    socket.once('close', leave);
    sockets.handleUpgrade(request, socket, head, (client) => open(sockets, client, request));
  });
  return async () => {
    closed = true;
    for (const client of sockets.clients) client.close(CLOSED.goingAway, 'Going away');
    const patience = AbortSignal.timeout(GOING_AWAY);
    while (sockets.clients.size > 0 && !patience.aborted) await sleep(20);
    for (const client of sockets.clients) client.terminate();
  };
}

function open(sockets: WebSocketServer, client: WebSocket, request: IncomingMessage): void {
  sockets.emit('connection', client, request);
  // The library would print each error, once; what it is about, and that the connection ends, ws
  // has told the client.
  client.removeAllListeners('error').on('error', () => {});
  const bound = () => client.bufferedAmount > MOST_UNREAD && client.terminate();
  client.on('ping', bound).on('message', bound);
}

/**
 * Returns what the library calls at each message of the protocol. Over 40 lines: the calls share
 * the credentials and the end of a connection, and stand in the order of the protocol.
 */
function protocol(live: Live): Options {
  const { app, show, incomingOf } = live;
  const expire = (socket: WebSocket) =>
    socket.close(CLOSED.expired, 'The access token has expired');
  const credentialsOf = ({ extra, connectionParams }: Connection): Incoming => {
    const [, given] =
      Object.entries(connectionParams ?? {}).find(
        ([name]) => name.toLowerCase() === 'authorization',
      ) ?? [];
    return {
      ...incomingOf(extra.request),
      ...(typeof given === 'string' && { authorization: given }),
    };
  };
  return {
    isProd: true,
    connectionInitWaitTimeout: 5_000,
    onConnect: async (connection) => {
      const { socket } = connection.extra;
      const context = await app.createContext(credentialsOf(connection)).catch(() => undefined);
      if (!context) socket.close(CLOSED.unavailable, 'Try again later');
      if (!context || isExpired(context)) return false; // closes with 4403 what is still open
      socket.once(
        'close',
        whenExpired(context, () => expire(socket)),
      );
      return true;
    },
    onSubscribe: async (connection, _id, asked) => {
      if (Object.keys(connection.subscriptions).length > MOST_OPERATIONS)
        return [
          tooMany(
            `A connection may have ${MOST_OPERATIONS} subscriptions at once. Open another one.`,
          ),
        ];
      const incoming = credentialsOf(connection);
      const paid = await pay(live, incoming);
      if (!(paid instanceof Quota)) return [paid];
      const prepared = await prepare(app, paid, asked);
      if ('errors' in prepared) return prepared.errors.map(show);
      const asking: Asking = { incoming, socket: connection.extra.socket };
      return { schema: app.schema, ...prepared, contextValue: asking };
    },
    subscribe: (args) => {
      const { incoming, socket } = args.contextValue as Asking;
      const expired = () => expire(socket);
      return start(live, incoming, args as unknown as Prepared, expired).catch(
        (error: unknown) => ({ errors: [show(error)] }),
      );
    },
  };
}

/** Pays for an operation before anything of it is read. Returns what pays for the rest of it. */
async function pay({ app, show }: Live, incoming: Incoming): Promise<Quota | GraphQLError> {
  try {
    const { quota } = await app.createContext(incoming);
    const spent = await quota.charge(POINTS.read);
    return spent ? show(new DomainError(spent)) : quota;
  } catch (error) {
    return show(error);
  }
}

/**
 * Returns whether the page of a browser is ours or of an origin that may call the API. Programs
 * send no Origin.
 */
function isWelcome(
  { headers: { origin } }: IncomingMessage,
  { app }: Live,
  baseUrl: string,
): boolean {
  return (
    origin === undefined ||
    origin === new URL(baseUrl).origin ||
    app.deps.config.CORS_ORIGINS.includes(origin)
  );
}
