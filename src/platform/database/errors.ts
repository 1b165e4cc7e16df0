/**
 * Why the database could not be opened, in one sentence for the operator. It never holds a
 * password.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The connection is lost, could not be made in time, or is being closed. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code = 'CONNECTION';
}

/**
 * What says that the database takes no writes for now, with a sentence for operators: classes 53
 * and 58 of SQLSTATE, and read-only.
 */
const unwritable: readonly (readonly [RegExp, string])[] = [
  [/^53100$/, 'The disk of the database is full.'],
  [/^53200$/, 'The database is out of memory.'],
  [/^25006$/, 'The database is read-only.'],
  [/^5[38](?!300)...$/, 'The database lacks what it needs for writing.'],
];

/**
 * Why the database takes no writes for now, as an error says it, in a sentence; undefined for other
 * errors.
 */
export function whyUnwritable(error: unknown): string | undefined {
  const codes = codesOf(error);
  return unwritable.find(([code]) => codes.some((each) => code.test(each)))?.[1];
}

/**
 * What says that the database cannot be reached: our code, Prisma's codes, what its adapters name
 * so, and PostgreSQL's SQLSTATE. Codes of the operating system are not among them: they may be
 * about a file or another service.
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
  '57P01', // admin shutdown
  '57P02', // crash shutdown
  '57P03', // starting up
  '57P05', // idle session timeout
]);

/**
 * True for errors that say the database is unreachable, lost, shutting down, or takes no writes
 * (disk full, out of memory, read-only), from Prisma and direct queries alike. Faces answer 503
 * with Retry-After.
 */
export function isUnavailable(error: unknown): boolean {
  return (
    codesOf(error).some((code) => unavailable.has(code) || /^08...$/.test(code)) ||
    whyUnwritable(error) !== undefined
  );
}

/** True for the violation of a unique constraint or unique index. */
export function isUniqueViolation(error: unknown): boolean {
  return codesOf(error).some((code) =>
    ['P2002', '23505', 'UniqueConstraintViolation'].includes(code),
  );
}

/** True when a lock that others hold was not to be had in the time of lock_timeout. */
export function isLockTimeout(error: unknown): boolean {
  return codesOf(error).some((code) => ['55P03', 'LockNotAvailable'].includes(code));
}

/**
 * True for a statement that was cancelled: by whoever asked for it, an operator, or a time limit of
 * the server.
 */
export function isCancelled(error: unknown): boolean {
  return codesOf(error).includes('57014');
}

/**
 * True when the same transaction may succeed if it is run again: serialization failure or deadlock.
 */
export function isRetryable(error: unknown): boolean {
  return codesOf(error).some((code) =>
    ['P2034', '40001', '40P01', 'TransactionWriteConflict'].includes(code),
  );
}

/**
 * True for errors that are about the server and the moment, and not about what was asked:
 * unreachable, in conflict with another transaction, out of resources (class 53), interrupted by an
 * operator or a time limit (57), broken (58), or read-only as during a failover (25006). The same
 * may succeed later.
 */
export function isPassing(error: unknown): boolean {
  return (
    isUnavailable(error) ||
    isRetryable(error) ||
    codesOf(error).some((code) => /^5[378]...$/.test(code))
  );
}

/**
 * Every code an error carries: its own, and those that Prisma puts under `meta` and its driver
 * adapters under `cause`.
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
