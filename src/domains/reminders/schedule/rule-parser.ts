import { isExpandable, type Rule } from './rule.js';
import type { Limits } from './rule-limits.js';
import {
  numbersOf,
  partsOf,
  type ReadonlyRuleParts,
  type RuleParts,
  untilOf,
} from './rule-parts.js';

const DAY = 24 * 60 * 60_000;
/**
 * The supported frequencies and their largest intervals: about ten years; for hours, one year; for
 * minutes, six days.
 */
const INTERVALS: Readonly<Record<string, number>> = {
  SECONDLY: 1,
  MINUTELY: 9_000,
  HOURLY: 9_000,
  DAILY: 3_660,
  WEEKLY: 520,
  MONTHLY: 120,
  YEARLY: 10,
};
const NOT_OF_DAYS = new Set(['BYHOUR', 'BYMINUTE', 'BYSECOND', 'COUNT', 'UNTIL']);
const NAMES_DAYS = ['BYDAY', 'BYMONTHDAY', 'BYYEARDAY', 'BYWEEKNO', 'BYMONTH'];
/** Weeks of a month that a numbered weekday can name. */
const WEEKS_A_MONTH = 5;
/**
 * A person cannot follow a reminder more often than every half an hour. Bounds the work as well.
 */
const MOST_A_DAY = 48;
const LEAST_MINUTES = 30;
const WEEK = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/**
 * Returns the rule of a text. Returns undefined for:
 *
 * - a text that is no rule, and parts that RFC 5545 does not allow together;
 * - COUNT above 9,999, more than 48 occurrences a day, and minutes of fewer than 30;
 * - rules that are costly and that no reminder needs: BYSETPOS of times of a day.
 */
