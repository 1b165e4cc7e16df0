import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { type App, createApp } from '../../src/app/app.js';
import { makeDeps, outboxOf } from '../../src/app/make-deps.js';
import { readConfig } from '../../src/config/config.js';
import { makeProviders } from '../../src/config/providers.js';
import { RequestContext } from '../../src/core/context.js';
import type { Deps } from '../../src/core/deps.js';
import { Role } from '../../src/core/roles.js';
import { parseSiteTime, type SiteMoment } from '../../src/core/site-time.js';
import { Viewer } from '../../src/core/viewer.js';
import { ItemStatus } from '../../src/domains/content/content.enums.js';
import type { ItemChanges } from '../../src/domains/content/item/item.inputs.js';
import { createItem } from '../../src/domains/content/item/item-create.service.js';
import type { Post } from '../../src/domains/content/item/item-kinds.types.js';
import { sendDueMails } from '../../src/domains/mail/sending.service.js';
import { applicationPasswordHash } from '../../src/domains/sign-in/session/credentials.service.js';
import { openChannels } from '../../src/platform/channel/channels.js';
import type { Database } from '../../src/platform/database/database.js';
import { openMemory } from '../../src/platform/database/embedded.js';
import { openDatabase } from '../../src/platform/database/open.js';
import { Connections } from '../../src/platform/http/connections.js';
import { type Limits, openLimits } from '../../src/platform/limits/open-limits.js';
import { makeLog } from '../../src/platform/log.js';
import { Outbox } from '../../src/platform/mail/mail-outbox.js';
import { openPush } from '../../src/platform/push/push.js';
import { openStorage } from '../../src/platform/storage/open-storage.js';
import { makeListener } from '../../src/process/listener.js';
import { Contract, contractOf, type Exchange } from './contract.js';
import { type ReceivedMail, readMails } from './mailbox.js';
import './password-cost.js';
import { whenOver, whenTooLong } from './running.js';
import { recordStatements } from './statements.js';

/** Environment variables. */
export type Variables = Readonly<Record<string, string>>;
/** Name of a role, as in the database. */
export type RoleName =
  | 'administrator'
  | 'editor'
  | 'author'
  | 'contributor'
  | 'subscriber'
  | 'guest'
  | 'clinician'
  | 'analyst';
/** A role, or a caller without an account. */
export type Caller = RoleName | 'anonymous';

/** An answer as a client receives it. */
export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests are about
  body: any;
  text: string;
}

/** The parts of a REST request. */
export interface Sending {
  as?: Caller;
  query?: string | Record<string, string>;
  body?: unknown;
  raw?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  edition?: 'A' | 'B';
  /** False where the answer is broken on purpose, so that OpenAPI does not describe it. */
  described?: boolean;
}

/** Who asks over GraphQL: a role, who holds an access token, or what a request is sent with. */
export type By = Caller | { token: string } | Pick<Sending, 'as' | 'headers'>;

type PostFields = Record<string, unknown> & {
  date?: string;
  date_gmt?: string;
  featured_media?: number;
};

/** Returns the code of the first error of a GraphQL body; undefined where there is none. */
export function errorCode(body: Answer['body']): string | undefined {
  return body.errors?.[0]?.extensions.code;
}

/** Returns the text of a mutation whose one argument is its own input, given as a variable. */
export function mutation(name: string, fields = 'id'): string {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  return `mutation($input: ${type}!) { ${name}(input: $input) { ${fields} } }`;
}

/** Returns the headers of a request with an access token. */
export function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}

const NO_LIMITS = openLimits({ on: false, clock: Date.now, log: makeLog('silent') });

/**
 * A whole service on a free port of loopback, with one database for all test files of the worker:
 * PGlite in memory, or a new database on the server of TEST_DATABASE_URL. `useService()` cleans it
 * before every test of its suite.
 */
