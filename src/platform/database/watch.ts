import type { Socket } from 'node:net';
import { cpus, loadavg } from 'node:os';
import pg from 'pg';
import { ConnectionError } from './database-errors.js';

/** Interval between two checks of the connections while a statement waits, in milliseconds. */
const EVERY = 50;
/**
 * A check that runs this many milliseconds late means that this process was blocked; it says
 * nothing about the server.
 */
const LATE = 150;
/** A statement without a response for this many milliseconds starts a probe. */
const QUIET = 200;
/** How long the server may send nothing at all after a probe starts, in milliseconds. */
const PATIENCE = 700;
/**
 * How long the server may still send nothing after it was asked again, in milliseconds. Together
 * with QUIET and PATIENCE it is two seconds.
 */
const PATIENCE_AGAIN = 1_100;
/** The same with a pooler, which may let the probe wait for a connection. */
const PATIENCE_OF_POOLERS = 2_500;
/**
 * How long a server that was silent may take for a new connection and one response, in
 * milliseconds.
 */
const RECOVERY = 2_000;
const RETRY = 250;
/** How many times as long a server may send nothing at most, however busy this machine is. */
const MOST_PATIENCE = 4;

/** What a `Watch` watches. */
export interface WatchOptions {
  readonly config: pg.ClientConfig;
  /** Whether a pooler stands before the server. Its process ids are not those of the server. */
  readonly pooled: boolean;
  /** Returns how many tasks there are for each core of this machine, by default over the last minute. */
  readonly load?: () => number;
}

/** The load of the last minute for each core, both of the machine, also in a container; 0 on Windows, which knows none. */
const loadOfCores = () => (loadavg()[0] ?? 0) / Math.max(1, cpus().length);

/** How many times as long a server may send nothing while this machine, which may be its own too, is busy. */
export const patienceOf = (load = loadOfCores()) => Math.min(MOST_PATIENCE, Math.max(1, load));

/**
 * Detects within three seconds that a server has become silent while its connections stay open: the
 * process is frozen, or the network drops all packets. When a statement has no response for 200 ms,
 * the watch sends a query over its own connection; when no connection receives anything for 700 ms
 * after that, it asks again over a new one. A server that sends nothing for another 1.1 s counts as
 * silent: all connections are closed, so that waiting statements fail with ConnectionError, and new
 * connections are refused until the server answers again. A busy server answers one of the two
 * questions or on some of its connections, and nothing is closed. Time in which this process itself
 * was held up does not count. A single connection is closed when its server process is idle while its
 * statement waits, and still is after a second question 700 ms later: a process that gets no time on a busy
 * machine has not begun the statement yet. While this machine has more tasks than cores, the server may send
 * nothing for as many times as long, at most four times: it may be on the same machine.
 */
export class Watch {
  readonly #clients = new Set<WatchedClient>();
  /** Runs while statements wait for their answers. */
  #timer: NodeJS.Timeout | undefined;
  #checkedAt = 0;
  /** When the last answer came, or the last time at which this process may have missed one. */
  #heardAt = performance.now();
  #probe: pg.Client | undefined;
  #pinging: Promise<unknown> | undefined;
  /** Ends with the last statement of the probe. */
  #sent: Promise<unknown> = Promise.resolve();
  /** The probe, once it is connected. */
  #opening: Promise<pg.Client> | undefined;
  #asking = false;
  #silent = false;
  #closed = false;

  constructor(private readonly options: WatchOptions) {}

  /** Whether the server is silent now. */
  get silent(): boolean {
    return this.#silent;
  }

