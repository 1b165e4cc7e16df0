import type { RequestHandler } from 'express';
import type { App } from '../app/app.js';
import { incomingOf } from '../app/incoming.js';
import { DomainError } from '../core/errors.js';
import { feedOf } from '../domains/reminders/calendar/icalendar.service.js';

/**
 * Serves a member's calendar at its secret address, for calendar programs. Answers 404 to an
 * address that is unknown or has been withdrawn, 429 beyond the quota of the feed, of which
 * RateLimit tells.
 */
export function calendarFeed(app: App, siteUrl: string): RequestHandler {
  return async (request, response, pass) => {
    const incoming = incomingOf(request, siteUrl, app.deps.config);
    const context = await app.createContext({
      ...incoming,
      authorization: undefined,
      timeZone: undefined,
    });
    response.set({
      'Cache-Control': 'private, no-store',
      'X-Robots-Tag': 'noindex',
      'Referrer-Policy': 'no-referrer',
    });
    try {
      const feed = await feedOf(context, String(request.params.secret));
      if (!feed) return pass();
      const headers = { ...feed.quota.headers(), 'Content-Type': 'text/calendar; charset=utf-8' };
      response.set(headers).send(feed.text);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { reason, message, detail } = error.refusal;
      if (reason !== 'TOO_MANY_REQUESTS') throw error;
      response
        .status(429)
        .set('Retry-After', String(detail?.retryAfter))
        .type('text')
        .send(message);
    }
  };
}
