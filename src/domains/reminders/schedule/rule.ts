import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { dayOf } from '../../../platform/moment.js';

/**
 * An RFC 5545 recurrence rule. `rrule-temporal` finds its days on a calendar without shifts (UTC),
 * and the caller the instants of their times: the library itself leaves out times that a shift
 * skips, and a reminder must not be left out.
 */
export interface Rule {
  /**
   * What the rule says of days: not of times, and without COUNT, and UNTIL, which is a bound of the
   * schedule.
   */
  readonly text: string;
  /** How often it comes at most. */
  readonly count?: number;
  /**
   * The last moment: a date means its whole day, a clock time is the zone's, with `utc` it is an
   * instant.
   */
  readonly until?: { readonly local: number; readonly utc: boolean };
  /** The hours that the rule names; without them it comes at the clock time of the start. */
  readonly hours: readonly number[];
  /** The minutes that the rule names; without them those of the start. */
  readonly minutes: readonly number[];
  /** The same of seconds. */
  readonly seconds: readonly number[];
  /** FREQ=HOURLY and nothing else about the clock or the calendar: elapsed time. */
  readonly elapsedHours?: number;
}

/** Numbers that a part may hold; the negative ones count from the end. */
const NUMBERS: Readonly<Record<string, readonly [least: number, most: number, negative?: true]>> = {
  INTERVAL: [1, 9_000],
  COUNT: [1, 1_000],
  BYSECOND: [0, 59],
  BYMINUTE: [0, 59],
  BYHOUR: [0, 23],
  BYMONTHDAY: [1, 31, true],
  BYYEARDAY: [1, 366, true],
  BYWEEKNO: [1, 53, true],
  BYMONTH: [1, 12],
  BYSETPOS: [1, 366, true],
};
const SINGLE = new Set(['INTERVAL', 'COUNT']);
/**
 * The frequencies that are followed, and how large an interval may be: about ten years; an hour's,
 * one year.
 */
const INTERVALS: Readonly<Record<string, number>> = {
  HOURLY: 9_000,
  DAILY: 3_660,
  WEEKLY: 520,
  MONTHLY: 120,
  YEARLY: 10,
};
const NOT_OF_DAYS = new Set(['BYHOUR', 'BYMINUTE', 'BYSECOND', 'COUNT', 'UNTIL']);
/**
 * Not the 53rd of a year, which most years lack: the library takes a day of the next year for it.
 */
const WEEKDAYS = /^([+-]?0?[1-9]|[+-]?[1-4]\d|[+-]?5[0-2])?(MO|TU|WE|TH|FR|SA|SU)$/;
/** Weeks of a month that a numbered weekday can name. */
const WEEKS_A_MONTH = 5;
/** More often than every half an hour is no reminder, and would be unbounded work. */
const MOST_A_DAY = 48;
const DAY = 24 * 60 * 60 * 1000;

/**
 * Reads a rule. Undefined for anything else, also for parts that RFC 5545 does not let stand
 * together; for FREQ=MINUTELY and SECONDLY, COUNT above 1,000 and more than 48 times a day; and for
 * what nobody is reminded by and only costs: BYSETPOS of times of a day, every so many days on a
 * date of a month.
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
 * Whether the parts that name days may stand together (RFC 5545, 3.3.10), and the library brings
 * them as they say: of some that may it leaves out days, or has too many, and what is not
 * understood is better than what comes wrongly.
 */
