import type { RequestListener, Server } from 'node:http';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import type { App } from '../app/app.js';
import type { Deps } from '../core/deps.js';
import { GraphqlFace, type Page } from '../graphql/graphql-face.js';
import { sendErrors } from '../graphql/refusing.js';
import { reportFile } from '../graphql/report-file.js';
import { reportRunner } from '../graphql/report-run.js';
import { calendarFeed } from '../pages/calendar-feed.js';
import { demoImages } from '../pages/demo-images.js';
import { embeddedReport } from '../pages/embedded-report.js';
import { mediaFiles } from '../pages/files.js';
import { pagesForPeople } from '../pages/people.js';
import { fromRest, playground, playgroundAssets } from '../pages/playground.js';
import { reference } from '../pages/reference.js';
import { reportMails } from '../pages/report-mails.js';
import { archivePage } from '../pages/site/archive-page.js';
import { contentPage } from '../pages/site/content-page.js';
import { mediumPage, mediumPathPage } from '../pages/site/medium-page.js';
import { siteRoot } from '../pages/site/root.js';
import { visited } from '../pages/site/visited.js';
import { takeUpload, uploadOptions } from '../pages/uploads.js';
import { countResponse, label } from '../platform/http/counted-response.js';
import { mayReadMetrics } from '../platform/http/metrics-access.js';
import { NO_SNIFFING } from '../platform/http/no-sniffing.js';
import { Overload } from '../platform/http/overload.js';
import type { Readiness } from '../platform/http/readiness.js';
import { failingJobs } from '../platform/jobs/job-metrics.js';
import { registry } from '../platform/metrics/metrics.js';
import { inRequest } from '../platform/tracing/tracing.js';
import type { Channel } from '../platform/workers/channel.js';
import { RestFace } from '../rest/rest-face.js';

/** How much of an unknown path the response tells, in UTF-16 code units. */
const LONGEST_PATH = 200;

/** Express without headers of its own. */
const bare = () => express().disable('x-powered-by').disable('etag');

/** Tells browsers not to guess another type than the one that is sent, whatever page answers. */
const neverGuessed: RequestHandler = (_request, response, next) => {
  response.set(NO_SNIFFING);
  next();
};

/** The listener for both faces, the pages and the addresses for operators. */
export interface Listener {
  readonly listener: RequestListener;
  /** Completes streams, which would not end by themselves. */
  readonly endStreams: () => Promise<void>;
}

/**
 * Makes the listener for requests. Also handles upgrades of `http` from now on. `primary` is the first
 * process, of a worker.
 */
