import type { RequestListener, Server } from 'node:http';
import express from 'express';
import type { App } from './app.js';
import { graphqlHandler } from './graphql/server.js';
import { calendarFeed } from './pages/calendar-feed.js';
import { demoImages } from './pages/demo-images.js';
import { pagesForPeople } from './pages/people.js';
import { playground } from './pages/playground.js';
import { siteRoot } from './pages/site-root.js';
import { Overload } from './platform/http/overload.js';
import { registry } from './platform/metrics/metrics.js';
import { RestFace } from './rest/server.js';

/** Both faces, the pages and the operators' addresses, as one listener; `warm` compiles what the first callers will need. */
export async function makeListener(
  app: App,
  http: Server,
  baseUrl: string,
): Promise<{ listener: RequestListener; warm: () => Promise<void> }> {
  const { database, config } = app.deps;
  const rest = new RestFace(app, baseUrl);
  const overload = new Overload(config.CORS_ORIGINS);
  const title = async () => (await app.createContext({ authorization: undefined, siteUrl: baseUrl, requestId: '' })).site.title;

  // Longer than clients and proxies keep idle connections: none of them sends a request into one that we are closing.
  http.keepAliveTimeout = Math.max(http.keepAliveTimeout, 75_000);

  // Bytes that are no HTTP get an answer too, and the time to read it before the connection ends.
  http.on('clientError', (_error, socket) =>
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'),
  );

  const pages = express().disable('x-powered-by').disable('etag');
  pages.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
  pages.get('/readyz', async (_request, response) => {
    const ready = await database.ping().then(
      () => true,
      () => false,
    );
    response.status(ready ? 200 : 503).json({ status: ready ? 'ok' : 'unavailable', database: database.kind });
  });
  pages.get('/metrics', async (request, response) => {
    const local = /^(::1|(::ffff:)?127\.)/.test(request.socket.remoteAddress ?? '') && !request.headers['x-forwarded-for'];
    const token = config.METRICS_TOKEN && request.headers.authorization === `Bearer ${config.METRICS_TOKEN}`;
    if (!local && !token) return void response.status(403).json({ error: 'Metrics are for this machine, or for METRICS_TOKEN.' });
    response.set('Content-Type', registry.contentType).send(await registry.metrics());
  });
  pages.all('/graphql', playground, ...(await graphqlHandler(app, http, baseUrl)));
  pages.use(`/${config.ADMIN_DIR}`, pagesForPeople(app, baseUrl));
  pages.use(`/v3/${config.ADMIN_DIR}`, pagesForPeople(app, `${baseUrl}/v3`));
  pages.get('/demo/:name.svg', demoImages);
  pages.get('/calendar/:secret.ics', calendarFeed(app, baseUrl));
  pages.get('/', siteRoot(title, baseUrl));
  pages.get('/v3', siteRoot(title, `${baseUrl}/v3`));
  pages.use((_request, response) => void response.status(404).json({ error: 'There is nothing at this address.' }));
  pages.use(((error, _request, response, _next) => {
    if (!(error.status < 500)) app.deps.log.error({ err: error }, 'request failed');
    const status = error.status ?? 500;
    response.status(status).json({ error: status < 500 ? 'This request cannot be read.' : 'Something went wrong on our side.' });
  }) as express.ErrorRequestHandler);

  return {
    listener: (request, response) =>
      void (overload.sheds(request, response) || rest.handle(request, response) || pages(request, response)),
    warm: () => rest.warm(),
  };
}
