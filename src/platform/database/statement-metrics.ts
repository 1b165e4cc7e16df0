import {
  DriverAdapterError,
  isDriverAdapterError,
  type SqlDriverAdapter,
  type SqlDriverAdapterFactory,
  type SqlQuery,
  type SqlQueryable,
} from '@prisma/driver-adapter-utils';
import { inStatement } from '../tracing/tracing.js';

/**
 * Callbacks for each statement, and the test that recognises a lost connection by an error without
 * a code.
 */
export interface Observer {
  sent(): void;
  /** Called when rows may have changed: after COMMIT, and after a statement that is its own. */
  changed?(): void;
  isLost(error: unknown): boolean;
  /** One of `failed` and `succeeded` is called at the end of each statement. */
  failed?(error: unknown): void;
  succeeded?(): void;
}

/** Returns whether a statement only reads, as far as its first word says. */
export const isRead = (sql: string): boolean => /^\s*(?:SELECT|SHOW|EXPLAIN)\b/i.test(sql);

/** What only begins or ends a transaction, or sets something. */
export const TRANSACTION_CONTROL = /^\s*(?:BEGIN|COMMIT|ROLLBACK|SET|SAVEPOINT|RELEASE)\b/i;

/**
 * Wraps a driver adapter. It counts the statements that Prisma sends, without transaction control.
 * It also gives lost connections Prisma's code for them, because drivers throw plain errors there.
 */
export function observed(
  factory: SqlDriverAdapterFactory,
  observer: Observer,
): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter = observe(await factory.connect(), observer, observer.changed);
      const startTransaction = withErrorCode(adapter.startTransaction.bind(adapter), observer);
      return Object.assign<SqlDriverAdapter, Partial<SqlDriverAdapter>>(adapter, {
        startTransaction: async (isolation) => {
          const tx = observe(await startTransaction(isolation), observer);
          const commit = withErrorCode(tx.commit.bind(tx), observer);
          tx.commit = async () => {
            await commit();
            observer.changed?.();
          };
          return tx;
        },
      });
    },
  };
}

function observe<T extends SqlQueryable>(target: T, observer: Observer, changed?: () => void): T {
  const watched = <R>(run: (query: SqlQuery) => Promise<R>) => {
    const send = withErrorCode(run, observer);
    return async (query: SqlQuery) => {
      const isControl = TRANSACTION_CONTROL.test(query.sql);
      if (!isControl) observer.sent();
      const result = await (isControl ? send(query) : inStatement(query.sql, () => send(query)));
      if (changed && !isRead(query.sql)) changed();
      return result;
    };
  };
  target.queryRaw = watched(target.queryRaw.bind(target));
  target.executeRaw = watched(target.executeRaw.bind(target));
  return target;
}

function withErrorCode<A extends unknown[], R>(
  call: (...args: A) => Promise<R>,
  observer: Observer,
): (...args: A) => Promise<R> {
  return async (...args) => {
    try {
      const result = await call(...args);
      observer.succeeded?.();
      return result;
    } catch (error) {
      const reported =
        isDriverAdapterError(error) || !observer.isLost(error)
          ? error
          : new DriverAdapterError({ kind: 'ConnectionClosed' });
      observer.failed?.(reported);
      throw reported;
    }
  };
}
