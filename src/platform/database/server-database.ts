import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../../generated/prisma/client.js';
import { inStatement } from '../tracing/tracing.js';
import { cancelStatement } from './cancel.js';
import type {
  Database,
  DatabaseOptions,
  DatabaseRow,
  QueryOptions,
  ServerRole,
} from './database.js';
import {
  ConnectionError,
  hasOtherColumns,
  isCancelled,
  isUnavailable,
  whyUnwritable,
} from './database-errors.js';
import { areDear } from './dear.js';
import { Outage } from './outage.js';
import { within } from './ping.js';
import { connectionOf } from './pool-metrics.js';
import { keepPrepared, runPrepared, StatementNames } from './prepared.js';
import { isRead, observed, TRANSACTION_CONTROL } from './statement-metrics.js';
import { type Statement, type TimeBudget, TimeLimitError } from './time-budget.js';
import { type Db, dbOf, Lender, type Opener, OpenTransaction, sendOnce } from './transaction.js';
import type { Watch } from './watch.js';
import { WRITE, Writes } from './writes.js';

/** Milliseconds after which a transaction is rolled back. */
const LONGEST_TRANSACTION = 15_000;

const transactionOptions = { maxWait: 10_000 };

/** Milliseconds after its limit in which the server ends a statement itself. */
const SLACK = 1_000;

const ignore = () => {};

interface ServerOptions {
  readonly prepares: boolean;
  /** Seconds that a statement may take. */
  readonly statementLimit: number;
  readonly server: ServerRole;
  readonly log: DatabaseOptions['log'];
}

/**
 * A PostgreSQL server behind a pool of connections. Statements are prepared unless a pooler stands
 * before the server.
 */
export class ServerDatabase implements Database {
  readonly kind = 'server';
  declare readonly prisma: PrismaClient;
  readonly db: Db;
  statements = 0;
  writes = 0;
  readonly #names = new StatementNames();
  #prisma: PrismaClient | undefined;
  #closed: Promise<void> | undefined;
  readonly #outage: Outage;
  readonly #lender = new Lender();
  readonly #opener: Opener;
  readonly #writes = new Writes(() => this.query(WRITE, [], { prepared: false }));

  constructor(
    private readonly pool: pg.Pool,
    private readonly watch: Watch,
    private readonly options: ServerOptions,
  ) {
    const { server } = options;
    const name = server === 'primary' ? 'PostgreSQL' : `PostgreSQL for ${server}`;
    this.#outage = new Outage(name, (message, error) => options.log?.(message, error));
    // Without a listener this event would end the process.
    pool.on('error', (cause) => this.#outage.failed(new ConnectionError(cause.message, { cause })));
    this.#opener = {
      send: (client, text, values) => this.#sent(text, () => this.#send(client, text, values)),
      named: (client, text) => {
        const name = this.#nameOf(text);
        if (name !== undefined) keepPrepared(client, name);
        return name;
      },
      withPrisma: (client, work, timeout) =>
        this.#lender.lend(client, () => this.#client().$transaction(work, { timeout })),
    };
    this.db = dbOf(
      async ({ text, values }) => {
        const sent = await this.#sent(text, () =>
          this.#run({ text, values }, (client) => this.#send(client, text, values)),
        );
        if (!isRead(text)) this.writes++;
        return sent;
      },
      () => this.#client(),
    );
    // It takes 50 MB, and a fifth of a second of CPU with its first statement.
    Object.defineProperty(this, 'prisma', { get: () => this.#client() });
  }

  get connections() {
    const { totalCount, idleCount: idle, waitingCount: waiting } = this.pool;
    return { used: totalCount - idle, idle, waiting, most: this.pool.options.max };
  }

  #client(): PrismaClient {
    this.#prisma ??= this.#makePrisma();
    return this.#prisma;
  }

  #makePrisma(): PrismaClient {
    const observer = {
      sent: () => this.statements++,
      changed: () => this.writes++,
      isLost,
      failed: (error: unknown) => this.#failed(error),
      succeeded: () => this.#outage.passed(),
    };
    const adapter = observed(this.#lender.adapter(new PrismaPg(this.pool)), observer);
    return new PrismaClient({ adapter, transactionOptions });
  }

  async query<T extends object = DatabaseRow>(
    text: string,
    values: readonly unknown[] = [],
    { prepared = true, budget }: QueryOptions = {},
  ): Promise<T[]> {
    const statement = { text, values };
    const send = prepared
      ? (client: pg.PoolClient) => this.#send<T>(client, text, values)
      : (client: pg.PoolClient) => sendOnce<T>(client, text, values);
    const run = () => this.#sent(text, () => this.#run(statement, send, budget));
    try {
      const { rows } = await run().catch((error) => {
        if (hasOtherColumns(error)) return run();
        throw error;
      });
      if (!isRead(text)) this.writes++;
      return rows;
    } catch (error) {
      throw await this.#judged(error, statement, budget);
    }
  }

