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
