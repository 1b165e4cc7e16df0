import type { Deprecated } from './router.js';

/**
 * Returns the headers of a response of a deprecated route: Deprecation as an instant in seconds
 * (RFC 9745), Sunset as an HTTP date (RFC 8594). None for other routes.
 */
export function deprecationHeaders(deprecated: Deprecated | undefined): Record<string, string> {
  if (!deprecated) return {};
  const { since, sunset } = deprecated;
  return {
    Deprecation: `@${Date.parse(since) / 1000}`,
    ...(sunset && { Sunset: new Date(sunset).toUTCString() }),
  };
}
