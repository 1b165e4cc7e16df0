const MINUTE = 60_000;
/** Minutes of a day. */
const A_DAY = 24 * 60;
const FIRST = 8 * 60;
const LAST = 20 * 60;

/** The usual times of a member by the number of times a day: clock times, HH:MM. */
export const USUAL_TIMES: Readonly<Record<number, readonly string[]>> = {
  1: ['08:00'],
  2: ['08:00', '20:00'],
  3: ['08:00', '14:00', '20:00'],
  4: ['08:00', '12:00', '16:00', '20:00'],
};

/**
 * Returns the usual times for `count` times a day: the member's own, else those of USUAL_TIMES,
 * else times spread evenly from 08:00 to 20:00 in whole minutes.
 */
export function usualTimes(
  count: number,
  own: Readonly<Record<number, readonly string[]>> = {},
): readonly string[] {
  return own[count] ?? USUAL_TIMES[count] ?? spread(count);
}

function spread(count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const minute = Math.round(FIRST + ((LAST - FIRST) * i) / (count - 1));
    return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
  });
}

/** Returns whether a text is a clock time, HH:MM or HH:MM:SS. */
export const isClockTime = (text: string): boolean =>
  /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(text);

/** Returns a clock time as milliseconds since midnight. */
export function sinceMidnight(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) * MINUTE + seconds * 1000;
}

/** Returns the clock time of a local time: HH:MM, or HH:MM:SS when the seconds are not zero. */
export function clockOf(local: number): string {
  const text = new Date(local).toISOString().slice(11, 19);
  return text.endsWith(':00') ? text.slice(0, 5) : text;
}

/**
 * Returns the clock times of an occurrence every `hours` hours from a local time on, sorted.
 * Returns only the clock time of the start when 24 is not a multiple of `hours`, because then each
 * day has other times.
 */
export function timesEvery(hours: number, start: number): string[] {
  const minutes = Math.round(hours * 60);
  const count = A_DAY % minutes === 0 ? A_DAY / minutes : 1;
  return Array.from({ length: count }, (_, i) => clockOf(start + i * minutes * MINUTE)).sort();
}
