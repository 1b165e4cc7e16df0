import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  Transaction,
} from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { Prisma } from '../../generated/prisma/client.js';
import { hasOtherColumns, LateTransactionError } from './database-errors.js';
import { forgetPrepared } from './prepared.js';
import { parserOf } from './values.js';

/** What services use: SQL, and the models of Prisma. */
export type Db = Prisma.TransactionClient;

/** A statement and the values of its parameters. */
type Statement = Pick<Prisma.Sql, 'text' | 'values'>;

/** What a statement returned. `command` is that of the transaction, where it ends one. */
type Sent = Pick<pg.QueryResult, 'rows' | 'rowCount'> & { readonly command?: string };

/** What Prisma's adapter uses of a connection. */
interface Sender {
  query(config: pg.QueryConfig): Promise<pg.QueryResult>;
}

/** What a transaction needs of its database. */
export interface Opener {
  /** Sends one statement on the connection of the transaction. Its failures are reported. */
  send(client: pg.PoolClient, text: string, values: readonly unknown[]): Promise<Sent>;
  /** Returns the name under which a connection prepares a statement; undefined for one run alone. */
  named(client: pg.PoolClient, text: string): string | undefined;
  /**
   * Runs `work` with Prisma in the transaction that is open on a connection, for at most `timeout`
   * milliseconds.
   */
  withPrisma<T>(client: Sender, work: (db: Db) => Promise<T>, timeout: number): Promise<T>;
}

/**
 * A transaction on a connection of the driver, which goes back to its pool at the end. SQL goes to
 * the driver. Prisma joins at the first use of a model: most transactions use none, and Prisma
 * takes 25 MB of memory.
 */
export class OpenTransaction {
  readonly db: Db;
  #prisma: Promise<Db> | undefined;
  #leave: (() => void) | undefined;
  #left: Promise<void> | undefined;
  #ended: Promise<void> | undefined;
  #expiry: NodeJS.Timeout | undefined;
  #expired = false;
  /** Settles when all statements so far were answered: a connection takes one at a time. */
  #answered: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly client: pg.PoolClient,
    private readonly timeout: number,
    private readonly opener: Opener,
  ) {
    // The pool handles errors only of idle clients. Statements reject with the same error.
    client.on('error', ignore);
    this.db = dbOf(
      (sql) => this.#run(sql),
      () => this.#join(),
    );
  }

  /** Begins. After `timeout` milliseconds the transaction is rolled back. */
  async begin(): Promise<void> {
    await this.#send('BEGIN', []);
    this.#expiry = setTimeout(() => {
      this.#expired = true;
      this.rollback().catch(() => {}); // `commit` says why
    }, this.timeout);
  }

  /** Throws when a statement has failed, or the time is over: then nothing is committed. */
  async commit(): Promise<void> {
    if (this.#expired) throw this.#tooLong();
    await this.#end('COMMIT');
  }

  /** Rolls back, unless it has ended. */
  rollback(): Promise<void> {
    return this.#end('ROLLBACK');
  }

  #end(by: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    this.#ended ??= this.#close(by);
    return this.#ended;
  }

  /** Ends, and gives the connection back. One whose end is not known is closed. */
  async #close(by: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    clearTimeout(this.#expiry);
    this.#leave?.();
    await this.#left;
    let known = false;
    try {
      const { command } = await this.#send(by, []);
      known = true;
      // PostgreSQL answers ROLLBACK to COMMIT, and no error, when a statement failed before.
      if (command !== by) throw new Error('A failed transaction cannot be committed.');
    } finally {
      this.client.off('error', ignore);
      this.client.release(!known);
    }
  }

  async #run({ text, values }: Statement): Promise<Sent> {
    if (this.#expired) throw this.#tooLong();
    if (this.#ended) throw new Error('The transaction has ended.');
    return this.#send(text, values);
  }

  #send(text: string, values: readonly unknown[]): Promise<Sent> {
    return this.#inTurn(() => this.opener.send(this.client, text, values));
  }

  #inTurn<T>(send: () => Promise<T>): Promise<T> {
    const sent = this.#answered.then(send).catch((error) => {
      // The transaction is lost: its second run prepares them again.
      if (hasOtherColumns(error)) forgetPrepared(this.client);
      throw error;
    });
    this.#answered = sent.catch(ignore);
    return sent;
  }

  #tooLong(): LateTransactionError {
    return new LateTransactionError(`A transaction took longer than ${this.timeout} ms.`);
  }

  /** Prisma's client in this transaction, from its first use until the transaction ends. */
  #join(): Promise<Db> {
    if (this.#expired) return Promise.reject(this.#tooLong());
    if (this.#ended) return Promise.reject(new Error('The transaction has ended.'));
    const sender = {
      query: (config: pg.QueryConfig) =>
        this.#inTurn(() => {
          const name = this.opener.named(this.client, config.text);
          return this.client.query({ ...config, ...(name && { name }) });
        }),
    };
    this.#prisma ??= new Promise((joined, failed) => {
      const left = new Promise<void>((leave) => {
        this.#leave = leave;
      });
      this.#left = this.opener
        .withPrisma(
          sender,
          (db) => {
            joined(db);
            return left;
          },
          this.timeout + PRISMA_SLACK,
        )
        .catch(failed);
    });
    return this.#prisma;
  }
}

