import type { Frequency } from './frequency.js';
import { isRule, rruleOfPhrase } from './rrule-text.js';
import type { Rule } from './rule.js';
import {
  type DayTime,
  type Repeat,
  type ScheduleValue,
  WEEKDAYS,
  type Weekday,
} from './schedule-value.js';

/** Returns a rule that names nothing but days, weekdays, or days of the month, as such. */
function daysOfRule({ text, until, limits, seconds }: Rule): Repeat | undefined {
  if (until || limits || seconds.length > 0) return undefined;
  const [, plain, step] = /^FREQ=(DAILY|WEEKLY);INTERVAL=(\d+)$/.exec(text) ?? [];
  if (plain === 'DAILY') return { kind: 'days', every: Number(step) };
  if (plain) return { kind: 'weeks', every: Number(step), weekdays: [] };
  const [, unit, every = '1', names = ''] =
    /^FREQ=(WEEKLY|MONTHLY);(?:INTERVAL=(\d+);)?BY(?:MONTH)?DAY=([A-Z0-9,-]+)$/.exec(text) ?? [];
  const days = names.split(',');
  if (unit === 'WEEKLY' && days.every((day): day is Weekday => WEEKDAYS.includes(day as Weekday)))
    return { kind: 'weeks', every: Number(every), weekdays: days };
  const ofMonth = days.map(Number);
  // A rule leaves out what is missing in a month; here the last day stands for it.
  const same = ofMonth.every((day) => day === -1 || (day >= 1 && day <= 28));
  return unit === 'MONTHLY' && same
    ? { kind: 'months', every: Number(every), days: ofMonth }
    : undefined;
}

/**
 * Returns how a phrase repeats, in the same values; undefined when it was not understood. `text` is
 * the phrase, which stands for itself where it is a rule.
 */
export function repeatOf(frequency: Frequency, text: string): Repeat | undefined {
  switch (frequency.kind) {
    case 'once':
      return { kind: 'once' };
    case 'as_needed': {
      const { maxPerDay: mostADay, leastMinutes: apart } = frequency;
      return { kind: 'asNeeded', ...(mostADay && { mostADay }), ...(apart && { apart }) };
    }
    case 'elapsed':
      return frequency.count || frequency.until
        ? ruled(frequency, text)
        : { kind: 'interval', minutes: Math.round(frequency.hours * 60) };
    case 'calendar': {
      const { unit, every, on } = frequency;
      if (on && unit === 'day') return { kind: 'cycle', on, off: every - on };
      if (on) return ruled(frequency, text);
      if (unit === 'day') return { kind: 'days', every };
      if (unit === 'week') return { kind: 'weeks', every, weekdays: [] };
      return { kind: 'months', every: unit === 'year' ? 12 * every : every, days: [] };
    }
    case 'rule':
      return daysOfRule(frequency) ?? ruled(frequency, text);
    case 'phased':
      return { kind: 'phases', text };
    default:
      return undefined;
  }
}

function ruled(frequency: Frequency, text: string): Repeat {
  const rrule = isRule(text) ? undefined : rruleOfPhrase(frequency);
  return { kind: 'rule', text, ...(rrule !== undefined && { rrule }) };
}

/** How a schedule repeats that has times of the day. */
const TIMED: ReadonlySet<Repeat['kind']> = new Set(['days', 'weeks', 'months', 'cycle']);

/**
 * Returns the schedule that a phrase means, with the times of day of its plan; undefined when it
 * was not understood. The end of a course by weeks, months or a date is not in it.
 */
export function phrasedValue(
  frequency: Frequency,
  text: string,
  times: readonly DayTime[],
): ScheduleValue | undefined {
  const repeat = repeatOf(frequency, text);
  if (!repeat) return undefined;
  const timed = { repeat, times: TIMED.has(repeat.kind) ? times : [] };
  const count = frequency.kind === 'rule' && repeat.kind !== 'rule' ? frequency.count : undefined;
  const course = 'course' in frequency ? frequency.course : undefined;
  if (count) return { ...timed, end: { count } };
  return course?.kind === 'duration' && course.unit === 'day'
    ? { ...timed, end: { days: course.count } }
    : timed;
}
