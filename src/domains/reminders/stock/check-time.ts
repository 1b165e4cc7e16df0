import { dayOf } from '../../../platform/moment.js';
import { instantAt, localAt } from '../../../platform/zone.js';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
/** The clock time at which a member is notified of a stock. */
const TOLD_AT = 10 * HOUR;

/** Returns when a stock is checked next: at 10:00 by the clocks of its medicine. */
export function nextCheck(now: Date, zone: string): Date {
  const today = dayOf(localAt(now.getTime(), zone));
  const checks = [today, today + DAY].map((day) => instantAt(day + TOLD_AT, zone));
  return new Date(checks.find((at) => at > now.getTime()) ?? now.getTime() + DAY);
}

/**
 * Returns when a check is due after a move to another zone: at the 10:00 there that is nearest to it, or
 * now where that has passed, so that however often a member crosses a border no check is put off.
 */
export function movedCheck(check: Date, zone: string, now: Date): Date {
  const day = dayOf(localAt(check.getTime(), zone));
  const checks = [day - DAY, day, day + DAY].map((one) => instantAt(one + TOLD_AT, zone));
  const apart = (at: number) => Math.abs(at - check.getTime());
  const nearest = checks.reduce((best, at) => (apart(at) < apart(best) ? at : best));
  return new Date(Math.max(nearest, now.getTime()));
}