export class Harness {
  /** The service's clock: the real one unless a test sets it. */
  now: () => number = Date.now;
  #emptying: string | undefined;
  /** Limits are off unless a test calls `limit()`. */
  limits: Limits;
  #accounts = new Map<string, { id: number; username: string; password: string }>();
  #closing = async () => {
    await closed(this.http);
    await this.database.close();
    await this.drop();
    rmSync(this.app.deps.config.DATA_DIR, { recursive: true, force: true });
  };

  private constructor(
    readonly app: App,
    readonly database: Database,
    readonly http: Server,
    readonly url: string,
    private readonly drop: () => Promise<void>,
    outside: { now: () => number; limits: Limits },
  ) {
    outside.now = () => this.now();
    this.limits = outside.limits;
    Object.defineProperty(outside, 'limits', { get: () => this.limits });
  }

  /** Stops the service's clock at an instant, in milliseconds or as 2026-03-10T08:00:00Z. */
  at(instant: number | string): void {
    const now = typeof instant === 'string' ? Date.parse(instant) : instant;
    this.now = () => now;
  }

  static async start(): Promise<Harness> {
    const { database, drop } = await openTestDatabase();
    recordStatements(database);
    const config = readConfig({
      SEED: 'none',
      RESPONSE_CACHE: 'off', // Tests count statements, and change rows beside the service.
      LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
      CORS_ORIGINS: 'https://app.example',
      DATA_DIR: mkdtempSync(join(process.env.TEST_RUN_DIR ?? tmpdir(), 'data-')),
    });
    const outside = { now: Date.now as () => number, limits: NO_LIMITS };
    const limits: Limits = {
      get on() {
        return outside.limits.on;
      },
      limiter: (policy) => outside.limits.limiter(policy),
      local: (policy) => outside.limits.local(policy),
      close: () => outside.limits.close(),
    };
    const log = makeLog(config.LOG_LEVEL, pino.destination(2));
    const mail = new Outbox(outboxOf(config), 'care@example.com');
    const secret = 't'.repeat(40);
    const app = createApp(
      makeDeps({ config, database, secret, limits, mail, log, clock: () => outside.now() }),
    );
    const { http, url } = await listening(app);
    return new Harness(app, database, http, url, drop, outside);
  }

  /** Starts a second service with other dependencies, over the same database. Call `stop` on it. */
  async beside(changes: Partial<Deps>): Promise<Harness> {
    const app = createApp({ ...this.app.deps, ...changes });
    const { http, url } = await listening(app);
    const other = new Harness(app, this.database, http, url, async () => {}, {
      now: Date.now,
      limits: this.limits,
    });
    other.#accounts = this.#accounts;
    // Both services share one clock and one set of counters.
    Object.defineProperties(other, {
      now: { get: () => this.now, set: (now) => Object.assign(this, { now }) },
      limits: { get: () => this.limits, set: (limits) => Object.assign(this, { limits }) },
    });
    other.#closing = () => closed(http);
    return other;
  }

  /** Starts a second service with other environment variables. Call `stop` on it. */
  async under(variables: Variables): Promise<Harness> {
    const { LOG_LEVEL, CORS_ORIGINS, AUDIT_HEAD_FILE, DATA_DIR } = this.app.deps.config;
    const own = {
      DATA_DIR,
      SEED: 'none',
      RESPONSE_CACHE: 'off',
      LOG_LEVEL,
      CORS_ORIGINS: CORS_ORIGINS.join(),
      AUDIT_HEAD_FILE,
    };
    const config = readConfig({ ...own, ...variables });
    const { clock, keys } = this.app.deps;
    return this.beside({
      config,
      providers: makeProviders(config.PROVIDERS, clock),
      storage: openStorage(config),
      push: { ...openPush(config), ...openChannels(config, keys) },
    });
  }

  async stop(): Promise<void> {
    this.limits.close();
    await this.#closing();
  }

  /** Resets the service and its database to the state after the migrations. */
  async clean(): Promise<void> {
    this.now = Date.now;
    this.limits.close();
    this.limits = NO_LIMITS;
    this.#accounts.clear();
    rmSync(this.app.deps.config.AUDIT_HEAD_FILE, { force: true });
    await this.#empty();
    await this.rereadSite();
    rmSync(this.#outbox, { recursive: true, force: true });
    rmSync(this.files, { recursive: true, force: true });
  }

  /** Has the service know what the database has of the site, which it remembers for a second. */
  async rereadSite(): Promise<void> {
    const { now } = this;
    this.now = () => 0;
    await this.app.deps.readSite();
    this.now = now;
  }

  /** The folder of uploaded files. */
  get files(): string {
    return join(this.app.deps.config.DATA_DIR, 'files');
  }

  /**
   * Empties the tables that have rows; truncating all of them would take longer than most tests. It
   * is a function in the database, because a session plans the statements of a function only once.
   */
  async #empty(): Promise<void> {
    this.#emptying ??= await this.#makeEmptying();
    await this.database.query(this.#emptying);
  }

  async #makeEmptying(): Promise<string> {
    const tables = await this.database.query<{ name: string }>(
      `SELECT quote_ident(tablename) AS name FROM pg_tables
       WHERE schemaname = 'public' AND tablename NOT IN ('_prisma_migrations', 'language', 'site', 'term', 'item_count_state')`,
    );
    const emptied = tables.map(
      ({ name }) => `IF EXISTS (SELECT FROM ${name}) THEN
        IF pg_relation_size('${name}') > 1e6 THEN TRUNCATE ${name} CASCADE; ELSE DELETE FROM ${name}; END IF;
      END IF;`,
    );
    const [kept] = await this.database.query<{ term: string }>(
      'SELECT quote_literal(to_jsonb(term)::text) AS term FROM term WHERE id = 1',
    );
    await this.database.query(`CREATE OR REPLACE FUNCTION empty_all() RETURNS void LANGUAGE plpgsql AS $$ DECLARE made TEXT; BEGIN
      PERFORM set_config('session_replication_role', 'replica', true); -- turns foreign keys and triggers off
      ${emptied.join('\n')}
      -- Ids begin again, and the indexes of fields of models bear them.
      FOR made IN SELECT indexname FROM pg_indexes WHERE indexname LIKE 'model\\_item\\_field\\_%' LOOP
        EXECUTE 'DROP INDEX ' || quote_ident(made);
      END LOOP;
      IF EXISTS (SELECT FROM term WHERE id <> 1 OR to_jsonb(term) <> ${kept?.term}::jsonb) THEN
        DELETE FROM term;
        INSERT INTO term SELECT * FROM jsonb_populate_record(NULL::term, ${kept?.term}::jsonb);
      END IF;
      -- As the migrations make it.
      UPDATE site SET title = 'Care', tagline = '', time_zone = 'UTC', zone_changed_at = NULL, default_category_id = 1, version = 0,
          front_page_id = NULL, posts_page_id = NULL, said = NULL
        WHERE (title, tagline, time_zone, zone_changed_at, default_category_id, version, front_page_id, posts_page_id, said)
          IS DISTINCT FROM ('Care', '', 'UTC', NULL, 1, 0, NULL, NULL, NULL);
      PERFORM setval(quote_ident(sequencename)::regclass, 1, false) FROM pg_sequences
        WHERE schemaname = 'public' AND last_value IS NOT NULL AND sequencename NOT IN ('language_id_seq', 'term_id_seq');
    END $$`);
    return 'SELECT empty_all()';
  }

  /**
   * Starts another listener of the same service with another configuration. It ends with the given
   * test. Returns its address.
   */
  async configured(environment: Record<string, string>): Promise<string> {
    const config = readConfig({
      SEED: 'none',
      RESPONSE_CACHE: 'off',
      LOG_LEVEL: this.app.deps.config.LOG_LEVEL,
      ...environment,
    });
    const { http, url } = await listening(createApp({ ...this.app.deps, config }));
    whenOver(() => closed(http));
    return url;
  }

  /** Turns limits on for the rest of the test, with new counters that use the service's clock. */
  limit(redisUrl?: string): void {
    this.limits = openLimits({
      on: true,
      clock: () => this.now(),
      log: this.app.deps.log,
      redisUrl,
    });
  }

  /**
   * Returns the account of a role, and creates it on the first call. `name` distinguishes several
   * accounts of one role.
   */
  async account(
    role: RoleName,
    name: string = role,
  ): Promise<{ id: number; username: string; password: string }> {
    await this.accounts([[role, name]]);
    return this.#accounts.get(name) as { id: number; username: string; password: string };
  }

  /** Creates the accounts of roles with their names, as `account` does, in one statement. */
  async accounts(all: readonly (readonly [role: RoleName, name: string])[]): Promise<void> {
    const missing = all.filter(([, name]) => !this.#accounts.has(name));
    if (missing.length === 0) return;
    const made = missing.map(([role, name]) => {
      const password = randomUUID().replaceAll('-', '').slice(0, 24);
      return { role, name, password, id: randomUUID(), hash: applicationPasswordHash(password) };
    });
    // One statement, because creating accounts is most of the database work of the tests.
    const rows = await this.database.query<{ id: number; username: string }>(
      `WITH given AS (
        SELECT * FROM unnest($1::text[], $2::text[], $3::uuid[], $4::text[], $5::text[])
          WITH ORDINALITY AS g(name, role, password_id, hash, key, place)
      ), made AS (
        INSERT INTO account (username, username_key, email, email_key, email_proven_at, name, slug, roles)
        SELECT name, key, name || '@example.com', key || '@example.com', now(), 'The ' || name,
          key, ARRAY[role]
        FROM given ORDER BY place
        RETURNING id, username
      ), signs_in AS (
        INSERT INTO application_password (id, account_id, name, hash)
        SELECT password_id, made.id, 'test', hash FROM made JOIN given ON given.name = made.username
      )
      SELECT id, username FROM made`,
      [
        made.map(({ name }) => name),
        made.map(({ role }) => role),
        made.map(({ id }) => id),
        made.map(({ hash }) => hash),
        made.map(({ name }) => name.toLowerCase()),
      ],
    );
    for (const { id, username } of rows) {
      const password = made.find(({ name }) => name === username)?.password as string;
      this.#accounts.set(username, { id, username, password });
    }
  }

  /** Makes the account of a role break the glass of a member, for an hour. */
  async opens(memberId: number, as: RoleName = 'administrator'): Promise<void> {
    const { id: clinicianId } = await this.account(as);
    const createdAt = new Date(this.now());
    const endsAt = new Date(this.now() + 60 * 60 * 1000);
    await this.database.prisma.breakGlass.create({
      data: { memberId, clinicianId, reason: 'A test', createdAt, endsAt },
    });
  }

  /** Returns a context for calling services directly. */
  async context(as: Caller = 'anonymous'): Promise<RequestContext> {
    const viewer =
      as === 'anonymous'
        ? new Viewer(0, [])
        : new Viewer((await this.account(as)).id, [as as Role]);
    const site = (
      await this.app.createContext({
        authorization: undefined,
        siteUrl: this.url,
        requestId: 'test',
      })
    ).site;
    return new RequestContext(this.app.deps, {
      viewer,
      site,
      siteUrl: this.url,
      requestId: 'test',
    });
  }

  async authorization(as: Caller): Promise<Record<string, string>> {
    if (as === 'anonymous') return {};
    const { username, password } = await this.account(as);
    return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
  }

  /**
   * Returns the headers of a session of an account (see `account`). Its access token is valid for
   * 15 minutes.
   */
  async session(as: RoleName, name?: string): Promise<{ authorization: string }> {
    return this.sessionOf((await this.account(as, name)).id);
  }

  /** Returns the headers of a session of any account. */
  async sessionOf(accountId: number): Promise<{ authorization: string }> {
    const sessionId = randomUUID();
    await this.database.prisma.session.create({
      data: { id: sessionId, accountId, createdAt: new Date(this.now()) },
    });
    const token = await this.app.deps.tokens.signAccess(
      { accountId, sessionId, counter: 0 },
      this.now(),
    );
    return { authorization: `Bearer ${token}` };
  }

  /**
   * Sends a REST request to a path below the root of an edition (default: A). Throws for an answer
   * that the document of the edition does not describe, unless `described` is false.
   */
  async rest(
    method: string,
    path: string,
    { as = 'anonymous', query, body, raw, headers, edition = 'A', described = true }: Sending = {},
  ): Promise<Answer> {
    const root = edition === 'A' ? '/api' : '/v3/api';
    const search =
      query === undefined
        ? ''
        : `?${typeof query === 'string' ? query : new URLSearchParams(query)}`;
    const sent = body === undefined ? raw : JSON.stringify(body);
    const type: Record<string, string> =
      body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await this.fetch(root + path + search, {
      method,
      body: sent ?? null,
      headers: { ...type, ...(await this.authorization(as)), ...headers },
    });
    const address = path + search;
    const override = new URL(address, this.url).searchParams.get('_method');
    const meant = override ?? new Headers(headers).get('x-http-method-override');
    if (described)
      await this.#judge(edition, {
        method: method === 'POST' && meant ? meant.toUpperCase() : method,
        address,
        sent: body,
        status: answer.status,
        type: answer.headers.get('content-type') ?? '',
        body: answer.body,
      });
    return answer;
  }

  /** Throws for an answer that the document of the edition does not describe. */
  async #judge(edition: 'A' | 'B', exchange: Exchange): Promise<void> {
    let contract = contractOf(edition);
    // Addresses that the configuration adds are in the document of this service alone.
    if (exchange.status < 400 && !contract.knows(exchange.address)) {
      const root = edition === 'A' ? '/api' : '/v3/api';
      contract = new Contract((await this.fetch(`${root}/openapi.json`, {})).text);
    }
    const fault = contract.fault(exchange);
    if (!fault) return;
    const { method, address, status, body } = exchange;
    const answered = JSON.stringify(body)?.slice(0, 2000);
    throw new Error(
      `OpenAPI does not describe ${status} of ${method} ${address}: ${fault}\n${answered}`,
    );
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

  /** Sends a GraphQL request. Returns the whole body. */
  async graphql(
    query: string,
    variables: object = {},
    { as = 'anonymous', headers = {} }: Pick<Sending, 'as' | 'headers'> = {},
  ): Promise<Answer> {
    const all = {
      'content-type': 'application/json',
      ...(await this.authorization(as)),
      ...headers,
    };
    return this.fetch('/graphql', {
      method: 'POST',
      headers: all,
      body: JSON.stringify({ query, variables }),
    });
  }

  /** Asks over GraphQL, as the subscriber unless told. Returns the body, with data or errors. */
  async ask(query: string, variables: object = {}, by: By = 'subscriber'): Promise<Answer['body']> {
    const sending = typeof by === 'string' ? { as: by } : by;
    const sent = 'token' in sending ? { headers: bearer(sending.token) } : sending;
    return (await this.graphql(query, variables, sent)).body;
  }

  /** Asks over GraphQL, as the subscriber unless told. Returns the data; throws for any error. */
  async data(query: string, variables?: object, by?: By): Promise<Answer['body']> {
    const { data, errors } = await this.ask(query, variables, by);
    if (errors) throw new Error(`It was refused: ${JSON.stringify(errors)}`);
    return data;
  }

  /**
   * Returns how many SQL statements a piece of work sends. The clock is stopped, because the
   * settings of the site are read once a second.
   */
  async statements(work: () => Promise<unknown>): Promise<number> {
    const now = this.now();
    this.now = () => now;
    await this.context();
    const before = this.database.statements;
    await work();
    return this.database.statements - before;
  }

  get #outbox(): string {
    return (this.app.deps.mail as Outbox).folder;
  }

  /** Sends the mails that are due. Returns all mails since the test began, newest first. */
  async mails(): Promise<ReceivedMail[]> {
    await sendDueMails(this.app.deps);
    return readMails(this.#outbox);
  }

  /**
   * Creates a post through the service itself, for tests of either face; by the editor unless `as`
   * says otherwise. The fields have the names of the REST interface.
   */
  async post(
    {
      date,
      date_gmt,
      featured_media: featuredMediaId,
      author: authorId,
      sticky: isSticky,
      categories: categoryIds,
      tags: tagIds,
      ...fields
    }: PostFields = {},
    as: Caller = 'editor',
  ): Promise<Post> {
    const changes = {
      title: 'A post',
      status: ItemStatus.PUBLISH,
      ...(date && { date: parseSiteTime(date) as SiteMoment }),
      ...(date_gmt && { dateGmt: { offset: 0, ...(parseSiteTime(date_gmt) as SiteMoment) } }),
      ...(featuredMediaId && { featuredMediaId }),
      ...(authorId ? { authorId } : {}),
      ...(isSticky ? { isSticky } : {}),
      ...(categoryIds ? { categoryIds } : {}),
      ...(tagIds ? { tagIds } : {}),
      ...fields,
    } as ItemChanges;
    return (await createItem(await this.context(as), 'post', changes)) as Post;
  }

  /** Creates a post through the REST interface. Returns the body of the answer. */
  async posted(fields: object = {}, as: Caller = 'editor'): Promise<Answer['body']> {
    const answer = await this.rest('POST', '/v1/posts', {
      as,
      body: { title: 'A post', status: 'publish', ...fields },
    });
    if (answer.status !== 201) throw new Error(`No post was made: ${answer.text}`);
    return answer.body;
  }

  /** Creates a term of a taxonomy, which is named as in GraphQL. Returns its id. */
  async term(taxonomy: string, name: string, parentId?: number): Promise<number> {
    const query =
      'mutation($input: CreateTermInput!) { createTerm(input: $input) { term { databaseId } } }';
    const { body } = await this.graphql(
      query,
      { input: { taxonomy, name, parentId } },
      { as: 'administrator' },
    );
    if (!body.data) throw new Error(`No term was made: ${JSON.stringify(body.errors)}`);
    return body.data.createTerm.term.databaseId;
  }
}