function standTogether(parts: ReadonlyMap<string, string>): boolean {
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
const NAMES_DAYS = ['BYDAY', 'BYMONTHDAY', 'BYYEARDAY', 'BYWEEKNO', 'BYMONTH'];

/** The numbers of a part, each once, in order. */
function numbersOf(parts: ReadonlyMap<string, string>, name: string): number[] {
  const numbers = parts.get(name)?.split(',').map(Number) ?? [];
  return [...new Set(numbers)].sort((a, b) => a - b);
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour).join(',');

/**
 * Every hour of some days is daily at all hours, which is found faster. False for hours that would
 * have to be counted across days.
 */
function asDaily(parts: Map<string, string>): boolean {
  if (Number(parts.get('INTERVAL') ?? 1) !== 1 || parts.has('BYSETPOS')) return false;
  parts.set('FREQ', 'DAILY').set('BYHOUR', parts.get('BYHOUR') ?? HOURS);
  return true;
}

/**
 * Every day of some months, or on some dates, is monthly on those, which is found faster. False for
 * every so many days on a date.
 */
function asMonthly(parts: Map<string, string>): boolean {
  if (Number(parts.get('INTERVAL') ?? 1) !== 1) return !parts.has('BYMONTHDAY');
  parts.set('FREQ', 'MONTHLY');
  if (!parts.has('BYMONTHDAY') && !parts.has('BYDAY')) parts.set('BYDAY', WEEK);
  return true;
}
const WEEK = 'MO,TU,WE,TH,FR,SA,SU';

/**
 * Rules are ASCII. Checked before letters are made large, which makes an ASCII letter of some
 * others.
 */
const ASCII = /^[\x21-\x7e]+$/;

/** The parts of a rule by name, their numbers without plus and leading zeros, each value once. */
function partsOf(text: string): Map<string, string> | undefined {
  if (!ASCII.test(text)) return undefined;
  const parts = new Map<string, string>();
  const bare = text.toUpperCase().replace(/^RRULE:/, '');
  for (const part of bare.split(';').filter(Boolean)) {
    const [name = '', value = '', ...more] = part.split('=');
    if (more.length > 0 || parts.has(name) || !isPart(name, value)) return undefined;
    parts.set(
      name,
      name === 'UNTIL' ? value : [...new Set(value.split(',').map(plainNumber))].join(','),
    );
  }
  return parts;
}

const plainNumber = (value: string) => value.replace(/^\+?0*(?=\d)|^(-)0*(?=\d)/, '$1');

function isPart(name: string, value: string): boolean {
  if (name === 'FREQ' || name === 'UNTIL') return true;
  if (name === 'WKST') return WEEKDAYS.test(value) && value.length === 2;
  if (name === 'BYDAY') return value.split(',').every((day) => WEEKDAYS.test(day));
  const bounds = Object.hasOwn(NUMBERS, name) ? NUMBERS[name] : undefined;
  if (!bounds) return false;
  const [least, most, negative] = bounds;
  const values = value.split(',');
  if (values.length > 400 || (SINGLE.has(name) && values.length > 1)) return false;
  return values.every((number) => {
    const size = Math.abs(Number(number));
    return (
      /^[+-]?\d{1,4}$/.test(number) &&
      size >= least &&
      size <= most &&
      (negative || /^\d/.test(number))
    );
  });
}

function perDay(parts: ReadonlyMap<string, string>, frequency: string): number {
  const many = (name: string, otherwise: number) => parts.get(name)?.split(',').length ?? otherwise;
  return (
    many('BYHOUR', frequency === 'HOURLY' ? 24 : 1) * many('BYMINUTE', 1) * many('BYSECOND', 1)
  );
}

function untilOf(value: string): Rule['until'] {
  const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z)?)?$/.exec(value);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const date = Date.UTC(year, month - 1, day);
  const [, , , , clock] = match;
  if (year < 1900 || new Date(date).getUTCDate() !== day || month > 12 || month < 1)
    return undefined;
  if (clock === undefined) return { local: date + DAY - 1, utc: false };
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  return { local: date + ((hour * 60 + minute) * 60 + second) * 1000, utc: match[7] === 'Z' };
}

/** Days of 30 years, and more. */
const MOST_STEPS = 20_000;
const made = new Map<string, RRuleTemporal>();
const REMEMBERED = 500;

/** The rule from a first local time on, as the library expands it. */
function expander(text: string, start: number): RRuleTemporal {
  const key = `${start} ${text}`;
  const known = made.get(key);
  if (known) return known;
  const dtstart = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO('UTC');
  const rule = new RRuleTemporal({
    rruleString: `RRULE:${text}`,
    dtstart,
    cache: false,
    maxIterations: MOST_STEPS,
  });
  if (made.size >= REMEMBERED) made.clear();
  made.set(key, rule);
  return rule;
}

