import { instantAt, localAt } from '../../../platform/zone.js';
import { dayAfter, weekdayOf } from '../period.js';

const HOUR = 60 * 60 * 1000;

/** When a report is mailed, by the clocks of its owner. */
export interface MailTimes {
  readonly every: 'week' | 'month';
  /** 1 for Monday to 7; or 1 to 31, the last day of shorter months. */
  readonly day: number;
  readonly hour: number;
}

/**
 * Returns the first day after `now` on which a mail is due, YYYY-MM-DD by the clocks of a zone. A
 * mail of today counts while its hour is to come.
 */
export function nextDay(times: MailTimes, now: number, zone: string): string {
  let date = new Date(localAt(now, zone)).toISOString().slice(0, 10);
  while (!isDay(times, date) || dueOn(times, date, zone) <= now) date = dayAfter(date, 1);
  return date;
}

/**
 * Returns the instant of a mail on a day, in milliseconds. An hour that the clocks skip is the next
 * one; of an hour that they repeat it is the first.
 */
export const dueOn = ({ hour }: MailTimes, date: string, zone: string): number =>
  instantAt(Date.parse(date) + hour * HOUR, zone);

function isDay({ every, day }: MailTimes, date: string): boolean {
  if (every === 'week') return weekdayOf(date) === day;
  const isLast = dayAfter(date, 1).endsWith('-01');
  const dayOfMonth = Number(date.slice(8));
  return dayOfMonth === day || (isLast && dayOfMonth < day);
}
