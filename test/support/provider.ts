import { createECDH, randomBytes } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** A request that the provider received. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests are about
  readonly json: any;
}

/**
 * An answer. An object as `body` is sent as JSON, a text unchanged. `drop` closes the connection
 * instead. `after` delays the answer. `again` sends the whole answer once more on the same
 * connection after a delay. Delays are in milliseconds.
 */
export interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly drop?: boolean;
  readonly after?: number;
  readonly again?: number;
}

/**
 * A provider on loopback: an HTTP server that answers as the test says, and records the requests.
 */
export class Provider {
  readonly received: Received[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();

  private constructor(
    private readonly http: Server,
    readonly url: string,
  ) {}

  static async start(reply: (request: Received, count: number) => Reply): Promise<Provider> {
    const http = createServer(
      (request, response) => void provider.#serve(request, response, reply),
    );
    // Client and server share a thread: a busy server may close an idle connection while a request
    // is on its way.
    Object.assign(http, { keepAliveTimeout: 0, timeout: 0 });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const provider = new Provider(http, `http://127.0.0.1:${(http.address() as AddressInfo).port}`);
    return provider;
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
  }

  async #serve(
    request: IncomingMessage,
    response: ServerResponse,
    reply: (request: Received, count: number) => Reply,
  ): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
    let json: unknown;
    try {
      json = JSON.parse(bytes.toString());
    } catch {
      json = undefined;
    }
    const received = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      bytes,
      json,
    };
    this.received.push(received);
    const {
      status = 200,
      headers = {},
      body = '',
      drop,
      after = 0,
      again,
    } = reply(received, this.received.length);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = () => {
      if (drop) return request.socket.destroy();
      if (again !== undefined) return this.#twice(request.socket, text, again);
      return response.writeHead(status, headers).end(text);
    };
    if (after > 0) this.#later(answer, after);
    else answer();
  }

  #twice(socket: Socket, text: string, after: number): void {
    const bytes = `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
    socket.write(after > 0 ? bytes : bytes + bytes);
    if (after > 0) this.#later(() => socket.write(bytes), after);
  }

  #later(work: () => unknown, after: number): void {
    this.#timers.add(setTimeout(work, after));
  }
}

/** What a message is about and when it is sent, where the test is about something else. */
export const DUE_NOW = {
  kind: 'message',
  ttl: 1800,
  dueAt: new Date('2026-03-01T08:00:00Z'),
  expiresAt: new Date('2026-03-01T08:30:00Z'),
} as const;

/** Returns Expo's answer for accepted messages: a ticket for every message. */
export const tickets = ({ json }: Received): Reply => ({
  body: {
    data: json.map((_: unknown, i: number) => ({ status: 'ok', id: `ticket-${json[i].tag}-${i}` })),
  },
});

/** Returns an Expo push token, of the form that Expo issues; the same for the same name. */
export const expoToken = (name: string) => `ExponentPushToken[${name.padEnd(22, '-_')}]`;

/** Returns the name of such a token. */
export const expoName = (token: string) => token.slice(18, -1).replace(/[-_]+$/, '');

/** Returns an FCM registration token, of the form that FCM issues; the same for the same name. */
export const fcmToken = (name: string) =>
  `${name.replaceAll(/[^\w-]/g, '_').padEnd(22, '-')}:APA91b${'Xy3_'.repeat(33)}`;

/** Returns a Web Push subscription with valid keys. */
export function subscription(endpoint: string) {
  const p256dh = createECDH('prime256v1').generateKeys().toString('base64url');
  return {
    endpoint,
    expirationTime: null,
    keys: { p256dh, auth: randomBytes(16).toString('base64url') },
  };
}
