import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { App } from '../app/app.js';
import { idempotencyKeyOf, incomingOf } from '../app/incoming.js';
import type { RequestContext } from '../core/context.js';
import { DomainError } from '../core/errors.js';
import { Quota } from '../core/quota.js';
import { jsonWithin } from '../platform/http/answer-size.js';
import { RequestAborted, readBody } from '../platform/http/body.js';
import { CORS_ALWAYS, corsFor } from '../platform/http/cors.js';
import { sendBody } from '../platform/http/send.js';
import { observeRequest } from '../platform/metrics/metrics.js';
import { projectRoot } from '../platform/root.js';
import { gmtOffset } from '../platform/zone.js';
import { Adapter, surprise } from './adapter.js';
import { batch, enveloped } from './batch.js';
import { BodyError, parseBody } from './body.js';
import { Descriptor } from './descriptor.js';
import { dialectOf } from './dialect.js';
import { Beyond, failureOf } from './errors.js';
import { keepFields, listOf } from './fields.js';
import {
  type Edition,
  type Failure,
  failure,
  failureResponse,
  type RestRequest,
  type RestResponse,
} from './message.js';
import { loadOperations, type Operation } from './operations.js';
import { parseQuery } from './query.js';
import { groupRoutes, Router } from './router.js';
import { NAMESPACES, routesOf } from './routes/index.js';

/**
 * Where each edition's site stands, below the service's address; its API is at `/api` below that.
 */
const SITES: Readonly<Record<Edition, string>> = { A: '', B: '/v3' };
const LARGEST_BODY = 2 * 1024 * 1024;

const ALWAYS = {
  'Content-Type': 'application/json; charset=UTF-8',
  'X-Robots-Tag': 'noindex',
  'X-Content-Type-Options': 'nosniff',
  ...CORS_ALWAYS,
} as const;
const PRIVATE = {
  Expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
  'Cache-Control': 'no-cache, must-revalidate, max-age=0, no-store, private',
} as const;

/**
 * What is said of a request in the log and the metrics. Never its address: that may hold a token.
 */
interface Account {
  route: string;
  operation?: string;
}

interface EditionFace {
  readonly edition: Edition;
  readonly adapter: Adapter;
  readonly descriptor: Descriptor;
  readonly siteUrl: string;
  readonly root: string;
}

/**
 * Both REST editions as one plain request handler. Answers false, untouched, to a request that is
 * not below an API root.
 */
export class RestFace {
  readonly operations: ReadonlyMap<string, Operation>;
  readonly #faces: readonly (EditionFace & { prefix: string })[];

