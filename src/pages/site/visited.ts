import type { Request, RequestHandler, Response } from 'express';
import type { App } from '../../app/app.js';
import { incomingOf } from '../../app/incoming.js';
import type { RequestContext } from '../../core/context.js';
import { html } from '../html.js';
import { sendSitePage } from './layout.js';

/** A request for a public page of one edition's site. Credentials are ignored: all see the same. */
export interface Visited {
  readonly app: App;
  readonly request: Request;
  readonly response: Response;
  /** Of a caller without an account. */
  readonly context: RequestContext;
  /** The whole address. */
  readonly address: URL;
  readonly site: { readonly title: string; readonly url: string };
}

/** Answers a visit. Returns false when there is no such page. */
export type Answers = (visited: Visited) => Promise<boolean>;

/** Serves pages: the first that answers. Each request pays a point of the quota of its address. */
export function visited(app: App, siteUrl: string, pages: readonly Answers[]): RequestHandler {
  const { origin } = new URL(siteUrl);
  return async (request, response, next) => {
    // Slashes at the beginning would name another host.
    const target = `${origin}/${request.originalUrl.replace(/^\/+/, '')}`;
    if (!URL.canParse(target)) return next();
    const incoming = incomingOf(request, siteUrl, app.deps.config);
    const context = await app.createContext({ ...incoming, authorization: undefined });
    const site = { title: context.site.title, url: siteUrl };
    const spent = await context.quota.arrive();
    if (spent) {
      const { retryAfter } = spent.detail as { retryAfter: number };
      response.set('Retry-After', String(retryAfter));
      const title = 'Too many requests';
      const body = html`<h1>${title}</h1><p>Please try again in ${retryAfter} seconds.</p>`;
      return sendSitePage(response, { status: 429, title, site, body, shared: false });
    }
    const address = new URL(target);
    const visit = { app, request, response, context, address, site };
    for (const page of pages) if (await page(visit)) return;
    next();
  };
}
