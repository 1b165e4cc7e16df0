import type { IncomingMessage, ServerResponse } from 'node:http';
import { asksOpenly, SHARED } from '../core/response-cache.js';
import { isKnown, tagOf } from '../platform/http/etag.js';
import { addHeaders, EncodedBody, type HeaderList, sendBody } from '../platform/http/send.js';
import { typeFor } from './refusing.js';

/** The only type of a body that a GET may name, though it has none. */
const JSON_TYPE = 'application/json';

/** A response that every anonymous caller gets alike, as finished bytes. */
export interface KeptOperation {
  readonly body: EncodedBody;
  readonly tag: string;
  /** Its headers, without those that depend on the caller's origin and quota. */
  readonly headers: Readonly<Record<string, string>>;
  /** What the log calls it. */
  readonly operation: string | undefined;
}

/**
 * Returns where the response to a request is kept: by address and media type. Undefined for one
 * that may not get a cached response: it brings credentials, a zone or a type that is refused, is
 * no GET, or could be sent by any page without asking (the GraphQL over HTTP of Apollo Server,
 * "CSRF prevention").
 */
export function keyOf(request: IncomingMessage): string | undefined {
  const { method, headers, url } = request;
  if (method !== 'GET' || !asksOpenly(request) || headers.accept?.includes('text/'))
    return undefined;
  const { 'content-type': sent = JSON_TYPE } = headers;
  const asksFirst =
    headers['apollo-require-preflight'] ||
    headers['x-apollo-operation-name'] ||
    headers['content-type'] === JSON_TYPE;
  const type = typeFor(headers.accept);
  return asksFirst && type && sent === JSON_TYPE ? `${type} ${url}` : undefined;
}

/** Whether caches may keep a response. */
export const isKeepable = (status: number, headers: Readonly<Record<string, string>>) =>
  status === 200 && headers['Cache-Control'] === SHARED;

/** Headers of a response that every caller gets alike. */
const COMMON = ['Content-Type', 'Cache-Control', 'Vary'] as const;

/** Returns a response as it is kept. */
export function keptOf(
  headers: Readonly<Record<string, string>>,
  text: string,
  operation: string | undefined,
): KeptOperation {
  const tag = tagOf(text);
  const common = COMMON.map((name) => [name, headers[name] as string]);
  const own = { ...Object.fromEntries(common), ETag: tag };
  return { body: new EncodedBody(text), tag, headers: own, operation };
}

/** Sends a response, or 304 to who has it already. Returns the status. */
export async function sendKept(
  request: IncomingMessage,
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  kept: KeptOperation,
): Promise<number> {
  const status = isKnown(request.headers['if-none-match'], kept.tag) ? 304 : 200;
  const list: HeaderList = [];
  addHeaders(list, { ...headers, ...kept.headers });
  await sendBody(request, response, status, list, kept.body);
  return status;
}
