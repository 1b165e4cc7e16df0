import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ExecutionResult, GraphQLError } from 'graphql';
import { type Extra, useServer } from 'graphql-ws/use/ws';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { Incoming } from '../app/incoming.js';
import { pointsOfMessage, Quota } from '../core/quota.js';
import { turnAway } from '../platform/http/connections.js';
import { namesIn } from '../platform/http/json-values.js';
import { begin, whenPaid } from './beginning.js';
import { TOO_MANY } from './guard.js';
import { spokenErrors, spokenResult } from './spoken/speaking.js';
import {
  addressOf,
  isExpired,
  type Live,
  type Prepared,
  start,
  tooMany,
  whenExpired,
  withCost,
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
 * token, 1001 to another process, 1013 later: also when the quota does not cover a connection or
 * its messages.
 */
const CLOSED = { expired: 4403, goingAway: 1001, unavailable: 1013 } as const;

/** Codes of errors that pass: the client of a refused subscription would not ask for it again. */
const PASSING: ReadonlySet<unknown> = new Set(['UNAVAILABLE', TOO_MANY]);

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
  /** What pays for it. */
  readonly quota: Quota;
}

/** What pays for the messages of each connection: from its beginning on the address. */
type Payers = WeakMap<WebSocket, Quota>;

/**
 * The subscriptions of each connection. The library forgets one whose id was completed and begun
 * again before it started.
 */
type Running = WeakMap<WebSocket, Set<AsyncIterableIterator<ExecutionResult>>>;

/**
 * Subscriptions over WebSocket at /graphql (protocol graphql-transport-ws). Credentials are in the
 * header of the handshake or in the payload of connection_init, as `authorization` in any case.
 * When the token has expired, the connection is closed with 4403; while the database is away, with
 * 1013: running subscriptions wait for it. A subscription that the quota does not cover begins with the next
 * points. One whose client leaves more than 1 MiB unread is
 * terminated. A connection costs a point, and its messages by their number, bytes and names. Browsers may
 * connect from the service's own origin and those of CORS_ORIGINS. Returns a function that closes
 * all connections with 1001 and takes no more.
 */
export function serveWebSocket(live: Live, http: Server, baseUrl: string): () => Promise<void> {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LARGEST_MESSAGE });
  const payers: Payers = new WeakMap();
  const running: Running = new WeakMap();
  useServer<Record<string, unknown>>(protocol(live, payers, running), sockets, KEEP_ALIVE);
  let closed = false;
  // Other upgrades never come here (see Connections).
  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (closed) return turnAway(socket, '503 Service Unavailable');
    if (!isWelcome(request, live, baseUrl)) return turnAway(socket, '403 Forbidden');
    const address = addressOf(live.incomingOf(request));
    const leave = live.streams.take(address);
    if (!leave) return turnAway(socket, '429 Too Many Requests');
    socket.once('close', leave);
    sockets.handleUpgrade(request, socket, head, (client) => {
      payers.set(client, Quota.of(live.app.deps.limits, 0, address ?? ''));
      const own = new Set<AsyncIterableIterator<ExecutionResult>>();
      running.set(client, own);
      client.once('close', () => {
        for (const results of own) void results.return?.();
      });
      open(sockets, client, request, payers);
    });
  });
  return async () => {
    closed = true;
    for (const client of sockets.clients) client.close(CLOSED.goingAway, 'Going away');
    const patience = AbortSignal.timeout(GOING_AWAY);
    while (sockets.clients.size > 0 && !patience.aborted) await sleep(20);
    for (const client of sockets.clients) client.terminate();
  };
}

function open(
  sockets: WebSocketServer,
  client: WebSocket,
  request: IncomingMessage,
  payers: Payers,
): void {
  sendQuietly(client);
  sockets.emit('connection', client, request);
  // The library would print each error, once; what it is about, and that the connection ends, ws
  // has told the client.
  client.removeAllListeners('error').on('error', () => {});
  const receive = (data: RawData) => {
    if (client.bufferedAmount > MOST_UNREAD) return client.terminate();
    void pay(client, payers, data as Buffer);
  };
  client.on('ping', receive).on('pong', receive).on('message', receive);
}

