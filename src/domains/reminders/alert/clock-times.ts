import { refuse } from '../../../core/errors.js';
import { dayOf } from '../../../platform/moment.js';
import { clockTimesOf, hasAnchors } from '../schedule/day-times.js';
import { type Frequency, isTimedByPlan } from '../schedule/frequency.js';
import { type Phased, phaseClocks, timesADayOf } from '../schedule/phased.js';
import type { Rule } from '../schedule/rule.js';
import type { ScheduleValue } from '../schedule/schedule-value.js';
import { clockOf, sinceMidnight, usualTimes } from '../schedule/times.js';
import { clocksOf as clocksAt, isFixed, type MemberTimes } from '../schedule/words/anchors.js';
import type { Start } from './start.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/**
 * The clock times of a plan, where they are from, and its first local time in milliseconds. Those
 * of phases stand one behind the other.
 */
export interface ClockTimes {
  readonly times: readonly string[];
  /** start_date, usual_times, rule, schedule, or none. */
  readonly timesSource: string;
  readonly local: number;
}

/** Returns the clock times of a frequency that begins at a start. */
export function clockTimes(frequency: Frequency, start: Start, own: MemberTimes): ClockTimes {
  const { local, clock } = start;
  const { usual } = own;
  if (frequency.kind === 'phased') return phasedTimes(frequency, start, own);
  const named = namedTimes(frequency, start, own);
  if (named) return named;
  const several = 'timesADay' in frequency ? (frequency.timesADay ?? 1) : 1;
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

/**
 * Returns the times of phases. Where each comes once a day, at a time that it does not name, that
 * is the clock time of the start, if it has one; else each phase has the usual times of as many a
 * day.
 */
function phasedTimes(frequency: Phased, start: Start, own: MemberTimes): ClockTimes {
  const { local, clock } = start;
  const { phases } = frequency;
  const named = phases.map(({ often }) => ('at' in often ? often.at : undefined));
  const single = phases.every((phase, i) => !named[i] && timesADayOf(phase) === 1);
  if (single && clock)
    return { times: phases.map(() => clockOf(local)), timesSource: 'start_date', local };
  const times = phaseClocks(frequency, own).flat();
  const fixed = named.every((at) => at && isFixed(at));
  const begun = phases[0]?.often;
  // Hours begin as they do alone.
  const from = begun?.kind === 'elapsed' ? clockTimes(begun, start, own) : { local };
  return { times, timesSource: fixed ? 'rule' : 'usual_times', local: from.local };
}

/**
 * Returns the times that a phrase names, by the clock or by parts of the member's day. Undefined
 * for a frequency that names none.
 */
function namedTimes(
  frequency: Frequency,
  { local, clock }: Start,
  own: MemberTimes,
): ClockTimes | undefined {
  const at = 'at' in frequency ? frequency.at : undefined;
  if (!at) return undefined;
  const times = clocksAt(at, own);
  const first = firstFrom(local, times);
  const begins = frequency.kind === 'once' || (isTimedByPlan(frequency) && !clock);
  const timesSource = isFixed(at) ? 'rule' : 'usual_times';
  return { times, timesSource, local: begins ? first : local };
}

/**
 * Returns the clock times of a schedule that names its own; undefined of one that does not. Those
 * that depend on the member's day follow it like usual times. Throws SCHEDULE_INVALID where two of
 * them fall together, since one of two doses would be lost.
 */
export function ownTimes(
  { times }: ScheduleValue,
  { local, clock }: Start,
  own: MemberTimes,
): ClockTimes | undefined {
  if (times.length === 0) return undefined;
  const clocks = clockTimesOf(times, own);
  if (clocks.length < times.length) throw together();
  const timesSource = hasAnchors(times) ? 'usual_times' : 'schedule';
  return { times: clocks, timesSource, local: clock ? local : dayOf(local) };
}

const together = () =>
  refuse(
    'SCHEDULE_INVALID',
    "Two of the times fall together in the member's day. Give clock times, or set the times of " +
      'the day in the care settings.',
    { param: 'schedule.times' },
  );

/** Returns one usual time, for a start without a clock time. */
function oneUsualTime(
  frequency: Frequency,
  { local, exact, present = false }: Start,
  usual: MemberTimes['usual'],
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

/** Returns the clock times that a rule names; an hour without a minute has the given one. */
const clocksOf = ({ hours, minutes }: Rule, minute: number): string[] =>
  hours.flatMap((hour) =>
    (minutes.length > 0 ? minutes : [minute]).map((past) => clockOf((hour * 60 + past) * MINUTE)),
  );

/** Returns the first of some clock times from a local time on. */
function firstFrom(local: number, times: readonly string[]): number {
  const day = dayOf(local);
  const first = times.map((time) => day + sinceMidnight(time)).find((at) => at >= local);
  return first ?? day + DAY + sinceMidnight(times[0] as string);
}

/**
 * Returns the first time from a local time on that is whole steps of `hours` from a clock time of
 * its day.
 */
function stepFrom(local: number, time: string, hours: number): number {
  const base = dayOf(local) + sinceMidnight(time);
  const step = Math.round(hours * 60) * MINUTE;
  return base + Math.ceil((local - base) / step) * step;
}
