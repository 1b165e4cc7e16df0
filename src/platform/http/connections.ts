import { createServer, IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { observeRequest } from '../metrics/metrics.js';
import { holderOf, type Trust } from './address.js';
import { countAs } from './counted-response.js';
import { Patience, type PatienceBounds } from './patience.js';

/** Milliseconds within which a request must arrive, headers and body. */
const ARRIVAL_LIMIT = 10_000;
/**
 * Milliseconds for which an idle connection is kept. It is longer than clients and proxies keep
 * theirs, so none of them sends a request into a connection that the server is closing.
 */
const KEEP_ALIVE = 75_000;
/**
 * Milliseconds without a byte in either direction after which an active connection is closed.
 * Statements end after half of that.
 */
const SILENCE_LIMIT = 60_000;
/** Milliseconds that a caller has to read why its connection is closed. */
const LINGER = 2_000;

/**
 * Limits for connections without a request. Connections of trusted proxies count only towards
 * `all`.
 */
const IDLE: PatienceBounds = { each: 1_000, all: 5_000 };

/** Status by the parser's error code (RFC 9110, 15.5). */
const STATUS: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Content Too Large',
};

/** The path at which a WebSocket may be opened. */
const WEBSOCKET_PATH = '/graphql';

/**
 * A request that counts as an upgrade only when it asks for a WebSocket at /graphql. Any other
 * Upgrade header is ignored and the request is answered as usual (RFC 9110, 7.8), such as h2c,
 * which some clients offer on every first request.
 */
class Incoming extends IncomingMessage {
  /** What the HTTP parser reports. */
  declare offered: boolean | null;

  get upgrade(): boolean {
    if (!this.offered) return false;
    return (
      this.method === 'CONNECT' ||
      (pathOf(this) === WEBSOCKET_PATH && isWebSocket(this.headers.upgrade))
    );
  }

  set upgrade(offered: boolean | null) {
    this.offered = offered;
  }
}

const isWebSocket = (offered = '') =>
  offered.split(',').some((protocol) => protocol.trim().toLowerCase() === 'websocket');

/**
 * Returns the path of a request as it was sent; for a target in absolute form, the part after the
 * authority.
 */
const pathOf = ({ url = '' }: IncomingMessage) => originForm(url).split('?')[0];

/**
 * Returns a request target in origin form. Accepts the absolute form, which is sent to proxies, too
 * (RFC 9112, 3.2.2).
 */
