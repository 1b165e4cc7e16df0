import { instantAt, localAt } from '../../../platform/zone.js';
import type { Schedule } from './expansion.types.js';
import type { Phased } from './phased.js';

const DAY = 24 * 60 * 60 * 1000;
/** The last instant that is expanded. */
export const END_OF_TIME = Date.UTC(9999, 11, 30);

/**
 * Returns the phases of hours as schedules of their own, one from the end of the other on, and the
 * phases behind them, which begin when the hours are over. Where the start is by the clocks of
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
  const begins = { start: localAt(at, zone) + ahead, startAt: at };
  return { hours, rest: { ...schedule, frequency, ...begins } };
}