  constructor(
    private readonly app: App,
    baseUrl: string,
  ) {
    const schema = dialectOf(app.schema);
    this.operations = loadOperations(join(projectRoot, 'schema/operations'), schema);
    const routes = routesOf(app.deps.config);
    this.#faces = (['A', 'B'] as const).map((edition) => {
      const groups = groupRoutes(routes, edition, this.operations, NAMESPACES[edition]);
      const siteUrl = baseUrl + SITES[edition];
      return {
        edition,
        prefix: `${SITES[edition]}/api`,
        adapter: new Adapter(edition, new Router(groups)),
        descriptor: new Descriptor(edition, NAMESPACES[edition], groups, schema),
        siteUrl,
        root: `${siteUrl}/api`,
      };
    });
  }

  /**
   * Compiles the queries, one a turn of the event loop, so that the first callers need not wait for
   * it.
   */
  async warm(): Promise<void> {
    for (const operation of this.operations.values()) {
      operation.warm();
      await new Promise(setImmediate);
    }
  }

  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const url = request.url ?? '/';
    const end = url.indexOf('?');
    const path = end < 0 ? url : url.slice(0, end);
    const face = this.#faces.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
    if (!face) return false;
    const below = decodePath(path.slice(face.prefix.length)) || '/';
    this.#serve(face, request, response, below, end < 0 ? '' : url.slice(end + 1)).catch(
      (error: Error) => {
        this.app.deps.log.error({ err: error }, 'an answer could not be sent');
        response.destroy();
      },
    );
    return true;
  }

  async #serve(
    face: EditionFace,
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    search: string,
  ): Promise<void> {
    const started = performance.now();
    const { log, config } = this.app.deps;
    const incoming = incomingOf(request, face.siteUrl, config);
    const { requestId } = incoming;
    const account: Account = { route: 'unmatched' };
    let answered: RestResponse;
    let signedIn = false;
    let quota = Quota.BOUNDLESS;
    try {
      const context = await this.app.createContext(incoming);
      signedIn = context.viewer.id !== 0;
      quota = context.quota;
      const spent = await quota.arrive();
      if (spent) throw failureOf(spent, signedIn);
      const received = await receive(request, face.edition, path, search);
      answered = await answer(face, received, context.under(keyOf(request, received)), account);
      if ('_envelope' in received.query)
        answered = { status: 200, headers: storing(answered), body: enveloped(answered) };
    } catch (error) {
      if (error instanceof RequestAborted) return;
      const known = error instanceof DomainError ? failureOf(error.refusal, signedIn) : undefined;
      const expected = known ?? (isFailure(error) ? error : undefined);
      answered = failureResponse(
        expected ?? surprise(error as Error, { deps: this.app.deps, input: { requestId } }),
      );
    }
    let text = textOf(request, answered);
    if (text === undefined) {
      answered = failureResponse(RESPONSE_TOO_LARGE);
      text = JSON.stringify(answered.body);
    }
    const common = headersOf(face, request, answered, signedIn, account, config.CORS_ORIGINS);
    const headers = Object.assign(common, quota.headers());
    if (
      !signedIn &&
      request.method === 'GET' &&
      answered.status === 200 &&
      !('Cache-Control' in answered.headers)
    ) {
      headers.ETag = tagOf(text);
      if (isKnown(request.headers['if-none-match'], headers.ETag))
        answered = { ...answered, status: 304 };
    }
    const { status } = answered;
    const bytes = await sendBody(request, response, status, headers, status === 304 ? '' : text);
    const seconds = (performance.now() - started) / 1000;
    observeRequest({
      method: request.method ?? '',
      route: account.route,
      operation: account.operation,
      status: answered.status,
      seconds,
    });
    log.info(
      {
        request: requestId,
        face: 'rest',
        edition: face.edition,
        method: request.method,
        ...account,
        status: answered.status,
        bytes,
        ms: Math.round(seconds * 1e6) / 1e3,
      },
      'request',
    );
  }
}

/**
 * The body as it is sent; undefined for one of more than 16 MiB that answers a GET. A change is
 * answered whatever it shows: that is one item, whose texts are bounded, and the answers of a
 * batch, which stops when it has so much.
 */
function textOf({ method }: IncomingMessage, { text, body }: RestResponse): string | undefined {
  if (text !== undefined || body === undefined) return text ?? '';
  return method === 'GET' ? jsonWithin(body) : JSON.stringify(body);
}

const RESPONSE_TOO_LARGE = failure(
  400,
  'rest_response_too_large',
  'The answer would have more than 16 MiB. Ask for fewer items by per_page, or for fewer ' +
    'fields by _fields.',
);

/** A failure that is thrown, because reading the request ended. */
const isFailure = (error: unknown): error is Failure =>
  typeof error === 'object' && error !== null && 'status' in error && 'code' in error;

/** What an envelope must not hide: whether the answer may be kept. */
const storing = ({ headers }: RestResponse): RestResponse['headers'] =>
  headers['Cache-Control'] ? { 'Cache-Control': headers['Cache-Control'] } : {};

function decodePath(path: string): string {
  const bare = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  if (!bare.includes('%')) return bare;
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare; // broken percent sequences match no route
  }
}

