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

/** The location of the pages of one edition's site. */
export interface PagesSite {
  readonly app: App;
  /** Address of the site, without a trailing slash. */
  readonly siteUrl: string;
  /** Path of the pages as browsers see it, such as `/admin`. */
  readonly home: string;
}

/**
 * One request of a browser to a page: the person signed in by the pages' cookie, and what a page
 * needs to answer. Other credentials are ignored.
 */
export class Visit {
  private constructor(
    readonly site: PagesSite,
    readonly request: Request,
    readonly response: Response,
    /** The context of the person signed in; otherwise anonymous. */
    readonly context: RequestContext,
    readonly session: PageSession | undefined,
  ) {}

  static async of(site: PagesSite, request: Request, response: Response): Promise<Visit> {
    const { app, siteUrl } = site;
    // The pages have their own sign-in, so both headers are ignored.
    const {
      authorization: _,
      refreshToken: __,
      ...incoming
    } = incomingOf(request, siteUrl, app.deps.config);
    const context = await app.createContext({ ...incoming, authorization: undefined });
    const cookie = cookieOf(request, cookieNames(site).session);
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
   * Returns a text of the form (POST) or the query (GET). Empty when it is missing or was sent more
   * than once.
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

  /** Redirects the browser. */
  go(address: string): void {
    this.response
      .status(302)
      .set({ ...PRIVATE, Location: address })
      .end();
  }

  /** Returns the hidden field that proves that this site made the form. */
  proof(): Markup {
    return html`<input type="hidden" name="_token" value="${formToken(this.context, this.#binding())}">`;
  }

  /** Returns whether this site made the submitted form for this visitor, and not too long ago. */
  isProven(): boolean {
    const isForeign = this.request.headers['sec-fetch-site'] === 'cross-site';
    const bound =
      this.session?.viewer.sessionId ?? cookieOf(this.request, cookieNames(this.site).form);
    return (
      !isForeign && bound !== undefined && isFormToken(this.context, bound, this.field('_token'))
    );
  }

  /** Returns what a form is bound to: the session, or, without one, a random value in a cookie. */
  #binding(): string {
    if (this.session?.viewer.sessionId) return this.session.viewer.sessionId;
    const name = cookieNames(this.site).form;
    const known = cookieOf(this.request, name);
    if (known && /^[\w-]{22}$/.test(known)) return known;
    const made = randomBytes(16).toString('base64url');
    this.#setCookie(name, made);
    return made;
  }

  signIn(cookie: string): void {
    this.#setCookie(cookieNames(this.site).session, cookie, PAGE_LIFETIME);
  }

  signOut(): void {
    this.#setCookie(cookieNames(this.site).session, '', 0);
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

/**
 * Names of the cookies. Browsers accept the prefix only over https, and then only from this host.
 */
function cookieNames(site: PagesSite) {
  const prefix = isSecure(site) ? '__Secure-' : '';
  return { session: `${prefix}care_page`, form: `${prefix}care_form` };
}

function cookieOf({ headers }: Request, name: string): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