const originForm = (target: string) =>
  target.replace(/^https?:\/\/[^/?#]*(?=(.?))/i, (_all, next) => (next === '/' ? '' : '/'));

/**
 * What a connection is doing. It is a property of its socket: a WeakMap would cost each collection
 * of garbage.
 */
interface Held {
  /** The unfinished responses, in the order of their requests. Not a Set: see Tally. */
  readonly responses: ServerResponse[];
  /** Ends the wait for its next request, if it waits. */
  endWait: () => void;
  /** Whether its request may take longer to arrive than others. */
  isPatient: boolean;
}
const HELD = Symbol('held');
type Connection<S extends Duplex = Socket> = S & { [HELD]?: Held };

/**
 * Lets a request arrive for longer than others, as large files do: from now on only silence ends it, and
 * whoever called this.
 */
export function bePatient({ socket }: IncomingMessage): void {
  const held = (socket as Connection)[HELD];
  if (held) held.isPatient = true;
}

const responsesOn = (socket: Connection<Duplex>): readonly ServerResponse[] =>
  socket[HELD]?.responses ?? [];

/** Connections that are being closed; later requests on them are not answered. */
const turnedAway = new WeakSet<Duplex>();

/**
 * Closes a connection with a status and an empty body. Complete requests before it are answered
 * first. Where a response has already begun, the connection closes without the status. The caller
 * gets two seconds to read it.
 */
export function turnAway(socket: Duplex, status: string): void {
  if (turnedAway.has(socket)) return;
  turnedAway.add(socket);
  const responses = responsesOn(socket);
  const last = responses.filter(({ req }) => req.complete).at(-1);
  if (last && !last.closed) last.once('close', () => end(socket, status));
  else if (responses.some(({ headersSent }) => headersSent)) socket.destroy();
  else end(socket, status);
}

function end(socket: Duplex, status: string): void {
  if (!socket.writable) return void socket.destroy();
  const code = Number.parseInt(status, 10);
  const begun = responsesOn(socket).find(({ headersSent }) => !headersSent);
  if (begun) countAs(begun, code);
  else observeRequest({ method: 'other', route: 'unmatched', status: code, seconds: 0 });
  setTimeout(() => socket.destroy(), LINGER).unref();
  socket.resume();
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/**
 * The connections of a server. No input can end the process: every socket has an error listener,
 * requests have a deadline, and connections without a request are limited, for each address and in
 * total.
 */
export class Connections {
  readonly http: Server;
  readonly #idle: Patience;
  readonly #sockets = new Set<Connection>();
  #leaving = false;

  constructor(
    private readonly trust: Trust = 0,
    idle: PatienceBounds = IDLE,
  ) {
    this.#idle = new Patience('idle connections', idle);
    this.http = createServer({
      IncomingMessage: Incoming,
      headersTimeout: ARRIVAL_LIMIT,
      requestTimeout: ARRIVAL_LIMIT,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: KEEP_ALIVE,
    });
    this.http.timeout = SILENCE_LIMIT;
    // A caller that has sent a whole request and then closed its side is answered (RFC 9112, 9.6);
    // Node then closes the connection. If the request is incomplete at that time, the parser
    // reports an error.
    Object.assign(this.http, { httpAllowHalfOpen: true });
    this.http.on('connection', (socket) => this.#accept(socket));
    this.http.on('request', (request, response) => this.#begin(request, response));
    this.http.on('upgrade', (_request, socket: Connection<Duplex>) => {
      socket[HELD]?.endWait(); // it no longer counts as an idle connection
      // No WebSocket server listens yet
      if (this.http.listenerCount('upgrade') === 1) turnAway(socket, '503 Service Unavailable');
    });
    // Errors of the listening socket, such as too few file descriptors, must not end the process.
    this.http.on('error', () => {});
    this.http.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket) => {
      // Node tells of the time of a request once.
      if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && (socket as Connection<Duplex>)[HELD]?.isPatient)
        return;
      turnAway(socket, STATUS[code] ?? '400 Bad Request');
    });
  }

  /**
   * From now on every response closes its connection, so that callers connect to another process.
   */
  leave(): void {
    this.#leaving = true;
    for (const socket of this.#sockets) responsesOn(socket).forEach(announceClose);
  }

  /**
   * Accepts no more connections, and closes those without a request. Resolves when the last one is
   * closed.
   */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => void this.http.close(() => resolve()));
    this.#idle.end();
    await closed;
  }

  /** Closes all connections at once, including upgraded ones. */
  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  get size(): number {
    return this.#sockets.size;
  }

  #accept(socket: Connection): void {
    this.#sockets.add(socket);
    // Upgraded sockets keep this listener: an error without a listener would end the process.
    socket.on('error', () => {});
    const held: Held = { responses: [], endWait: this.#startWait(socket), isPatient: false };
    socket[HELD] = held;
    socket.once('close', () => {
      this.#sockets.delete(socket);
      held.endWait();
      for (const response of [...held.responses]) giveUpQueued(response);
    });
  }

  #startWait(socket: Socket): () => void {
    return this.#idle.enter(holderOf(socket.remoteAddress, this.trust), () => socket.destroy());
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    const socket: Connection = request.socket;
    const held = socket[HELD] as Held;
    request.url = originForm(request.url ?? '/');
    ignoreBody(request);
    request.on('error', () => {});
    response.on('error', () => {});
    held.endWait();
    if (this.#leaving) announceClose(response);
    held.responses.push(response);
    response.once('close', () => {
      held.isPatient = false;
      held.responses.splice(held.responses.indexOf(response), 1);
      // Resets the timeout: that of an unread response does not apply to the next request.
      if (held.responses.length > 0) socket.setTimeout(SILENCE_LIMIT);
      else if (!socket.destroyed) held.endWait = this.#startWait(socket);
    });
  }
}

/**
 * Closes a response that was waiting for its turn when its socket closed. Node closes only the
 * response whose turn it is.
 */
function giveUpQueued(response: ServerResponse): void {
  if (response.socket || response.closed) return;
  response.destroy();
  response.emit('close');
}

/** Announces that the connection closes after this answer. */
function announceClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/**
 * Removes the body of a GET or HEAD, which has no meaning (RFC 9110, 9.3.1), so that no code waits
 * for it. JSON that is sent to the REST interface with a GET is read there, as apps are used to.
 */
function ignoreBody({ method, url = '', headers }: IncomingMessage): void {
  if (method !== 'GET' && method !== 'HEAD') return;
  const isJson = /^application\/json\b/i.test(headers['content-type'] ?? '');
  if (method === 'GET' && isJson && OF_REST.test(url)) return;
  delete headers['content-length'];
  delete headers['transfer-encoding'];
}

/** Addresses of the REST interface. */
const OF_REST = /^(?:\/v3)?(?:\/index\.php)?\/api(?:\/|\?|$)/;
