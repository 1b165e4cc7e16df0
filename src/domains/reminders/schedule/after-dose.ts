import { dayOf } from '../../../platform/moment.js';
import { instantAt, localAt } from '../../../platform/zone.js';

const DAY = 24 * 60 * 60_000;

/**
 * Returns the first instant from another on, at which the clocks of a zone show the time that they
 * show at an instant. All in milliseconds.
 */
export function sameClock(at: number, zone: string, from: number): number {
  const local = localAt(at, zone);
  const day = dayOf(localAt(from, zone));
  const next = instantAt(day + local - dayOf(local), zone);
  return next < from ? instantAt(day + DAY + local - dayOf(local), zone) : next;
}
