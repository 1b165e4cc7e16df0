import { createServer, IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { holderOf, type Trust } from './address.js';
import { Patience, type PatienceBounds } from './patience.js';

/** Milliseconds that a request may take to come, headers and body. */
const ARRIVES_WITHIN = 10_000;
/**
 * Longer than clients and proxies keep idle connections: none of them sends a request into one that
 * we are closing.
 */
const KEPT_ALIVE = 75_000;
/**
 * Milliseconds without a byte in either direction after which a connection under way is given up.
 * Statements end after half of it.
 */
const SILENT = 60_000;
/** Milliseconds that a caller has to read why it is turned away. */
const LINGER = 2_000;

/** Connections without a request; those of proxies count in the sum alone. */
const IDLE: PatienceBounds = { each: 1_000, all: 5_000 };

/** Why the parser gave up, as a status (RFC 9110, 15.5). */
const STATUS: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Content Too Large',
};

/** Where a WebSocket may be opened. */
const SOCKETS_AT = '/graphql';

/**
 * A request that is an upgrade only when it asks for what we have: a WebSocket at /graphql. Any
 * other Upgrade header is ignored, and its request answered as it is (RFC 9110, 7.8): so with h2c,
 * which some clients offer on every first request.
 */
class Incoming extends IncomingMessage {
  /** What the parser found. */
  declare offered: boolean | null;

  get upgrade(): boolean {
    if (!this.offered) return false;
    return (
      this.method === 'CONNECT' ||
      (pathOf(this) === SOCKETS_AT && isWebSocket(this.headers.upgrade))
    );
  }

  set upgrade(offered: boolean | null) {
    this.offered = offered;
  }
}

const isWebSocket = (offered = '') =>
  offered.split(',').some((protocol) => protocol.trim().toLowerCase() === 'websocket');

/**
 * The path of a request in origin form, as it was sent; of one in absolute form what stands behind
 * the authority.
 */
const pathOf = ({ url = '' }: IncomingMessage) => originForm(url).split('?')[0];

/**
 * A request's target in origin form: the absolute form, which proxies are sent, is accepted too
 * (RFC 9112, 3.2.2).
 */
const originForm = (target: string) =>
  target.replace(/^https?:\/\/[^/?#]*(?=(.?))/i, (_all, next) => (next === '/' ? '' : '/'));

/** The responses that are under way on a socket. */
const underWay = new WeakMap<Duplex, Set<ServerResponse>>();

/** Connections that end, whatever else comes on them. */
const turnedAway = new WeakSet<Duplex>();

/**
 * Ends a connection with a status and nothing else. Requests before it that came as a whole are
 * answered first; where an answer has begun the connection ends without a word. The caller gets two
 * seconds to read it.
 */
export function turnAway(socket: Duplex, status: string): void {
  if (turnedAway.has(socket)) return;
  turnedAway.add(socket);
  const responses = [...(underWay.get(socket) ?? [])];
  const last = responses.filter(({ req }) => req.complete).at(-1);
  if (last && !last.closed) last.once('close', () => end(socket, status));
  else if (responses.some(({ headersSent }) => headersSent)) socket.destroy();
  else end(socket, status);
}

function end(socket: Duplex, status: string): void {
  if (!socket.writable) return void socket.destroy();
  setTimeout(() => socket.destroy(), LINGER).unref();
  socket.resume();
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/**
 * The connections of a server. Whatever bytes come, none of them ends the process: every socket has
 * somebody who hears its errors, requests have a deadline, and connections without a request are
 * bounded, by address and in all.
 */
export class Connections {
  readonly http: Server;
  readonly #idle: Patience;
  readonly #sockets = new Set<Socket>();
  readonly #responses = new Set<ServerResponse>();
  readonly #waits = new WeakMap<Socket, { end: () => void }>();
  #leaving = false;

  constructor(
    private readonly trust: Trust = 0,
    idle: PatienceBounds = IDLE,
  ) {
    this.#idle = new Patience('idle connections', idle);
    this.http = createServer({
      IncomingMessage: Incoming,
      headersTimeout: ARRIVES_WITHIN,
      requestTimeout: ARRIVES_WITHIN,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: KEPT_ALIVE,
    });
    this.http.timeout = SILENT;
    // Who has sent a whole request and ended its side is answered (RFC 9112, 9.6); Node then ends
    // the connection. A request that is not whole by then is the parser's error.
    Object.assign(this.http, { httpAllowHalfOpen: true });
    this.http.on('connection', (socket) => this.#welcome(socket));
    this.http.on('request', (request, response) => this.#begin(request, response));
    this.http.on('upgrade', (_request, socket) => {
      this.#waits.get(socket as Socket)?.end(); // it is no idle connection from now on
      // Nobody takes it yet
      if (this.http.listenerCount('upgrade') === 1) turnAway(socket, '503 Service Unavailable');
    });
    // What a listening socket reports, such as that no file descriptor is left, ends nothing.
    this.http.on('error', () => {});
    this.http.on('clientError', (error: NodeJS.ErrnoException, socket) =>
      turnAway(socket, STATUS[error.code ?? ''] ?? '400 Bad Request'),
    );
  }

  /** From now on every answer ends its connection, so that callers go to another process. */
  leave(): void {
    this.#leaving = true;
    for (const response of this.#responses) tell(response);
  }

  /**
   * Takes no more connections, and ends those without a request. Resolves when the last one has
   * ended.
   */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => void this.http.close(() => resolve()));
    this.#idle.end();
    await closed;
  }

  /** Ends all connections at once, upgraded ones too. */
  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  get size(): number {
    return this.#sockets.size;
  }

  #welcome(socket: Socket): void {
    this.#sockets.add(socket);
    // Upgraded sockets keep this listener: an error that nobody hears would end the process.
    socket.on('error', () => {});
    const waits = { end: this.#wait(socket) };
    this.#waits.set(socket, waits);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      waits.end();
      for (const response of underWay.get(socket) ?? []) giveUpQueued(response);
    });
  }

  #wait(socket: Socket): () => void {
    return this.#idle.enter(holderOf(socket.remoteAddress, this.trust), () => socket.destroy());
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    request.url = originForm(request.url ?? '/');
    ignoreBody(request);
    request.on('error', () => {});
    response.on('error', () => {});
    this.#waits.get(socket)?.end();
    if (this.#leaving) tell(response);
    this.#responses.add(response);
    const here = underWay.get(socket) ?? new Set();
    underWay.set(socket, here.add(response));
    response.once('close', () => {
      this.#responses.delete(response);
      here.delete(response);
      // The deadline of an answer that was not read is not that of the next request.
      if (here.size > 0) socket.setTimeout(SILENT);
      const waits = this.#waits.get(socket);
      if (waits && here.size === 0 && !socket.destroyed) waits.end = this.#wait(socket);
    });
  }
}

/** Ends a response whose turn on its socket never comes; Node tells only the one at its turn. */
function giveUpQueued(response: ServerResponse): void {
  if (response.socket || response.closed) return;
  response.destroy();
  response.emit('close');
}

/** Says that the connection ends with this answer. */
function tell(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/** The body of a GET or HEAD means nothing (RFC 9110, 9.3.1): nobody waits for it. */
function ignoreBody({ method, headers }: IncomingMessage): void {
  if (method !== 'GET' && method !== 'HEAD') return;
  delete headers['content-length'];
  delete headers['transfer-encoding'];
}
