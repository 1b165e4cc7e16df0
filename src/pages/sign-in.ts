import { DomainError, type Refusal } from '../core/errors.js';
import { POINTS } from '../core/quota.js';
import { endPageSession, signInToPages } from '../domains/sign-in/session/page-session.service.js';
import { html, type Markup } from './html.js';
import type { Visit } from './visit.js';

/** `GET /<ADMIN_DIR>/login`: shows the form. Redirects visitors who are already signed in. */
export function showSignIn(visit: Visit): void {
  const target = localTarget(visit);
  if (visit.session) visit.go(target);
  else sendForm(visit, target);
}

/** `POST /<ADMIN_DIR>/login`: signs in and redirects. */
export async function signIn(visit: Visit): Promise<void> {
  const target = localTarget(visit);
  if (visit.session) return visit.go(target);
  if (!visit.isProven()) return sendExpired(visit, signInAddress(visit, target));
  const input = {
    username: visit.field('username').slice(0, 255),
    password: visit.field('password').slice(0, 4096),
  };
  try {
    const spent = await visit.context.quota.charge(POINTS.signIn);
    if (spent) throw new DomainError(spent);
    visit.signIn(await signInToPages(visit.context, input));
    visit.go(target);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    sendForm(visit, target, error.refusal);
  }
}

/** `POST /<ADMIN_DIR>/logout`: ends the session of the pages. */
export async function signOut(visit: Visit): Promise<void> {
  if (visit.session) {
    if (!visit.isProven()) return sendExpired(visit, `${visit.site.home}/`);
    await endPageSession(visit.context);
    visit.signOut();
  }
  visit.go(`${visit.site.home}/login`);
}

/** `GET /<ADMIN_DIR>/`: the page for visitors without another destination. */
export function showHome(visit: Visit): void {
  if (visit.session)
    visit.send({ title: 'Signed in', body: html`<h1>You are signed in</h1>${signOutForm(visit)}` });
  else visit.go(`${visit.site.home}/login`);
}

/** Shows who is signed in, with a button to sign out. */
export function signOutForm(visit: Visit): Markup {
  const { name, username } = visit.session ?? {};
  return html`<footer>
<span>Signed in as ${name} (${username}).</span>
<form method="post" action="${visit.site.home}/logout">${visit.proof()}<button class="quiet">Sign out</button></form>
</footer>`;
}

/** Answers a form that this site did not make for the visitor, or that is too old. */
export function sendExpired(visit: Visit, again: string): void {
  visit.send({
    status: 403,
    title: 'Expired',
    body: html`<h1>The link you followed has expired.</h1>
<p>Nothing was changed. <a href="${again}">Please try again.</a></p>`,
  });
}

/** Returns the address of the sign-in form that continues at `target`. */
export function signInAddress({ site: { home } }: Visit, target: string): string {
  return `${home}/login?redirect_to=${encodeURIComponent(target)}`;
}

/** Returns the page of this site at which to continue; never an external address. */
function localTarget(visit: Visit): string {
  const { siteUrl, home } = visit.site;
  const asked = visit.field('redirect_to');
  const base = new URL(siteUrl);
  if (!URL.canParse(asked, base)) return `${home}/`;
  const { origin, pathname, search } = new URL(asked, base);
  return origin === base.origin && pathname.startsWith(`${home}/`) ? pathname + search : `${home}/`;
}

function sendForm(visit: Visit, target: string, refusal?: Refusal): void {
  const { message: wrong, detail } = refusal ?? {};
  const limited = refusal?.reason === 'TOO_MANY_REQUESTS';
  if (limited) visit.response.set('Retry-After', String(detail?.retryAfter));
  const username = visit.field('username').slice(0, 255);
  visit.send({
    status: limited ? 429 : wrong ? 401 : 200,
    title: 'Sign in',
    body: html`<h1>Sign in to ${visit.context.site.title}</h1>
${wrong && html`<p class="wrong" role="alert" id="wrong">${wrong}</p>`}
<form method="post" action="${visit.site.home}/login">
${visit.proof()}
<input type="hidden" name="redirect_to" value="${target}">
<label for="username">User name or e-mail address</label>
<input id="username" name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" required${wrong ? html` aria-describedby="wrong"` : html` autofocus`}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${wrong && html` aria-describedby="wrong" autofocus`}>
<div class="buttons"><button class="first">Sign in</button></div>
</form>`,
  });
}
