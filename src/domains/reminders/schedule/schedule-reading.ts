import { refuse } from '../../../core/errors.js';
import { WEEKDAYS as DAYS } from '../../../core/weekday.js';
import { parseFrequency } from './frequency.js';
import type { DayTimeInput, RepeatInput, ScheduleInput } from './schedule.inputs.js';
import {
  type DayTime,
  type Repeat,
  type ScheduleEnd,
  type ScheduleValue,
  WEEKDAYS,
  type Weekday,
} from './schedule-value.js';
import { sinceMidnight } from './times.js';

/** Most times of day, as of usual times. */
const MOST_A_DAY = 24;
/** Largest number of weeks and of months between two doses: about ten years. */
const MOST = { weeks: 520, months: 120 } as const;
/** The kinds that have times of day. */
const TIMED: ReadonlySet<Repeat['kind']> = new Set(['days', 'weeks', 'months', 'cycle']);
/** The kinds of which doses can be counted beforehand. */
const COUNTED: ReadonlySet<Repeat['kind']> = new Set([...TIMED, 'interval']);

const invalid = (message: string, path: string) =>
  refuse('SCHEDULE_INVALID', message, { param: `schedule.${path}` });

/** What an input says: a schedule as a value, or a text that is stored as it is. */
export type ScheduleRead = { readonly value: ScheduleValue } | { readonly text: string };

/**
 * Reads a schedule. Throws SCHEDULE_INVALID, and says what to change, for what is not exactly one
 * of several, an RRULE that is not understood, and times or ends that its kind does not have.
 */
export function readSchedule({ repeat: given, times: listed, end }: ScheduleInput): ScheduleRead {
  onlyOne(given, 'repeat');
  const { phrase, rrule } = given;
  const times = readTimes(listed ?? []);
  const ending = readEnd(end);
  if (typeof phrase === 'string' || typeof rrule === 'string') {
    const named = typeof rrule === 'string' ? 'rrule' : 'phrase';
    if (times.length > 0 || ending) {
      throw invalid(`Say times and end in the ${named}, or give endsOn.`, named);
    }
    return { text: readText(given) };
  }
  const repeat = readRepeat(given);
  if (times.length > 0 && !TIMED.has(repeat.kind)) {
    throw invalid('This kind of schedule has no times of day. Give startTime instead.', 'times');
  }
  if (ending?.count && !COUNTED.has(repeat.kind)) {
    throw invalid('These doses cannot be counted beforehand. Give days or endsOn.', 'end.count');
  }
  return { value: { repeat, times, ...(ending && { end: ending }) } };
}

/** Returns the one field that is given. */
function onlyOne(input: object, path: string): string {
  const given = Object.entries(input).filter(([, value]) => value !== null && value !== undefined);
  const [first] = given;
  if (given.length !== 1 || !first) throw invalid('Give exactly one of these.', path);
  return first[0];
}

/** Returns a phrase, or a rule that is understood. */
function readText({ phrase, rrule }: RepeatInput): string {
  if (typeof phrase === 'string') return phrase;
  const text = rrule as string;
  const { kind } = parseFrequency(text);
  if (kind === 'rule' || kind === 'elapsed') return text;
  const message = 'The RRULE is none of RFC 5545, or comes more often than 48 times a day.';
  throw invalid(message, 'repeat.rrule');
}

function readRepeat(given: RepeatInput): Repeat {
  const { once, days, weeks, months, cycle, interval, afterDose, asNeeded } = given;
  if (days) return { kind: 'days', every: days.every ?? 1 };
  if (weeks) return readWeeks(weeks);
  if (months) return readMonths(months);
  if (cycle) return { kind: 'cycle', on: cycle.daysOn, off: cycle.daysOff };
  if (interval) return { kind: 'interval', minutes: interval.minutes };
  if (afterDose) return { kind: 'afterDose', minutes: afterDose.minutes };
  if (asNeeded) {
    const { mostADay, leastMinutes: apart } = asNeeded;
    return { kind: 'asNeeded', ...(mostADay && { mostADay }), ...(apart && { apart }) };
  }
  if (!once) throw invalid('Only true says that it comes once.', 'repeat.once');
  return { kind: 'once' };
}

function readWeeks({ every, weekdays }: NonNullable<RepeatInput['weeks']>): Repeat {
  refuseRare(every, 'weeks');
  const named = new Set((weekdays ?? []).map((day) => DAYS.indexOf(day)));
  const inOrder = [...named].sort((a, b) => a - b).map((day) => WEEKDAYS[day] as Weekday);
  return { kind: 'weeks', every: every ?? 1, weekdays: inOrder };
}

function readMonths({ every, days }: NonNullable<RepeatInput['months']>): Repeat {
  refuseRare(every, 'months');
  if (days?.includes(0)) throw invalid('Days of a month are 1 to 31, or -1.', 'repeat.months.days');
  const place = (day: number) => (day < 0 ? 32 : day);
  const inOrder = [...new Set(days ?? [])].sort((a, b) => place(a) - place(b));
  return { kind: 'months', every: every ?? 1, days: inOrder };
}

function refuseRare(every: number | null | undefined, unit: keyof typeof MOST): void {
  if ((every ?? 1) <= MOST[unit]) return;
  throw invalid(`Every ${MOST[unit]} ${unit} at most.`, `repeat.${unit}.every`);
}

function readTimes(listed: readonly DayTimeInput[]): DayTime[] {
  if (listed.length > MOST_A_DAY) throw invalid(`${MOST_A_DAY} times a day at most.`, 'times');
  const times = listed.map((one, i): DayTime => {
    onlyOne(one, `times.${i}`);
    const { clock, anchor } = one;
    return anchor ? { anchor: anchor.at, offset: anchor.minutes ?? 0 } : (clock as string);
  });
  if (new Set(times.map((time) => JSON.stringify(time))).size < times.length) {
    throw invalid('The same time stands there twice.', 'times');
  }
  // Clock times in order, then those of the member's day as they were given.
  const clocks = times.filter((time) => typeof time === 'string');
  const inOrder = clocks.sort((a, b) => sinceMidnight(a) - sinceMidnight(b));
  return [...inOrder, ...times.filter((time) => typeof time !== 'string')];
}

function readEnd(end: ScheduleInput['end']): ScheduleEnd | undefined {
  if (!end) return undefined;
  onlyOne(end, 'end');
  const { count, days } = end;
  return count ? { count } : { days: days as number };
}
