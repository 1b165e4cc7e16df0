import { dayOf } from '../../../platform/moment.js';
import { instantAt, localAt } from '../../../platform/zone.js';
import { daysOf } from './calendar-days.js';
import type { Occurrence, Schedule } from './expansion.types.js';
import type { Frequency } from './frequency.js';
import { END_OF_TIME, hoursOf } from './hours-first.js';
import { beginnings, beginsWithHours, byPhase, type Phased } from './phased.js';
import { localFrom, localsBetween, type Rule } from './rule.js';
import { sinceMidnight } from './times.js';

const DAY = 24 * 60 * 60 * 1000;
const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
/** Largest shift of a clock: Samoa left out a whole day. */
const LARGEST_SHIFT = DAY + HOUR;
/** How much of a rule is expanded at once: for a range of at most YEAR, and for a longer one. */
const YEAR = 400 * DAY;
const CHUNK = 8 * DAY;

export type { Occurrence, Schedule } from './expansion.types.js';

/**
 * Returns the occurrences of a schedule from one instant (included) to another (not included), in
 * order. They are computed as the caller iterates.
 *
 * - Clock schedules keep their local time through shifts of the zone. A time in a gap occurs later
 *   by the length of the gap. A time in a fold occurs at its first instant only. Two times that
 *   meet at one instant in a gap are one occurrence.
 * - `every_N_hours` counts elapsed time from the first instant.
 * - In a month without the day of the start, `monthly` and `yearly` occur on the last day. An RRULE
 *   leaves the month out (RFC 5545).
 * - Nothing occurs before the start or after the end. The work depends on the range that is asked
 *   for, not on where the series began or ends.
 * - A phase counts its weeks and months anew, from its first day on.
 * - `after_dose` has the one next time, which is its start.
 * - `as_needed` and `unrecognized` have no occurrences.
 */
export function* expand(schedule: Schedule, from: number, to: number): Generator<Occurrence> {
  const end = Math.min(to, END_OF_TIME, (endOf(schedule) ?? END_OF_TIME) + 1);
  const { frequency } = schedule;
  if (frequency.kind === 'once' || frequency.kind === 'after_dose')
    yield* once(schedule, from, end);
  else if (frequency.kind === 'elapsed') yield* elapsed(schedule, frequency, from, end);
  else if (frequency.kind === 'phased' && beginsWithHours(frequency)) {
    const { hours, rest } = hoursOf(schedule, frequency);
    for (const one of rest ? [...hours, rest] : hours) yield* expand(one, from, end);
  } else {
    const piece = to - from <= YEAR ? YEAR : CHUNK;
    yield* inOrder(
      localsOf(schedule, Math.max(from, schedule.start - 2 * DAY), end, piece),
      schedule,
      from,
      end,
    );
  }
}

/**
 * Returns the last possible instant: the earlier of `until` and the end of the course. A course of
 * ten days ends with the tenth day, the day of its first occurrence being the first; of elapsed
 * hours 240 hours after the first.
 */
export function endOf(schedule: Schedule): number | undefined {
  const { frequency, zone, until } = schedule;
  if (frequency.kind === 'phased' && beginsWithHours(frequency)) {
    const { hours, rest } = hoursOf(schedule, frequency);
    return rest ? endOf(rest) : hours.at(-1)?.until;
  }
  if (frequency.kind === 'phased') {
    const [last] = phasesOf(schedule, frequency).slice(-1);
    return last?.to === undefined
      ? until
      : Math.min(instantAt(last.to, zone) - 1, until ?? END_OF_TIME);
  }
  if (!('course' in frequency) || !frequency.course) return until;
  const { course, ...endless } = frequency;
  // The end of a supply is no date of the schedule: whoever finds it used up writes `until`.
  if (course.kind === 'supply') return until;
  const over =
    course.kind === 'until'
      ? instantAt(Date.parse(course.date) + DAY, zone)
      : courseEnd(course, { ...schedule, frequency: endless, until: undefined });
  return Math.min(over - 1, until ?? END_OF_TIME);
}

/** Returns the instant at which a course of some length is over. */
function courseEnd({ unit, count }: Duration, endless: Schedule): number {
  const first = nextOccurrence(endless, Number.NEGATIVE_INFINITY);
  if (!first) return END_OF_TIME;
  const elapsed = endless.frequency.kind === 'elapsed';
  const length = unit === 'day' ? count * DAY : unit === 'week' ? 7 * count * DAY : undefined;
  if (elapsed && length !== undefined) return first.at + length;
  const clock = elapsed ? first.local % DAY : 0;
  const day = first.local - (first.local % DAY);
  const last =
    length === undefined ? monthsAfter(day, count * (unit === 'year' ? 12 : 1)) : day + length;
  return instantAt(last + clock, endless.zone);
}
type Duration = Extract<
  NonNullable<(Frequency & { kind: 'calendar' })['course']>,
  { kind: 'duration' }
>;

/** A phase as a schedule of its own, and the local midnights between which it is. */
interface PhaseSpan {
  readonly schedule: Schedule;
  readonly from: number;
  readonly to: number | undefined;
}

function phasesOf({ until: _, ...schedule }: Schedule, frequency: Phased): PhaseSpan[] {
  const each = byPhase(frequency, schedule.times).map((times, i) => {
    const { often } = frequency.phases[i] as Phased['phases'][number];
    const clocked = often.kind === 'rule' ? { ...often, clocks: times.map(sinceMidnight) } : often;
    return { ...schedule, times, frequency: clocked };
  });
  const begun = dayOf(
    frequency.fromStart ? schedule.start : (firstLocal(each[0]) ?? schedule.start),
  );
  return beginnings(frequency).map((day, i) => {
    const from = begun + day * DAY;
    const { days } = frequency.phases[i] as Phased['phases'][number];
    const start = i === 0 ? schedule.start : from;
    const to = days === undefined ? undefined : from + days * DAY;
    return { schedule: { ...(each[i] as Schedule), start }, from, to };
  });
}