/**
 * The local times of a rule from `from` to `to`, both included, in order. The work is that of the
 * window; see `lastUntil` for COUNT.
 */
export function localsBetween(rule: Rule, start: number, from: number, to: number): number[] {
  const end = rule.count === undefined ? to : Math.min(to, lastUntil(rule, start, to));
  return between(rule, start, Math.max(from, start), end);
}

function between(rule: Rule, start: number, from: number, to: number): number[] {
  if (to < from) return [];
  const days = expander(rule.text, start).between(
    new Date(dayOf(from)),
    new Date(dayOf(to) + DAY - 1),
    true,
  );
  const clocks = clocksOf(rule, start);
  return days
    .flatMap(({ epochMilliseconds }) => clocks.map((clock) => dayOf(epochMilliseconds) + clock))
    .filter((local) => local >= from && local <= to);
}

/**
 * The times of a day, in milliseconds, in order: what the rule does not name is that of the start.
 */
export function clocksOf({ hours, minutes, seconds }: Rule, start: number): number[] {
  const first = new Date(start);
  const or = (named: readonly number[], otherwise: number) =>
    named.length > 0 ? named : [otherwise];
  return or(hours, first.getUTCHours()).flatMap((hour) =>
    or(minutes, first.getUTCMinutes()).flatMap((minute) =>
      or(seconds, first.getUTCSeconds()).map(
        (second) => ((hour * 60 + minute) * 60 + second) * 1000,
      ),
    ),
  );
}

/**
 * How far the times of a rule with COUNT were counted, how many were left then, and the last one
 * when it is known.
 */
interface Counted {
  until: number;
  left: number;
  last?: number | undefined;
}
const counted = new Map<string, Counted>();

/**
 * The last local time of a rule with COUNT, as far as it lies before `to`; otherwise `to`. The
 * library would count from the start each time: here each time is counted once, in windows that
 * grow where few are found.
 */
function lastUntil(rule: Rule, start: number, to: number): number {
  const { text, count = 0, hours, minutes, seconds } = rule;
  const key = [start, count, text, hours, minutes, seconds].join(' ');
  const known = counted.get(key) ?? { until: start - 1, left: count };
  if (counted.size >= REMEMBERED) counted.clear();
  counted.set(key, known);
  for (let size = YEAR; known.last === undefined && known.until < to; ) {
    const end = Math.min(known.until + size, to);
    const locals = between(rule, start, known.until + 1, end);
    known.last = locals[known.left - 1];
    known.left -= locals.length;
    known.until = end;
    size = locals.length > 100 ? YEAR : Math.min(2 * size, LONGEST);
  }
  return known.last ?? to;
}
const YEAR = 366 * DAY;

/**
 * The first local time of a rule from `from` to `to`, looked for in ever wider windows. Undefined
 * when there is none within 30 years.
 */
export function localFrom(rule: Rule, start: number, from: number, to: number): number | undefined {
  for (let begin = Math.max(from, start), i = 0; i < WINDOWS.length && begin <= to; i++) {
    const end = Math.min(begin + (WINDOWS[i] as number), to);
    const [first] = localsBetween(rule, start, begin, end);
    if (first !== undefined) return first;
    begin = end + 1;
  }
  return undefined;
}
/** Weekdays and leap years repeat within 28 years. */
const LONGEST = 30 * YEAR;
const WINDOWS = [40 * DAY, 400 * DAY, LONGEST];

/**
 * Whether the library takes the rule and finds its way in it, tried from days on which rules
 * differ.
 */
function isExpandable(rule: Rule): boolean {
  try {
    for (const start of TRIED) localFrom(rule, start, start, Number.POSITIVE_INFINITY);
    return true;
  } catch {
    return false;
  }
}
const TRIED = [Date.UTC(2024, 0, 31, 8), Date.UTC(2024, 1, 29, 8)];
