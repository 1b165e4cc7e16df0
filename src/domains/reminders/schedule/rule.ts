import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';

/**
 * An RFC 5545 recurrence rule. `rrule-temporal` expands it on a clock without shifts (UTC), and the caller finds the instants of what
 * it answers: the library itself leaves out times that a shift skips, and a reminder must not be left out.
 */
export interface Rule {
  /** The rule without UNTIL, which is a bound of the schedule. */
  readonly text: string;
  readonly count?: number;
  /** The last moment: a date means its whole day, a clock time is the zone's, with `utc` it is an instant. */
  readonly until?: { readonly local: number; readonly utc: boolean };
  /** The hours that the rule names; without them it comes at the clock time of the start. */
  readonly hours: readonly number[];
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
/** The frequencies that are followed, and how large an interval may be: about ten years; an hour's, one year. */
const INTERVALS: Readonly<Record<string, number>> = { HOURLY: 9_000, DAILY: 3_660, WEEKLY: 520, MONTHLY: 120, YEARLY: 10 };
const WEEKDAYS = /^([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)$/;
/** More often than every half an hour is no reminder, and would be unbounded work. */
const MOST_A_DAY = 48;
const DAY = 24 * 60 * 60 * 1000;

/** Reads a rule. Undefined for anything else, for FREQ=MINUTELY and SECONDLY, COUNT above 1,000 and more than 48 times a day. */
export function parseRule(text: string): Rule | undefined {
  const parts = partsOf(text);
  const frequency = parts?.get('FREQ') ?? '';
  if (!parts || !Object.hasOwn(INTERVALS, frequency) || (parts.has('COUNT') && parts.has('UNTIL'))) return undefined;
  if (Number(parts.get('INTERVAL') ?? 1) > (INTERVALS[frequency] as number)) return undefined;
  const until = parts.has('UNTIL') ? untilOf(parts.get('UNTIL') as string) : undefined;
  if (parts.has('UNTIL') && !until) return undefined;
  if (perDay(parts, frequency) > MOST_A_DAY) return undefined;
  const elapsed = frequency === 'HOURLY' && ![...parts.keys()].some((name) => name.startsWith('BY'));
  if (frequency === 'HOURLY' && !elapsed && !asDaily(parts)) return undefined;
  const kept = [...parts].filter(([name]) => name !== 'UNTIL').map(([name, value]) => `${name}=${value}`);
  const count = Number(parts.get('COUNT')) || undefined;
  const rule: Rule = {
    text: kept.join(';'),
    hours:
      parts
        .get('BYHOUR')
        ?.split(',')
        .map(Number)
        .sort((a, b) => a - b) ?? [],
    ...(count && { count }),
    ...(until && { until }),
    ...(elapsed && { elapsedHours: Number(parts.get('INTERVAL') ?? 1) }),
  };
  return elapsed || isExpandable(rule) ? rule : undefined;
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour).join(',');

/** Every hour of some days is daily at all hours, which is found faster. False for hours that would have to be counted across days. */
function asDaily(parts: Map<string, string>): boolean {
  if (Number(parts.get('INTERVAL') ?? 1) !== 1 || parts.has('BYSETPOS')) return false;
  parts.set('FREQ', 'DAILY').set('BYHOUR', parts.get('BYHOUR') ?? HOURS);
  return true;
}

function partsOf(text: string): Map<string, string> | undefined {
  const parts = new Map<string, string>();
  const bare = text.toUpperCase().replace(/^RRULE:/, '');
  for (const part of bare.split(';').filter(Boolean)) {
    const [name = '', value = '', ...more] = part.split('=');
    if (more.length > 0 || parts.has(name) || !isPart(name, value)) return undefined;
    parts.set(name, value);
  }
  return parts;
}

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
    return /^[+-]?\d{1,4}$/.test(number) && size >= least && size <= most && (negative || !number.startsWith('-'));
  });
}

function perDay(parts: ReadonlyMap<string, string>, frequency: string): number {
  const many = (name: string, otherwise: number) => parts.get(name)?.split(',').length ?? otherwise;
  return many('BYHOUR', frequency === 'HOURLY' ? 24 : 1) * many('BYMINUTE', 1) * many('BYSECOND', 1);
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
  if (year < 1900 || new Date(date).getUTCDate() !== day || month > 12 || month < 1) return undefined;
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
  const rule = new RRuleTemporal({ rruleString: `RRULE:${text}`, dtstart, cache: false, maxIterations: MOST_STEPS });
  if (made.size >= REMEMBERED) made.clear();
  made.set(key, rule);
  return rule;
}

/** The local times of a rule from `from` to `to`, both included, in order. The library seeks the window, also under COUNT. */
export function localsBetween({ text }: Rule, start: number, from: number, to: number): number[] {
  if (to < start || to < from) return [];
  const found = expander(text, start).between(new Date(Math.max(from, start)), new Date(to), true);
  return found.map(({ epochMilliseconds }) => epochMilliseconds);
}

/** The first local time of a rule from `from` to `to`, looked for in ever wider windows. Undefined when there is none within 30 years. */
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
const WINDOWS = [40 * DAY, 400 * DAY, 30 * 366 * DAY];

/** Whether the library takes the rule and finds its way in it, tried from days on which rules differ. */
function isExpandable(rule: Rule): boolean {
  try {
    for (const start of TRIED) localFrom(rule, start, start, Number.POSITIVE_INFINITY);
    return true;
  } catch {
    return false;
  }
}
const TRIED = [Date.UTC(2024, 0, 31, 8), Date.UTC(2024, 1, 29, 8)];
