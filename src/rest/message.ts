import type { Parameters } from './query.js';

/** Edition A stands at /api, edition B at /v3/api. */
export type Edition = 'A' | 'B';

/** A request as a plain value: nothing here knows HTTP. */
export interface RestRequest {
  readonly edition: Edition;
  readonly method: string;
  /** Below the API's root, percent-decoded, beginning with a slash. */
  readonly path: string;
  readonly query: Parameters;
  readonly json?: Parameters | undefined;
  readonly form?: Parameters | undefined;
  /**
   * A body that could not be read, or too many parameters. It counts after the route, before the
   * parameters.
   */
  readonly bodyFailure?: Failure | undefined;
}

/** A response as a plain value. Names of headers are as they are sent. */
export interface RestResponse {
  status: number;
  headers: Record<string, string | number>;
  body: unknown;
  /** Whether all anonymous callers get the same until content changes. */
  isPublic?: true;
  /** The body as it is sent, when it is not JSON. An envelope contains `body` instead. */
  text?: string;
  /** The body as finished JSON in UTF-8; then `body` is undefined. Of a list or an item alone. */
  bytes?: Buffer;
}

/** An error as the caller gets it. */
export interface Failure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

export function failure(
  status: number,
  code: string,
  message: string,
  data?: Record<string, unknown>,
): Failure {
  return { status, code, message, data };
}

/** Temporary failures, with the seconds after which to retry. */
const PASSING: Readonly<Record<string, number>> = {
  service_unavailable: 1,
  idempotency_key_in_use: 1,
  provider_unavailable: 5,
};

/** Returns a failure as a response: code, message, data with the status. */
export function failureResponse({ status, code, message, data }: Failure): RestResponse {
  const seconds = PASSING[code] ?? (status === 429 ? Number(data?.retryAfter) : undefined);
  return {
    status,
    headers: seconds ? { 'Retry-After': seconds } : {},
    body: { code, message, data: { status, ...data } },
  };
}
