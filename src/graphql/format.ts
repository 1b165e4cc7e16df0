import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { App } from '../app/app.js';
import { DomainError } from '../core/errors.js';
import { isUnavailable } from '../platform/database/database.js';

const ASKED_WRONGLY = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_REQUEST',
  'PERSISTED_QUERY_NOT_FOUND',
]);

/** The error of whatever needs the database while it cannot be reached. */
export const UNAVAILABLE: GraphQLFormattedError = {
  message: 'The service cannot reach its database. Try again soon.',
  extensions: { code: 'UNAVAILABLE' },
};

/**
 * Shortens a message that quotes what was sent to its beginning and its end, which says what is
 * expected.
 */
const shortened = (message: string) =>
  message.length > 1_000 ? `${message.slice(0, 500)} … ${message.slice(-400)}` : message;

/**
 * Returns an error as the caller sees it: refusals and mistakes as they are. Any other error is
 * logged and shown as INTERNAL_ERROR, or as UNAVAILABLE without the database.
 */
export function format(
  formatted: GraphQLFormattedError,
  error: unknown,
  { deps }: App,
): GraphQLFormattedError {
  const cause = error instanceof GraphQLError && error.originalError ? error.originalError : error;
  const code = String(formatted.extensions?.code ?? '');
  const { locations, path } = formatted;
  const message = shortened(formatted.message);
  const place = { ...(locations && { locations }), ...(path && { path }) };
  if (cause instanceof DomainError)
    return { message, ...place, extensions: { ...cause.extensions } };
  const planned =
    ASKED_WRONGLY.has(code) || (cause instanceof GraphQLError && code !== 'INTERNAL_SERVER_ERROR');
  if (planned) {
    const problems = formatted.extensions?.problems;
    const extensions = { code: code || 'BAD_USER_INPUT', ...(problems ? { problems } : {}) };
    return { message, ...place, extensions };
  }
  if (isUnavailable(cause)) return { ...UNAVAILABLE, ...place };
  deps.log.error({ err: cause }, 'request failed');
  return {
    message: 'Something went wrong on our side. The error has been recorded.',
    ...place,
    extensions: { code: 'INTERNAL_ERROR' },
  };
}
