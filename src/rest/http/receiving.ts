import type { IncomingMessage } from 'node:http';
import { idempotencyKeyOf } from '../../app/incoming.js';
import { DomainError } from '../../core/errors.js';
import { pointsOfAsking, pointsOfBody, type Quota } from '../../core/quota.js';
import { hasBody } from '../../core/response-cache.js';
import { namesIn } from '../../platform/http/json-values.js';
import { readBody } from '../../platform/http/raw-body.js';
import { isRead } from '../../platform/http/send.js';
import { trimmedEnd } from '../../platform/trim.js';
import { BodyError, isJson, parseBody } from '../body.js';
import { Beyond } from '../errors.js';
import { type Edition, failure, type RestRequest } from '../message.js';
import { parseQuery } from '../query.js';

/** 2 MiB. */
const LARGEST_BODY = 2 * 1024 * 1024;

/** Slashes before the last variable of any route: so many places may have several. */
const MOST_FOLDED = 8;

/**
 * Returns a path percent-decoded, without slashes at its end. Where there are several slashes they
 * become one, from the beginning on, until the path is that of a route: a push token keeps its own.
 */
export function decodePath(path: string, isRoute: (path: string) => boolean): string {
  let rest = trimmedEnd(path, '/');
  if (!rest.includes('//')) return decoded(rest);
  for (let n = 0; n <= MOST_FOLDED; n++) {
    const whole = decoded(rest);
    if (isRoute(whole)) return whole;
    rest = rest.replace(/\/{2,}/, '/');
  }
  return decoded(rest.replace(/\/{2,}/g, '/'));
}

function decoded(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // broken percent sequences match no route
  }
}

/**
 * Reads a request. `path` is below the API's root. A body that cannot be parsed is in
 * `bodyFailure`. `quota` pays for the query and the body. Throws the failure 413 for a body above
 * 2 MiB, TOO_MANY_REQUESTS for what the quota does not cover.
 */
export async function receive(
  request: IncomingMessage,
  edition: Edition,
  path: string,
  search: string,
  quota: Quota,
): Promise<RestRequest> {
  await pay(quota, pointsOfAsking(search.length));
  const beyond = new Beyond();
  const query = parseQuery(search, beyond.take);
  const method = methodOf(request, query);
  const bytes = countsBody(request) ? await readBody(request, LARGEST_BODY) : Buffer.alloc(0);
  if (!bytes) throw TOO_LARGE;
  const asks = method === 'GET' || method === 'HEAD';
  const names = isJson(request.headers['content-type']) ? namesIn(bytes) : 0;
  await pay(quota, asks ? pointsOfAsking(bytes.length) : pointsOfBody(bytes.length, names));
  if (bytes.length === 0) return { edition, method, path, query, bodyFailure: beyond.failure };
  try {
    const body = await parseBody(request.headers['content-type'], bytes, beyond.take);
    return { edition, method, path, query, ...body, bodyFailure: beyond.failure };
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    return {
      edition,
      method,
      path,
      query,
      bodyFailure: failure(error.status, error.code, error.message, error.data),
    };
  }
}

async function pay(quota: Quota, points: number): Promise<void> {
  const spent = await quota.add(points);
  if (spent) throw new DomainError(spent);
}

/** Of what only reads, a body of JSON counts: apps send parameters so. Others are not read. */
const countsBody = (request: IncomingMessage): boolean =>
  !isRead(request) || (hasBody(request.headers) && isJson(request.headers['content-type']));

/** A POST may stand for another method: by `_method`, or else by X-HTTP-Method-Override. */
function methodOf(request: IncomingMessage, query: Record<string, unknown>): string {
  const method = request.method ?? 'GET';
  if (method !== 'POST') return method;
  const override = query._method ?? request.headers['x-http-method-override'];
  return typeof override === 'string' && override ? override.toUpperCase() : method;
}

const TOO_LARGE = failure(
  413,
  'rest_request_too_large',
  'The request body may have 2 MiB at most.',
);

/**
 * Returns the Idempotency-Key of a POST, undefined without one. A change that comes again under the
 * same key is made once. The key stands for all of the request.
 */
export function keyOf(
  request: IncomingMessage,
  { edition, method, path, query, json, form }: RestRequest,
) {
  if (request.method !== 'POST') return undefined;
  return idempotencyKeyOf(request, () => [edition, method, path, query, json, form]);
}