async function listening(app: App): Promise<{ http: Server; url: string }> {
  const { http } = new Connections();
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const { listener } = await makeListener(app, http, url);
  // Client and server share this thread. When a test computes for longer than the server keeps idle
  // connections, the server could close a connection in the same turn in which the client sends its
  // next request on it. That would be an ECONNRESET.
  Object.assign(http, { keepAliveTimeout: 0, timeout: 0 });
  http.on('request', listener);
  return { http, url };
}

async function closed(http: Server): Promise<void> {
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
}

async function openTestDatabase(): Promise<{ database: Database; drop: () => Promise<void> }> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) return { database: await openMemory(), drop: async () => {} };
  const name = `${process.env.TEST_RUN ?? 'care_test'}_${randomUUID().slice(0, 8)}`;
  const admin = async (sql: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await admin(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const options = { dataDir: '', wait: 5, migrate: true };
  const database = await openDatabase({ url: url.href, ...options });
  return { database, drop: () => admin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

/** Ends with the worker; the run removes what it leaves. */
let shared: Promise<Harness> | undefined;
whenTooLong(() => {
  const left = shared;
  shared = undefined;
  left?.then((harness) => harness.stop()).catch(() => undefined);
});

/**
 * Returns a function that returns the worker's service, clean before every test. Call it at the
 * top of a suite: `const service = useService();`, then `service()`. With environment variables,
 * the suite gets a second service with that configuration.
 */
export function useService(variables?: () => Variables | Promise<Variables>): () => Harness {
  let harness: Harness | undefined;
  let from: typeof shared;
  const open = async () => {
    shared ??= Harness.start();
    from = shared;
    harness = variables ? await (await shared).under(await variables()) : await shared;
  };
  beforeAll(open);
  beforeEach(async () => {
    if (from !== shared) await open();
    await harness?.clean();
  });
  if (variables) afterAll(() => harness?.stop());
  return () => {
    if (!harness)
      throw new Error('The service runs only inside tests, and not after a failed beforeAll.');
    return harness;
  };
}