  async transaction<T>(
    work: (db: Db) => Promise<T>,
    { timeout = LONGEST_TRANSACTION } = {},
  ): Promise<T> {
    const client = await this.#told(() => connectionOf(this.pool, this.options.server));
    const isLong = timeout > this.options.statementLimit * 1_000;
    const open = new OpenTransaction(
      client,
      timeout,
      isLong ? this.#patient(timeout) : this.#opener,
    );
    try {
      await open.begin();
      if (isLong) await open.db.$executeRawUnsafe(`SET LOCAL statement_timeout = ${timeout}`);
      const made = await work(open.db);
      await open.commit();
      this.writes++;
      return made;
    } catch (error) {
      await open.rollback().catch(ignore);
      throw error;
    }
  }

  /** Sends statements that may take as long as their transaction. */
  #patient(timeout: number): Opener {
    const send: Opener['send'] = (client, text, values) =>
      this.#sent(text, () => sendOnce(client, text, values, timeout + SLACK));
    return { ...this.#opener, send };
  }

  /** Counts a statement, and tells of its failure. */
  #sent<T>(text: string, send: () => Promise<T>): Promise<T> {
    if (TRANSACTION_CONTROL.test(text)) return this.#told(send);
    this.statements++;
    return inStatement(text, () => this.#told(send));
  }

  /** Gives the loss of a connection an error of its own, and tells what failed and what did not. */
  async #told<T>(ask: () => Promise<T>): Promise<T> {
    try {
      const result = await ask();
      this.#outage.passed();
      return result;
    } catch (error) {
      const reported = isLost(error)
        ? new ConnectionError((error as Error).message, { cause: error })
        : error;
      this.#failed(reported);
      throw reported;
    }
  }

  #failed(error: unknown): void {
    if (isUnavailable(error) && !whyUnwritable(error)) this.#outage.failed(error);
    this.#writes.failed(error);
  }

  /**
   * Runs a statement on a connection of the pool, within a time budget, if there is one. The
   * connection returns to the pool only after a started cancellation has ended, so that it cannot
   * cancel the next statement.
   */
  async #run<T>(
    statement: Statement,
    run: (client: pg.PoolClient) => Promise<T>,
    budget?: TimeBudget,
  ): Promise<T> {
    const client = await connectionOf(this.pool, this.options.server);
    // The pool handles errors only of idle clients. The statement rejects with the same error
    client.on('error', ignore);
    let cancelling: Promise<void> | undefined;
    let ended: AbortController | undefined;
    let failure: unknown;
    const stop = budget?.start(statement, () => {
      // A spent budget may call this again. Only one cancellation starts; `finally` ends it.
      ended ??= new AbortController();
      cancelling ??= cancelStatement(client, ended.signal);
    });
    try {
      if (budget && !stop) throw new TimeLimitError(false);
      return await run(client);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      stop?.();
      ended?.abort();
      if (cancelling) await cancelling;
      client.off('error', ignore);
      client.release(isLost(failure));
    }
  }

  /** Returns the error of a statement; of one that ran out of time, with whether it is dear. */
  async #judged(error: unknown, statement: Statement, budget?: TimeBudget): Promise<unknown> {
    if (!(error instanceof TimeLimitError || isCancelled(error))) return error;
    if (budget) budget.dear ??= areDear(this.pool, budget.statements, budget.seconds);
    const dear = budget?.dear ?? areDear(this.pool, [statement], this.options.statementLimit);
    return new TimeLimitError(await dear, { cause: error });
  }

  async ping(): Promise<void> {
    const { totalCount, idleCount, options } = this.pool;
    // A statement would wait behind others, which says nothing about the server.
    const isFull = idleCount === 0 && totalCount >= options.max;
    const ask = isFull ? () => this.#told(() => this.watch.ping()) : () => this.query('SELECT 1');
    await within<unknown>(1000, ask());
  }

  trouble(): Promise<string | undefined> {
    return this.ping().then(
      () => undefined,
      () => 'The database does not answer.',
    );
  }

  refusal(): Promise<string | undefined> {
    return this.#writes.refusal();
  }

  close(): Promise<void> {
    this.#closed ??= Promise.resolve(this.#prisma?.$disconnect())
      .then(() => this.pool.end())
      .finally(() => this.watch.close());
    return this.#closed;
  }

  /** Sends a statement, which is prepared when it was sent before. */
  #send<T extends object>(client: pg.PoolClient, text: string, values: readonly unknown[]) {
    const name = this.#nameOf(text);
    return name === undefined
      ? sendOnce<T>(client, text, values)
      : runPrepared<T>(client, { name, text, values });
  }

  #nameOf(text: string): string | undefined {
    return this.options.prepares ? this.#names.nameOf(text) : undefined;
  }
}

/**
 * Returns whether an error means a lost connection: every error of the driver that is neither
 * PostgreSQL's (DatabaseError) nor a time limit nor a programming mistake.
 */
function isLost(error: unknown): boolean {
  const others = [pg.DatabaseError, TimeLimitError, TypeError, RangeError];
  return error instanceof Error && !others.some((type) => error instanceof type);
}
