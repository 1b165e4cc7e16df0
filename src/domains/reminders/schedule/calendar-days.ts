import type { Frequency } from './frequency.js';
import type { Unit } from './words/meaning.js';

const DAY = 24 * 60 * 60 * 1000;
/** 1970-01-01 was a Thursday: days from the Monday before. */
const SINCE_MONDAY = 3;

type Calendar = Frequency & { kind: 'calendar' };

/**
 * Returns the days of a series by the calendar as local midnights, in order, without end. They
 * begin at or before `earliest`, and may begin before the start. Local times are milliseconds as if
 * UTC.
 */
export function* daysOf(
  { unit, every, weekdays, monthDays, on }: Calendar,
  start: number,
  earliest: number,
): Generator<number> {
  if (weekdays) yield* spread(mondayOf(start), 7 * every, weekdays, earliest);
  else if (monthDays) {
    for (const [first, last] of months(every, start, earliest)) {
      const dates = monthDays.map((date) => (date < 0 ? last : Math.min(date, last)));
      for (const date of [...new Set(dates)].sort((a, b) => a - b)) {
        yield first + (date - 1) * DAY;
      }
    }
  } else if (unit === 'day' || unit === 'week') {
    const step = unit === 'week' ? 7 * every : every;
    const places = on ? Array.from({ length: on }, (_, i) => i) : [0];
    yield* spread(Math.floor(start / DAY), step, places, earliest);
  } else {
    for (const date of datesOf(unit, every, start, earliest)) {
      for (let day = 0; day < (on ?? 1); day++) yield date + day * DAY;
    }
  }
}

/** Returns some days of each period of `step` days, counted from a first day since 1970. */
function* spread(
  first: number,
  step: number,
  places: readonly number[],
  earliest: number,
): Generator<number> {
  const skipped = Math.max(0, Math.floor((Math.floor(earliest / DAY) - first) / step));
  for (let day = first + skipped * step; ; day += step) {
    for (const place of places) yield (day + place) * DAY;
  }
}

const mondayOf = (local: number) =>
  Math.floor((Math.floor(local / DAY) + SINCE_MONDAY) / 7) * 7 - SINCE_MONDAY;

/** Returns the day of the start in each month or year; in a shorter month its last one. */
function* datesOf(unit: Unit, every: number, start: number, earliest: number): Generator<number> {
  const date = new Date(start).getUTCDate();
  for (const [first, last] of months(unit === 'year' ? 12 * every : every, start, earliest)) {
    yield first + (Math.min(date, last) - 1) * DAY;
  }
}

/** Returns the first midnight and the last date of every so many months from that of the start. */
function* months(
  step: number,
  start: number,
  earliest: number,
): Generator<readonly [first: number, last: number]> {
  const [begun, from] = [new Date(start), new Date(earliest)];
  const passed =
    (from.getUTCFullYear() - begun.getUTCFullYear()) * 12 +
    from.getUTCMonth() -
    begun.getUTCMonth();
  for (let i = Math.max(0, Math.floor(passed / step) - 1); ; i++) {
    const month = begun.getUTCMonth() + i * step;
    const last = new Date(Date.UTC(begun.getUTCFullYear(), month + 1, 0)).getUTCDate();
    yield [Date.UTC(begun.getUTCFullYear(), month, 1), last];
  }
}
