import express, { type ErrorRequestHandler, type RequestHandler, type Router } from 'express';
import type { App } from '../app/app.js';
import { isUnavailable } from '../platform/database/database.js';
import { alsoHalfClosed } from '../platform/http/raw-body.js';
import { decideAuthorization, showAuthorization } from './authorize-application.js';
import { html, sendPage } from './html.js';
import { setPassword, showSetPassword } from './set-password.js';
import { showHome, showSignIn, signIn, signOut } from './sign-in.js';
import { type PagesSite, Visit } from './visit.js';

type Page = (visit: Visit) => void | Promise<void>;

/** The pages for people: method, path and handler. */
const PAGES: readonly (readonly [method: 'get' | 'post', path: string, page: Page])[] = [
  ['get', '/', showHome],
  ['get', '/login', showSignIn],
  ['post', '/login', signIn],
  ['post', '/logout', signOut],
  ['get', '/set-password', showSetPassword],
  ['post', '/set-password', setPassword],
  ['get', '/authorize-application.php', showAuthorization],
  ['post', '/authorize-application.php', decideAuthorization],
];

/**
 * Returns a router with the pages for people of one edition's site. Mount it at `/<ADMIN_DIR>`
 * below the site's root. Each request pays a point.
 */
export function pagesForPeople(app: App, siteUrl: string): Router {
  const home = `${new URL(siteUrl).pathname.replace(/\/$/, '')}/${app.deps.config.ADMIN_DIR}`;
  const site: PagesSite = { app, siteUrl, home };
  const router = express.Router();
  router.use(
    alsoHalfClosed(express.urlencoded({ extended: false, limit: '64kb', parameterLimit: 50 })),
  );
  for (const [method, path, page] of PAGES) router[method](path, handlerOf(site, page));
  router.use(errorHandler(app));
  return router;
}

const handlerOf =
  (site: PagesSite, page: Page): RequestHandler =>
  async (request, response) => {
    const visit = await Visit.of(site, request, response);
    const spent = await visit.context.quota.arrive();
    if (!spent) return page(visit);
    response.set('Retry-After', String(spent.detail?.retryAfter));
    visit.send({ status: 429, title: 'Error', body: html`<h1>${spent.message}</h1>` });
  };

/** Answers an error with a page. The cause is only logged. */
function errorHandler({ deps }: App): ErrorRequestHandler {
  return (error, _request, response, _next) => {
    const { status, sentence } = failureOf(error);
    if (status === 500) deps.log.error({ err: error }, 'page failed');
    if (status === 503) response.set('Retry-After', '1');
    sendPage(response, { status, title: 'Error', body: html`<h1>${sentence}</h1>` });
  };
}

function failureOf(error: { status?: number }): { status: number; sentence: string } {
  const { status = 500 } = error;
  if (status < 500) return { status, sentence: 'This request cannot be read.' };
  if (isUnavailable(error))
    return {
      status: 503,
      sentence: 'The service is not available at the moment. Please try again soon.',
    };
  return { status: 500, sentence: 'Something went wrong on our side.' };
}
