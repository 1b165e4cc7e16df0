import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Request } from 'express';
import type { GraphQLFormattedError } from 'graphql';
import { NO_SNIFFING } from '../platform/http/no-sniffing.js';
import { Recent } from '../platform/lru.js';

/** The media types of responses. The first is for who takes any. */
const TYPES = ['application/json', 'application/graphql-response+json'];
const ANY = 'application/json; charset=utf-8';
/** What was found for a header; a longer one is read anew with each request. */
const known = new Recent<string, string>(100);
const LONGEST_KNOWN = 200;

/**
 * Returns the media type of a response to who accepts these (GraphQL over HTTP, "Body"), with its
 * charset. Undefined for who accepts neither.
 */
export function typeFor(accept = '*/*'): string | undefined {
  if (accept === '*/*') return ANY;
  const before = known.get(accept);
  if (before) return before;
  const type = express.request.accepts.apply({ headers: { accept } } as Request, TYPES);
  if (!type) return undefined;
  const named = `${type}; charset=utf-8`;
  if (accept.length <= LONGEST_KNOWN) known.set(accept, named);
  return named;
}

/**
 * Answers a request that does not come as far as Apollo Server, in the media type that it accepts:
 * clients rely on the errors of a 4xx or 5xx only when the type says that they are GraphQL's.
 * `extensions` are those of the response.
 */
export function sendErrors(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  errors: readonly GraphQLFormattedError[],
  extensions?: object,
): void {
  const bytes = Buffer.from(JSON.stringify({ errors, extensions }));
  const type = typeFor(request.headers.accept) ?? ANY;
  const own = { 'Content-Type': type, 'Content-Length': bytes.length };
  response.writeHead(status, { ...NO_SNIFFING, ...headers, ...own });
  response.end(bytes);
}
