import type { PrismaClient } from '../../generated/prisma/client.js';
import type { TimeBudget } from './time-budget.js';

export { isPassing, isRetryable, isUnavailable, isUniqueViolation, StartError } from './errors.js';
export { TimeBudget, TimeLimitError } from './time-budget.js';

export type Row = Record<string, unknown>;

/**
 * An open database: PGlite inside this process, or a PostgreSQL server. Both speak the same SQL and
 * hold the same schema.
 */
export interface Database {
  readonly kind: 'embedded' | 'server';
  /**
   * Its transactions may wait longer on the embedded database, where they queue. Never use it while
   * a transaction is open.
   */
  readonly prisma: PrismaClient;
  /**
   * One read outside any transaction, prepared once per text unless said otherwise. It goes to the
   * driver directly, not through Prisma. Values come back alike on both databases: numbers (int8
   * too), booleans, text (numeric and date too), Date for timestamptz, arrays, parsed JSON. A JSON
   * parameter is given as text.
   */
  query<T extends object = Row>(
    text: string,
    values?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<T[]>;
  /**
   * SQL statements sent so far, through prisma and query alike, without BEGIN, COMMIT, ROLLBACK and
   * SET.
   */
  readonly statements: number;
  /** Rejects when the database does not answer within a second. */
  ping(): Promise<void>;
  /**
   * Why it does not answer or takes no writes, in a sentence; undefined when it does both. Within
   * two seconds; cheap.
   */
  trouble(): Promise<string | undefined>;
  /**
   * Lets what runs finish and gives everything back: connections, files, the lock on the data
   * directory.
   */
  close(): Promise<void>;
}

export interface QueryOptions {
  /**
   * False for statements whose best plan depends on their values, or of which there are too many:
   * they are planned each time.
   */
  prepared?: boolean;
  /**
   * What the statement may take; throws TimeLimitError when that is spent, and PostgreSQL stops.
   * The embedded database keeps to no limit: it computes in this thread, where nothing can
   * interrupt it, and its time would hold the waiting for other statements.
   */
  budget?: TimeBudget | undefined;
}

export interface DatabaseOptions {
  /** Of a PostgreSQL server; without it the embedded database opens. */
  url?: string;
  /** Where the embedded database lives, in the folder `database` of it. */
  dataDir: string;
  /** Seconds to wait for a server at start (DATABASE_WAIT). */
  wait: number;
  /** Whether to apply pending migrations; the embedded database always does. */
  migrate: boolean;
  /** `error` is what a message is about, if it is about one. */
  log?: (message: string, error?: unknown) => void;
  /** Connections to the server at most (DATABASE_POOL, 10), besides one that watches over them. */
  poolSize?: number;
  /** Seconds that a statement may take on a server (DATABASE_STATEMENT_LIMIT, 30). */
  statementLimit?: number;
  /**
   * Whether a pooler in transaction mode stands before the server (DATABASE_POOLER); auto finds
   * out.
   */
  pooler?: 'auto' | 'transaction' | 'none';
}