/**
 * The library would print that a message could not be sent: its client has gone away. Terminates one
 * that does not read what it was sent.
 */
function sendQuietly(client: WebSocket): void {
  const send = client.send.bind(client) as (data: unknown, sent: () => void) => void;
  client.send = (data: unknown, ...[sent]: unknown[]) => {
    if (client.bufferedAmount > MOST_UNREAD) client.terminate();
    send(data, () => (sent as (() => void) | undefined)?.());
  };
}

/** Pays for a message. Takes no more of a connection whose quota does not cover it. */
async function pay(client: WebSocket, payers: Payers, data: Buffer): Promise<void> {
  const spent = await payers.get(client)?.add(pointsOfMessage(data.length, namesIn(data)));
  if (!spent) return;
  client.removeAllListeners('message');
  client.close(CLOSED.unavailable, 'Try again later');
}

/**
 * Returns what the library calls at each message of the protocol. Over 40 lines: the calls share
 * the credentials and the end of a connection, and stand in the order of the protocol.
 */
function protocol(live: Live, payers: Payers, running: Running): Options {
  const { app, show, incomingOf } = live;
  const expire = (socket: WebSocket) =>
    socket.close(CLOSED.expired, 'The access token has expired');
  /** Has the client connect again, where errors pass. */
  const passing = (socket: WebSocket, errors: readonly GraphQLError[]) => {
    if (errors.some(({ extensions }) => PASSING.has(extensions.code)))
      socket.close(CLOSED.unavailable, 'Try again later');
    return errors;
  };
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
      const spent = await context?.quota.arrive();
      if (!context || spent) socket.close(CLOSED.unavailable, 'Try again later');
      else payers.set(socket, context.quota);
      // False closes with 4403 what is still open.
      if (!context || spent || isExpired(context)) return false;
      socket.once(
        'close',
        whenExpired(context, () => expire(socket)),
      );
      return true;
    },
    onSubscribe: async (connection, id, asked) => {
      const { socket } = connection.extra;
      const count = Math.max(
        Object.keys(connection.subscriptions).length - 1,
        running.get(socket)?.size ?? 0,
      );
      if (count >= MOST_OPERATIONS)
        return [
          tooMany(
            `A connection may have ${MOST_OPERATIONS} subscriptions at once. Open another one.`,
          ),
        ];
      const incoming = credentialsOf(connection);
      const isHere = () => socket.readyState === socket.OPEN && id in connection.subscriptions;
      const begun = await whenPaid(() => begin(live, incoming, asked), isHere);
      if ('errors' in begun) return isHere() ? passing(socket, begun.errors) : begun.errors;
      const { quota, ...prepared } = begun;
      const asking: Asking = { incoming, quota, socket };
      return { schema: app.schema, ...prepared, contextValue: asking };
    },
    onNext: ({ extra }, _id, _asked, _args, result) => spokenResult(result, extra.request),
    onError: ({ extra }, _id, _asked, errors) => spokenErrors(errors, extra.request),
    subscribe: async (args) => {
      const { incoming, quota, socket } = args.contextValue as Asking;
      const own = running.get(socket);
      const on = {
        expired: () => expire(socket),
        ended: () => 'next' in started && own?.delete(started),
      };
      const prepared = args as unknown as Prepared;
      const started = await start(live, incoming, prepared, quota, on).catch((error: unknown) => ({
        errors: [show(error)],
      }));
      if ('errors' in started) {
        passing(socket, started.errors);
        return withCost(started, quota);
      }
      own?.add(started);
      if (socket.readyState !== socket.OPEN) void started.return?.();
      return started;
    },
  };
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
