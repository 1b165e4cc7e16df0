import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../../generated/prisma/client.js';
import { cancelStatement } from './cancel.js';
import type { Database, DatabaseOptions, QueryOptions, Row } from './database.js';
import { ConnectionError, isCancelled, isUnavailable, whyUnwritable } from './database-errors.js';
import { Outage } from './outage.js';
import { within } from './ping.js';
import { runPrepared } from './prepared.js';
import { isRead, observed } from './statement-metrics.js';
import { type TimeBudget, TimeLimitError } from './time-budget.js';
import { parserOf } from './values.js';
import type { Watch } from './watch.js';
import { WRITE, Writes } from './writes.js';

const transactionOptions = { maxWait: 2_000, timeout: 15_000 };

/**
 * Maximum number of texts prepared per connection. Further texts are sent unprepared, to limit the
 * memory of the server.
 */
const MOST_PREPARED = 300;

const ignore = () => {};

/**
 * A PostgreSQL server behind a pool of connections. Statements are prepared unless a pooler stands
 * before the server.
 */
export class ServerDatabase implements Database {
  readonly kind = 'server';
  declare readonly prisma: PrismaClient;
  statements = 0;
  writes = 0;
  readonly #names = new Map<string, string>();
  #prisma: PrismaClient | undefined;
  #closed: Promise<void> | undefined;
  readonly #outage: Outage;
  readonly #writes = new Writes(() => this.query(WRITE, [], { prepared: false }));

  constructor(
    private readonly pool: pg.Pool,
    private readonly watch: Watch,
    private readonly options: { readonly prepares: boolean; readonly log: DatabaseOptions['log'] },
  ) {
    this.#outage = new Outage((message, error) => options.log?.(message, error));
    // Without a listener this event would end the process.
    pool.on('error', (cause) => this.#outage.failed(new ConnectionError(cause.message, { cause })));
    // It takes 50 MB, and a fifth of a second of CPU with its first statement.
    Object.defineProperty(this, 'prisma', { get: () => (this.#prisma ??= this.#makePrisma()) });
  }

  #makePrisma(): PrismaClient {
    const observer = {
      sent: () => this.statements++,
      changed: () => this.writes++,
      isLost,
      failed: (error: unknown) => this.#failed(error),
      succeeded: () => this.#outage.passed(),
    };
    const adapter = observed(new PrismaPg(this.pool), observer);
    return new PrismaClient({ adapter, transactionOptions });
  }

  async query<T extends object = Row>(
    text: string,
    values: readonly unknown[] = [],
    { prepared = true, budget }: QueryOptions = {},
  ): Promise<T[]> {
    this.statements++;
    try {
      const name = prepared && this.options.prepares ? this.#nameOf(text) : undefined;
      const rows = await this.#run(
        name === undefined
          ? (client) => runOnce<T>(client, text, values)
          : (client) => runPrepared<T>(client, { name, text, values }),
        budget,
      );
      this.#outage.passed();
      if (!isRead(text)) this.writes++;
      return rows;
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
  async #run<T>(run: (client: pg.PoolClient) => Promise<T>, budget?: TimeBudget): Promise<T> {
    const client = await this.pool.connect();
    // The pool handles errors only of idle clients. The statement rejects with the same error
    client.on('error', ignore);
    let cancelling: Promise<void> | undefined;
    let ended: AbortController | undefined;
    let failure: unknown;
    let stop: (() => void) | undefined;
    try {
      stop = budget?.start(() => {
        // A spent budget may call this again. Only one cancellation starts; `finally` ends it.
        ended ??= new AbortController();
        cancelling ??= cancelStatement(client, ended.signal);
      });
      return await run(client);
    } catch (error) {
      failure =
        cancelling && isCancelled(error)
          ? new TimeLimitError('The statement was cancelled.', { cause: error })
          : error;
      throw failure;
    } finally {
      stop?.();
      ended?.abort();
      if (cancelling) await cancelling;
      client.off('error', ignore);
      client.release(isLost(failure));
    }
  }

  async ping(): Promise<void> {
    await within(1000, this.query('SELECT 1'));
  }

  async trouble(): Promise<string | undefined> {
    const answers = await this.ping().then(
      () => true,
      () => false,
    );
    return answers ? this.#writes.trouble() : 'The database does not answer.';
  }

  close(): Promise<void> {
    this.#closed ??= Promise.resolve(this.#prisma?.$disconnect())
      .then(() => this.pool.end())
      .finally(() => this.watch.close());
    return this.#closed;
  }

  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= MOST_PREPARED) return known;
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    this.#names.set(text, name);
    return name;
  }
}

/** Runs a statement that the server plans for this run alone. */
async function runOnce<T extends object>(
  client: pg.PoolClient,
  text: string,
  values: readonly unknown[],
): Promise<T[]> {
  const types = { getTypeParser: parserOf };
  return (await client.query<T>({ text, values: [...values], types })).rows;
}

/**
 * Returns whether an error means a lost connection: every error of the driver that is neither
 * PostgreSQL's (DatabaseError) nor a time limit nor a programming mistake.
 */
function isLost(error: unknown): boolean {
  const others = [pg.DatabaseError, TimeLimitError, TypeError, RangeError];
  return error instanceof Error && !others.some((type) => error instanceof type);
}
