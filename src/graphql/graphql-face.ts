import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type ApolloServer, HeaderMap, type HTTPGraphQLResponse } from '@apollo/server';
import { GraphQLError, OperationTypeNode } from 'graphql';
import type { App } from '../app/app.js';
import { incomingOf } from '../app/incoming.js';
import type { RequestContext } from '../core/context.js';
import { pointsOfAnswer, Quota } from '../core/quota.js';
import { ResponseCache } from '../core/response-cache.js';
import { networkOf } from '../platform/http/address.js';
import { CORS_ALWAYS, corsFor } from '../platform/http/cors.js';
import { countAs, label } from '../platform/http/counted-response.js';
import { sendsBody } from '../platform/http/etag.js';
import { NO_SNIFFING } from '../platform/http/no-sniffing.js';
import type { Overload } from '../platform/http/overload.js';
import { RequestAborted } from '../platform/http/raw-body.js';
import { addHeaders, type HeaderList, isRead, sendBody } from '../platform/http/send.js';
import { Shares } from '../platform/http/shares.js';
import { startApollo } from './apollo.js';
import {
  type Asking,
  arrive,
  contextOf,
  pay,
  payForBody,
  quotaHeaders,
  readable,
} from './arrival.js';
import { EventStreams } from './event-stream.js';
import { Admitted } from './execution/admitted.js';
import { format } from './format.js';
import { isKeepable, type KeptOperation, keptOf, keyOf, sendKept } from './keeping.js';
import { LineStream } from './line-stream.js';
import { labelsOf, logAnswered, nameOf } from './operation-log.js';
import { PersistedDocuments } from './persisted-documents.js';
import { sendErrors } from './refusing.js';
import { bodyOf } from './request-body.js';
import { lasts } from './sharing.js';
import type { Live } from './subscriptions.js';
import { serveWebSocket } from './websocket.js';

/** Most connections with subscriptions to this process, by address and in all. A WebSocket may carry 50. */
const STREAMS = { each: 1_000, all: 10_000 };
/** Most subscriptions by account, over all of its connections to this process. */
const SUBSCRIPTIONS = { each: 200, all: Number.POSITIVE_INFINITY };
const PATH = /^\/graphql\/?(?:\?|$)/i;
/** What Apollo Server and our plugins read of a request's headers. */
const READ = [
  'accept',
  'accept-language',
  'apollo-require-preflight',
  'authorization',
  'content-type',
  'x-apollo-operation-name',
] as const;

/** Answers a request, or calls `pass`, with an error when it failed. */
export type Page = (
  request: IncomingMessage,
  response: ServerResponse,
  pass: (error?: unknown) => void,
) => void;

/**
 * GraphQL over HTTP. Errors carry a stable reason in `extensions.code`. An error that is no refusal
 * is logged and shown as INTERNAL_ERROR. Introspection is for roles that may, and for everyone
 * under NODE_ENV=development. Answers above 1,024 characters go as gzip to who takes it.
 */
export class GraphqlFace {
  readonly #origins: readonly string[];
  readonly #cache: ResponseCache<KeptOperation> | undefined;

  private constructor(
    private readonly apollo: ApolloServer<RequestContext>,
    private readonly admitted: Admitted,
    private readonly live: Live,
    private readonly persisted: PersistedDocuments,
    private readonly events: EventStreams,
    private readonly page: Page,
    private readonly closeSockets: () => Promise<void>,
  ) {
    const { config, database, writers, replica } = live.app.deps;
    this.#origins = config.CORS_ORIGINS;
    this.#cache =
      config.RESPONSE_CACHE === 'on' ? new ResponseCache(database, writers, replica) : undefined;
  }

  /**
   * Makes the face, and handles upgrades of `http` from now on. `page` gets what browsers ask for,
   * within the quota.
   */
  static async of(
    app: App,
    http: Server,
    baseUrl: string,
    overload: Overload,
    page: Page,
  ): Promise<GraphqlFace> {
    const persisted = PersistedDocuments.of(app.schema, app.deps.config.PERSISTED_DOCUMENTS);
    const admitted = new Admitted();
    const apollo = await startApollo(app, http, persisted, admitted);
    const live = liveOf(app, baseUrl, persisted);
    const closeSockets = serveWebSocket(live, http, baseUrl);
    const events = new EventStreams(live, (response) => overload.streams(response));
    return new GraphqlFace(apollo, admitted, live, persisted, events, page, closeSockets);
  }

