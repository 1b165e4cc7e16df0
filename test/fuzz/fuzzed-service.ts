import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { openDatabase } from '../../src/platform/database/open.js';
import type { Wire } from './rest.js';

/** Ticks of a processor in a second, as /proc counts them on Linux. */
const TICKS = 100;
const LONGEST = 30_000;
const PASSWORD = 'a long enough password';

export interface Answered {
  readonly status: number;
  readonly text: string;
  /** CPU of the service while it answered; 0 where the system does not tell. */
  readonly seconds: number;
}

/**
 * A service in a process of its own, without limits on how often somebody may ask: on the embedded
 * database with the demo's content, or in a database of its own on the server of TEST_DATABASE_URL.
 */
export class FuzzedService {
  static readonly CALLERS = [
    'anonymous',
    'guest',
    'member',
    'clinician',
    'editor',
    'administrator',
  ] as const;
  readonly #tokens = new Map<string, string>();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  /** What the process wrote to its error stream and log last. */
  errors = '';

  private constructor(
    private readonly child: ChildProcess,
    private readonly url: URL,
    private readonly end: () => Promise<void>,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream
        ?.setEncoding('utf8')
        .on('data', (text: string) => (this.errors = (this.errors + text).slice(-4_000)));
  }

  static async start(): Promise<FuzzedService> {
    const folder = mkdtempSync(join(tmpdir(), 'care-fuzz-'));
    const database = await ownDatabase();
    const url = new URL(`http://127.0.0.1:${await freePort()}`);
    const env = {
      ...process.env,
      DATA_DIR: folder,
      ...(database && {
        DATABASE_URL: database.url,
        SECRET_KEY: randomBytes(32).toString('hex'),
        HOST: '127.0.0.1',
      }),
      PORT: url.port,
      SEED: 'demo',
      ADMIN_PASSWORD: PASSWORD,
      LOG_LEVEL: 'error',
      RATE_LIMITS: 'off',
    };
    if (database)
      await (
        await openDatabase({ url: database.url, dataDir: folder, wait: 5, migrate: true })
      ).close();
    const main = fileURLToPath(new URL('../../src/main.js', import.meta.url));
    const child = fork(main, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    const service = new FuzzedService(child, url, async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      await database?.drop();
      rmSync(folder, { recursive: true, force: true });
    });
    const ended = once(child, 'exit').then(() =>
      Promise.reject(new Error(`The service ended: ${service.errors}`)),
    );
    await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => {});
    await service.makeCallers();
    await service.quiet();
    return service;
  }

  /** Waits until the first work of the demo is done: what a request costs is the process's CPU. */
  async quiet(): Promise<void> {
    for (let calm = 0, waited = 0; calm < 4 && waited < 240; waited++) {
      const before = this.#cpu();
      await sleep(500);
      calm = this.#cpu() - before < 0.1 ? calm + 1 : 0;
    }
  }

  stop(): Promise<void> {
    this.#agent.destroy();
    return this.end();
  }

  /** Signs callers in whose session has ended. */
  async signIn(): Promise<void> {
    for (const caller of FuzzedService.CALLERS) {
      if (caller === 'anonymous') continue;
      const known =
        this.#tokens.has(caller) &&
        (await this.#graphql('{ viewer { id } }', {}, caller)).data?.viewer;
      if (known) continue;
      if (caller === 'guest') {
        const { text } = await this.send({ method: 'POST', path: '/api/v1/guest', headers: {} });
        this.#tokens.set(caller, JSON.parse(text).token);
        continue;
      }
      const input = { username: caller === 'administrator' ? 'admin' : caller, password: PASSWORD };
      const { data } = await this.#graphql(
        'mutation($input: LoginInput!) { login(input: $input) { token } }',
        { input },
      );
      if (data?.login) this.#tokens.set(caller, data.login.token);
    }
  }

  async makeCallers(): Promise<void> {
    await this.signIn();
    for (const [username, role] of [
      ['member', 'SUBSCRIBER'],
      ['clinician', 'CLINICIAN'],
      ['editor', 'EDITOR'],
    ]) {
      const input = {
        username,
        email: `${username}@example.com`,
        password: PASSWORD,
        roles: [role],
      };
      await this.#graphql(
        'mutation($input: CreateUserInput!) { createUser(input: $input) { __typename } }',
        { input },
        'administrator',
      );
    }
    await this.signIn();
    for (const caller of FuzzedService.CALLERS)
      if (caller !== 'anonymous' && !this.#tokens.has(caller))
        throw new Error(`The ${caller} cannot sign in. ${this.errors}`);
  }

  async #graphql(
    query: string,
    variables: object,
    caller = 'anonymous',
  ): Promise<{ data?: Record<string, { token: string }> }> {
    const headers = { 'content-type': 'application/json' };
    const { text } = await this.send(
      { method: 'POST', path: '/graphql', headers, body: JSON.stringify({ query, variables }) },
      caller,
    );
    return JSON.parse(text);
  }

  async send(wire: Wire, caller = 'anonymous'): Promise<Answered> {
    const before = this.#cpu();
    const token = this.#tokens.get(caller);
    const { status, text } = await new Promise<{ status: number; text: string }>(
      (resolve, reject) => {
        // Node sends the body of a DELETE without its length unless told.
        const length =
          wire.body === undefined ? {} : { 'content-length': Buffer.byteLength(wire.body) };
        const headers = {
          ...wire.headers,
          ...length,
          ...(token && caller !== 'anonymous' && { authorization: `Bearer ${token}` }),
        };
        const { hostname, port } = this.url;
        const sent = request(
          { agent: this.#agent, hostname, port, method: wire.method, path: wire.path, headers },
          (response) => {
            const chunks: Buffer[] = [];
            response.on('data', (chunk) => chunks.push(chunk)).on('error', reject);
            response.on('end', () =>
              resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
            );
          },
        );
        sent
          .setTimeout(LONGEST, () =>
            sent.destroy(new Error(`no answer within ${LONGEST / 1000} s`)),
          )
          .on('error', reject);
        sent.end(wire.body);
      },
    );
    return { status, text, seconds: this.#cpu() - before };
  }

  /** MiB of JavaScript's heap in use. */
  async heap(): Promise<number> {
    const { status, text } = await this.send({ method: 'GET', path: '/metrics', headers: {} });
    if (status !== 200) throw new Error(`No metrics: ${status} ${text}`);
    return Number(/^nodejs_heap_size_used_bytes ([\d.e+]+)/m.exec(text)?.[1]) / 2 ** 20;
  }

  #cpu(): number {
    if (process.platform !== 'linux') return 0;
    const fields =
      readFileSync(`/proc/${this.child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await sleep(10);
  return port;
}

async function ownDatabase(): Promise<{ url: string; drop: () => Promise<void> } | undefined> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) return undefined;
  const name = `care_fuzz_${randomBytes(4).toString('hex')}`;
  const admin = async (sql: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await admin(`CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  return { url, drop: () => admin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}