export async function makeListener(
  app: App,
  http: Server,
  baseUrl: string,
  primary?: Channel,
): Promise<Listener> {
  const { config } = app.deps;
  const rest = new RestFace(app, baseUrl);
  const overload = new Overload(config.CORS_ORIGINS, {}, config.TRUSTED_PROXIES);
  const page = bare().use(playground(config)) as Page;
  const graphql = await GraphqlFace.of(app, http, baseUrl, overload, page);
  const pages = bare().use(neverGuessed);
  const metrics = primary ? () => primary.ask<string>('metrics') : () => registry.metrics();
  addOperatorPages(pages, app.deps, metrics);
  pages.use('/graphql/assets', playgroundAssets);
  pages.get('/graphql/rest', fromRest);
  pages.all('/graphql/reports/:id.:format', reportFile(app, baseUrl));
  pages.use(`/${config.ADMIN_DIR}`, pagesForPeople(app, baseUrl));
  pages.use(`/v3/${config.ADMIN_DIR}`, pagesForPeople(app, `${baseUrl}/v3`));
  for (const api of ['/api', '/v3/api']) pages.use(`${api}/reference`, reference(api));
  pages.get('/demo/:name.svg', demoImages);
  const files = mediaFiles(app, (response) => overload.streams(response));
  pages.get('/files/:key/:name', files);
  pages.get('/wp-content/uploads/*path', files);
  pages.options('/uploads/:key', uploadOptions(app));
  pages.put('/uploads/:key', takeUpload(app));
  pages.get('/calendar/:secret.ics', calendarFeed(app, baseUrl));
  pages.get('/embedded-report/:secret', embeddedReport(app, baseUrl, reportRunner(app)));
  const form = express.urlencoded({ extended: false, limit: '1kb', parameterLimit: 5 });
  pages.all('/report-mails/:token', form, reportMails(app, baseUrl));
  addSite(pages, app, `${baseUrl}/v3`, '/v3', /^\/v3\//);
  addSite(pages, app, baseUrl, '/', /^\//);
  addFailures(pages, app.deps);

  return {
    listener: (request, response) => {
      if (overload.sheds(request, response)) return;
      countResponse(request, response);
      inRequest(request, response, config.TRUSTED_PROXIES, () => {
        if (!rest.handle(request, response) && !graphql.handle(request, response))
          pages(request, response);
      });
    },
    endStreams: () => graphql.endStreams(),
  };
}

/**
 * Adds the public pages of one edition's site: its root, and every address that links name. `below`
 * is a pattern without groups: Express would decode what they match.
 */
function addSite(pages: Express, app: App, siteUrl: string, root: string, below: RegExp): void {
  const form = express.urlencoded({ extended: false, limit: '4kb', parameterLimit: 5 });
  pages.get(root, visited(app, siteUrl, [mediumPage, contentPage, siteRoot]));
  pages.get(below, visited(app, siteUrl, [archivePage, contentPage, mediumPathPage]));
  pages.post(below, form, visited(app, siteUrl, [contentPage]));
}

/** Adds the addresses for operators: liveness, readiness, and the metrics of all workers. */
function addOperatorPages(
  pages: Express,
  { database, config, readiness }: Deps,
  metrics: () => Promise<string>,
): void {
  pages.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
  pages.get('/readyz', async (_request, response) => {
    const [reasons, warnings] = await Promise.all([readiness.reasons(), warningsOf(readiness)]);
    const ready = Object.keys(reasons).length === 0;
    const status = ready ? 'ok' : 'unavailable';
    response
      .status(ready ? 200 : 503)
      .json({ status, database: database.kind, ...(!ready && { reasons }), ...warnings });
  });
  pages.get('/metrics', async (request, response) => {
    if (!mayReadMetrics(request, config))
      return void response
        .status(403)
        .json({ error: 'Metrics are for this machine, or for METRICS_TOKEN.' });
    response.set('Content-Type', registry.contentType).send(await metrics());
  });
}

/** Adds jobs that fail again and again to the warnings: the process serves, and background work does not. */
async function warningsOf(readiness: Readiness) {
  const jobs = [...failingJobs()].map(([job, runs]) => [job, `Its last ${runs} runs failed.`]);
  const warnings = { ...(await readiness.warnings()), ...Object.fromEntries(jobs) };
  return Object.keys(warnings).length > 0 ? { warnings } : {};
}

/**
 * Adds the responses to requests for no page, and to those that fail, in the form of GraphQL: who
 * asks at a wrong address may have meant it. Comes after all pages.
 */
function addFailures(pages: Express, { log }: Deps): void {
  const refuse = (request: Request, response: Response, status: number, message: string) => {
    const extensions = { code: status < 500 ? 'BAD_REQUEST' : 'INTERNAL_ERROR' };
    sendErrors(request, response, status, {}, [{ message, extensions }]);
  };
  pages.use((request, response) => {
    const path = request.path.slice(0, LONGEST_PATH);
    label(response, { route: 'unmatched' });
    refuse(request, response, 404, `There is nothing at ${path}.`);
  });
  pages.use(((error, request, response, _next) => {
    const status = error.status ?? 500;
    if (status < 500) return refuse(request, response, status, 'This request cannot be read.');
    log.error({ err: error }, 'request failed');
    refuse(request, response, status, 'Something went wrong on our side.');
  }) as express.ErrorRequestHandler);
}
