import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Database, DatabaseOptions, DatabaseRow, QueryOptions } from './database.js';
import { ConnectionError, isPassing, StartError } from './database-errors.js';
import { within } from './ping.js';
import { configOf, connect, openServer } from './postgresql.js';
import { observeRead, observeReplica } from './replica-metrics.js';
import { TimeLimitError } from './time-budget.js';
import { replayed, requireStandby, written } from './wal.js';
import { destroy } from './watch.js';

/** Milliseconds between two measurements of the lag. */
const EVERY = 500;
/** Milliseconds between two tries to connect. */
const RETRY = 2_000;
/** Milliseconds that either server may take for its part of a measurement. */
const PATIENCE = 500;
/** After so many failures in a row the fault is told, and the connections are made anew. */
const FAILURES = 2;
/** Pauses between measurements while requests wait for a change, in milliseconds. */
const CATCHING_UP = [0, 5, 10, 20, 40];
/** Milliseconds between two reports that the replica is not used. */
const REPORT_EVERY = 60_000;
/** Samples that are kept while the replica is behind; of more, every second one goes. */
const MOST_SAMPLES = 1_000;

/** How to use a replica. */
export interface ReplicaOptions extends Omit<DatabaseOptions, 'url' | 'wait' | 'migrate'> {
  /** Address of the replica, a physical standby (READ_DATABASE_URL). */
  readonly url: string;
  readonly primaryUrl: string;
  /** How many seconds it may be behind (READ_LAG_SECONDS). */
  readonly lagSeconds: number;
}

/** A position of the primary's log, and when it was asked for: all commits before lie before it. */
interface Sample {
  readonly at: number;
  readonly position: bigint;
}

/** Open connections: two for measuring, which tell when a server is gone, and the pool. */
interface Connected {
  readonly primary: pg.Client;
  readonly standby: pg.Client;
  readonly database: Database;
  /** Rejects when the replica is given up. */
  readonly lost: Promise<never>;
  readonly lose: () => void;
}

/**
 * A physical standby of PostgreSQL, for reads that may lag. It is used only while it has what the
 * primary had committed `lagSeconds` ago, by a measurement of at most half a second ago: the position of the
 * primary's log, taken at an instant of this process's own clock, lies before what the standby has
 * replayed. So no clock of a server counts, an idle primary makes no lag, and a standby that lost
 * its primary is behind. Opens and measures in the background, and never throws: `read` returns
 * undefined when the primary must be asked.
 */
export class Replica {
  #connected: Connected | undefined;
  #samples: Sample[] = [];
  /** All that was committed by then can be read, by `performance.now()`. */
  #coversUntil = Number.NEGATIVE_INFINITY;
  #replayed = 0n;
  /** What was measured last, in seconds, and when. */
  #measured: { readonly lag: number; readonly at: number } | undefined;
  #floor = Number.NEGATIVE_INFINITY;
  #triedFloor = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #measuring: Promise<void> | undefined;
  #catchingUp: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #reportedAt = Number.NEGATIVE_INFINITY;
  /** What was told last: whether it is used. */
  #told: boolean | undefined;

  constructor(private readonly options: ReplicaOptions) {
    observeReplica(this);
    this.#goOn();
  }

  /** Whether reads go to it now. */
  get isUsed(): boolean {
    const age = performance.now() - this.#coversUntil;
    return this.#connected !== undefined && age <= this.options.lagSeconds * 1_000;
  }

