import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach } from 'node:test';
import pg from 'pg';
import { pino } from 'pino';
import { type App, createApp } from '../../src/app.js';
import { readConfig } from '../../src/config.js';
import { RequestContext } from '../../src/context.js';
import { applicationPasswordHash } from '../../src/domains/accounts/credentials.js';
import { Role } from '../../src/domains/accounts/role.js';
import { Tokens } from '../../src/domains/accounts/tokens.js';
import { Viewer } from '../../src/domains/accounts/viewer.js';
import { type Database, openDatabase } from '../../src/platform/database/database.js';
import { openMemory } from '../../src/platform/database/embedded.js';
import { makeLog } from '../../src/platform/log.js';
import { makeProviders } from '../../src/providers.js';
import { makeListener } from '../../src/server.js';

/** Variables of the environment. */
export type Variables = Readonly<Record<string, string>>;
export type RoleName = 'administrator' | 'editor' | 'author' | 'contributor' | 'subscriber' | 'clinician' | 'analyst';
export type Caller = RoleName | 'anonymous';

/** An answer as a client sees it. */
export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests are about
  body: any;
  text: string;
}

export interface Sending {
  as?: Caller;
  query?: string | Record<string, string>;
  body?: unknown;
  raw?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  edition?: 'A' | 'B';
}

/**
 * A whole service on a free port of loopback, over one database for all test files of the process: PGlite in memory, or a database
 * of its own on the server that TEST_DATABASE_URL names. `useService()` cleans it before every test of the suite it stands in.
 */
export class Harness {
  /** The service's clock: the real one unless a test sets it. */
  now: () => number = Date.now;
  #accounts = new Map<string, { id: number; username: string; password: string }>();

  private constructor(
    readonly app: App,
    readonly database: Database,
    readonly http: Server,
    readonly url: string,
    /** Of the database that is this service's own. */
    private readonly drop: (() => Promise<void>) | undefined,
    clock: { now: () => number },
  ) {
    clock.now = () => this.now();
  }

  /** With variables of its own, a service beside another over the same database. */
  static async start(variables: Variables = {}, beside?: Harness): Promise<Harness> {
    const { database, drop } = beside ? { database: beside.database, drop: undefined } : await openTestDatabase();
    const config = readConfig({
      SEED: 'none',
      LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
      CORS_ORIGINS: 'https://app.example',
      ...variables,
    });
    const clock = { now: Date.now };
    const now = () => clock.now();
    const log = makeLog(config.LOG_LEVEL, pino.destination(2));
    const providers = makeProviders(config.PROVIDERS, now);
    const app = createApp({ config, database, tokens: new Tokens('t'.repeat(40)), providers, log, clock: now });
    const http = createServer();
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const { listener } = await makeListener(app, http, url);
    http.on('request', listener);
    return new Harness(app, database, http, url, drop, clock);
  }

  async stop(): Promise<void> {
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
    if (!this.drop) return;
    await this.database.close();
    await this.drop();
  }

  /** Back to what the migrations leave. */
  async clean(): Promise<void> {
    this.now = Date.now;
    this.#accounts.clear();
    await this.database.prisma.$executeRawUnsafe(
      'TRUNCATE account, session, application_password, content_item, content_term, revision, idempotent_change, audit_event, outgoing_mail, identity, used_provider_token RESTART IDENTITY CASCADE',
    );
    await this.database.prisma.$executeRawUnsafe('DELETE FROM term WHERE id <> 1');
  }

  /** The account of a role, made when first asked for; `name` tells several of one role apart. */
  async account(role: RoleName, name: string = role): Promise<{ id: number; username: string; password: string }> {
    const known = this.#accounts.get(name);
    if (known) return known;
    const password = randomUUID().replaceAll('-', '').slice(0, 24);
    const { id } = await this.database.prisma.account.create({
      data: {
        username: name,
        usernameKey: name.toLowerCase(),
        email: `${name}@example.com`,
        emailKey: `${name.toLowerCase()}@example.com`,
        name: `The ${name}`,
        slug: name.toLowerCase(),
        roles: [role],
        applicationPasswords: { create: { id: randomUUID(), name: 'test', hash: applicationPasswordHash(password) } },
      },
      select: { id: true },
    });
    const account = { id, username: name, password };
    this.#accounts.set(name, account);
    return account;
  }

