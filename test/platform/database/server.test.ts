import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect as connectTo, createServer, type Server, type Socket } from 'node:net';
import { test } from 'node:test';
import { type Database, isUnavailable, openDatabase, StartError } from '../../../src/platform/database/database.js';
import { onServer, openServer } from '../../faults/databases.js';

const refuses = (url: string, wait: number, sentence: RegExp) =>
  assert.rejects(openDatabase({ url, dataDir: '/nowhere', wait, migrate: true }), (error) => {
    assert.ok(error instanceof StartError);
    assert.match(error.message, sentence);
    assert.doesNotMatch(`${error.message} ${error.stack}`, /opensesame/);
    return true;
  });

test('an unreachable server is refused after the wait, in one sentence without the password', async () => {
  const began = Date.now();
  const sentence = /^PostgreSQL at 127\.0\.0\.1:1\/care cannot be reached, after waiting 1 seconds \(ECONNREFUSED\)\.$/;
  await refuses('postgres://care:opensesame@127.0.0.1:1/care', 1, sentence);
  assert.ok(Date.now() - began >= 950, 'it waited');
});

test('an address that is not one of PostgreSQL is refused without repeating it', async () => {
  await refuses('mysql://care:opensesame@127.0.0.1/care', 0, /^DATABASE_URL should begin with postgres:\/\//);
  await refuses('//care:opensesame@', 0, /^DATABASE_URL is not an address/);
});

onServer('a database or a user that does not exist is refused at once, naming what the server said', async (url) => {
  await refuses(`${url}x`, 30, /refused: database "\w+x" does not exist\.$/);
  const stranger = Object.assign(new URL(url), { username: 'nobody_of_ours', password: 'opensesame' }).href;
  await refuses(stranger, 30, /refused: (?:role|password authentication failed for user) "nobody_of_ours"[^\n]*\.$/);
});

onServer('a server that comes up during the wait is used', async (url) => {
  const relay = await Relay.before(url);
  await relay.cut();
  const comingUp = setTimeout(() => void relay.restore(), 700);
  try {
    const database = await openDatabase({ url: relay.url, dataDir: '/nowhere', wait: 10, migrate: true });
    await database.close();
  } finally {
    clearTimeout(comingUp);
    await relay.cut();
  }
});

onServer('while a server is lost requests are unavailable within a second, and it is used again when it is back', async (url) => {
  const relay = await Relay.before(url);
  const database = await openServer(relay.url);
  try {
    await works(database);
    await relay.cut();
    await isDown(database);
    await relay.restore();
    await works(database);
    relay.silence();
    await isDown(database);
    await relay.restore();
    await works(database);
  } finally {
    await relay.cut();
    await database.close();
  }
});

onServer('sessions have a limit for statements and for transactions that do nothing', async (url) => {
  const database = await openServer(url);
  const setting = async (name: string) => (await database.query('SELECT current_setting($1) AS value', [name]))[0]?.value;
  assert.equal(await setting('statement_timeout'), '30s');
  assert.equal(await setting('idle_in_transaction_session_timeout'), '1min');
  await database.close();
});

async function works(database: Database): Promise<void> {
  await database.ping();
  assert.equal(await database.prisma.language.count(), 7);
  assert.equal(await database.prisma.$transaction((tx) => tx.language.count()), 7);
}

async function isDown(database: Database): Promise<void> {
  const began = Date.now();
  const { prisma } = database;
  const attempts = [
    database.ping(),
    database.query('SELECT 1'),
    prisma.site.count(),
    prisma.$transaction((tx) => tx.site.count()),
  ];
  for (const result of await Promise.allSettled(attempts)) {
    assert.equal(result.status, 'rejected');
    assert.ok(isUnavailable(result.reason), String(result.reason));
  }
  assert.ok(Date.now() - began < 10_000, `it took ${Date.now() - began} ms`);
}

/** Stands between the service and the server, so that the connection can be taken away without stopping the server. */
class Relay {
  readonly #sockets = new Set<Socket>();
  #silent = false;
  #server: Server | undefined;
  #port = 0;

  private constructor(private readonly target: URL) {}

  static async before(url: string): Promise<Relay> {
    const relay = new Relay(new URL(url));
    await relay.restore();
    return relay;
  }

  get url(): string {
    return Object.assign(new URL(this.target), { host: `127.0.0.1:${this.#port}` }).href;
  }

  /** Ends all connections and refuses new ones. */
  async cut(): Promise<void> {
    this.#endAll();
    const server = this.#server;
    this.#server = undefined;
    if (server) await new Promise((resolve) => server.close(resolve));
  }

  /** Ends all connections, accepts new ones and says nothing. */
  silence(): void {
    this.#silent = true;
    this.#endAll();
  }

  async restore(): Promise<void> {
    await this.cut();
    this.#silent = false;
    this.#server = createServer((socket) => this.#join(socket)).listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  #endAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(socket: Socket): void {
    const ends = this.#silent ? [socket] : [socket, connectTo(Number(this.target.port || 5432), this.target.hostname)];
    const [near, far] = ends;
    if (near && far) near.pipe(far).pipe(near);
    for (const end of ends) {
      this.#sockets.add(end);
      end.on('error', () => {});
      end.on('close', () => {
        this.#sockets.delete(end);
        for (const other of ends) other.destroy();
      });
    }
  }
}
