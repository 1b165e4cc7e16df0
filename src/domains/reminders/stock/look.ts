import { dayOf } from '../../../platform/moment.js';
import { instantAt, localAt } from '../../../platform/zone.js';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
/** The clock time at which a member is told of a stock. */
const TOLD_AT = 10 * HOUR;

/** Returns when a stock is looked at next: at 10:00 by the clocks of its medicine. */
export function nextLook(now: Date, zone: string): Date {
  const today = dayOf(localAt(now.getTime(), zone));
  const looks = [today, today + DAY].map((day) => instantAt(day + TOLD_AT, zone));
  return new Date(looks.find((at) => at > now.getTime()) ?? now.getTime() + DAY);
}
