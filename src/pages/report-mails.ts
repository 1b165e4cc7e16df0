import type { RequestHandler } from 'express';
import type { App } from '../app/app.js';
import { incomingOf } from '../app/incoming.js';
import {
  type Subscription,
  subscriptionOf,
  unsubscribe,
} from '../domains/reports/mailing/unsubscribing.service.js';
import { html, sendPage } from './html.js';

/**
 * The page of the link in a mailed report: GET asks, since programs that check mails follow links;
 * POST ends the mails, and with `again` lets them come again. The signed address is the only
 * credential. Each request pays a point of the quota of its address.
 */
export function reportMails(app: App, baseUrl: string): RequestHandler {
  return async (request, response, next) => {
    if (!['GET', 'POST'].includes(request.method)) return next();
    const incoming = incomingOf(request, baseUrl, app.deps.config);
    const context = await app.createContext({ ...incoming, authorization: undefined });
    const title = 'Reports by mail';
    const say = (status: number, sentence: string) =>
      sendPage(response, { status, title, body: html`<h1>${title}</h1><p>${sentence}</p>` });
    const spent = await context.quota.arrive();
    if (spent) {
      response.set('Retry-After', '60');
      return say(429, 'Too many requests. Try again in a minute.');
    }
    const found = await subscriptionOf(context, String(request.params.token));
    if (!found)
      return say(
        404,
        'This address ends no mails: it is not whole, or its report or its mails are gone.',
      );
    const again = (request.body as { again?: unknown } | undefined)?.again === '1';
    const isPost = request.method === 'POST';
    if (isPost) await unsubscribe(context, found, again);
    const wants = isPost ? again : !found.isUnsubscribed;
    const body = html`<h1>${title}</h1>
<p>${sentenceOf(found, wants)}</p>
<form method="post"><input type="hidden" name="again" value="${wants ? '0' : '1'}">
<div class="buttons"><button class="first">${wants ? 'End these mails' : 'Get them again'}</button></div></form>`;
    sendPage(response, { title, body });
  };
}

/** Says whether somebody gets a report by mail. */
function sentenceOf({ name }: Subscription, wants: boolean): string {
  if (name === null)
    return wants
      ? 'This report is not mailed to you at present.'
      : 'This report is not mailed to you, and will not be.';
  return `${wants ? 'You get' : 'You do not get'} the report “${name}” by mail.`;
}
