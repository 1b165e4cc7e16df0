import { createApplicationPassword } from '../domains/sign-in/application-password/application-password.service.js';
import { plainName } from '../platform/plain-name.js';
import { html, type Markup } from './html.js';
import { type ReturnAddress, readReturnAddress, withParameters } from './return-address.js';
import { sendExpired, signInAddress, signOutForm } from './sign-in.js';
import type { Visit } from './visit.js';

const LONGEST_NAME = 200;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const FIELDS = ['app_name', 'app_id', 'success_url', 'reject_url'] as const;

/** The request of an application. */
interface AuthorizationRequest {
  readonly name: string;
  readonly appId: string | undefined;
  readonly success: ReturnAddress | undefined;
  readonly reject: ReturnAddress | undefined;
}

/**
 * `GET /<ADMIN_DIR>/authorize-application.php`: asks the account's owner whether an application may
 * have its own password (docs/behaviour.md 2.4). Answers 400 to an invalid request.
 */
export function showAuthorization(visit: Visit): void {
  const request = visit.session && readRequest(visit);
  if (!request) visit.go(signInAddress(visit, ownAddress(visit)));
  else if (typeof request === 'string') sendRefusal(visit, request);
  else sendForm(visit, { ...request, name: shortened(request.name) });
}

/** `POST` of that form: approves with the button `approve`, otherwise rejects. */
export async function decideAuthorization(visit: Visit): Promise<void> {
  if (!visit.session) return visit.go(signInAddress(visit, ownAddress(visit)));
  if (!visit.isProven()) return sendExpired(visit, ownAddress(visit));
  const request = readRequest(visit);
  if (typeof request === 'string') return sendRefusal(visit, request);
  if (!visit.field('approve')) return reject(visit, request);
  if (!request.name) return sendForm(visit, request, 'Give the password a name.');
  if (Buffer.byteLength(request.name) > LONGEST_NAME)
    return sendForm(visit, request, 'This name is too long.');
  await approve(visit, request);
}

/** Returns the start of a name, as long as allowed. */
function shortened(name: string): string {
  const letters = [...name.slice(0, LONGEST_NAME)];
  while (Buffer.byteLength(letters.join('')) > LONGEST_NAME) letters.pop();
  return letters.join('');
}

async function approve(
  visit: Visit,
  { name, appId, success }: AuthorizationRequest,
): Promise<void> {
  const { viewer } = visit.context;
  const made = await createApplicationPassword(visit.context, {
    userId: viewer.id,
    name,
    ...(appId && { appId }),
  });
  if (!success) return sendPassword(visit, name, made.password);
  const credentials = {
    site_url: visit.site.siteUrl,
    user_login: visit.session?.username ?? '',
    password: made.password.replaceAll(' ', ''),
  };
  visit.go(withParameters(success.href, credentials));
}

function reject(visit: Visit, { reject, success, name }: AuthorizationRequest): void {
  if (reject) visit.go(reject.href);
  else if (success) visit.go(withParameters(success.href, { success: 'false' }));
  else sendRejected(visit, name);
}

function sendRejected(visit: Visit, name: string): void {
  visit.send({
    title: 'Not connected',
    body: html`<h1>${name || 'The application'} was not connected</h1>
<p>No password was made. You may close this page.</p>${signOutForm(visit)}`,
  });
}

/** Returns the request of the application, or a sentence that says what is wrong with it. */
function readRequest(visit: Visit): AuthorizationRequest | string {
  const appId = visit.field('app_id');
  if (appId && !UUID.test(appId)) return 'The application ID must be a UUID.';
  const [success, rejected] = (['success_url', 'reject_url'] as const).map((field) => {
    const given = visit.field(field);
    return given ? readReturnAddress(given) : undefined;
  });
  if (typeof success === 'string') return success;
  if (typeof rejected === 'string') return rejected;
  return {
    name: plainName(visit.field('app_name')),
    appId: appId ? appId.toLowerCase() : undefined,
    success,
    reject: rejected,
  };
}

/** Returns the address of this page with the request of the application, to return to it. */
function ownAddress(visit: Visit): string {
  const asked = FIELDS.flatMap((field): [string, string][] =>
    visit.field(field) ? [[field, visit.field(field)]] : [],
  );
  const query = new URLSearchParams(asked).toString();
  return `${visit.site.home}/authorize-application.php${query && `?${query}`}`;
}

function sendForm(visit: Visit, request: AuthorizationRequest, wrong?: string): void {
  const { name, appId, success, reject } = request;
  const who = name || 'An application';
  const goesTo = [success?.source, reject?.source].filter((source) => source !== undefined);
  visit.send({
    status: wrong ? 400 : 200,
    title: 'Connect an application',
    goesTo,
    body: html`<h1>${who} asks to use your account</h1>
<p>It wants to sign in to ${visit.context.site.title} as you, <strong>${visit.session?.name}</strong>, with a password of its own. It could then read and change whatever you can, until you revoke that password.</p>
${destination(request)}
<p class="warning">Approve only if you started this yourself, in an application that you trust.</p>
<form method="post" action="${visit.site.home}/authorize-application.php">
${visit.proof()}
<input type="hidden" name="action" value="authorize_application_password">
<input type="hidden" name="app_id" value="${appId}">
<input type="hidden" name="success_url" value="${success?.href}">
<input type="hidden" name="reject_url" value="${reject?.href}">
${wrong && html`<p class="wrong" role="alert" id="wrong">${wrong}</p>`}
<label for="app_name">New Application Password Name</label>
<input id="app_name" name="app_name" value="${name}" autocomplete="off" maxlength="${LONGEST_NAME}" required aria-describedby="${wrong ? 'wrong' : 'hint'}"${wrong && html` autofocus`}>
<p class="hint" id="hint">So that you recognise it later in your list of passwords.</p>
<div class="buttons">
<button class="first" name="approve" value="1">Yes, I approve of this connection</button>
<button name="reject" value="1" formnovalidate>No, I do not approve</button>
</div>
</form>${signOutForm(visit)}`,
  });
}

function destination({ success, reject }: AuthorizationRequest): Markup {
  if (!success)
    return html`<p>If you approve, you are shown the password once, to give it to the application yourself.</p>`;
  const elsewhere =
    reject &&
    reject.place !== success.place &&
    html` If you refuse, you go to <strong>${reject.place}</strong>.`;
  return html`<p>If you approve, the password is sent to <strong>${success.place}</strong>.${elsewhere}</p>`;
}

function sendPassword(visit: Visit, name: string, password: string): void {
  visit.send({
    title: 'Your new password',
    body: html`<h1>The password for ${name}</h1>
<p>Give it to the application, with your user name <strong>${visit.session?.username}</strong>. It is not shown again.</p>
<p><code class="secret">${password}</code></p>
<p class="hint">Spaces do not count.</p>${signOutForm(visit)}`,
  });
}

function sendRefusal(visit: Visit, sentence: string): void {
  visit.send({
    status: 400,
    title: 'This cannot be asked for',
    body: html`<h1>${sentence}</h1>
<p>The application that sent you here asks for a password in a way that cannot be granted. Nothing was changed.</p>`,
  });
}
