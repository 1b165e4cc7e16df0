import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import type { App } from '../app/app.js';
import { incomingOf } from '../app/incoming.js';
import type { RequestContext } from '../core/context.js';
import {
  formToken,
  isFormToken,
  PAGE_LIFETIME,
  type PageSession,
  readPageSession,
} from '../domains/sign-in/session/page-session.service.js';
import { html, type Markup, type Page, PRIVATE, sendPage } from './html.js';

/** Where the pages of one edition's site stand. */
export interface PagesSite {
  readonly app: App;
  /** Address of the site, without a slash at its end. */
  readonly siteUrl: string;
  /** Path of the pages as browsers see it: `/admin`. */
  readonly home: string;
}

/**
 * One request of a browser to a page: who is signed in by the pages' cookie, and what a page needs
 * to answer. No other credentials count.
 */
export class Visit {
  private constructor(
    readonly site: PagesSite,
    readonly request: Request,
    readonly response: Response,
    /** Of whoever is signed in; anonymous otherwise. */
    readonly context: RequestContext,
    readonly session: PageSession | undefined,
  ) {}

  static async of(site: PagesSite, request: Request, response: Response): Promise<Visit> {
    const { app, siteUrl } = site;
    // The pages have a sign-in of their own: neither header says who comes.
    const {
      authorization: _,
      refreshToken: __,
      ...incoming
    } = incomingOf(request, siteUrl, app.deps.config);
    const context = await app.createContext({ ...incoming, authorization: undefined });
    const cookie = cookieOf(request, names(site).session);
    const session = cookie ? await readPageSession(context, cookie) : undefined;
    return new Visit(
      site,
      request,
      response,
      session ? context.as(session.viewer) : context,
      session,
    );
  }

  /**
   * A text that was sent, by the form or else in the address; empty when it was not, or more than
   * once.
   */
  field(name: string): string {
    const fields = (this.request.method === 'POST' ? this.request.body : this.request.query) as
      | Record<string, unknown>
      | undefined;
    const value = fields?.[name];
    return typeof value === 'string' ? value : '';
  }

  send(page: Omit<Page, 'site'>): void {
    sendPage(this.response, { ...page, site: this.context.site.title });
  }

  /** Sends the browser elsewhere. */
  go(address: string): void {
    this.response
      .status(302)
      .set({ ...PRIVATE, Location: address })
      .end();
  }

  /** The field that proves a form to be ours. */
  proof(): Markup {
    return html`<input type="hidden" name="_token" value="${formToken(this.context, this.#binding())}">`;
  }

  /** Whether the form that was sent is ours, for this visitor, and fresh. */
  isProven(): boolean {
    const isForeign = this.request.headers['sec-fetch-site'] === 'cross-site';
    const bound = this.session?.viewer.sessionId ?? cookieOf(this.request, names(this.site).form);
    return (
      !isForeign && bound !== undefined && isFormToken(this.context, bound, this.field('_token'))
    );
  }

  /** The session; for who is not signed in, something random that the browser keeps. */
  #binding(): string {
    if (this.session?.viewer.sessionId) return this.session.viewer.sessionId;
    const name = names(this.site).form;
    const known = cookieOf(this.request, name);
    if (known && /^[\w-]{22}$/.test(known)) return known;
    const made = randomBytes(16).toString('base64url');
    this.#setCookie(name, made);
    return made;
  }

  signIn(cookie: string): void {
    this.#setCookie(names(this.site).session, cookie, PAGE_LIFETIME);
  }

  signOut(): void {
    this.#setCookie(names(this.site).session, '', 0);
  }

  #setCookie(name: string, value: string, seconds?: number): void {
    const { home } = this.site;
    const age = seconds === undefined ? '' : `; Max-Age=${seconds}`;
    const secure = isSecure(this.site) ? '; Secure' : '';
    this.response.append(
      'Set-Cookie',
      `${name}=${value}; Path=${home}; HttpOnly; SameSite=Strict${secure}${age}`,
    );
  }
}

const isSecure = ({ siteUrl }: PagesSite) => siteUrl.startsWith('https:');

/** Names of the cookies; browsers take the prefix only over https, and then from nobody else. */
function names(site: PagesSite) {
  const prefix = isSecure(site) ? '__Secure-' : '';
  return { session: `${prefix}care_page`, form: `${prefix}care_form` };
}

function cookieOf({ headers }: Request, name: string): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