  add(client: WatchedClient): void {
    this.#clients.add(client);
    client.once('end', () => this.#clients.delete(client));
  }

  /** A connection sends a statement. */
  asks(): void {
    if (this.#timer || this.#closed) return;
    this.#checkedAt = performance.now();
    this.#timer = setInterval(() => {
      if ([...this.#clients].some(({ since }) => since !== undefined)) this.#check();
      else this.#stop();
    }, EVERY).unref();
  }

  heard(): void {
    this.#heardAt = performance.now();
  }

  /** Rejects when the server does not answer on the connection of the watch. */
  async ping(): Promise<void> {
    if (this.#silent) throw new ConnectionError('The database does not answer.');
    this.#pinging ??= this.#send('SELECT 1').finally(() => {
      this.#pinging = undefined;
    });
    await this.#pinging;
  }

  close(): void {
    this.#closed = true;
    this.#stop();
    if (this.#probe) destroy(this.#probe);
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #check(): void {
    const now = performance.now();
    const late = now - this.#checkedAt > EVERY + LATE;
    this.#checkedAt = now;
    if (late) this.#heardAt = now;
    if (this.#asking || this.#silent || !this.#waiting(now, QUIET)) return;
    this.#asking = true;
    void this.#ask().finally(() => {
      this.#asking = false;
    });
  }

  /** Returns whether a statement has waited this long while no connection received anything. */
  #waiting(now: number, milliseconds: number): boolean {
    if (now - this.#heardAt < milliseconds) return false;
    return [...this.#clients].some(
      ({ since }) => since !== undefined && now - since >= milliseconds,
    );
  }

  async #ask(): Promise<void> {
    const asked = performance.now();
    let isOver = false;
    // A refusal is a response too, for example "too many connections".
    const idleProcesses = this.#probeOnce()
      .catch((): number[] => [])
      .finally(() => {
        isOver = true;
      });
    const { pooled, load } = this.options;
    const times = patienceOf(load?.());
    const patience = (pooled ? PATIENCE_OF_POOLERS : PATIENCE) * times;
    while (!isOver && !this.#closed) {
      const heard = this.#heardAt;
      await Promise.race([
        idleProcesses,
        wait(Math.max(asked, heard) + patience - performance.now()),
      ]);
      // Lets Node read data that has already arrived
      await new Promise((resolve) => setImmediate(resolve));
      if (isOver) break;
      if (this.#heardAt === heard && (await this.#isSilent(heard, times)))
        return this.#fallSilent();
      // Other connections receive answers, so only the probe's connection hangs
      if (performance.now() - asked > 2 * patience && this.#probe) destroy(this.#probe);
    }
    const pids = await idleProcesses;
    for (const client of this.#clients)
      if (pids.includes(client.pid) && isLost(client, asked, patience)) destroy(client);
  }

  /**
   * Asks once more, over a new connection: a busy server may have been slow with the first
   * question. A pooler has had its time already.
   */
  async #isSilent(heard: number, times: number): Promise<boolean> {
    if (this.options.pooled) return true;
    const said = await this.#askAnew(PATIENCE_AGAIN * times);
    return said === 'nothing' && this.#heardAt === heard;
  }

  /**
   * Returns the server processes that are idle although their clients have waited too long: those
   * have not received the statement.
   */
  async #probeOnce(): Promise<number[]> {
    const now = performance.now();
    const waiting = [...this.#clients].filter(
      ({ since }) => since !== undefined && now - since > 2 * QUIET,
    );
    if (this.options.pooled || waiting.length === 0) {
      await this.#send('SELECT 1');
      return [];
    }
    const { rows } = await this.#send<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
       WHERE pid = ANY($1::int[]) AND state LIKE 'idle%'
         AND state_change < clock_timestamp() - interval '${2 * QUIET} ms'`,
      [waiting.map(({ pid }) => pid)],
    );
    return rows.map(({ pid }) => pid);
  }

  /** Sends a statement over the watch's own connection, after those before it. */
  #send<Row extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<pg.QueryResult<Row>> {
    const sent = this.#sent.then(async () =>
      (await this.#connected()).query<Row>(text, [...values]),
    );
    this.#sent = sent.catch(() => {});
    return sent;
  }

  /** Returns the watch's own connection. */
  #connected(): Promise<pg.Client> {
    if (this.#opening) return this.#opening;
    const opening = this.#open();
    this.#opening = opening;
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = undefined;
    });
    return opening;
  }

  async #open(): Promise<pg.Client> {
    const probe = new WatchedClient({
      ...this.options.config,
      watch: this,
      application_name: 'care watch',
    });
    probe.on('error', () => {});
    probe.once('end', () => {
      if (this.#probe === probe) this.#probe = this.#opening = undefined;
    });
    this.#probe = probe;
    await probe.connect();
    internalsOf(probe).connection.stream.unref(); // it must not keep the process alive
    return probe;
  }

  async #fallSilent(): Promise<void> {
    this.#silent = true;
    for (const client of this.#clients) destroy(client);
    while (!this.#closed && (await this.#askAnew(this.#recovery())) !== 'answer') await wait(RETRY);
    this.#heardAt = performance.now();
    this.#silent = false;
  }

  #recovery = () => RECOVERY * patienceOf(this.options.load?.());

  /** Asks over a new connection, and returns the outcome within so many milliseconds. */
  async #askAnew(milliseconds: number): Promise<'answer' | 'refusal' | 'nothing'> {
    const client = new pg.Client(this.options.config);
    client.on('error', () => {});
    const said = client
      .connect()
      .then(() => client.query('SELECT 1'))
      .then(
        () => 'answer' as const,
        () => 'refusal' as const,
      );
    const nothing = wait(milliseconds).then(() => 'nothing' as const);
    return Promise.race([said, nothing]).finally(() => destroy(client));
  }
}

/**
 * Returns whether a client, whose server process was idle when `asked`, waits for the same statement as
 * when that was so `patience` milliseconds before, or longer.
 */
function isLost(client: WatchedClient, asked: number, patience: number): boolean {
  const { since } = client;
  if (since === undefined || since >= asked) return false;
  if (client.doubted?.since !== since) client.doubted = { since, at: asked };
  return asked - client.doubted.at >= patience;
}

const wait = (milliseconds: number) =>
  new Promise<false>((resolve) => setTimeout(resolve, Math.max(0, milliseconds), false).unref());

/** Internals of pg's client that its types do not declare. */
interface Internals {
  readonly connection: { readonly stream: Socket };
  readonly processID: number | null;
  getStartupConf(): Record<string, string>;
}

const internalsOf = (client: pg.Client) => client as unknown as Internals;

/** Ends a connection at once, whether or not the server answers. */
export function destroy(client: pg.Client): void {
  internalsOf(client).connection.stream.destroy();
}

/**
 * Returns the id of the server process behind a connection, as the server or the pooler reports it.
 */
export const processOf = (client: pg.Client): number => internalsOf(client).processID ?? 0;

/**
 * A client whose sessions run in UTC, because Prisma's adapter reads every instant as UTC. The zone
 * is a startup parameter: poolers keep it for each client, but refuse `options`.
 */
export class UtcClient extends pg.Client {
  constructor(config: pg.ClientConfig) {
    super(config);
    const internals = internalsOf(this);
    const inherited = internals.getStartupConf.bind(this);
    internals.getStartupConf = () => ({ ...inherited(), TimeZone: 'UTC' });
  }
}

/** A connection that reports to the watch when it waits for a response and when data arrives. */
export class WatchedClient extends UtcClient {
  /** When the oldest unanswered statement was sent. */
  since: number | undefined;
  /** When its server process was first found idle while it waited, and for which statement: its `since`. */
  doubted: { readonly since: number; readonly at: number } | undefined;

  constructor(config: pg.ClientConfig & { watch: Watch }) {
    super(config);
    const { watch } = config;
    watch.add(this);
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    const connect = this.connect.bind(this) as (...args: unknown[]) => unknown;
    Object.assign(this, {
      query: (...args: unknown[]) => {
        this.since ??= performance.now();
        watch.asks();
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
