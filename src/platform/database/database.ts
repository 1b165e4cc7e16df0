import type { PrismaClient } from '../../generated/prisma/client.js';
import type { TimeBudget } from './time-budget.js';
import type { Db } from './transaction.js';

export {
  hasOtherColumns,
  isCancelled,
  isLockTimeout,
  isOutage,
  isOvertaken,
  isPassing,
  isRetryable,
  isTooLong,
  isUnavailable,
  isUniqueViolation,
  StartError,
  whyUnwritable,
} from './database-errors.js';
export { TimeBudget, TimeLimitError } from './time-budget.js';

/** A row of a result, by column name. */
export type DatabaseRow = Record<string, unknown>;

/**
 * An open database: PGlite inside this process, or a PostgreSQL server. Both take the same SQL and
 * have the same schema.
 */
export interface Database {
  readonly kind: 'embedded' | 'server';
  /** The Prisma client, for tools and tests. */
  readonly prisma: PrismaClient;
  /** SQL and the models of Prisma, outside of transactions. Not to be used while one is open. */
  readonly db: Db;
  /**
   * Runs `work` in a transaction. Commits what it did, or rolls back when it throws. `timeout` is
   * in milliseconds: 15 seconds on a server, 30 seconds on the embedded database, where
   * transactions queue. A longer transaction is rolled back and unavailable (`isUnavailable`). Where
   * it is longer than the limit of statements, each of its statements may take as long.
   * `work` uses the database by `db` alone.
   */
  transaction<T>(work: (db: Db) => Promise<T>, options?: { timeout?: number }): Promise<T>;
  /**
   * Runs one read outside any transaction. It is prepared once per text unless `prepared` is false.
   * It goes to the driver directly, not through Prisma. Both databases return the same types:
   * number (also for int8), boolean, text (also for numeric and date), Date for timestamptz, array,
   * parsed JSON. A JSON parameter is passed as text.
   */
  query<T extends object = DatabaseRow>(
    text: string,
    values?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<T[]>;
  /**
   * Number of SQL statements sent so far through `prisma` and `query`, without BEGIN, COMMIT,
   * ROLLBACK and SET.
   */
  readonly statements: number;
  /**
   * Grows whenever this process may have changed rows: with each transaction that was committed,
   * and with each statement outside of one that is no plain SELECT.
   */
  readonly writes: number;
  /**
   * Connections of the pool of a server that are used and idle, the statements and transactions
   * that wait for one, and the maximum (DATABASE_POOL). Absent on the embedded database.
   */
  readonly connections?: ConnectionCounts;
  /** Rejects when the database does not answer within a second, whether or not a connection is free. */
  ping(): Promise<void>;
  /**
   * Returns one sentence that says that the database does not answer; undefined when it does. Takes
   * at most a second. Cheap enough for frequent calls.
   */
  trouble(): Promise<string | undefined>;
  /**
   * Returns one sentence that says why the database answers and takes no writes; undefined when it
   * takes them, or does not answer. Takes at most a second. Absent on the embedded database.
   */
  refusal?(): Promise<string | undefined>;
  /**
   * Waits for running work, then releases connections, files and the lock on the data directory.
   */
  close(): Promise<void>;
}

/** How many connections of a pool there are. */
export interface ConnectionCounts {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
  readonly most: number;
}

/** Options of `Database.query`. */
export interface QueryOptions {
  /**
   * False: the statement is planned each time. For statements whose best plan depends on their
   * values, or that have too many different texts.
   */
  prepared?: boolean;
  /**
   * The time that the statement may take. Throws TimeLimitError when it is used up, and PostgreSQL
   * stops the statement. The embedded database ignores it: it runs in this thread and cannot be
   * interrupted, and its time would include the time of other statements.
   */
  budget?: TimeBudget | undefined;
}

/** What a server is for: everything, reports about all members, or anonymous reads. */
export type ServerRole = 'primary' | 'reports' | 'reads';

/** How to open the database. */
export interface DatabaseOptions {
  /** Address of a PostgreSQL server. Without it the embedded database is opened. */
  url?: string;
  /** The data directory. The embedded database is in its folder `database`. */
  dataDir: string;
  /** Seconds to wait for a server at start (DATABASE_WAIT). */
  wait: number;
  /** Whether to apply pending migrations; the embedded database always does. */
  migrate: boolean;
  /**
   * Names of the migrations that the database shall have, for a backup of that state. Default: all.
   */
  migrations?: readonly string[];
  /** Whether it is opened to move another database into it, which may have been begun. */
  isMove?: boolean;
  /** Ends the wait for a server and its migrations, with its reason. What was applied stays. */
  stopping?: AbortSignal | undefined;
  /** Receives messages for operators; `error` is the cause, if there is one. */
  log?: (message: string, error?: unknown) => void;
  /** What messages and metrics call the server. Default: primary. */
  server?: ServerRole;
  /**
   * Maximum number of connections to the server (DATABASE_POOL, default 10), besides one that
   * watches the others.
   */
  poolSize?: number;
  /** Seconds that a statement may take on a server (DATABASE_STATEMENT_LIMIT, default 30). */
  statementLimit?: number;
  /**
   * Whether a pooler in transaction mode stands before the server (DATABASE_POOLER). `auto` detects
   * it.
   */
  pooler?: 'auto' | 'transaction' | 'none';
}