  /** Answers a request to /graphql. Returns false for others, and leaves them untouched. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    if (!PATH.test(request.url ?? '')) return false;
    label(response, labelsOf(undefined));
    this.#serve(request, response).catch((error: unknown) => this.#fail(request, response, error));
    return true;
  }

  /** Ends the subscriptions so that clients connect again: WebSockets by 1001. Takes no more. */
  async endStreams(): Promise<void> {
    this.events.close();
    await this.closeSockets();
  }

  /** Answers 500, or breaks off a response that has begun. */
  #fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    if (error instanceof RequestAborted) return void response.destroy();
    const shown = format({ message: '' }, error, this.live.app);
    countAs(response, 500);
    if (response.headersSent) response.destroy();
    else sendErrors(request, response, 500, {}, [shown]);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const always = {
      ...CORS_ALWAYS,
      ...corsFor(request.headers.origin, this.#origins),
      ...NO_SNIFFING,
      Vary: 'Origin',
    };
    if (request.method === 'OPTIONS') return void response.writeHead(204, always).end();
    const network = networkOf(this.live.incomingOf(request).address ?? '');
    const key = keyOf(request);
    if (!this.#cache || key === undefined)
      return void (await this.#make(request, response, always));
    const place = await this.#cache.take(key, network);
    if (place.response) return this.#again(request, response, always, place.response);
    let kept: KeptOperation | undefined;
    try {
      kept = await this.#make(request, response, always);
    } finally {
      place.settle(kept);
    }
  }

  /** Sends a cached response once more. It costs a point, counted in this process. */
  async #again(
    request: IncomingMessage,
    response: ServerResponse,
    always: Record<string, string>,
    kept: KeptOperation,
  ): Promise<void> {
    const started = performance.now();
    const { app } = this.live;
    const { address = '', requestId } = this.live.incomingOf(request);
    const quota = Quota.of(app.deps.limits, 0, networkOf(address), 'local');
    const { refused, headers } = await pay(quota);
    const all = { ...always, ...headers };
    if (refused)
      return sendErrors(
        request,
        response,
        refused.status,
        all,
        [refused.error],
        refused.extensions,
      );
    if (sendsBody(request, kept.tag)) await quota.owe(pointsOfAnswer(kept.body.plain.length));
    label(response, labelsOf('query'));
    const status = await sendKept(request, response, all, kept);
    const { operation } = kept;
    logAnswered(app, { request: requestId, operation, kind: 'query', status }, started);
  }

  /** Answers a request. Returns the response as it may be kept. */
  async #make(
    request: IncomingMessage,
    response: ServerResponse,
    always: Record<string, string>,
  ): Promise<KeptOperation | undefined> {
    const made = this.live.app.createContext(this.live.incomingOf(request));
    const { refused, ...arrived } = await arrive(made);
    const headers = { ...always, ...arrived.headers };
    if (refused) {
      sendErrors(request, response, refused.status, headers, [refused.error], refused.extensions);
      return undefined;
    }
    if (isRead(request) && request.headers.accept?.includes('text/')) {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      await new Promise<void>((pass, fail) =>
        this.page(request, response, (error) => (error ? fail(error) : pass())),
      );
    }
    const read = await bodyOf(request, (bytes, names) => payForBody(made, bytes, names));
    if ('error' in read) {
      const told = { ...headers, ...(await quotaHeaders(made)), ...read.headers };
      sendErrors(request, response, read.status, told, [read.error], read.extensions);
      return undefined;
    }
    const search = /\?.*/s.exec(request.url as string)?.[0] ?? '';
    const asking = { request, made, headers, search, body: read.value };
    if (await this.events.takes(asking, response)) return undefined;
    return this.#answer(asking, response);
  }