export function parseRule(text: string): Rule | undefined {
  const parts = partsOf(text);
  const frequency = parts?.get('FREQ') ?? '';
  if (!parts || !Object.hasOwn(INTERVALS, frequency) || (parts.has('COUNT') && parts.has('UNTIL')))
    return undefined;
  if (intervalOf(parts) > (INTERVALS[frequency] as number)) return undefined;
  const until = parts.has('UNTIL') ? untilOf(parts.get('UNTIL') as string) : undefined;
  if (parts.has('UNTIL') && !until) return undefined;
  const elapsedMinutes = elapsedOf(parts);
  const limits = elapsedMinutes ? {} : asDays(parts);
  if (!limits || perDay(parts) > MOST_A_DAY) return undefined;
  const count = Number(parts.get('COUNT')) || undefined;
  const rule: Rule = {
    text: textOf(parts),
    hours: numbersOf(parts, 'BYHOUR'),
    minutes: numbersOf(parts, 'BYMINUTE'),
    seconds: numbersOf(parts, 'BYSECOND'),
    ...(count && { count }),
    ...(until && { until }),
    ...(elapsedMinutes && { elapsedMinutes }),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
  return elapsedMinutes || isExpandable(rule) ? rule : undefined;
}

const intervalOf = (parts: ReadonlyRuleParts) => Number(parts.get('INTERVAL') ?? 1);

/** Returns the parts that name days, as a rule. */
function textOf(parts: ReadonlyRuleParts): string {
  const kept = [...parts].filter(([name]) => !NOT_OF_DAYS.has(name));
  return kept.map(([name, value]) => `${name}=${value}`).join(';');
}

/** Returns the minutes between two occurrences of a rule that counts elapsed time. */
function elapsedOf(parts: ReadonlyRuleParts): number | undefined {
  const unit = { HOURLY: 60, MINUTELY: 1 }[parts.get('FREQ') as string];
  if (!unit || [...parts.keys()].some((name) => name.startsWith('BY'))) return undefined;
  const minutes = unit * intervalOf(parts);
  return minutes >= LEAST_MINUTES ? minutes : undefined;
}

/**
 * Turns a rule into one of whole days, with the clock times of each, and returns what then leaves
 * some of them out. Returns undefined when the parts may not stand together.
 */
function asDays(parts: RuleParts): Limits | undefined {
  const frequency = parts.get('FREQ') as string;
  const step = asDaily(parts);
  if (step === undefined || !standTogether(parts)) return undefined;
  if (parts.has('BYSETPOS') && (frequency === 'DAILY' || perDay(parts) > 1)) return undefined;
  const days = asMonthly(parts);
  const weeks = asWeekly(parts);
  const weekdays = withoutWeekdays(parts);
  return { ...step, ...days, ...(weekdays && { weekdays }), ...(weeks && { weeks }) };
}

/**
 * Returns whether the parts that name days are allowed together (RFC 5545, 3.3.10), and the library
 * expands them correctly. For some allowed combinations it leaves out days or adds some. To refuse
 * these is better than to remind on a wrong day.
 */
function standTogether(parts: ReadonlyRuleParts): boolean {
  const frequency = parts.get('FREQ');
  const has = (...names: string[]) => names.some((name) => parts.has(name));
  const weekdays = parts.get('BYDAY')?.split(',') ?? [];
  const numbered = weekdays.some((day) => day.length > 2);
  if (has('BYSETPOS') && !has(...NAMES_DAYS)) return false;
  if (frequency !== 'YEARLY') {
    if (has('BYWEEKNO', 'BYYEARDAY') || (has('BYMONTHDAY') && frequency === 'WEEKLY')) return false;
    return !numbered || (frequency === 'MONTHLY' && withinMonth(weekdays));
  }
  if (has('BYMONTH') && !withinMonth(weekdays)) return false;
  // Weeks belong to a year of their own, of which the standard does not say whether INTERVAL and
  // BYSETPOS count it.
  if (has('BYWEEKNO') && (numbered || !has('BYDAY') || has('BYMONTHDAY', 'BYYEARDAY', 'BYSETPOS')))
    return false;
  if (has('BYWEEKNO') && Number(parts.get('INTERVAL') ?? 1) > 1) return false;
  if (has('BYYEARDAY') && (numbered || has('BYMONTHDAY'))) return false;
  if (has('BYYEARDAY') && has('BYDAY') && has('BYSETPOS')) return false;
  return !numbered || (!has('BYMONTHDAY') && weekdays.every((day) => day.length > 2));
}
const withinMonth = (weekdays: readonly string[]) =>
  weekdays.every((day) => Math.abs(Number(day.slice(0, -2))) <= WEEKS_A_MONTH);

/** The frequencies below a day: the part that names them, how many there are, milliseconds. */
const BELOW_A_DAY = {
  HOURLY: { part: 'BYHOUR', most: 24, unit: 60 * 60_000 },
  MINUTELY: { part: 'BYMINUTE', most: 60, unit: 60_000 },
  SECONDLY: { part: 'BYSECOND', most: 60, unit: 1_000 },
} as const;

/**
 * Turns every hour, minute or second of some days into daily at all of them, which the library
 * expands faster; on days of a year into yearly. Returns the step that INTERVAL leaves. Returns
 * undefined for BYSETPOS.
 */
function asDaily(parts: RuleParts): Pick<Limits, 'step'> | undefined {
  const frequency = parts.get('FREQ') as keyof typeof BELOW_A_DAY;
  if (!Object.hasOwn(BELOW_A_DAY, frequency)) return {};
  if (parts.has('BYSETPOS') || parts.has('BYWEEKNO')) return undefined;
  const { part, unit } = BELOW_A_DAY[frequency];
  if (frequency === 'SECONDLY' || part === 'BYMINUTE') fillUp(parts, 'HOURLY');
  if (frequency === 'SECONDLY') fillUp(parts, 'MINUTELY');
  fillUp(parts, frequency);
  const every = intervalOf(parts);
  parts.delete('INTERVAL');
  parts.set('FREQ', parts.has('BYYEARDAY') ? 'YEARLY' : 'DAILY');
  return every > 1 ? { step: { unit, every } } : {};
}

/** Names all hours, minutes or seconds where a rule names none. */
function fillUp(parts: RuleParts, frequency: keyof typeof BELOW_A_DAY): void {
  const { part, most } = BELOW_A_DAY[frequency];
  if (!parts.has(part)) parts.set(part, Array.from({ length: most }, (_, i) => i).join(','));
}

/**
 * Turns every day of some months, or on some dates, into monthly on those days, which the library
 * expands faster. Returns the step that an interval of several days leaves.
 */
function asMonthly(parts: RuleParts): Pick<Limits, 'step'> {
  const ofDates = parts.has('BYMONTHDAY') || parts.has('BYMONTH');
  if (parts.get('FREQ') !== 'DAILY' || !ofDates) return {};
  const every = intervalOf(parts);
  parts.delete('INTERVAL');
  parts.set('FREQ', 'MONTHLY');
  if (!parts.has('BYMONTHDAY') && !parts.has('BYDAY')) parts.set('BYDAY', WEEK.join(','));
  return every > 1 ? { step: { unit: DAY, every } } : {};
}

/**
 * Turns weekdays of some weeks of the year into weekly on those weekdays, and returns the weeks:
 * the library leaves out days of a first week that lie in the year before.
 */
function asWeekly(parts: RuleParts): Limits['weeks'] {
  if (!parts.has('BYWEEKNO')) return undefined;
  const numbers = numbersOf(parts, 'BYWEEKNO');
  const begin = WEEK.indexOf(parts.get('WKST') ?? 'MO');
  parts.delete('BYWEEKNO');
  parts.delete('WKST');
  parts.set('FREQ', 'WEEKLY');
  return { numbers, begin };
}

/** Takes the weekdays out of a rule of days of the year, and returns them as numbers. */
function withoutWeekdays(parts: RuleParts): Limits['weekdays'] {
  const weekdays = parts.has('BYYEARDAY') ? parts.get('BYDAY') : undefined;
  if (weekdays) parts.delete('BYDAY');
  return weekdays?.split(',').map((day) => WEEK.indexOf(day));
}

/** Returns the number of occurrences on a day of the rule. */
function perDay(parts: ReadonlyRuleParts): number {
  const many = (name: string) => parts.get(name)?.split(',').length ?? 1;
  return many('BYHOUR') * many('BYMINUTE') * many('BYSECOND');
}
