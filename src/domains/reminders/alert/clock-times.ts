import { dayOf } from '../../../platform/moment.js';
import type { Frequency } from '../schedule/frequency.js';
import type { Rule } from '../schedule/rule.js';
import { clockOf, sinceMidnight, usualTimes } from '../schedule/times.js';
import type { Start } from './start.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A member's own usual times, by how many a day: `HH:MM`. */
export type UsualTimes = Readonly<Record<number, readonly string[]>>;

/** The clock times of a plan, where they are from, and its first local time in milliseconds. */
export interface ClockTimes {
  readonly times: readonly string[];
  /** start_date, usual_times, rule, or none. */
  readonly timesSource: string;
  readonly local: number;
}

/** The clock times of a frequency that begins at a start. */
export function clockTimes(frequency: Frequency, start: Start, usual: UsualTimes): ClockTimes {
  const { local, clock } = start;
  const several = frequency.kind === 'calendar' ? frequency.timesADay : 1;
  if (frequency.kind === 'as_needed') return { times: [], timesSource: 'none', local };
  if (several > 1) {
    return { times: usualTimes(several, usual), timesSource: 'usual_times', local };
  }
  if (frequency.kind === 'rule' && frequency.hours.length > 0) {
    const times = clocksOf(frequency, clock ? new Date(local).getUTCMinutes() : 0);
    return { times, timesSource: 'rule', local: clock ? local : firstFrom(local, times) };
  }
  if (clock) return { times: [clockOf(local)], timesSource: 'start_date', local };
  return oneUsualTime(frequency, start, usual);
}

/** One usual time, for a start without a clock time. */
function oneUsualTime(
  frequency: Frequency,
  { local, exact, present = false }: Start,
  usual: UsualTimes,
): ClockTimes {
  const times = usualTimes(1, usual);
  const timed = { times, timesSource: 'usual_times' };
  // A rule has the clock time of its start. What was taken several times a day, or as needed, began
  // at the minute it was made.
  if (exact && frequency.kind !== 'rule') return { ...timed, local };
  const stepped = frequency.kind === 'elapsed' && (present || local !== dayOf(local));
  const first = stepped
    ? stepFrom(local, times[0] as string, frequency.hours)
    : firstFrom(local, times);
  return { ...timed, local: first };
}

/** The clock times that a rule names; an hour without a minute has the given one. */
const clocksOf = ({ hours, minutes }: Rule, minute: number): string[] =>
  hours.flatMap((hour) =>
    (minutes.length > 0 ? minutes : [minute]).map((past) => clockOf((hour * 60 + past) * MINUTE)),
  );

/** The first of some clock times from a local time on. */
function firstFrom(local: number, times: readonly string[]): number {
  const day = dayOf(local);
  const first = times.map((time) => day + sinceMidnight(time)).find((at) => at >= local);
  return first ?? day + DAY + sinceMidnight(times[0] as string);
}

/**
 * The first time from a local time on that is whole steps of `hours` from a clock time of its day.
 */
function stepFrom(local: number, time: string, hours: number): number {
  const base = dayOf(local) + sinceMidnight(time);
  const step = hours * 60 * MINUTE;
  return base + Math.ceil((local - base) / step) * step;
}