  async #answer(asking: Asking, response: ServerResponse): Promise<KeptOperation | undefined> {
    const { request } = asking;
    const lines = LineStream.for(request, response, asking.headers);
    const execute = () => this.#execute(asking, lines ? LineStream.ACCEPT : request.headers.accept);
    const { status = 200, headers, body } = await (lines ? lines.run(execute) : execute());
    if (body.kind !== 'complete') throw new Error('Answers are not incremental.');
    await this.#noteMutation(asking);
    await this.#label(asking, response);
    const quota = await this.#paid(asking, lines?.characters ?? Buffer.byteLength(body.string));
    const own = headersOf(headers);
    const all = { ...asking.headers, ...own, ...quota?.headers() };
    if (lines) {
      await lines.send(status, all, body.string);
      return undefined;
    }
    if (isKeepable(status, own)) {
      const asked = this.admitted.get(await asking.made);
      const kept = keptOf(own, body.string, nameOf(asked?.operation));
      await sendKept(request, response, all, kept);
      return asked && lasts(this.live.app.schema, asked) ? kept : undefined;
    }
    const list: HeaderList = [];
    addHeaders(list, all);
    await sendBody(request, response, status, list, body.string);
    return undefined;
  }

  /** Notes whose change the response cache must show at once. */
  async #noteMutation({ request, made }: Asking): Promise<void> {
    const { app, incomingOf: read } = this.live;
    const context = await made.catch(() => undefined);
    const asked = context && this.admitted.get(context);
    if (asked?.operation.operation === OperationTypeNode.MUTATION)
      app.deps.writers.note(networkOf(read(request).address ?? ''));
  }

  async #label({ made }: Asking, response: ServerResponse): Promise<void> {
    const context = await made.catch(() => undefined);
    const noted = context && this.admitted.noted(context);
    if (noted) label(response, noted);
  }

  /** Pays for the bytes of a response. Returns the quota, if the caller could be read. */
  async #paid({ made }: Asking, bytes: number): Promise<Quota | undefined> {
    const context = await made.catch(() => undefined);
    await context?.quota.owe(pointsOfAnswer(bytes));
    return context?.quota;
  }

  #execute(asking: Asking, accept: string | undefined): Promise<HTTPGraphQLResponse> {
    const { request } = asking;
    const { search, body } = readable(asking);
    const headers = new HeaderMap();
    for (const name of READ) {
      const value = name === 'accept' ? accept : request.headers[name];
      if (value !== undefined) headers.set(name, String(value));
    }
    return this.apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: request.method as string, headers, search, body },
      context: async () => this.admitted.receive(await contextOf(asking, this.persisted)),
    });
  }
}

/** How we write names that Apollo has in small letters. */
const NAMES: Readonly<Record<string, string>> = {
  'cache-control': 'Cache-Control',
  'content-type': 'Content-Type',
  ratelimit: 'RateLimit',
  'ratelimit-policy': 'RateLimit-Policy',
  'retry-after': 'Retry-After',
  vary: 'Vary',
};

/** Returns headers of Apollo's under our names. */
function headersOf(headers: HeaderMap): Record<string, string> {
  const named: Record<string, string> = {};
  for (const [name, value] of headers) named[NAMES[name] ?? name] = value;
  const type = named['Content-Type'];
  if (type && !type.includes('charset')) named['Content-Type'] = `${type}; charset=utf-8`;
  return named;
}

/** Returns what subscriptions need, whatever carries them. */
function liveOf(app: App, baseUrl: string, persisted: PersistedDocuments): Live {
  return {
    app,
    persisted,
    show(error) {
      const told = error instanceof GraphQLError ? error : new GraphQLError(String(error));
      const { message, extensions = {} } = format(told.toJSON(), error, app);
      const { nodes, source, positions, path } = told;
      return new GraphQLError(message, { nodes, source, positions, path, extensions });
    },
    incomingOf: (request: IncomingMessage) => incomingOf(request, baseUrl, app.deps.config),
    subscriptions: new Shares(SUBSCRIPTIONS),
    streams: new Shares(STREAMS),
  };
}
