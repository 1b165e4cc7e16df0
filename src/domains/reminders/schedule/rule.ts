import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { dayOf } from '../../../platform/moment.js';
import { isWithin, type Limits } from './rule-limits.js';

/**
 * An RFC 5545 recurrence rule. `rrule-temporal` finds its days on a calendar without shifts (UTC).
 * The caller finds the instants of their times, because the library leaves out times that a shift
 * skips, and no reminder may be left out.
 */
export interface Rule {
  /** The parts that name days, without COUNT. UNTIL is a bound of the schedule instead. */
  readonly text: string;
  /** Maximum number of occurrences. */
  readonly count?: number;
  /**
   * The last moment: a date includes its whole day; a clock time is in the zone, or with `utc` an
   * instant.
   */
  readonly until?: { readonly local: number; readonly utc: boolean };
  /** The hours that the rule names. Without them the hour of the start applies. */
  readonly hours: readonly number[];
  /** The minutes that the rule names. Without them the minute of the start applies. */
  readonly minutes: readonly number[];
  /** The seconds that the rule names. Without them the second of the start applies. */
  readonly seconds: readonly number[];
  /** Times of a day instead of those, in milliseconds since midnight, in order. */
  readonly clocks?: readonly number[];
  /**
   * Interval of FREQ=HOURLY or MINUTELY without BY parts, which counts elapsed time, in minutes.
   */
  readonly elapsedMinutes?: number;
  /** What leaves out some of the occurrences that `text` and the clock times have. */
  readonly limits?: Limits;
}

const DAY = 24 * 60 * 60 * 1000;
const YEAR = 366 * DAY;
/** Weekdays and leap years repeat within 28 years. */
const LONGEST = 30 * YEAR;
/** Lengths of the windows in which `localFrom` looks, one after the other. */
const WINDOWS = [40 * DAY, 400 * DAY, LONGEST];
/** Maximum number of days in one expansion: more than 30 years have. */
const MOST_STEPS = 20_000;
/** Maximum number of entries of each cache. */
const REMEMBERED = 500;
/** Starts for `isExpandable`, at the ends of a month and of a leap February. */
const TRIED = [Date.UTC(2024, 0, 31, 8), Date.UTC(2024, 1, 29, 8)];

const made = new Map<string, RRuleTemporal>();

/** Returns the library's form of a rule that starts at a local time. */
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
 * Returns the local times of a rule from `from` to `to`, both included, in order. The work depends
 * on the length of the window; `lastUntil` explains the work for COUNT.
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
    .filter((local) => local >= from && local <= to && isWithin(rule.limits, start, local));
}

/**
 * Returns the times of a day on which the rule occurs, in milliseconds since midnight, in order.
 * Hours, minutes and seconds that the rule does not name are those of the start.
 */
export function clocksOf(rule: Rule, start: number): readonly number[] {
  const { hours, minutes, seconds, clocks } = rule;
  if (clocks) return clocks;
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

/** How far the occurrences of a rule with COUNT were counted. */
interface Counted {
  until: number;
  /** Number of occurrences after `until`. */
  left: number;
  /** The last occurrence, once it is known. */
  last?: number | undefined;
}
const counted = new Map<string, Counted>();

/**
 * Returns the last local time of a rule with COUNT if it is before `to`, otherwise `to`. The
 * library would count from the start at each call. This function counts each occurrence once, in
 * windows that grow where there are few.
 */
function lastUntil(rule: Rule, start: number, to: number): number {
  const { text, count = 0, hours, minutes, seconds, clocks = [], limits } = rule;
  const key = [start, count, text, hours, minutes, seconds, clocks, JSON.stringify(limits)].join(
    ' ',
  );
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

/**
 * Returns the first local time of a rule from `from` to `to`. Returns undefined when there is none
 * within 30 years.
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

/** Returns whether the library accepts the rule and can expand it from the starts in TRIED. */
export function isExpandable({ limits: _, ...rule }: Rule): boolean {
  try {
    for (const start of TRIED) localFrom(rule, start, start, Number.POSITIVE_INFINITY);
    return true;
  } catch {
    return false;
  }
}
