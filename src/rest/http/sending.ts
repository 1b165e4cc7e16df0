import type { IncomingMessage, ServerResponse } from 'node:http';
import { pointsOfAnswer, type Quota } from '../../core/quota.js';
import { asksOpenly, SHARED } from '../../core/response-cache.js';
import { CORS_ALWAYS, corsFor } from '../../platform/http/cors.js';
import { isKnown, sendsBody } from '../../platform/http/etag.js';
import { NO_SNIFFING } from '../../platform/http/no-sniffing.js';
import { jsonPartsWithin } from '../../platform/http/response-size.js';
import {
  addHeaders,
  type Body,
  bytesIn,
  type HeaderList,
  isRead,
  sendBody,
} from '../../platform/http/send.js';
import { failure, failureResponse, type RestResponse } from '../message.js';
import { type CachedResponse, cachedResponse, tagOf } from './cached-response.js';
import type { Labels } from './request-log.js';

const ALWAYS = {
  'Content-Type': 'application/json; charset=UTF-8',
  'X-Robots-Tag': 'noindex',
  ...NO_SNIFFING,
  ...CORS_ALWAYS,
} as const;
const PRIVATE = {
  Expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
  'Cache-Control': 'no-cache, must-revalidate, max-age=0, no-store, private',
} as const;

/** `Cache-Control` of public content for who brought a password, a zone or broken credentials. */
const PERSONAL = 'private, no-cache';

/**
 * The headers of a request that public content depends on: who brings them gets other responses.
 */
const VARY = 'Origin, Authorization, Time-Zone';

/** A response, and to whom it goes. */
export interface Reply {
  readonly answered: RestResponse;
  readonly signedIn: boolean;
  readonly quota: Quota;
  /** The same response as finished bytes. */
  readonly kept?: CachedResponse | undefined;
}

/** What a response says of the service. */
interface Service {
  /** Address of the API. */
  readonly root: string;
  /** Browser origins that may call it. */
  readonly origins: readonly string[];
}

/**
 * Sends a response. An anonymous GET or HEAD gets an ETag, and 304 when the caller has the body
 * already. Returns the status and the number of bytes that were sent.
 */
export async function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  labels: Labels,
  service: Service,
): Promise<{ status: number; bytes: number }> {
  const { signedIn, quota, kept } = reply;
  let { answered } = reply;
  let written: Body | undefined;
  if (!kept) {
    written = writtenOf(request, answered);
    if (written === undefined) {
      answered = failureResponse(RESPONSE_TOO_LARGE);
      written = JSON.stringify(answered.body);
    }
  }
  const made = encoded(written ?? '');
  const isTagged = !signedIn && isRead(request) && answered.status === 200;
  const tag = kept ? kept.tag : isTagged ? tagOf(answered, made) : undefined;
  // What was made is paid for; what was kept costs what is sent of it.
  if (!kept) await quota.owe(pointsOfAnswer(bytesIn(made)));
  else if (sendsBody(request, kept.tag)) await quota.owe(pointsOfAnswer(kept.body.plain.length));
  const make = () => headersOf(request, answered, signedIn, labels, service, tag);
  const isPlain = request.headers.origin === undefined && !request.headers[OVERRIDE];
  if (kept && isPlain) kept.head ??= make();
  const headers = kept?.head && isPlain ? [...kept.head] : make();
  addHeaders(headers, quota.headers());
  const status = tag && isKnown(request.headers['if-none-match'], tag) ? 304 : answered.status;
  const bytes = await sendBody(request, response, status, headers, kept?.body ?? made);
  return { status, bytes };
}

/** Characters from which a text is encoded once, for its tag, its length and the socket. */
const LONG = 8 * 1024;
const encoded = (body: Body) =>
  typeof body === 'string' && body.length >= LONG ? Buffer.from(body) : body;

/**
 * Returns a response as finished bytes; undefined for one that not all anonymous callers get, or
 * that is too large to be sent.
 */
export function keepable(
  request: IncomingMessage,
  { answered, signedIn }: Reply,
  labels: Labels,
): CachedResponse | undefined {
  if (!answered.isPublic || signedIn || answered.status !== 200) return undefined;
  const written = writtenOf(request, answered);
  return written === undefined ? undefined : cachedResponse(answered, labels, written);
}

/**
 * Returns the body as it is sent; undefined for one above 16 MiB that answers a read. A change is
 * answered whatever its size: the body is one item, whose texts are bounded, or a batch, which
 * stops at 16 MiB.
 */
function writtenOf(
  request: IncomingMessage,
  { text, bytes, body }: RestResponse,
): Body | undefined {
  if (bytes) return bytes;
  if (text !== undefined || body === undefined) return text ?? '';
  return isRead(request) ? jsonPartsWithin(body) : JSON.stringify(body);
}

const RESPONSE_TOO_LARGE = failure(
  400,
  'rest_response_too_large',
  'The response would have more than 16 MiB. Ask for fewer items by per_page, or for fewer ' +
    'fields by _fields.',
);

const OVERRIDE = 'x-http-method-override';

/** Returns the headers of a response: common ones and its own, which may replace common ones. */
function headersOf(
  request: IncomingMessage,
  { status, headers: own, isPublic }: RestResponse,
  signedIn: boolean,
  { operation }: Labels,
  { root, origins }: Service,
  tag: string | undefined,
): HeaderList {
  const { origin, [OVERRIDE]: override } = request.headers;
  const all: HeaderList = [];
  const add = (name: string, value: string) => {
    if (!(name in own)) all.push(name, value);
  };
  for (const name in ALWAYS) add(name, ALWAYS[name as keyof typeof ALWAYS]);
  add('Link', `<${root}/>; rel="https://api.w.org/"`);
  if (operation) add('GraphQL-Operation', operation);
  if (!signedIn || origin) add('Vary', isPublic && !signedIn ? VARY : 'Origin');
  if (origin) addHeaders(all, corsFor(origin, origins));
  if (status === 413) add('Connection', 'close');
  if (tag) add('ETag', tag);
  const isOpen = isPublic && !signedIn && asksOpenly(request);
  if (isOpen) all.push('Cache-Control', SHARED);
  else if (signedIn || (override && status >= 400))
    for (const name in PRIVATE) add(name, PRIVATE[name as keyof typeof PRIVATE]);
  else if (isPublic) add('Cache-Control', PERSONAL);
  for (const name in own)
    if (!(isOpen && name === 'Cache-Control')) all.push(name, own[name] as string | number);
  return all;
}
