import { DomainError } from '../core/errors.js';
import { POINTS } from '../core/quota.js';
import { readPasswordLink, setPasswordByLink } from '../domains/passwords/password-link.service.js';
import { html } from './html.js';
import { sendExpired } from './sign-in.js';
import type { Visit } from './visit.js';

/**
 * `GET /<ADMIN_DIR>/set-password?link=…`: the form of a link that `npm run account` printed.
 * Viewing it does not use up the link.
 */
export async function showSetPassword(visit: Visit): Promise<void> {
  await sendForm(visit);
}

/** `POST` of that form: sets the password. */
export async function setPassword(visit: Visit): Promise<void> {
  if (!visit.isProven())
    return sendExpired(
      visit,
      `${visit.site.home}/set-password?link=${encodeURIComponent(linkOf(visit))}`,
    );
  const [password, again] = [visit.field('password'), visit.field('again')];
  if (password !== again) return sendForm(visit, 'The two are not the same.');
  try {
    const spent = await visit.context.quota.charge(POINTS.signIn);
    if (spent) throw new DomainError(spent);
    await setPasswordByLink(visit.context, linkOf(visit), password.slice(0, 4096));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return sendForm(visit, error.refusal.message);
  }
  visit.send({
    title: 'Your password was set',
    body: html`<h1>Your password was set</h1>
<p>You were signed out everywhere. <a href="${visit.site.home}/login">Sign in</a> with the new password.</p>`,
  });
}

const linkOf = (visit: Visit) => visit.field('link').slice(0, 1024);

async function sendForm(visit: Visit, wrong?: string): Promise<void> {
  const account = await readPasswordLink(visit.context, linkOf(visit));
  if (!account) return sendUseless(visit);
  visit.send({
    status: wrong ? 400 : 200,
    title: 'Set your password',
    body: html`<h1>Set the password of ${account.name}</h1>
<p>At ${visit.context.site.title}, for the user name <strong>${account.username}</strong>. All devices are signed out.</p>
${wrong && html`<p class="wrong" role="alert" id="wrong">${wrong}</p>`}
<form method="post" action="${visit.site.home}/set-password">
${visit.proof()}
<input type="hidden" name="link" value="${linkOf(visit)}">
<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="8" maxlength="256" required autofocus aria-describedby="${wrong ? 'wrong' : 'hint'}">
<p class="hint" id="hint">8 to 256 characters.</p>
<label for="again">The same again</label>
<input id="again" name="again" type="password" autocomplete="new-password" required>
<div class="buttons"><button class="first">Set the password</button></div>
</form>`,
  });
}

function sendUseless(visit: Visit): void {
  visit.send({
    status: 404,
    title: 'This link is no longer good',
    body: html`<h1>This link was used, or is too old</h1>
<p>Ask whoever runs the service for another one.</p>`,
  });
}
