/** Why the database could not be opened, in one sentence for the operator. It never holds a password. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The connection is lost, could not be made in time, or is being closed. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code = 'CONNECTION';
}

/** Codes that say the database cannot be reached: ours, Prisma's, the operating system's and PostgreSQL's. */
const unavailable = new Set([
  'CONNECTION',
  'P1001', // cannot be reached
  'P1002', // reached, timed out
  'P1008', // operation timed out
  'P1017', // connection closed by the server
  'P2024', // no connection in time
  'P2028', // a transaction could not start, or did not end in time
  'P2037', // too many connections
  'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT',
  '53300', // too many connections
  '57P01', // admin shutdown
  '57P02', // crash shutdown
  '57P03', // starting up
  '57P05', // idle session timeout
]);

/** True for errors that say the database is unreachable, lost or shutting down, from Prisma and direct queries alike. */
export function isUnavailable(error: unknown): boolean {
  return codesOf(error).some((code) => unavailable.has(code) || /^08...$/.test(code));
}

/** True for the violation of a unique constraint or unique index. */
export function isUniqueViolation(error: unknown): boolean {
  return codesOf(error).some((code) => code === 'P2002' || code === '23505');
}

/** True when the same transaction may succeed if it is run again: serialization failure or deadlock. */
export function isRetryable(error: unknown): boolean {
  return codesOf(error).some((code) => code === 'P2034' || code === '40001' || code === '40P01');
}

/** Every code an error carries: its own, and those that Prisma puts under `meta` and its driver adapters under `cause`. */
function codesOf(error: unknown, depth = 4): string[] {
  if (typeof error !== 'object' || error === null || depth === 0) return [];
  const { code, originalCode, cause, meta } = error as Record<string, unknown>;
  const inner = typeof meta === 'object' && meta !== null ? (meta as Record<string, unknown>)['driverAdapterError'] : undefined;
  const own = [code, originalCode].filter((value) => typeof value === 'string');
  return [...own, ...codesOf(cause, depth - 1), ...codesOf(inner, depth - 1)];
}
