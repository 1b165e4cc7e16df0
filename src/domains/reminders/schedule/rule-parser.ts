import { isExpandable, type Rule } from './rule.js';
import {
  numbersOf,
  partsOf,
  type ReadonlyRuleParts,
  type RuleParts,
  untilOf,
} from './rule-parts.js';

/** The supported frequencies and their largest intervals: about ten years; for hours, one year. */
const INTERVALS: Readonly<Record<string, number>> = {
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
const HOURS = Array.from({ length: 24 }, (_, hour) => hour).join(',');
const WEEK = 'MO,TU,WE,TH,FR,SA,SU';

/**
 * Returns the rule of a text. Returns undefined for:
 *
 * - a text that is no rule, and parts that RFC 5545 does not allow together;
 * - FREQ=MINUTELY and SECONDLY, COUNT above 1,000, and more than 48 occurrences a day;
 * - rules that are costly and that no reminder needs: BYSETPOS of times of a day, and an interval
 *   of several days together with dates of a month.
 */
export function parseRule(text: string): Rule | undefined {
  const parts = partsOf(text);
  const frequency = parts?.get('FREQ') ?? '';
  if (!parts || !Object.hasOwn(INTERVALS, frequency) || (parts.has('COUNT') && parts.has('UNTIL')))
    return undefined;
  if (Number(parts.get('INTERVAL') ?? 1) > (INTERVALS[frequency] as number)) return undefined;
  const until = parts.has('UNTIL') ? untilOf(parts.get('UNTIL') as string) : undefined;
  if (parts.has('UNTIL') && !until) return undefined;
  if (perDay(parts, frequency) > MOST_A_DAY) return undefined;
  const elapsed =
    frequency === 'HOURLY' && ![...parts.keys()].some((name) => name.startsWith('BY'));
  if (frequency === 'HOURLY' && !elapsed && !asDaily(parts)) return undefined;
  if (!standTogether(parts)) return undefined;
  if (parts.has('BYSETPOS') && (parts.get('FREQ') === 'DAILY' || perDay(parts, frequency) > 1))
    return undefined;
  if (
    parts.get('FREQ') === 'DAILY' &&
    (parts.has('BYMONTH') || parts.has('BYMONTHDAY')) &&
    !asMonthly(parts)
  )
    return undefined;
  const kept = [...parts]
    .filter(([name]) => !NOT_OF_DAYS.has(name))
    .map(([name, value]) => `${name}=${value}`);
  const count = Number(parts.get('COUNT')) || undefined;
  const rule: Rule = {
    text: kept.join(';'),
    hours: numbersOf(parts, 'BYHOUR'),
    minutes: numbersOf(parts, 'BYMINUTE'),
    seconds: numbersOf(parts, 'BYSECOND'),
    ...(count && { count }),
    ...(until && { until }),
    ...(elapsed && { elapsedHours: Number(parts.get('INTERVAL') ?? 1) }),
  };
  return elapsed || isExpandable(rule) ? rule : undefined;
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
  if (has('BYYEARDAY') && has('BYDAY', 'BYMONTHDAY')) return false;
  return !numbered || (!has('BYMONTHDAY') && weekdays.every((day) => day.length > 2));
}
const withinMonth = (weekdays: readonly string[]) =>
  weekdays.every((day) => Math.abs(Number(day.slice(0, -2))) <= WEEKS_A_MONTH);

/**
 * Turns every hour of some days into daily at all hours, which the library expands faster. Returns
 * false for hours that would have to be counted across days.
 */
function asDaily(parts: RuleParts): boolean {
  if (Number(parts.get('INTERVAL') ?? 1) !== 1 || parts.has('BYSETPOS')) return false;
  parts.set('FREQ', 'DAILY').set('BYHOUR', parts.get('BYHOUR') ?? HOURS);
  return true;
}

/**
 * Turns every day of some months, or on some dates, into monthly on those days, which the library
 * expands faster. Returns false for an interval of several days together with dates.
 */
function asMonthly(parts: RuleParts): boolean {
  if (Number(parts.get('INTERVAL') ?? 1) !== 1) return !parts.has('BYMONTHDAY');
  parts.set('FREQ', 'MONTHLY');
  if (!parts.has('BYMONTHDAY') && !parts.has('BYDAY')) parts.set('BYDAY', WEEK);
  return true;
}

/** Returns the number of occurrences on a day of the rule. */
function perDay(parts: ReadonlyRuleParts, frequency: string): number {
  const many = (name: string, otherwise: number) => parts.get(name)?.split(',').length ?? otherwise;
  return (
    many('BYHOUR', frequency === 'HOURLY' ? 24 : 1) * many('BYMINUTE', 1) * many('BYSECOND', 1)
  );
}