async function receive(
  request: IncomingMessage,
  edition: Edition,
  path: string,
  search: string,
): Promise<RestRequest> {
  const beyond = new Beyond();
  const query = parseQuery(search, beyond.take);
  const method = methodOf(request, query);
  const bytes =
    request.method === 'GET' || request.method === 'HEAD'
      ? Buffer.alloc(0)
      : await readBody(request, LARGEST_BODY);
  if (!bytes) throw TOO_LARGE;
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

/**
 * POST may say that it stands for another method: by `_method`, or else by X-HTTP-Method-Override.
 */
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
 * A change that comes again under the same Idempotency-Key is made once. The key stands for all of
 * the request.
 */
function keyOf(
  request: IncomingMessage,
  { edition, method, path, query, json, form }: RestRequest,
) {
  if (request.method !== 'POST') return undefined;
  return idempotencyKeyOf(request, () => [edition, method, path, query, json, form]);
}

async function answer(
  face: EditionFace,
  request: RestRequest,
  context: RequestContext,
  account: Account,
): Promise<RestResponse> {
  const { adapter, root } = face;
  const { method, path } = request;
  const { refusal } = context.input;
  const plan = await adapter.plan(request, context);
  const issuesTokens = !('code' in plan) && plan.endpoint.operation.issuesTokens;
  if (refusal && !issuesTokens) return failureResponse(failureOf(refusal, false));
  if (path.toLowerCase() === '/batch/v1' && method === 'POST') {
    account.route = '/batch/v1';
    const { status, body } = await batch(adapter, request, context, root);
    return {
      status,
      headers: { Allow: 'POST' },
      body: status === 207 ? keepFields(body, listOf(request.query._fields)) : body,
    };
  }
  if ('code' in plan || 'namespace' in request.query) {
    const described = await describe(face, request, context);
    if (described) account.route = method === 'OPTIONS' ? 'options' : 'index';
    if (described) return described;
  }
  if ('code' in plan) return failureResponse(plan);
  account.route = plan.match.group.path;
  account.operation = plan.endpoint.operation.name;
  return adapter.run(plan, context, root);
}

/** Root, namespace indexes and OPTIONS: what is answered from the table alone. */
async function describe(
  face: EditionFace,
  request: RestRequest,
  context: RequestContext,
): Promise<RestResponse | undefined> {
  const { edition, descriptor, adapter, siteUrl, root } = face;
  const { method, query } = request;
  const path = request.path.toLowerCase();
  if (method === 'OPTIONS') {
    const match = adapter.router.match(request.path);
    const described = descriptor.options(match?.group.path ?? path, root, match?.group);
    const methods = match
      ? await adapter.allowed(match, request, context)
      : [path === '/batch/v1' ? 'POST' : 'GET'];
    return (
      described && {
        status: 200,
        headers: methods.length > 0 ? { Allow: methods.join(', ') } : {},
        body: described,
      }
    );
  }
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  if (path === '/') {
    const { title, tagline, timeZone } = context.site;
    const authorization = `${siteUrl}/${context.deps.config.ADMIN_DIR}/authorize-application.php`;
    const site = {
      title,
      tagline,
      timeZone,
      siteUrl,
      authorization,
      gmtOffset: gmtOffset(context.now(), timeZone),
    };
    return {
      status: 200,
      headers: { Allow: 'GET' },
      body: keepFields(descriptor.root(site, root), listOf(query._fields)),
    };
  }
  if (!NAMESPACES[edition].includes(path.slice(1))) return undefined;
  const namespace =
    typeof query.namespace === 'string' && query.namespace ? query.namespace : path.slice(1);
  const index = descriptor.index(namespace, root);
  if (!index)
    return failureResponse(
      failure(404, 'rest_invalid_namespace', 'The specified namespace could not be found.'),
    );
  const fields = listOf(query._fields);
  return {
    status: 200,
    headers: { Allow: 'GET' },
    body: keepFields(index, fields && [...fields, '_links']),
  };
}

/** Names a body, so that a caller who has it can ask whether it changed. */
const tagOf = (text: string) => `W/"${hash('sha1', text, 'base64url')}"`;

/** Whether If-None-Match names a tag, whatever its strength, or any (RFC 9110, 13.1.2). */
const isKnown = (header: string | undefined, tag: string) =>
  header
    ?.split(',')
    .some((known) => known.trim() === '*' || known.trim().replace(/^W\//, '') === tag.slice(2)) ===
  true;

/** The headers of an answer, common ones and its own. */
function headersOf(
  { root }: EditionFace,
  { headers: { origin, 'x-http-method-override': override } }: IncomingMessage,
  { status, headers }: RestResponse,
  signedIn: boolean,
  { operation }: Account,
  listed: readonly string[],
): Record<string, string | number> {
  return {
    ...ALWAYS,
    Link: `<${root}/>; rel="https://api.w.org/"`,
    ...(operation && { 'GraphQL-Operation': operation }),
    ...((signedIn || (override && status >= 400)) && PRIVATE),
    ...((!signedIn || origin) && { Vary: 'Origin' }),
    ...(origin && corsFor(origin, listed)),
    ...(status === 413 && { Connection: 'close' }),
    ...headers,
  };
}