  /**
   * Seconds that it is behind, at most: as measured last, and what has passed since where it is not
   * used. Undefined before the first measurement.
   */
  get lag(): number | undefined {
    if (!this.#measured) return undefined;
    const { lag, at } = this.#measured;
    return this.#failures === 0 ? lag : lag + (performance.now() - at) / 1_000;
  }

  /**
   * From now on it is used only when it has all that was committed until now. For who has seen a
   * change on the primary, and keeps what is read after it.
   */
  requireChanges(): void {
    this.#floor = performance.now();
  }

  /**
   * Reads as `Database.query` does. Returns undefined when the replica is down, too far behind or
   * too slow: then the primary must be asked.
   */
  async read<T extends object = DatabaseRow>(
    text: string,
    values: readonly unknown[],
    options: QueryOptions,
  ): Promise<T[] | undefined> {
    const rows = await this.#read<T>(text, values, options);
    observeRead(rows ? 'replica' : 'primary');
    return rows;
  }

  /** Ends the connections. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#measuring;
    await this.#giveUp();
  }

  async #read<T extends object>(
    text: string,
    values: readonly unknown[],
    options: QueryOptions,
  ): Promise<T[] | undefined> {
    if (this.isUsed && this.#coversUntil < this.#floor) await this.#catchUp();
    const connected = this.#connected;
    if (!connected || !this.isUsed || this.#coversUntil < this.#floor) return undefined;
    try {
      return await Promise.race([
        connected.database.query<T>(text, values, options),
        connected.lost,
      ]);
    } catch (error) {
      // A conflict with what is replayed cancels statements too.
      const isOurs = error instanceof TimeLimitError ? error.dear : !isPassing(error);
      if (isOurs) throw error;
      return undefined;
    }
  }

  /** Measures until the floor is reached, for a tenth of a second at most, once for each floor. */
  #catchUp(): Promise<void> {
    if (this.#triedFloor === this.#floor) return this.#catchingUp ?? Promise.resolve();
    this.#triedFloor = this.#floor;
    this.#catchingUp = this.#measureOften().finally(() => {
      this.#catchingUp = undefined;
    });
    return this.#catchingUp;
  }

  async #measureOften(): Promise<void> {
    for (const pause of CATCHING_UP) {
      if (pause > 0) await sleep(pause);
      await this.#measure();
      if (this.#coversUntil >= this.#floor || !this.isUsed) return;
    }
  }

  /** Measures now, and again and again. */
  #goOn(): void {
    void this.#measure().then(() => {
      const pause = this.#connected || this.#failures < FAILURES ? EVERY : RETRY;
      if (!this.#closed) this.#timer = setTimeout(() => this.#goOn(), pause).unref();
    });
  }

  #measure(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#measuring ??= this.#measureOnce().finally(() => {
      this.#measuring = undefined;
    });
    return this.#measuring;
  }

  async #measureOnce(): Promise<void> {
    try {
      this.#connected ??= await this.#connect();
      await this.#compare(this.#connected);
      this.#failures = this.isUsed ? 0 : this.#failures + 1;
      if (this.isUsed) this.#tell(true);
      else if (this.#failures >= FAILURES) this.#tell(false, this.#isBehind());
    } catch (error) {
      this.#coversUntil = Number.NEGATIVE_INFINITY;
      this.#failures++;
      if (this.#failures >= FAILURES) this.#tell(false, sentenceOf(error));
      if (this.#failures >= FAILURES) void this.#giveUp();
    }
  }

  /** Finds the newest sample of the primary that the standby has replayed. */
  async #compare({ primary, standby }: Connected): Promise<void> {
    const at = performance.now();
    const position = await within(PATIENCE, written(primary));
    if (position < this.#replayed) throw new StartError('it is ahead of DATABASE_URL');
    this.#samples.push({ at, position });
    this.#replayed = await within(PATIENCE, replayed(standby));
    const covered = this.#samples.filter(({ position }) => position <= this.#replayed).length - 1;
    this.#samples = this.#samples.slice(Math.max(0, covered));
    if (this.#samples.length > MOST_SAMPLES) this.#samples = this.#samples.filter((_, i) => i % 2);
    if (covered >= 0) this.#coversUntil = (this.#samples[0] as Sample).at;
    if (!Number.isFinite(this.#coversUntil)) return;
    const now = performance.now();
    this.#measured = { lag: (now - this.#coversUntil) / 1_000, at: now };
  }

  async #connect(): Promise<Connected> {
    const { url, primaryUrl, log: _, lagSeconds: __, ...options } = this.options;
    const opened: { end(): Promise<void> }[] = [];
    try {
      const standby = await connect(configOf(url), { url, wait: 0 });
      opened.push(standby);
      const primary = await connect(configOf(primaryUrl), { url: primaryUrl, wait: 0 });
      opened.push(primary);
      await within(PATIENCE, requireStandby(primary, standby));
      const database = await openServer({
        ...options,
        url,
        server: 'reads',
        wait: 0,
        migrate: false,
      });
      return this.#watched(primary, standby, database);
    } catch (error) {
      for (const each of opened) void each.end().catch(() => {});
      throw error;
    }
  }

  #watched(primary: pg.Client, standby: pg.Client, database: Database): Connected {
    let lose: () => void = () => {};
    const lost = new Promise<never>((_, reject) => {
      lose = () => reject(new ConnectionError('The replica was given up.'));
    });
    lost.catch(() => {});
    const connected = { primary, standby, database, lost, lose };
    for (const client of [primary, standby])
      client.once('end', () => {
        if (this.#connected === connected) void this.#giveUp();
      });
    this.#samples = [];
    this.#replayed = 0n;
    return connected;
  }

  /** Ends the connections: a server that comes back may be another one, or have replayed less. */
  async #giveUp(): Promise<void> {
    const connected = this.#connected;
    this.#connected = undefined;
    this.#coversUntil = Number.NEGATIVE_INFINITY;
    if (!connected) return;
    const { primary, standby, database, lose } = connected;
    lose();
    const ended = Promise.allSettled([primary.end(), standby.end(), database.close()]);
    await within(PATIENCE, ended).catch(() => [primary, standby].forEach(destroy));
  }

  #isBehind(): string {
    return `it is more than ${this.options.lagSeconds} s behind`;
  }

  #tell(isUsed: boolean, why = ''): void {
    const now = performance.now();
    if (this.#told === isUsed) return;
    if (!isUsed && now - this.#reportedAt < REPORT_EVERY) return;
    if (!isUsed) this.#reportedAt = now;
    this.#told = isUsed;
    this.options.log?.(
      isUsed
        ? 'Anonymous reads go to READ_DATABASE_URL.'
        : `Anonymous reads go to DATABASE_URL, and not to READ_DATABASE_URL: ${why}.`,
    );
  }
}

/** Returns a fault as the end of a sentence. */
function sentenceOf(error: unknown): string {
  const { message } = error as Error;
  return (error instanceof StartError ? message : `it does not answer (${message})`).replace(
    /\.$/,
    '',
  );
}
