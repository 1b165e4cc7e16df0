import type { IncomingMessage } from 'node:http';
import { type ParsedUrlQuery, parse } from 'node:querystring';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { idempotencyKeyOf } from '../app/incoming.js';
import type { RequestContext } from '../core/context.js';
import type { Refusal } from '../core/errors.js';
import { pointsOfBody, Quota } from '../core/quota.js';
import { isUnavailable } from '../platform/database/database.js';
import { isBounded } from './document-variables.js';
import { UNAVAILABLE } from './format.js';
import type { PersistedDocuments } from './persisted-documents.js';
import { mistakeIn, namedById, type RawParams } from './request-mistakes.js';
import { RETRY_AFTER } from './response-headers.js';

/** A request to GraphQL that may be answered. */
export interface Asking {
  readonly request: IncomingMessage;
  readonly made: Promise<RequestContext>;
  /** Headers of its response, whatever that is. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its query string with the question mark; empty without one. */
  readonly search: string;
  /** The JSON of its body; undefined without one. */
  readonly body: unknown;
}

/** What is known of a request before its body is read. */
interface Arrived {
  /** What its response says of the quota. */
  readonly headers: Readonly<Record<string, string>>;
  /** Why it is not answered. */
  readonly refused?: {
    readonly status: 429 | 503;
    readonly error: GraphQLFormattedError;
    /** The `extensions` of the response. */
    readonly extensions?: object;
  };
}

/**
 * Charges the quota for the arrival of a request, and refuses it: with 429 when that is spent, with
 * 503 when the database cannot be reached. Apollo answers for a context that could not be made for
 * another reason.
 */
export async function arrive(made: Promise<RequestContext>): Promise<Arrived> {
  let quota: Quota;
  try {
    ({ quota } = await made);
  } catch (error) {
    if (!isUnavailable(error)) return { headers: {} };
    const refused = { status: 503, error: UNAVAILABLE } as const;
    return { headers: { 'Retry-After': RETRY_AFTER }, refused };
  }
  return pay(quota);
}

/** Charges a quota for the arrival of a request, and refuses it with 429 when that is spent. */
export async function pay(quota: Quota): Promise<Arrived> {
  return told(quota, await quota.arrive());
}

/** Charges the quota for the bytes and names of a body, and refuses it with 429 when that is spent. */
export async function payForBody(
  made: Promise<RequestContext>,
  bytes: number,
  names: number,
): Promise<(Arrived['refused'] & { readonly headers: Arrived['headers'] }) | undefined> {
  const quota = (await made.catch(() => undefined))?.quota ?? Quota.BOUNDLESS;
  const { refused, headers } = told(quota, await quota.add(pointsOfBody(bytes, names)));
  return refused && { ...refused, headers };
}

/** Returns what the quota of a request says after the last charge. */
export const quotaHeaders = async (made: Promise<RequestContext>) =>
  (await made.catch(() => undefined))?.quota.headers() ?? {};

/** Returns what is told of a quota, and of a refusal because of it. */
function told(quota: Quota, spent: Refusal | undefined): Arrived {
  const headers = quota.headers();
  if (!spent) return { headers };
  const { reason, message, detail } = spent;
  const error = { message, extensions: { code: reason, ...detail } };
  return {
    headers: { ...headers, 'Retry-After': String(detail?.retryAfter) },
    refused: { status: 429, error, extensions: { cost: quota.cost() } },
  };
}

/**
 * Returns the context of a request, under its Idempotency-Key. Throws BAD_REQUEST for mistakes in
 * what came beside the document: Apollo names no place of them.
 */
export async function contextOf(
  asking: Asking,
  persisted: PersistedDocuments,
): Promise<RequestContext> {
  const context = await asking.made;
  // Apollo refuses other methods.
  const mistake = ['GET', 'POST'].includes(asking.request.method ?? '')
    ? mistakeIn(askedOf(asking))
    : undefined;
  if (mistake) throw mistake;
  return context.under(orBadRequest(() => keyOf(asking, persisted)));
}

/** Makes a refusal 400: Apollo answers 500 when no context can be made. */
function orBadRequest<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const extensions = { ...error.extensions, http: { status: 400 } };
    throw new GraphQLError(error.message, { extensions });
  }
}

/** Returns what a request asks: by its query string, or by the JSON of its body. */
export const askedOf = ({ request, search, body }: Asking): RawParams =>
  namedById(
    request.method === 'GET' ? fromQuery(parse(search.slice(1))) : ((body as RawParams) ?? {}),
  );

/** Returns what Apollo reads of a request, where a document is named as `namedById` says. */
export function readable(asking: Asking): Pick<Asking, 'search' | 'body'> {
  const { search, body, request } = asking;
  if (request.method !== 'GET') return { search, body: body && namedById(body as RawParams) };
  if (!search.includes('documentId=')) return { search, body };
  const parameters = new URLSearchParams(search);
  const { extensions } = askedOf(asking);
  if (extensions !== undefined) parameters.set('extensions', JSON.stringify(extensions));
  return { search: `?${parameters}`, body };
}

const fromQuery = ({ variables, extensions, ...texts }: ParsedUrlQuery): RawParams => ({
  ...texts,
  variables: fromJson(variables),
  extensions: fromJson(extensions),
});

/** What is no JSON stays as it is. */
function fromJson(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : text;
  } catch {
    return text;
  }
}

/** Returns the Idempotency-Key of a POST. It stands for the document and its variables. */
function keyOf(asking: Asking, persisted: PersistedDocuments) {
  const { request } = asking;
  if (request.method !== 'POST' || request.headers['idempotency-key'] === undefined)
    return undefined;
  const { query, variables, operationName, extensions } = askedOf(asking);
  const { persistedQuery } = (extensions ?? {}) as Naming;
  const hash = query === undefined && persistedQuery?.sha256Hash;
  const asked = [hash ? persisted.textOf(String(hash)) : query, variables, operationName];
  // `guard` refuses what is not bounded, before anything changes.
  if (!asked.every(isBounded)) return undefined;
  return idempotencyKeyOf(request, () => asked);
}

/** The extension that names a persisted document. */
interface Naming {
  readonly persistedQuery?: { readonly sha256Hash?: unknown } | null;
}
