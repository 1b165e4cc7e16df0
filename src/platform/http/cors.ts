/** What other origins may send and read, besides what browsers always allow. */
const EXPOSED =
  'X-WP-Total, X-WP-TotalPages, Link, GraphQL-Operation, RateLimit, Retry-After, ETag, ' +
  'Deprecation, Sunset';
const ACCEPTED =
  'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, Idempotency-Key, ' +
  'Refresh-Token, Time-Zone';
const METHODS = 'OPTIONS, GET, POST, PUT, PATCH, DELETE';

/** Headers of every response of an API, for all callers. */
export const CORS_ALWAYS = {
  'Access-Control-Expose-Headers': EXPOSED,
  'Access-Control-Allow-Headers': ACCEPTED,
} as const;

/**
 * Returns the headers for a request from an origin. A listed origin may read the response, but the
 * browser never sends its own credentials.
 */
export function corsFor(
  origin: string | undefined,
  listed: readonly string[],
): Record<string, string> {
  if (!origin || !listed.includes(origin)) return {};
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': METHODS,
    'Access-Control-Max-Age': '600',
  };
}
