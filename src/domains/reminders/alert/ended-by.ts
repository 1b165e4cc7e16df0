import { dayOf, localOf, localText } from '../../../platform/moment.js';
import type { Frequency } from '../schedule/frequency.js';
import { expand, type Occurrence } from '../schedule/schedule.js';
import type { ScheduleEnd } from '../schedule/schedule-value.js';
import { untilOf } from './end.js';
import { type Planned, startAtOf } from './planned.js';

const DAY = 24 * 60 * 60_000;

/**
 * Returns the end of a plan that ends after so many doses or days: its text, a local date or time,
 * and its instant. A series that is longer than the calendar has no end.
 */
export function endedBy(
  { count, days }: ScheduleEnd,
  frequency: Frequency,
  { zone, startLocal, times }: Pick<Planned, 'zone' | 'startLocal' | 'times'>,
): { endDate: string; untilAt: Date | null } | undefined {
  const start = localOf(startLocal);
  if (days) {
    const endDate = localText(dayOf(start) + (days - 1) * DAY).slice(0, 'YYYY-MM-DD'.length);
    return { endDate, untilAt: untilOf({ endDate }, { local: dayOf(start), zone }) };
  }
  const startAt = startAtOf({ startLocal, zone });
  const last = nth(
    expand({ frequency, zone, start, startAt, times }, Number.NEGATIVE_INFINITY, LAST),
    count,
  );
  return last && { endDate: localText(last.local), untilAt: new Date(last.at) };
}

const LAST = Date.UTC(9999, 0, 1);

function nth(occurrences: Iterable<Occurrence>, count = 1): Occurrence | undefined {
  let passed = 0;
  for (const occurrence of occurrences) if (++passed === count) return occurrence;
  return undefined;
}
