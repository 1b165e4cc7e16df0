import { setTimeout as sleep } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { cancelStatement } from './cancel.js';
import type { DatabaseOptions, DatabaseRow } from './database.js';
import { isLockTimeout, isRetryable, StartError } from './database-errors.js';
import {
  applyMigrations,
  isConcurrent,
  type Migration,
  pendingMigrations,
  statementsOf,
} from './migrations.js';

/**
 * Key of the advisory lock that lets processes apply migrations one after the other. Nothing else
 * uses this number.
 */
export const migrationLock = 7_208_114_563;

/** Time limits for waiting for locks of other transactions, in milliseconds. */
export interface Patience {
  /**
   * For one lock. While the migration waits, other transactions queue for the same table behind it.
   */
  readonly lock: number;
  /** Pause before the second attempt. It doubles up to 5 s. */
  readonly pause: number;
  /** For all attempts of a migration together. */
  readonly total: number;
}

const PATIENCE: Patience = { lock: 200, pause: 200, total: 10 * 60_000 };
const LONGEST_PAUSE = 5_000;
/** Milliseconds between two lines about what an index waits for. */
const TELL_EVERY = 10_000;
/** How long the end of another process's migrations is waited for at a time, in milliseconds. */
const TURN = 200;

/** Options of `migrateClient`. */
export interface MigrateOptions {
  /** For a second connection, which takes the turn and finds out which process holds a lock. */
  readonly config: pg.ClientConfig;
  readonly log?: DatabaseOptions['log'];
  readonly patience?: Partial<Patience>;
  /** Cancels what runs, and ends the migrations with its reason. */
  readonly stopping?: AbortSignal | undefined;
}

/**
 * Applies pending migrations one by one, each in a transaction, and logs each. Returns their names.
 * Those before one that fails stay. A database without migrations, which nobody uses yet, gets all
 * of them or none. Processes that start at the same time take turns. Waits at most 200 ms for a lock
 * that another transaction holds, then rolls back, so that other transactions wait no longer, and
 * tries again for 10 minutes; so it does after a deadlock. Then throws a StartError that names the
 * holder. An index that is made CONCURRENTLY waits as long at once, and the holder is told meanwhile. Throws the reason of `stopping` when it is aborted; what was applied until then stays.
 */
export async function migrateClient(
  client: pg.Client,
  migrations: Migration[],
  options: MigrateOptions,
): Promise<string[]> {
  const patience = { ...PATIENCE, ...options.patience };
  const { stopping } = options;
  const turn = await takeTurn(options, patience.total);
  const released = cancelledBy(stopping, client);
  const applied: string[] = [];
  try {
    for (;;) {
      stopping?.throwIfAborted();
      const names = await patiently(patience, options, (begun) =>
        migrateNext(client, migrations, patience, begun),
      );
      if (names.length === 0) return applied;
      for (const name of names) options.log?.(`Applied the migration ${name}.`);
      applied.push(...names);
    }
  } catch (error) {
    throw stopping?.aborted ? stopping.reason : error;
  } finally {
    await released();
    await turn.end();
  }
}

/**
 * Cancels the statement of a connection once a signal is aborted. Returns a function that ends that, and
 * waits until no request to cancel is on its way.
 */
function cancelledBy(stopping: AbortSignal | undefined, client: pg.Client): () => Promise<void> {
  const ended = new AbortController();
  let cancelling: Promise<void> | undefined;
  const cancel = () => {
    cancelling = cancelStatement(client, ended.signal);
  };
  stopping?.addEventListener('abort', cancel);
  return async () => {
    stopping?.removeEventListener('abort', cancel);
    ended.abort();
    await cancelling;
  };
}

