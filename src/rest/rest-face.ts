import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { GraphQLSchema } from 'graphql';
import type { App } from '../app/app.js';
import { type Incoming, incomingOf } from '../app/incoming.js';
import { DomainError } from '../core/errors.js';
import { Quota } from '../core/quota.js';
import { asksOpenly, ResponseCache } from '../core/response-cache.js';
import { networkOf } from '../platform/http/address.js';
import { countAs, label } from '../platform/http/counted-response.js';
import { RequestAborted } from '../platform/http/raw-body.js';
import { isRead } from '../platform/http/send.js';
import { projectRoot } from '../platform/root.js';
import { nameRequest } from '../platform/tracing/tracing.js';
import { enveloped } from './batch.js';
import { dialectOf } from './dialect.js';
import { type EditionFace, editionFaces } from './edition.js';
import { failureOf } from './errors.js';
import type { CachedResponse } from './http/cached-response.js';
import { decodePath, keyOf, receive } from './http/receiving.js';
import { type Labels, logRequest } from './http/request-log.js';
import { keepable, type Reply, send } from './http/sending.js';
import { type Failure, failureResponse, type RestRequest, type RestResponse } from './message.js';
import { counterpartsIn } from './migration/counterparts.js';
import { routeDocuments } from './migration/route-documents.js';
import { editionDocument } from './openapi/document.js';
import { ServedDocument } from './openapi/serving.js';
import { loadOperations } from './operation/loading.js';
import type { Operation } from './operation/operation.js';
import { respond } from './responding.js';
import { surprise } from './surprise.js';

/** The part of an address that an edition reads. */
interface Target {
  /** Below the API's root, percent-decoded, beginning with a slash. */
  readonly path: string;
  /** The query, without its question mark. */
  readonly search: string;
}

/** The operation documents, and the schema that they are written in. */
interface Documents {
  readonly schema: GraphQLSchema;
  readonly operations: ReadonlyMap<string, Operation>;
}

/**
 * By the whole schema: services of one process share what was read, and what of it was compiled.
 */
const documentsBySchema = new WeakMap<GraphQLSchema, Documents>();

function documentsOf(wholeSchema: GraphQLSchema): Documents {
  const known = documentsBySchema.get(wholeSchema);
  if (known) return known;
  const schema = dialectOf(wholeSchema);
  const operations = loadOperations(join(projectRoot, 'schema/operations'), schema);
  const documents = { schema, operations };
  documentsBySchema.set(wholeSchema, documents);
  return documents;
}

/** Both REST editions as one request handler. */
export class RestFace {
  readonly operations: ReadonlyMap<string, Operation>;
  readonly #faces: readonly EditionFace[];
  readonly #documents: readonly ServedDocument[];
  readonly #cache: ResponseCache<CachedResponse> | undefined;