/** Returns what sends SQL by `run`, and asks `prisma` when a model is used. */
export function dbOf(
  run: (statement: Statement) => Promise<Sent>,
  prisma: () => Db | Promise<Db>,
): Db {
  const sqlOf = (first: TemplateStringsArray | Prisma.Sql, values: unknown[]) =>
    first instanceof Prisma.Sql ? first : Prisma.sql(first, ...values);
  const own = {
    $queryRaw: async (first: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) =>
      (await run(sqlOf(first, values))).rows,
    $executeRaw: async (first: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) =>
      (await run(sqlOf(first, values))).rowCount ?? 0,
    $queryRawUnsafe: async (text: string, ...values: unknown[]) =>
      (await run({ text, values })).rows,
    $executeRawUnsafe: async (text: string, ...values: unknown[]) =>
      (await run({ text, values })).rowCount ?? 0,
  };
  const model = (name: string) =>
    new Proxy(
      {},
      {
        get: (_, method) => async (args: unknown) => {
          const db = (await prisma()) as unknown as Record<string, Methods>;
          return (db[name] as Methods)[method as string]?.(args);
        },
      },
    );
  return new Proxy(own, {
    get: (known, name) => {
      if (typeof name !== 'string' || name === 'then') return undefined;
      if (name in known) return known[name as keyof typeof known];
      if (name.startsWith('$')) throw new Error(`${name} is not for services.`);
      return model(name);
    },
  }) as unknown as Db;
}

const ignore = () => {};

/** So much longer than a transaction may Prisma's part of it take: the transaction ends first. */
const PRISMA_SLACK = 45_000;

type Methods = Record<string, (args: unknown) => Promise<unknown>>;

/**
 * Sends a statement, which the server plans for this run alone. `limit`: milliseconds to wait for its
 * result, if not as long as for others.
 */
export const sendOnce = <T extends object = object>(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[],
  limit?: number,
): Promise<pg.QueryResult<T>> =>
  client.query<T>({
    text,
    values: [...values],
    types: { getTypeParser: parserOf },
    ...(limit && { query_timeout: limit }),
  });

/**
 * Lends connections with an open transaction to Prisma, one after the other: Prisma asks its
 * adapter for a transaction without saying for whom.
 */
export class Lender {
  #lent: { readonly client: Sender; readonly taken: () => void } | undefined;
  #turn: Promise<void> = Promise.resolve();

  /** Runs `begin`, which must make Prisma begin a transaction, so that it begins on `client`. */
  async lend<T>(client: Sender, begin: () => Promise<T>): Promise<T> {
    const before = this.#turn;
    let done: () => void = () => {};
    this.#turn = new Promise((resolve) => (done = resolve));
    await before;
    this.#lent = { client, taken: done };
    try {
      return await begin();
    } finally {
      // Prisma may have failed before it took the connection.
      if (this.#lent?.client === client) this.#lent = undefined;
      done();
    }
  }

  /** Returns the adapter whose transactions take place on what is lent. */
  adapter(factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
    return {
      provider: factory.provider,
      adapterName: factory.adapterName,
      connect: async () => {
        const adapter = await factory.connect();
        const own = adapter.startTransaction.bind(adapter);
        adapter.startTransaction = async (isolation) => {
          const lent = this.#lent;
          if (!lent) return own(isolation);
          this.#lent = undefined;
          lent.taken();
          return onConnection(adapter, lent.client);
        };
        return adapter;
      },
    };
  }
}

/** What sends statements as the adapter does, on another connection. Others begin and end there. */
function onConnection(adapter: SqlDriverAdapter, client: Sender): Transaction {
  const same = Object.create(Object.getPrototypeOf(adapter) as object) as Transaction;
  const { provider, adapterName } = adapter;
  const nothing = async () => {};
  return Object.assign(same, {
    provider,
    adapterName,
    client, // the adapter sends by `this.client`
    options: { usePhantomQuery: true }, // Prisma sends no BEGIN, COMMIT or ROLLBACK
    commit: nothing,
    rollback: nothing,
  });
}
