import {
  DriverAdapterError,
  isDriverAdapterError,
  type SqlDriverAdapter,
  type SqlDriverAdapterFactory,
  type SqlQueryable,
} from '@prisma/driver-adapter-utils';

/**
 * What is told about each statement, and how an error without a code is recognised as a lost
 * connection.
 */
export interface Observer {
  sent(): void;
  isLost(error: unknown): boolean;
  /** Each statement ends with one of these. */
  failed?(error: unknown): void;
  succeeded?(): void;
}

const control = /^\s*(?:BEGIN|COMMIT|ROLLBACK|SET|SAVEPOINT|RELEASE)\b/i;

/**
 * A driver adapter that counts the statements Prisma sends (transaction control apart), and gives a
 * lost connection the code that Prisma has for it: drivers throw plain errors there.
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
      const startTransaction = coded(adapter.startTransaction.bind(adapter), observer);
      return Object.assign<SqlDriverAdapter, Partial<SqlDriverAdapter>>(adapter, {
        startTransaction: async (isolation) => {
          const tx = observe(await startTransaction(isolation), observer);
          tx.commit = coded(tx.commit.bind(tx), observer);
          return tx;
        },
      });
    },
  };
}

function observe<T extends SqlQueryable>(target: T, observer: Observer): T {
  const queryRaw = coded(target.queryRaw.bind(target), observer);
  const executeRaw = coded(target.executeRaw.bind(target), observer);
  target.queryRaw = (query) => {
    if (!control.test(query.sql)) observer.sent();
    return queryRaw(query);
  };
  target.executeRaw = (query) => {
    if (!control.test(query.sql)) observer.sent();
    return executeRaw(query);
  };
  return target;
}

function coded<A extends unknown[], R>(
  call: (...args: A) => Promise<R>,
  observer: Observer,
): (...args: A) => Promise<R> {
  return async (...args) => {
    try {
      const answer = await call(...args);
      observer.succeeded?.();
      return answer;
    } catch (error) {
      const told =
        isDriverAdapterError(error) || !observer.isLost(error)
          ? error
          : new DriverAdapterError({ kind: 'ConnectionClosed' });
      observer.failed?.(told);
      throw told;
    }
  };
}