const firstLocal = (schedule: Schedule | undefined) =>
  schedule && nextOccurrence(schedule, Number.NEGATIVE_INFINITY)?.local;

/** Returns the same date so many months later, or the last day of that month. */
function monthsAfter(day: number, count: number): number {
  const from = new Date(day);
  const month = from.getUTCMonth() + count;
  const last = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
  return Date.UTC(from.getUTCFullYear(), month, Math.min(from.getUTCDate(), last));
}

/**
 * Returns the first occurrence at or after an instant, of those that are not withheld. Returns
 * undefined when there is none.
 */
export function nextOccurrence(
  schedule: Schedule,
  from: number,
  withheld: ReadonlySet<number> = new Set(),
): Occurrence | undefined {
  for (const one of expand(schedule, from, END_OF_TIME)) if (!withheld.has(one.at)) return one;
  return undefined;
}

function* once(
  { zone, start, startAt }: Schedule,
  from: number,
  end: number,
): Generator<Occurrence> {
  const at = startAt ?? instantAt(start, zone);
  if (at >= from && at < end) yield { at, local: start };
}

function* elapsed(
  { zone, start, startAt, until }: Schedule,
  { hours, count, until: bound }: Frequency & { kind: 'elapsed' },
  from: number,
  end: number,
): Generator<Occurrence> {
  const first = startAt ?? instantAt(start, zone);
  const step = Math.round(hours * 60) * MINUTE;
  // The plan has the end of elapsed hours as an instant, which does not move with the clocks.
  const last = Math.min(
    until ?? boundOf(bound, zone),
    count ? first + (count - 1) * step : END_OF_TIME,
  );
  for (
    let at = first + Math.max(0, Math.ceil((from - first) / step)) * step;
    at < end && at <= last;
    at += step
  ) {
    yield { at, local: localAt(at, zone) };
  }
}

/** Returns the instant that UNTIL of a rule names; END_OF_TIME without one. */
export function boundOf(until: { local: number; utc: boolean } | undefined, zone: string): number {
  if (!until) return END_OF_TIME;
  return until.utc ? until.local : instantAt(until.local, zone);
}

/**
 * Returns the local times around a span of instants, in batches. The span is widened by the largest
 * shift on both sides.
 */
function* localsOf(given: Schedule, from: number, end: number, piece: number): Generator<number[]> {
  const { frequency, zone, start, times } = given;
  const earliest = Math.max(start, localAt(from, zone) - LARGEST_SHIFT);
  const latest = localAt(end, zone) + LARGEST_SHIFT;
  if (frequency.kind === 'calendar') {
    const clocks = times.map(sinceMidnight);
    for (const day of daysOf(frequency, start, earliest)) {
      if (day > latest) return;
      yield clocks.map((clock) => day + clock).filter((local) => local >= start);
    }
  }
  if (frequency.kind === 'phased') {
    for (const { schedule, to = END_OF_TIME } of phasesOf(given, frequency)) {
      if (to <= earliest) continue;
      for (const locals of localsOf(schedule, from, end, piece)) {
        yield locals.filter((local) => local < to);
        if (locals.some((local) => local >= to)) break;
      }
    }
  }
  if (frequency.kind === 'rule') {
    const last = boundOf(frequency.until, zone);
    for (const locals of chunks(
      frequency,
      start,
      earliest,
      Math.min(latest, localAt(last, zone) + LARGEST_SHIFT),
      piece,
    )) {
      yield frequency.until ? locals.filter((local) => instantAt(local, zone) <= last) : locals;
    }
  }
}

/**
 * Returns the local times of a rule between two local times, in batches for `piece` milliseconds
 * each. Skips spans without any.
 */
function* chunks(
  rule: Rule,
  start: number,
  earliest: number,
  latest: number,
  piece: number,
): Generator<number[]> {
  for (let from: number | undefined = earliest; from !== undefined && from <= latest; ) {
    const to = Math.min(from + piece, latest);
    const locals = localsBetween(rule, start, from, to);
    if (locals.length > 0) yield locals;
    from = to < latest ? localFrom(rule, start, to + 1, latest) : undefined;
  }
}

/** Returns the instants of local times that are in the span, in order, each instant once. */
function* inOrder(
  batches: Iterable<readonly number[]>,
  { zone }: Schedule,
  from: number,
  end: number,
): Generator<Occurrence> {
  let waiting: Occurrence[] = [];
  let last = Number.NEGATIVE_INFINITY;
  function* release(before: number): Generator<Occurrence> {
    const ready = waiting.filter(({ at }) => at < before);
    waiting = waiting.filter(({ at }) => at >= before);
    for (const occurrence of ready) {
      if (occurrence.at > last && occurrence.at >= from && occurrence.at < end) yield occurrence;
      last = Math.max(last, occurrence.at);
    }
  }
  for (const locals of batches) {
    if (locals.length === 0) continue;
    const found = locals.map((local) => ({ at: instantAt(local, zone), local }));
    // Near a shift, a later local time may be an earlier instant. An occurrence waits until no
    // later batch can contain an earlier one.
    const safe = Math.min(...found.map(({ at }) => at)) - LARGEST_SHIFT;
    yield* release(safe);
    if (safe > end) return;
    waiting = [...waiting, ...found].sort((a, b) => a.at - b.at || a.local - b.local);
  }
  yield* release(Number.POSITIVE_INFINITY);
}
