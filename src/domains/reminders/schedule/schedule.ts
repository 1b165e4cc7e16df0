import { instantAt, localAt } from '../../../platform/zone.js';
import type { Frequency, Unit } from './frequency.js';
import { localFrom, localsBetween, type Rule } from './rule.js';
import { sinceMidnight } from './times.js';

const DAY = 24 * 60 * 60 * 1000;
const HOUR = 60 * 60 * 1000;
/** No shift moves a clock by more than this: Samoa left out a whole day. */
const LARGEST_SHIFT = DAY + HOUR;
/**
 * How much of a rule is expanded at once: of a range that somebody asked for, and of one that was
 * asked for without end.
 */
const YEAR = 400 * DAY;
const CHUNK = 8 * DAY;
/** After this nothing is expanded. */
const END_OF_TIME = Date.UTC(9999, 11, 30);

/** When a reminder comes. Everything that `expand` needs; it reads no clock and no database. */
export interface Schedule {
  readonly frequency: Frequency;
  /** IANA name, or an offset such as +02:00. */
  readonly zone: string;
  /** Local time of the first occurrence at the earliest, in milliseconds as if UTC. */
  readonly start: number;
  /**
   * The instant of that, for what comes once or by elapsed hours. Default: the first that shows the
   * local time.
   */
  readonly startAt?: number | undefined;
  /**
   * Clock times of each day, HH:MM[:SS]; a rule that names its hours and elapsed time need none.
   */
  readonly times: readonly string[];
  /** The last instant at which it may come, included. */
  readonly until?: number | undefined;
}

/**
 * One coming of a reminder: the instant, and what the clocks should show then (in a gap they show a
 * later time).
 */
export interface Occurrence {
  readonly at: number;
  readonly local: number;
}

/**
 * The occurrences of a schedule from one instant to another (the first included, the second not),
 * in order, as they are asked for.
 *
 * - Clock schedules keep their local time through shifts of the zone. A time in a gap comes later
 *   by the gap, one in a fold the first time: each occurrence comes exactly once. Two that meet at
 *   one instant in a gap are one occurrence.
 * - `every_N_hours` counts elapsed time from the first instant.
 * - On a day that a month does not have, `monthly` and `yearly` come on the month's last day; an
 *   RRULE leaves the month out (RFC 5545).
 * - Nothing comes before the start or after the end. The work depends on what is asked for, not
 *   on where the series began or ends.
 * - What is taken as needed or not understood never comes.
 */
export function* expand(schedule: Schedule, from: number, to: number): Generator<Occurrence> {
  const end = Math.min(to, END_OF_TIME, (schedule.until ?? END_OF_TIME) + 1);
  const { frequency } = schedule;
  if (frequency.kind === 'once') yield* once(schedule, from, end);
  else if (frequency.kind === 'elapsed') yield* elapsed(schedule, frequency, from, end);
  else {
    const piece = to - from <= YEAR ? YEAR : CHUNK;
    yield* inOrder(
      localsOf(schedule, Math.max(from, schedule.start - 2 * DAY), end, piece),
      schedule,
      from,
      end,
    );
  }
}

/** The first occurrence at or after an instant, if there is one. */
export function nextOccurrence(schedule: Schedule, from: number): Occurrence | undefined {
  const { value } = expand(schedule, from, END_OF_TIME).next();
  return value as Occurrence | undefined;
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
  const step = hours * HOUR;
  // Plans hold the end of a rule of elapsed hours as an instant, like everything of theirs: it does
  // not move with the clocks.
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

/** The instant that UNTIL of a rule names. */
export function boundOf(until: { local: number; utc: boolean } | undefined, zone: string): number {
  if (!until) return END_OF_TIME;
  return until.utc ? until.local : instantAt(until.local, zone);
}

/**
 * Local times around a span of instants, day by day; a little more than asked for, on both sides.
 */
function* localsOf(
  { frequency, zone, start, times }: Schedule,
  from: number,
  end: number,
  piece: number,
): Generator<number[]> {
  const earliest = Math.max(start, localAt(from, zone) - LARGEST_SHIFT);
  const latest = localAt(end, zone) + LARGEST_SHIFT;
  if (frequency.kind === 'calendar') {
    const clocks = times.map(sinceMidnight);
    for (const day of days(frequency.unit, frequency.every, start, earliest)) {
      if (day > latest) return;
      yield clocks.map((clock) => day + clock).filter((local) => local >= start);
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
 * What a rule gives from one local time to another, a piece of so many milliseconds at a time, with
 * pauses jumped over.
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

/** The days of a series, as local midnights, from the one before `earliest` on. */
function* days(unit: Unit, every: number, start: number, earliest: number): Generator<number> {
  const first = Math.floor(start / DAY);
  if (unit === 'day' || unit === 'week') {
    const step = unit === 'week' ? 7 * every : every;
    const skipped = Math.max(0, Math.floor((Math.floor(earliest / DAY) - first) / step));
    for (let day = first + skipped * step; ; day += step) yield day * DAY;
  }
  const begun = new Date(first * DAY);
  const step = unit === 'year' ? 12 * every : every;
  const months =
    (new Date(earliest).getUTCFullYear() - begun.getUTCFullYear()) * 12 +
    new Date(earliest).getUTCMonth() -
    begun.getUTCMonth();
  for (let i = Math.max(0, Math.floor(months / step) - 1); ; i++) {
    const month = begun.getUTCMonth() + i * step;
    const last = new Date(Date.UTC(begun.getUTCFullYear(), month + 1, 0)).getUTCDate();
    yield Date.UTC(begun.getUTCFullYear(), month, Math.min(begun.getUTCDate(), last));
  }
}

/**
 * Finds the instants of local times, puts them in order and takes what falls into the span, each
 * instant once.
 */
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
    // Within reach of a shift a later local time may come earlier, so what is found waits until
    // nothing can overtake it.
    const safe = Math.min(...found.map(({ at }) => at)) - LARGEST_SHIFT;
    yield* release(safe);
    if (safe > end) return;
    waiting = [...waiting, ...found].sort((a, b) => a.at - b.at || a.local - b.local);
  }
  yield* release(Number.POSITIVE_INFINITY);
}
