import type { Socket } from 'node:net';
import pg from 'pg';
import { ConnectionError } from './errors.js';

/** How often the connections are looked at, in milliseconds. */
const EVERY = 50;
/**
 * A look that comes this much late says that this process stood still, and nothing about the
 * server.
 */
const LATE = 150;
/** An answer that has not come for so long is asked after. */
const QUIET = 200;
/**
 * How long a server may say nothing at all when it is asked after; with QUIET less than a second.
 */
const PATIENCE = 700;
/** A pooler may let a question wait for a connection of its own. */
const PATIENCE_OF_POOLERS = 2_500;
/** How long a server that fell silent may take for a new connection and one answer. */
const RECOVERY = 2_000;
const RETRY = 250;

export interface WatchOptions {
  readonly config: pg.ClientConfig;
  /** Whether a pooler stands in between: it names processes of its own. */
  readonly pooled: boolean;
}

/**
 * Notices within a second that a server has fallen silent with its connections open: frozen, or
 * behind a network that drops everything. When a question has no answer for 200 ms, another one is
 * asked over a connection of the watch's own. While nothing is heard on any connection the server
 * counts as silent: all connections are ended, so that whoever waits gets a ConnectionError, and
 * new ones are refused at once until the server answers again. A server that is busy answers some
 * of its connections, and is left alone.
 */
export class Watch {
  readonly #clients = new Set<WatchedClient>();
  readonly #timer: NodeJS.Timeout;
  #looked = performance.now();
  /** When an answer last came, or could last have been overlooked. */
  #heard = performance.now();
  #probe: pg.Client | undefined;
  #asking = false;
  #silent = false;
  #closed = false;

  constructor(private readonly options: WatchOptions) {
    this.#timer = setInterval(() => this.#look(), EVERY).unref();
  }

  /** Whether the server is silent now. */
  get silent(): boolean {
    return this.#silent;
  }

  add(client: WatchedClient): void {
    this.#clients.add(client);
    client.once('end', () => this.#clients.delete(client));
  }

  heard(): void {
    this.#heard = performance.now();
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    if (this.#probe) end(this.#probe);
  }

  #look(): void {
    const now = performance.now();
    const late = now - this.#looked > EVERY + LATE;
    this.#looked = now;
    if (late) this.#heard = now;
    if (this.#asking || this.#silent || !this.#waiting(now, QUIET)) return;
    this.#asking = true;
    void this.#ask().finally(() => {
      this.#asking = false;
    });
  }

  /** Whether somebody has waited for an answer so long, and nobody heard anything as long. */
  #waiting(now: number, milliseconds: number): boolean {
    if (now - this.#heard < milliseconds) return false;
    return [...this.#clients].some(
      ({ since }) => since !== undefined && now - since >= milliseconds,
    );
  }

