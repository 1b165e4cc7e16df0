import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type ApolloServer, HeaderMap, type HTTPGraphQLResponse } from '@apollo/server';
import { GraphQLError } from 'graphql';
import type { App } from '../app/app.js';
import { incomingOf } from '../app/incoming.js';
import type { RequestContext } from '../core/context.js';
import { CORS_ALWAYS, corsFor } from '../platform/http/cors.js';
import type { Overload } from '../platform/http/overload.js';
import { RequestAborted } from '../platform/http/raw-body.js';
import { addHeaders, type HeaderList, sendBody } from '../platform/http/send.js';
import { Shares } from '../platform/http/shares.js';
import { startApollo } from './apollo.js';
import { type Asking, arrive, contextOf } from './arrival.js';
import { EventStreams } from './event-stream.js';
import { format } from './format.js';
import { LineStream } from './line-stream.js';
import { PersistedDocuments } from './persisted-documents.js';
import { sendErrors } from './refusing.js';
import { bodyOf } from './request-body.js';
import type { Live } from './subscriptions.js';
import { serveWebSocket } from './websocket.js';

/** Most connections with subscriptions, by address and in all. A WebSocket may carry 50. */
const STREAMS = { each: 1_000, all: 10_000 };
/** Most subscriptions by account, over all of its connections. */
const SUBSCRIPTIONS = { each: 200, all: Number.POSITIVE_INFINITY };
const PATH = /^\/graphql\/?(?:\?|$)/i;
/** What Apollo Server and our plugins read of a request's headers. */
const READ = [
  'accept',
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

  private constructor(
    private readonly apollo: ApolloServer<RequestContext>,
    private readonly live: Live,
    private readonly persisted: PersistedDocuments,
    private readonly events: EventStreams,
    private readonly page: Page,
    private readonly closeSockets: () => Promise<void>,
  ) {
    this.#origins = live.app.deps.config.CORS_ORIGINS;
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
    const apollo = await startApollo(app, http, persisted);
    const live = liveOf(app, baseUrl);
    const closeSockets = serveWebSocket(live, http, baseUrl);
    const events = new EventStreams(live, (response) => overload.streams(response));
    return new GraphqlFace(apollo, live, persisted, events, page, closeSockets);
  }

  /** Answers a request to /graphql. Returns false for others, and leaves them untouched. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    if (!PATH.test(request.url ?? '')) return false;
    this.#serve(request, response).catch((error: unknown) => this.#fail(request, response, error));
    return true;
  }

  /** Ends the subscriptions, event streams by `complete`, WebSockets by 1001. Takes no more. */
  async endStreams(): Promise<void> {
    this.events.close();
    await this.closeSockets();
  }

  /** Answers 500, or breaks off an answer that has begun. */
  #fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    if (error instanceof RequestAborted) return void response.destroy();
    const shown = format({ message: '' }, error, this.live.app);
    if (response.headersSent) response.destroy();
    else sendErrors(request, response, 500, {}, [shown]);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const always = {
      ...CORS_ALWAYS,
      ...corsFor(request.headers.origin, this.#origins),
      Vary: 'Origin',
    };
    if (request.method === 'OPTIONS') return void response.writeHead(204, always).end();
    const made = this.live.app.createContext(this.live.incomingOf(request));
    const { refused, ...arrived } = await arrive(made);
    const headers = { ...always, ...arrived.headers };
    if (refused) return sendErrors(request, response, refused.status, headers, [refused.error]);
    if (request.method === 'GET' && request.headers.accept?.includes('text/')) {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      await new Promise<void>((pass, fail) =>
        this.page(request, response, (error) => (error ? fail(error) : pass())),
      );
    }
    const read = await bodyOf(request);
    if ('error' in read)
      return sendErrors(request, response, read.status, headers, [read.error.toJSON()]);
    const search = /\?.*/s.exec(request.url as string)?.[0] ?? '';
    const asking = { request, made, headers, search, body: read.value };
    if (await this.events.takes(asking, response)) return;
    await this.#answer(asking, response);
  }

  async #answer(asking: Asking, response: ServerResponse): Promise<void> {
    const { request } = asking;
    const lines = LineStream.for(request, response, asking.headers);
    const execute = () => this.#execute(asking, lines ? LineStream.ACCEPT : request.headers.accept);
    const { status = 200, headers, body } = await (lines ? lines.run(execute) : execute());
    if (body.kind !== 'complete') throw new Error('Answers are not incremental.');
    const all = { ...asking.headers, ...headersOf(headers) };
    if (lines) return lines.send(status, all, body.string);
    const list: HeaderList = [];
    addHeaders(list, all);
    await sendBody(request, response, status, list, body.string);
  }

  #execute(asking: Asking, accept: string | undefined): Promise<HTTPGraphQLResponse> {
    const { request, search, body } = asking;
    const headers = new HeaderMap();
    for (const name of READ) {
      const value = name === 'accept' ? accept : request.headers[name];
      if (value !== undefined) headers.set(name, String(value));
    }
    return this.apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: request.method as string, headers, search, body },
      context: () => contextOf(asking, this.persisted),
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
function liveOf(app: App, baseUrl: string): Live {
  return {
    app,
    show(error) {
      const shown = format(
        error instanceof GraphQLError ? error.toJSON() : { message: String(error) },
        error,
        app,
      );
      return new GraphQLError(shown.message, { extensions: shown.extensions ?? {} });
    },
    incomingOf: (request: IncomingMessage) => incomingOf(request, baseUrl, app.deps.config),
    subscriptions: new Shares(SUBSCRIPTIONS),
    streams: new Shares(STREAMS),
  };
}
