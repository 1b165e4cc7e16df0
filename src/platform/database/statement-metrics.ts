import {
  DriverAdapterError,
  isDriverAdapterError,
  type SqlDriverAdapter,
  type SqlDriverAdapterFactory,
  type SqlQueryable,
} from '@prisma/driver-adapter-utils';

/**
 * Callbacks for each statement, and the test that recognises a lost connection by an error without
 * a code.
 */
export interface Observer {
  sent(): void;
  isLost(error: unknown): boolean;
  /** One of `failed` and `succeeded` is called at the end of each statement. */
  failed?(error: unknown): void;
  succeeded?(): void;
}

const TRANSACTION_CONTROL = /^\s*(?:BEGIN|COMMIT|ROLLBACK|SET|SAVEPOINT|RELEASE)\b/i;

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
      const adapter = observe(await factory.connect(), observer);
      const startTransaction = withErrorCode(adapter.startTransaction.bind(adapter), observer);
      return Object.assign<SqlDriverAdapter, Partial<SqlDriverAdapter>>(adapter, {
        startTransaction: async (isolation) => {
          const tx = observe(await startTransaction(isolation), observer);
          tx.commit = withErrorCode(tx.commit.bind(tx), observer);
          return tx;
        },
      });
    },
  };
}

function observe<T extends SqlQueryable>(target: T, observer: Observer): T {
  const queryRaw = withErrorCode(target.queryRaw.bind(target), observer);
  const executeRaw = withErrorCode(target.executeRaw.bind(target), observer);
  target.queryRaw = (query) => {
    if (!TRANSACTION_CONTROL.test(query.sql)) observer.sent();
    return queryRaw(query);
  };
  target.executeRaw = (query) => {
    if (!TRANSACTION_CONTROL.test(query.sql)) observer.sent();
    return executeRaw(query);
  };
  return target;
}

function withErrorCode<A extends unknown[], R>(
  call: (...args: A) => Promise<R>,
  observer: Observer,
): (...args: A) => Promise<R> {
  return async (...args) => {
    try {
      const answer = await call(...args);
      observer.succeeded?.();
      return answer;
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
