import type { Frequency } from './frequency.types.js';
import type { ScheduleValue } from './schedule-value.js';

const HOUR = 60;

/**
 * Returns a schedule as an RFC 5545 rule; undefined where no single rule has the same occurrences:
 * cycles, several times a day that are no product of hours and minutes, times that depend on the
 * member, and days that shorter months lack. A rule without clock times has that of its start.
 */
export function rruleOf({ repeat, times, end }: ScheduleValue): string | undefined {
  if (repeat.kind === 'rule') return isRule(repeat.text) ? repeat.text : repeat.rrule;
  const days = daysOf(repeat);
  const clocks = clocksOf(times);
  if (!days || !clocks || end?.days) return undefined;
  return [...days, ...clocks, ...(end?.count ? [`COUNT=${end.count}`] : [])].join(';');
}

/** Returns whether a frequency is written as a rule, and not as a phrase. */
export const isRule = (text: string): boolean => /FREQ=/i.test(text);

/**
 * Returns what a phrase means as an RFC 5545 rule, such as "first Monday" or "every 8 hours for 6
 * doses". Undefined where its times are the member's usual ones or parts of the day, or where it
 * ends otherwise than after a number of doses.
 */
export function rruleOfPhrase(frequency: Frequency): string | undefined {
  if ('course' in frequency) return undefined;
  if (frequency.kind === 'elapsed') {
    const { hours, count, until } = frequency;
    const interval = { kind: 'interval', minutes: Math.round(hours * HOUR) } as const;
    return until
      ? undefined
      : rruleOf({ repeat: interval, times: [], ...(count && { end: { count } }) });
  }
  if (frequency.kind !== 'rule') return undefined;
  const { text, count, at = [], timesADay = at.length, limits, until } = frequency;
  const times = at.flatMap((time) => ('clock' in time ? [time.clock] : []));
  const clocks = clocksOf(times);
  if (limits || until || !clocks || times.length < timesADay) return undefined;
  return [text, ...clocks, ...(count ? [`COUNT=${count}`] : [])].join(';');
}

function daysOf(repeat: ScheduleValue['repeat']): string[] | undefined {
  const often = (frequency: string, every: number) =>
    every === 1 ? [`FREQ=${frequency}`] : [`FREQ=${frequency}`, `INTERVAL=${every}`];
  switch (repeat.kind) {
    case 'days':
      return often('DAILY', repeat.every);
    case 'weeks':
      return [
        ...often('WEEKLY', repeat.every),
        ...(repeat.weekdays.length > 0 ? [`BYDAY=${repeat.weekdays}`] : []),
      ];
    case 'months':
      return repeat.days.length > 0 && repeat.days.every((day) => day <= 28)
        ? [...often('MONTHLY', repeat.every), `BYMONTHDAY=${repeat.days}`]
        : undefined;
    case 'interval':
      return repeat.minutes % HOUR === 0
        ? often('HOURLY', repeat.minutes / HOUR)
        : often('MINUTELY', repeat.minutes);
    default:
      return undefined;
  }
}

/**
 * Returns clock times as hours and minutes, when every hour is combined with every minute;
 * undefined otherwise.
 */
function clocksOf(times: ScheduleValue['times']): string[] | undefined {
  if (times.length === 0) return [];
  if (!times.every((time) => typeof time === 'string')) return undefined;
  const parts = (from: number) => [
    ...new Set(times.map((time) => Number(time.slice(from, from + 2)))),
  ];
  const [hours, minutes] = [parts(0), parts(3)];
  if (hours.length * minutes.length !== times.length) return undefined;
  return [`BYHOUR=${hours}`, `BYMINUTE=${minutes}`];
}