  async #ask(): Promise<void> {
    const asked = performance.now();
    let isOver = false;
    // A refusal is an answer too, such as that there are too many connections.
    const frozen = this.#probeOnce()
      .catch((): number[] => [])
      .finally(() => {
        isOver = true;
      });
    const patience = this.options.pooled ? PATIENCE_OF_POOLERS : PATIENCE;
    while (!isOver && !this.#closed) {
      const heard = this.#heard;
      await Promise.race([frozen, wait(Math.max(asked, heard) + patience - performance.now())]);
      // What has arrived meanwhile is read first
      await new Promise((resolve) => setImmediate(resolve));
      if (isOver) break;
      if (this.#heard === heard) return this.#fallSilent();
      // Others are answered: it is the probe
      if (performance.now() - asked > 2 * patience && this.#probe) end(this.#probe);
    }
    const pids = await frozen;
    for (const client of this.#clients) {
      if (pids.includes(client.pid) && client.since !== undefined && client.since < asked)
        end(client);
    }
  }

  /**
   * Asks the server which of those who wait too long are served by a process that has not even
   * begun.
   */
  async #probeOnce(): Promise<number[]> {
    if (!this.#probe) {
      const probe = new WatchedClient({
        ...this.options.config,
        watch: this,
        application_name: 'care watch',
      });
      probe.on('error', () => {});
      probe.once('end', () => {
        if (this.#probe === probe) this.#probe = undefined;
      });
      this.#probe = probe;
      await probe.connect();
      internalsOf(probe).connection.stream.unref(); // it keeps no process alive
    }
    const now = performance.now();
    const waiting = [...this.#clients].filter(
      ({ since }) => since !== undefined && now - since > 2 * QUIET,
    );
    if (this.options.pooled || waiting.length === 0) {
      await this.#probe.query('SELECT 1');
      return [];
    }
    const { rows } = await this.#probe.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
       WHERE pid = ANY($1::int[]) AND state LIKE 'idle%' AND state_change < clock_timestamp() - interval '${2 * QUIET} ms'`,
      [waiting.map(({ pid }) => pid)],
    );
    return rows.map(({ pid }) => pid);
  }

  async #fallSilent(): Promise<void> {
    this.#silent = true;
    for (const client of this.#clients) end(client);
    while (!this.#closed && !(await this.#answers())) await wait(RETRY);
    this.#heard = performance.now();
    this.#silent = false;
  }

  async #answers(): Promise<boolean> {
    const client = new pg.Client({ ...this.options.config, connectionTimeoutMillis: RECOVERY });
    client.on('error', () => {});
    const answer = client
      .connect()
      .then(() => client.query('SELECT 1'))
      .then(
        () => true,
        () => false,
      );
    return Promise.race([answer, wait(RECOVERY).then(() => false)]).finally(() => end(client));
  }
}

const wait = (milliseconds: number) =>
  new Promise<false>((resolve) => setTimeout(resolve, Math.max(0, milliseconds), false).unref());

/** What pg's client has and its types do not say. */
interface Internals {
  readonly connection: { readonly stream: Socket };
  readonly processID: number | null;
  getStartupConf(): Record<string, string>;
}

const internalsOf = (client: pg.Client) => client as unknown as Internals;

function end(client: pg.Client): void {
  internalsOf(client).connection.stream.destroy();
}

/** The process of the server that a connection belongs to, as the server or the pooler says. */
export const processOf = (client: pg.Client): number => internalsOf(client).processID ?? 0;

/**
 * Sessions run in UTC: Prisma's adapter takes every instant it reads to be in UTC. Said as a
 * parameter of the start, which poolers keep for each of their clients; `options` they refuse.
 */
export class UtcClient extends pg.Client {
  constructor(config: pg.ClientConfig) {
    super(config);
    const internals = internalsOf(this);
    const inherited = internals.getStartupConf.bind(this);
    internals.getStartupConf = () => ({ ...inherited(), TimeZone: 'UTC' });
  }
}

/** A connection that tells the watch when it waits for an answer and when it hears something. */
export class WatchedClient extends UtcClient {
  /** When it asked what has no answer yet. */
  since: number | undefined;

  constructor(config: pg.ClientConfig & { watch: Watch }) {
    super(config);
    const { watch } = config;
    watch.add(this);
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    const connect = this.connect.bind(this) as (...args: unknown[]) => unknown;
    Object.assign(this, {
      query: (...args: unknown[]) => {
        this.since ??= performance.now();
        return query(...args);
      },
      connect: (callback?: (error: Error) => void) => {
        if (!watch.silent) return connect(callback);
        const error = new ConnectionError('The database does not answer.');
        this.emit('end');
        return callback ? setImmediate(callback, error) : Promise.reject(error);
      },
    });
    this.on('connect', () => internalsOf(this).connection.stream.on('data', () => watch.heard()));
    this.on('drain', () => {
      this.since = undefined;
    });
    this.on('end', () => {
      this.since = undefined;
    });
  }

  get pid(): number {
    return processOf(this);
  }
}
