/**
 * The database could not be opened. The message is one sentence for the operator, without a
 * password.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The connection is lost, was not made in time, or is being closed. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code = 'CONNECTION';
}

/** A transaction was longer than its limit, and was rolled back. */
export class LateTransactionError extends ConnectionError {}

/**
 * Error codes that say that the database takes no writes for now, each with a sentence for
 * operators: classes 53 and 58 of SQLSTATE, and read-only.
 */
const unwritable: readonly (readonly [RegExp, string])[] = [
  [/^53100$/, 'The disk of the database is full.'],
  [/^53200$/, 'The database is out of memory.'],
  [/^25006$/, 'The database is read-only.'],
  [/^5[38](?!300)...$/, 'The database lacks what it needs for writing.'],
];

/**
 * Returns one sentence that says why the database takes no writes for now; undefined for errors
 * that do not say so.
 */
export function whyUnwritable(error: unknown): string | undefined {
  const codes = codesOf(error);
  return unwritable.find(([code]) => codes.some((each) => code.test(each)))?.[1];
}

/**
 * Codes that say that the database cannot be reached: ours, Prisma's, those of its adapters, and
 * SQLSTATE of PostgreSQL. Codes of the operating system are not included, because they may be about
 * a file or another service.
 */
const unavailable = new Set([
  'CONNECTION',
  'P1001', // cannot be reached
  'P1002', // reached, timed out
  'P1008', // operation timed out
  'P1017', // connection closed by the server
  'P2024', // no connection in time
  'P2028', // a transaction could not start, or did not end in time
  'P2037', // too many connections
  'ConnectionClosed',
  'DatabaseNotReachable',
  'SocketTimeout',
  'TooManyConnections',
  '53300', // too many connections
  '55P03', // a lock was not had in time
  'LockNotAvailable',
  '57P01', // admin shutdown
  '57P02', // crash shutdown
  '57P03', // starting up
  '57P05', // idle session timeout
]);

/**
 * Returns true for errors that say that the database is unreachable, lost, shutting down, or takes
 * no writes (disk full, out of memory, read-only). Handles errors of Prisma and of direct queries.
 * The faces answer 503 with Retry-After.
 */
export function isUnavailable(error: unknown): boolean {
  return (
    codesOf(error).some((code) => unavailable.has(code) || /^08...$/.test(code)) ||
    whyUnwritable(error) !== undefined
  );
}

/** Returns true for the violation of a unique constraint or unique index. */
export function isUniqueViolation(error: unknown): boolean {
  return codesOf(error).some((code) =>
    ['P2002', '23505', 'UniqueConstraintViolation'].includes(code),
  );
}

const OVERTAKEN: ReadonlySet<string> = new Set([
  'P2003', // a row that is referred to is gone
  '23503',
  'ForeignKeyConstraintViolation',
  'P2025', // the row is gone
]);

/**
 * Returns true when another transaction may have made or removed a row since this one looked for
 * it: a second run then sees that.
 */
export function isOvertaken(error: unknown): boolean {
  return isUniqueViolation(error) || codesOf(error).some((code) => OVERTAKEN.has(code));
}

/** Returns true when a lock could not be taken within lock_timeout. */
export function isLockTimeout(error: unknown): boolean {
  return codesOf(error).some((code) => ['55P03', 'LockNotAvailable'].includes(code));
}

/**
 * Returns true for a statement that was cancelled by its caller, an operator, or a time limit of
 * the server.
 */
export function isCancelled(error: unknown): boolean {
  return codesOf(error).includes('57014');
}

/**
 * Returns true when a statement or a transaction met its time limit: a smaller one may succeed.
 */
export function isTooLong(error: unknown): boolean {
  return isCancelled(error) || error instanceof LateTransactionError;
}

/**
 * Returns true when a prepared statement was refused since a migration has changed its columns; also for
 * what PostgreSQL does not support, which the code says as well.
 */
export const hasOtherColumns = (error: unknown): boolean => codesOf(error).includes('0A000');

/**
 * Returns true when the same transaction may succeed in a second run: serialization failure or
 * deadlock.
 */
export function isRetryable(error: unknown): boolean {
  return codesOf(error).some((code) =>
    ['P2034', '40001', '40P01', 'TransactionWriteConflict'].includes(code),
  );
}

/**
 * Returns true for temporary errors of the server that have nothing to do with the statement
 * itself: unreachable, conflict with another transaction, out of resources (class 53), interrupted
 * by an operator or a time limit (57), system error (58), or read-only as during a failover
 * (25006). The same statement may succeed later.
 */
export function isPassing(error: unknown): boolean {
  return (
    isUnavailable(error) ||
    isRetryable(error) ||
    codesOf(error).some((code) => /^5[378]...$/.test(code))
  );
}

/**
 * Returns true for temporary errors that no row and no size of the work causes: other work fails
 * too.
 */
export function isOutage(error: unknown): boolean {
  return isPassing(error) && !isTooLong(error);
}

/**
 * Returns every code of an error: its own, and those that Prisma puts under `meta` and its driver
 * adapters put under `cause`.
 */
function codesOf(error: unknown, depth = 4): string[] {
  if (typeof error !== 'object' || error === null || depth === 0) return [];
  const { code, kind, originalCode, cause, meta } = error as Record<string, unknown>;
  const own = [code, kind, originalCode].filter((value) => typeof value === 'string');
  return [
    ...own,
    ...codesOf(cause, depth - 1),
    ...codesOf((meta as { driverAdapterError?: unknown })?.driverAdapterError, depth - 1),
  ];
}