  constructor(
    private readonly app: App,
    baseUrl: string,
  ) {
    const { schema, operations } = documentsOf(app.wholeSchema);
    this.operations = operations;
    const { config } = app.deps;
    this.#faces = editionFaces(config, baseUrl, this.operations, schema);
    this.#cache =
      config.RESPONSE_CACHE === 'on'
        ? new ResponseCache(app.deps.database, app.deps.writers, app.deps.replica)
        : undefined;
    const counterparts = counterpartsIn(
      join(projectRoot, 'schema/counterparts.graphql'),
      app.schema,
    );
    const sources = { dialect: schema, served: app.schema, counterparts };
    this.#documents = this.#faces.flatMap((face) => {
      const { prefix, edition, described } = face;
      const serve = (path: string, make: () => unknown) =>
        new ServedDocument(prefix + path, config.CORS_ORIGINS, make);
      return [
        serve('/openapi.json', () => editionDocument(edition, described)),
        serve('/reference/operations.json', () => routeDocuments(face, sources)),
      ];
    });
  }

  /** Answers a request below an API root. Returns false for others, and leaves them untouched. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const url = request.url ?? '/';
    const end = url.indexOf('?');
    const path = withoutIndex(end < 0 ? url : url.slice(0, end));
    const face = this.#faces.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
    if (!face) return false;
    const isRoute = (one: string) => face.adapter.router.match(one) !== undefined;
    const below = decodePath(path.slice(face.prefix.length), isRoute) || '/';
    const document = this.#documents.find((served) => served.path === path);
    if (!document && isReference(below)) return false;
    const target = { path: below, search: end < 0 ? '' : url.slice(end + 1) };
    const reads = isRead(request);
    if (document) label(response, { route: document.path });
    const answering =
      document && reads
        ? document.send(request, response)
        : this.#serve(face, request, response, target);
    answering.catch((error: Error) => {
      this.app.deps.log.error({ err: error }, 'a response could not be sent');
      countAs(response, 500);
      response.destroy();
    });
    return true;
  }

  async #serve(
    face: EditionFace,
    request: IncomingMessage,
    response: ServerResponse,
    target: Target,
  ): Promise<void> {
    const started = performance.now();
    const { deps } = this.app;
    const { edition, root, siteUrl } = face;
    const refreshesBy = refreshTokenIn(target);
    const incoming = { ...incomingOf(request, siteUrl, deps.config), refreshesBy };
    const { requestId } = incoming;
    const labels: Labels = { route: 'unmatched' };
    label(response, labels);
    const reply = await this.#kept(face, request, incoming, target, labels);
    nameRequest(labels.route);
    if (!reply) return;
    const service = { root, origins: deps.config.CORS_ORIGINS };
    const sent = await send(request, response, reply, labels, service);
    logRequest(deps, request, { requestId, edition, labels, started, ...sent });
  }

  /**
   * Returns the cached response to a request, else makes one, and keeps it where it may be.
   * Undefined when the caller broke it off.
   */
  async #kept(
    face: EditionFace,
    request: IncomingMessage,
    incoming: Incoming,
    target: Target,
    labels: Labels,
  ): Promise<Reply | undefined> {
    const network = networkOf(incoming.address ?? '');
    if (!isRead(request) && request.method !== 'OPTIONS') this.app.deps.writers.note(network);
    if (!this.#cache || !asksOpenly(request))
      return this.#reply(face, request, incoming, target, labels);
    const place = await this.#cache.take(request.url as string, network);
    if (place.response) return this.#again(place.response, incoming, labels);
    let kept: CachedResponse | undefined;
    try {
      const reply = await this.#reply(face, request, incoming, target, labels);
      kept = reply && keepable(request, reply, labels);
      return reply && { ...reply, kept };
    } finally {
      place.settle(kept);
    }
  }

  /** Returns a cached response once more. It costs a point, counted in this process. */
  async #again(kept: CachedResponse, { address = '' }: Incoming, labels: Labels): Promise<Reply> {
    Object.assign(labels, kept.labels);
    const quota = Quota.of(this.app.deps.limits, 0, networkOf(address), 'local');
    const spent = await quota.arrive();
    if (!spent) return { answered: kept.answered, signedIn: false, quota, kept };
    return { answered: failureResponse(failureOf(spent, false)), signedIn: false, quota };
  }

  /** Makes the response to a request; undefined when the caller broke it off. */
  async #reply(
    face: EditionFace,
    request: IncomingMessage,
    incoming: Incoming,
    { path, search }: Target,
    labels: Labels,
  ): Promise<Reply | undefined> {
    let signedIn = false;
    let quota = Quota.BOUNDLESS;
    try {
      const context = await this.app.createContext(incoming);
      signedIn = context.viewer.id !== 0;
      quota = context.quota;
      const spent = await quota.arrive();
      if (spent) throw failureOf(spent, signedIn);
      const received = await receive(request, face.edition, path, search, quota);
      const response = await respond(
        face,
        received,
        context.under(keyOf(request, received)),
        labels,
      );
      return { answered: inEnvelope(received, response), signedIn, quota };
    } catch (error) {
      if (error instanceof RequestAborted) return undefined;
      const known = error instanceof DomainError ? failureOf(error.refusal, signedIn) : undefined;
      const expected = known ?? (isFailure(error) ? error : undefined);
      const failed = expected ?? surprise(error as Error, { deps: this.app.deps, input: incoming });
      return { answered: failureResponse(failed), signedIn, quota };
    }
  }
}

/** Older clients write the address of the API with its script: /index.php/api. */
const withoutIndex = (path: string) => path.replace(/^((?:\/v3)?)\/index\.php(?=\/)/, '$1');

/** Returns the refresh token in the address of a request of the route that takes one. */
const refreshTokenIn = ({ path, search }: Target) =>
  path.toLowerCase() === '/v1/refreshtoken'
    ? (new URLSearchParams(search).get('refreshToken') ?? undefined)
    : undefined;

/** Returns whether a path below an API's root belongs to the reference, which is a page. */
const isReference = (path: string) => path === '/reference' || path.startsWith('/reference/');

/** Returns whether an error is a failure: the request could not be read. */
const isFailure = (error: unknown): error is Failure =>
  typeof error === 'object' && error !== null && 'status' in error && 'code' in error;

/**
 * With `_envelope` status and headers are in the body. Whether the response may be kept stays
 * outside.
 */
function inEnvelope({ query }: RestRequest, response: RestResponse): RestResponse {
  if (!('_envelope' in query)) return response;
  const caching = response.headers['Cache-Control'];
  return {
    status: 200,
    headers: caching ? { 'Cache-Control': caching } : {},
    body: enveloped(response),
  };
}
