import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { App } from '../app/app.js';
import { feedOf } from '../domains/reminders/calendar/icalendar.service.js';

/**
 * Serves a member's calendar at its secret address, for calendar programs. Answers 404 to an
 * address that is unknown or has been withdrawn.
 */
export function calendarFeed(app: App, siteUrl: string): RequestHandler {
  return async (request, response, pass) => {
    const context = await app.createContext({
      authorization: undefined,
      siteUrl,
      requestId: randomUUID(),
    });
    const text = await feedOf(context, String(request.params.secret));
    response.set({
      'Cache-Control': 'private, no-store',
      'X-Robots-Tag': 'noindex',
      'Referrer-Policy': 'no-referrer',
    });
    if (text === undefined) return pass();
    response.set('Content-Type', 'text/calendar; charset=utf-8').send(text);
  };
}
