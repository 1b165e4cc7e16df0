import { instantAt, localAt } from '../../../platform/zone.js';
import type { Schedule } from './expansion.types.js';
import type { Phased } from './phased.js';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;
/** The last instant that is expanded. */
export const END_OF_TIME = Date.UTC(9999, 11, 30);

/**
 * Returns the phases of hours as schedules of their own, one from the end of the other on, and the
 * phases behind them, which begin when the hours are over: no dose behind them is sooner after the
 * last of them than the hours are apart. Of what comes daily the first dose is within a day of the
 * clocks after their end. Where the start is by the clocks of
 * another zone than that of its instant, so are the days of those phases: a member who moves later
 * keeps them.
 */
export function hoursOf(
  schedule: Schedule,
  { phases }: Phased,
): { hours: readonly Schedule[]; rest: Schedule | undefined } {
  const { zone, start, startAt = instantAt(start, zone), until } = schedule;
  const hours: Schedule[] = [];
  let at = startAt;
  for (const { often, days } of phases) {
    if (often.kind !== 'elapsed') break;
    const next = days === undefined ? undefined : at + days * DAY;
    const last = Math.min(next === undefined ? END_OF_TIME : next - 1, until ?? END_OF_TIME);
    const own = { start: localAt(at, zone), startAt: at };
    const ends = next !== undefined || until !== undefined ? { until: last } : {};
    hours.push({ ...schedule, ...own, frequency: often, ...ends });
    at = next ?? at;
  }
  const behind = phases.slice(hours.length);
  if (behind.length === 0) return { hours, rest: undefined };
  const frequency = { kind: 'phased', phases: behind } as const;
  const ahead = schedule.startAt === undefined ? 0 : start - localAt(startAt, zone);
  const begins = {
    start: ahead === 0 ? unseenFrom(at, zone) : localAt(at, zone) + ahead,
    startAt: at,
  };
  return { hours, rest: { ...schedule, frequency, ...begins } };
}

/**
 * Returns the first local time that clocks show from an instant on and have not shown before: what
 * they show again after they went back has come at its first instant.
 */
function unseenFrom(at: number, zone: string): number {
  const local = localAt(at, zone);
  const before = instantAt(local, zone);
  let [earlier, later] = [before, at];
  while (later - earlier > MINUTE) {
    const middle = earlier + Math.ceil((later - earlier) / 2 / MINUTE) * MINUTE;
    if (localAt(middle, zone) - middle === local - before) earlier = middle;
    else later = middle;
  }
  return local + later - before;
}
