import type { GraphQLRequestContextWillSendResponse } from '@apollo/server';
import type { RequestContext } from '../core/context.js';
import { statusOfMistakes, TOO_MANY } from './guard.js';
import { typeFor } from './refusing.js';

/** Seconds after which to try again when the database could not be reached. */
export const RETRY_AFTER = '1';

/** Codes of mistakes of the caller that show only when a field is resolved. */
const MISTAKES = new Set(['BAD_USER_INPUT', 'CURSOR_INVALID']);

/** A request whose response is about to be sent. */
export type Sending = GraphQLRequestContextWillSendResponse<RequestContext>;

/**
 * Sets the media type, the headers of the quota, and the status of a response that holds nothing:
 * 429 or 503 with Retry-After where a limit or the database is the cause and every root field is
 * null, so that proxies and clients that know no GraphQL try again; 400 where there are no data and
 * all errors are mistakes of the caller. Any other response is 200, although fields of it are null
 * (GraphQL over HTTP, "Status Codes"). Who names application/json gets 200 for mistakes.
 */
export function setResponseHeaders({
  contextValue,
  request,
  response: { http, body },
}: Sending): void {
  // Apollo refuses who accepts neither type, and would else negotiate with every request.
  const type = typeFor(request.http?.headers.get('accept'));
  if (type) http.headers.set('content-type', type);
  for (const [name, value] of Object.entries(contextValue.quota.headers()))
    http.headers.set(name.toLowerCase(), value);
  const { data, errors = [] } = body.kind === 'single' ? body.singleResult : {};
  if (data && Object.values(data).some((value) => value !== null)) return;
  const because = (code: string) => errors.find(({ extensions }) => extensions?.code === code);
  const limited = because(TOO_MANY);
  const passing = limited ?? because('UNAVAILABLE');
  if (passing) {
    http.status = limited ? 429 : 503;
    http.headers.set('retry-after', String(passing.extensions?.retryAfter ?? RETRY_AFTER));
  } else if (
    data === null &&
    errors.every(({ extensions }) => MISTAKES.has(String(extensions?.code)))
  ) {
    http.status = statusOfMistakes(request.http?.headers.get('accept'));
  }
}