  /** A context for calling services directly. */
  async context(as: Caller = 'anonymous'): Promise<RequestContext> {
    const viewer = as === 'anonymous' ? new Viewer(0, []) : new Viewer((await this.account(as)).id, [as as Role]);
    const site = (await this.app.createContext({ authorization: undefined, siteUrl: this.url, requestId: 'test' })).site;
    return new RequestContext(this.app.deps, { viewer, site, siteUrl: this.url, requestId: 'test' });
  }

  async authorization(as: Caller): Promise<Record<string, string>> {
    if (as === 'anonymous') return {};
    const { username, password } = await this.account(as);
    return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
  }

  /** A REST request below the root of an edition (A unless said otherwise). */
  async rest(
    method: string,
    path: string,
    { as = 'anonymous', query, body, raw, headers, edition = 'A' }: Sending = {},
  ): Promise<Answer> {
    const root = edition === 'A' ? '/api' : '/v3/api';
    const search = query === undefined ? '' : `?${typeof query === 'string' ? query : new URLSearchParams(query)}`;
    const sent = body === undefined ? raw : JSON.stringify(body);
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    return this.fetch(root + path + search, {
      method,
      body: sent ?? null,
      headers: { ...type, ...(await this.authorization(as)), ...headers },
    });
  }

  async fetch(path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(this.url + path, { ...init, redirect: 'manual' });
    const text = await response.text();
    let body: unknown;
    try {
      body = text ? JSON.parse(text) : undefined;
    } catch {
      body = undefined;
    }
    return { status: response.status, headers: response.headers, body, text };
  }

  /** A GraphQL request; answers the whole body. */
  async graphql(
    query: string,
    variables: object = {},
    { as = 'anonymous', headers = {} }: Pick<Sending, 'as' | 'headers'> = {},
  ): Promise<Answer> {
    const all = { 'content-type': 'application/json', ...(await this.authorization(as)), ...headers };
    return this.fetch('/graphql', { method: 'POST', headers: all, body: JSON.stringify({ query, variables }) });
  }

  /** How many SQL statements a piece of work sends, with the clock stopped: the settings of the site are read once a second. */
  async statements(work: () => Promise<unknown>): Promise<number> {
    const now = this.now();
    this.now = () => now;
    await this.context();
    const before = this.database.statements;
    await work();
    return this.database.statements - before;
  }

  /** A post by way of the interface; by the editor unless said otherwise. */
  async post(fields: object = {}, as: Caller = 'editor'): Promise<Answer['body']> {
    const answer = await this.rest('POST', '/v1/posts', { as, body: { title: 'A post', status: 'publish', ...fields } });
    if (answer.status !== 201) throw new Error(`No post was made: ${answer.text}`);
    return answer.body;
  }

  /** Ids of new terms of a taxonomy, as GraphQL spells it. */
  async term(taxonomy: string, name: string, parentId?: number): Promise<number> {
    const query = 'mutation($input: CreateTermInput!) { createTerm(input: $input) { id } }';
    const { body } = await this.graphql(query, { input: { taxonomy, name, parentId } }, { as: 'administrator' });
    if (!body.data) throw new Error(`No term was made: ${JSON.stringify(body.errors)}`);
    return body.data.createTerm.id;
  }
}

async function openTestDatabase(): Promise<{ database: Database; drop: () => Promise<void> }> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) return { database: await openMemory(), drop: async () => {} };
  const name = `care_test_${randomUUID().slice(0, 8)}`;
  const admin = async (sql: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await admin(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = await openDatabase({ url: url.href, dataDir: '', wait: 5, migrate: true });
  return { database, drop: () => admin(`DROP DATABASE ${name} WITH (FORCE)`) };
}

let shared: Promise<Harness> | undefined;

// Of the root: when every suite of the process is over.
after(async () => (await shared)?.stop());

/**
 * The process's service, clean before every test. Stands at the top of a suite: `const service = useService();`, then `service()`.
 * With variables of the environment: a service of the suite's own over the same database, so configured.
 */
export function useService(variables?: () => Variables | Promise<Variables>): () => Harness {
  let harness: Harness | undefined;
  before(async () => {
    shared ??= Harness.start();
    harness = variables ? await Harness.start(await variables(), await shared) : await shared;
  });
  beforeEach(async () => harness?.clean());
  if (variables) after(() => harness?.stop());
  return () => {
    if (!harness) throw new Error('The service runs only inside tests.');
    return harness;
  };
}
