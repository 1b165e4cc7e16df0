import { WEEKDAYS, type Weekday } from '../../../core/weekday.js';
import { localAt, offsetAt, shiftsBetween } from '../../../platform/zone.js';

/** Hours on a day of the week, by the clocks of a zone: HH:MM. */
export interface Hours {
  readonly weekday: Weekday;
  readonly opens: string;
  /** Not after `opens`: on the next day. */
  readonly closes: string;
}

/** Minutes of a week from Monday 00:00: from the first, up to the second. */
export type Range = readonly [from: number, to: number];

const MINUTE = 60_000;
const DAY_MINUTES = 24 * 60;
/** Minutes of a week. */
export const WEEK = 7 * DAY_MINUTES;
/** 1970-01-01 was a Thursday. */
const THURSDAY = 3 * DAY_MINUTES;

/**
 * Returns the minutes of a week that hours cover: sorted, without overlaps. Hours that close when
 * they open last a day; those that pass Sunday go on on Monday.
 */
export function rangesOf(hours: readonly Hours[]): Range[] {
  const parts = hours.flatMap(({ weekday, opens, closes }): Range[] => {
    const from = WEEKDAYS.indexOf(weekday) * DAY_MINUTES + minuteOf(opens);
    const length = minuteOf(closes) - minuteOf(opens);
    const to = from + (length > 0 ? length : length + DAY_MINUTES);
    return to <= WEEK
      ? [[from, to]]
      : [
          [from, WEEK],
          [0, to - WEEK],
        ];
  });
  const merged: [number, number][] = [];
  for (const [from, to] of parts.sort(([a], [b]) => a - b)) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

function minuteOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  return hours * 60 + minutes;
}

/** Returns the minute of the week that the clocks of a zone show at an instant. */
export const weekMinute = (instant: number, zone: string): number =>
  minuteOfLocal(localAt(instant, zone));

const minuteOfLocal = (local: number) => (Math.floor(local / MINUTE) + THURSDAY) % WEEK;

/** What opening hours say about an instant. */
export interface Opening {
  readonly isOpen: boolean;
  /** The next instant at which it opens; null while it is open. */
  readonly opensAt: Date | null;
  /** The next instant at which it closes; null while it is closed, and when it never closes. */
  readonly closesAt: Date | null;
}

/**
 * Returns whether a place is open at an instant: while the clocks of its zone show a time within
 * its hours. An hour that the clocks skip is skipped, one that they repeat counts twice. Null
 * without hours: nobody knows.
 */
export function openingAt(
  ranges: readonly Range[],
  instant: number,
  segments: readonly Segment[],
): Opening | null {
  if (ranges.length === 0) return null;
  const covers = (minute: number) => ranges.some(([from, to]) => minute >= from && minute < to);
  const first = segments[0] as Segment;
  const isOpen = covers(minuteOfLocal(instant + first.offset));
  const changes = firstChange(ranges, covers, isOpen, segments);
  const at = changes === undefined ? null : new Date(changes);
  return { isOpen, opensAt: isOpen ? null : at, closesAt: isOpen ? at : null };
}

/** A time within which the clocks of a zone do not shift. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  /** How far the clocks are ahead of UTC, in milliseconds. */
  readonly offset: number;
}

/** Returns the segments of a zone in the eight days from an instant. */
export function segmentsOf(instant: number, zone: string): Segment[] {
  const end = instant + (WEEK + DAY_MINUTES) * MINUTE;
  // Zones shift on quarter hours.
  const quarter = instant - (instant % (15 * MINUTE));
  const { shifts, offsets } = shiftsBetween(quarter, end, (at) => offsetAt(at, zone));
  return offsets.map((offset, i) => ({
    from: i === 0 ? instant : (shifts[i - 1] as number),
    to: shifts[i] ?? end,
    offset,
  }));
}

/** Returns the first instant after the beginning at which it is not `isOpen` any more. */
function firstChange(
  ranges: readonly Range[],
  covers: (minute: number) => boolean,
  isOpen: boolean,
  segments: readonly Segment[],
): number | undefined {
  for (const { from, to, offset } of segments) {
    const minute = minuteOfLocal(from + offset);
    if (covers(minute) !== isOpen) return from;
    const begun = Math.floor(from / MINUTE) * MINUTE;
    const edges = ranges
      .map(([opens, closes]) => (isOpen ? closes % WEEK : opens))
      .filter((edge) => covers(edge) !== isOpen)
      .map((edge) => begun + ((edge - minute + WEEK) % WEEK || WEEK) * MINUTE);
    const next = Math.min(...edges);
    if (next < to) return next;
  }
  return undefined;
}
