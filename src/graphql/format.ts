import { GraphQLError, type GraphQLFormattedError, isValueNode } from 'graphql';
import type { App } from '../app/app.js';
import { DomainError } from '../core/errors.js';
import { isCancelled, isRetryable, isUnavailable } from '../platform/database/database.js';
import { StorageOutage } from '../platform/storage/storage.js';

const ASKED_WRONGLY = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_REQUEST',
  'PERSISTED_QUERY_NOT_FOUND',
  'DOCUMENT_NOT_REGISTERED',
]);

/** The error of whatever needs the database while it cannot be reached. */
export const UNAVAILABLE: GraphQLFormattedError = {
  message: 'The service cannot reach its database. Try again soon.',
  extensions: { code: 'UNAVAILABLE' },
};
const STORAGE_OUT: GraphQLFormattedError = {
  message: 'The service cannot reach the storage of its files. Try again soon.',
  extensions: { code: 'UNAVAILABLE' },
};
const BUSY: GraphQLFormattedError = {
  message: 'The database is busy. Try again soon.',
  extensions: { code: 'UNAVAILABLE' },
};

/**
 * Shortens a message that quotes what was sent to its beginning and its end, which says what is
 * expected.
 */
const shortened = (message: string) =>
  message.length > 1_000 ? `${message.slice(0, 500)} … ${message.slice(-400)}` : message;

const causeOf = (error: unknown): unknown =>
  error instanceof GraphQLError && error.originalError ? error.originalError : error;

/** Returns whether an error is shown as UNAVAILABLE: the same may succeed a moment later. */
export function isOutage(error: unknown): boolean {
  const cause = causeOf(error);
  return isUnavailable(cause) || cause instanceof StorageOutage || isBusy(cause);
}

const isBusy = (cause: unknown) => isCancelled(cause) || isRetryable(cause);

/** The code by which Apollo Server tells errors that have none. */
const UNCODED = 'INTERNAL_SERVER_ERROR';

/**
 * Returns the code of an error that has none and is a mistake of the caller: one that points at a
 * value of the document, where graphql-js found that an argument does not fit, or one for which
 * Apollo Server answers 4xx.
 */
function codeOfMistake(error: unknown): string | undefined {
  if (!(error instanceof GraphQLError)) return undefined;
  if (error.nodes?.some(isValueNode)) return 'BAD_USER_INPUT';
  const { status = 500 } = (error.extensions.http ?? {}) as { readonly status?: number };
  return status >= 400 && status < 500 ? 'BAD_REQUEST' : undefined;
}

/**
 * Returns an error as the caller sees it: refusals and mistakes as they are. Any other error is
 * logged and shown as INTERNAL_ERROR, or as UNAVAILABLE without the database, without the storage of
 * files, or when the database was too busy for a statement.
 */
export function format(
  formatted: GraphQLFormattedError,
  error: unknown,
  { deps }: App,
): GraphQLFormattedError {
  const cause = causeOf(error);
  const own = String(formatted.extensions?.code ?? UNCODED);
  const code = own === UNCODED ? codeOfMistake(error) : own;
  const { locations, path } = formatted;
  const message = shortened(formatted.message);
  const place = { ...(locations && { locations }), ...(path && { path }) };
  if (cause instanceof DomainError)
    return { message, ...place, extensions: { ...cause.extensions } };
  if (code && (ASKED_WRONGLY.has(code) || cause instanceof GraphQLError)) {
    const problems = formatted.extensions?.problems;
    return { message, ...place, extensions: { code, ...(problems ? { problems } : {}) } };
  }
  if (isUnavailable(cause)) return { ...UNAVAILABLE, ...place };
  deps.log.error({ err: cause }, 'request failed');
  if (cause instanceof StorageOutage) return { ...STORAGE_OUT, ...place };
  if (isBusy(cause)) return { ...BUSY, ...place };
  return {
    message: 'Something went wrong on our side. The error has been recorded.',
    ...place,
    extensions: { code: 'INTERNAL_ERROR' },
  };
}