/** Waits until no other process applies migrations. Ending the connection that is returned ends the turn. */
async function takeTurn(
  { config, log, stopping }: MigrateOptions,
  total: number,
): Promise<pg.Client> {
  const client = new pg.Client({ ...config, application_name: 'care migrations' });
  client.on('error', () => {});
  await client.connect();
  const deadline = Date.now() + total;
  for (let tries = 1; ; tries++) {
    // Neither a wait in a statement nor one with parameters: their snapshots would hold up indexes
    // that are made CONCURRENTLY.
    await client.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
    const { rows } = await client.query<{ taken: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${migrationLock}) AS taken`,
    );
    if (rows[0]?.taken) return client;
    await client.query('ROLLBACK');
    if (tries === 1)
      log?.(`Another process applies migrations; waiting for it, up to ${total / 1_000} s.`);
    if (stopping?.aborted || Date.now() > deadline) {
      await client.end();
      stopping?.throwIfAborted();
      throw new StartError('The migrations were not applied: another process applies its own.');
    }
    await sleep(TURN);
  }
}

/**
 * Notes that statements run in a process of the server: what blocks it is looked for from then on. Where
 * they wait in one piece, and not by attempts, it is told meanwhile.
 */
type Begun = (pid: number, isOneWait?: boolean) => void;

/** Runs attempts until one ends neither in a wait for a lock nor in a deadlock. */
async function patiently(
  { pause, total }: Patience,
  { config, log, stopping }: MigrateOptions,
  attempt: (begun: Begun) => Promise<string[]>,
): Promise<string[]> {
  const seconds = Math.round(total / 1_000);
  const deadline = Date.now() + total;
  for (let wait = pause; ; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
    let holder = 'another transaction';
    let isOne = false;
    let toldAt = Number.NEGATIVE_INFINITY;
    const watch = new HolderWatch(config, (found) => {
      holder = found;
      if (!isOne || performance.now() - toldAt < TELL_EVERY) return;
      toldAt = performance.now();
      log?.(`The migrations wait for ${found}.`);
    });
    try {
      return await attempt((pid, isOneWait = false) => {
        isOne ||= isOneWait;
        watch.start(pid);
      });
    } catch (error) {
      if (!isLockTimeout(error) && !isRetryable(error)) throw error;
      if (Date.now() + wait > deadline)
        throw new StartError(
          `The migrations were not applied: they waited ${seconds} s for ${holder}.`,
          { cause: error },
        );
      const left = Math.round((deadline - Date.now()) / 1_000);
      log?.(`The migrations wait for ${holder}; trying again for ${left} s.`);
    } finally {
      await watch.stop();
    }
    await sleep(wait, undefined, stopping && { signal: stopping });
  }
}

/** Applies the next migration, or all to a database that has none. Returns their names. */
async function migrateNext(
  client: pg.Client,
  migrations: Migration[],
  patience: Patience,
  begun: Begun,
): Promise<string[]> {
  const query = queryOf(client);
  const pending = await pendingMigrations(query, migrations);
  const isNew = pending.length === migrations.length;
  const next = migrations.find(({ name }) => name === pending[0]);
  const ran = next && !isNew && isConcurrent(next) ? next : undefined;
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  begun(rows[0]?.pid ?? 0, ran !== undefined);
  if (ran) await runConcurrently(client, ran, patience);
  await client.query('BEGIN');
  try {
    await client.query(
      'SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; ' +
        `SET LOCAL lock_timeout = ${patience.lock}`,
    );
    const applied = await applyMigrations({ query, factory: sessionFactory(client) }, migrations, {
      most: isNew ? migrations.length : 1,
      ran: ran?.name,
    });
    await client.query('COMMIT');
    return applied;
  } catch (error) {
    // a lost connection has already been rolled back
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Runs statements that neither hold up nor wait behind reads and writes. */
async function runConcurrently(
  client: pg.Client,
  migration: Migration,
  { total }: Patience,
): Promise<void> {
  await client.query(`SET statement_timeout = 0; SET lock_timeout = ${total}`);
  try {
    for (const statement of statementsOf(migration)) await client.query(statement);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StartError(`The migrations were not applied: ${why}.`, { cause: error });
  } finally {
    await client.query('RESET statement_timeout; RESET lock_timeout');
  }
}

interface Holder {
  readonly pid: number;
  readonly application: string;
  readonly state: string;
  readonly seconds: number;
  readonly relation: string | null;
}

/**
 * Finds out, over its own connection, which process blocks a process of the server. It only
 * improves messages: its errors are ignored. It does not name itself, though an index that is made
 * CONCURRENTLY also waits for the snapshots of these very statements.
 */
class HolderWatch {
  #watching: Promise<void> | undefined;
  #stopped = false;

  constructor(
    private readonly config: pg.ClientConfig,
    private readonly found: (holder: string) => void,
  ) {}

  start(pid: number): void {
    this.#watching = this.#watch(
      { ...this.config, application_name: 'care migrations' },
      pid,
    ).catch(() => {});
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.race([this.#watching, sleep(2_000, undefined, { ref: false })]);
  }

  async #watch(config: pg.ClientConfig, pid: number): Promise<void> {
    const client = new pg.Client({
      ...config,
      connectionTimeoutMillis: 5_000,
      query_timeout: 1_000,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      while (!this.#stopped) {
        const { rows } = await client.query<Holder>(HOLDER, [pid]);
        if (rows[0]) this.found(sentenceOf(rows[0]));
        await sleep(200);
      }
    } finally {
      await client.end().catch(() => {});
    }
  }
}

const HOLDER = `
  SELECT h.pid, coalesce(h.application_name, '') AS application, coalesce(h.state, 'unknown')
    AS state,
    coalesce(extract(epoch FROM clock_timestamp() - h.xact_start), 0)::int AS seconds,
    (SELECT l.relation::regclass::text FROM pg_locks l WHERE l.pid = $1 AND NOT l.granted
      LIMIT 1) AS relation
  FROM pg_stat_activity h
  WHERE h.pid = ANY(pg_blocking_pids($1)) AND h.pid <> pg_backend_pid()
  ORDER BY h.xact_start LIMIT 1`;

const sentenceOf = ({ pid, application, state, seconds, relation }: Holder) =>
  `${relation ? `the table ${relation}, which` : 'what'} process ${pid} of PostgreSQL${application ? ` (${application})` : ''} holds ` +
  `in a transaction of ${seconds} s, ${state}`;

/** Returns a function that runs a text on a connection and returns its rows. */
export function queryOf(client: pg.Client): (text: string) => Promise<DatabaseRow[]> {
  return async (text) => (await client.query<DatabaseRow>(text)).rows;
}

/**
 * Prisma's adapter over one connection. Scripts go to the connection directly: the adapter would
 * split them at every semicolon, also inside functions and texts.
 */
function sessionFactory(client: pg.Client): SqlMigrationAwareDriverAdapterFactory {
  const session = Object.assign(new pg.Pool({ max: 1 }), { query: client.query.bind(client) });
  const factory = new PrismaPg(session);
  return Object.assign(factory, {
    connect: async () => {
      const adapter = await PrismaPg.prototype.connect.call(factory);
      return Object.assign(adapter, {
        executeScript: async (script: string) => void (await client.query(script)),
      });
    },
  });
}
