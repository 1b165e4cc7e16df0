import { dayOf } from '../../../platform/moment.js';
import { instantAt, localAt } from '../../../platform/zone.js';

const DAY = 24 * 60 * 60_000;

/**
 * Returns the first instant from another on, at which the clocks of a zone show the time that they
 * show at an instant. All in milliseconds.
 */
export function sameClock(at: number, zone: string, from: number): number {
  const local = localAt(at, zone);
  const day = dayOf(localAt(from, zone));
  const next = instantAt(day + local - dayOf(local), zone);
  return next < from ? instantAt(day + DAY + local - dayOf(local), zone) : next;
}

/** A span in which a medicine does not come; without an end until somebody resumes it. */
interface Pause {
  readonly fromAt: Date;
  readonly untilAt: Date | null;
}

/**
 * Returns when a dose comes that is due at an instant of a zone: at the same clock time after the
 * pauses into which it falls; undefined within one without an end. Pauses are in order of time.
 */
export function afterPauses(
  at: number,
  zone: string,
  pauses: readonly Pause[],
): number | undefined {
  let next = at;
  for (const { fromAt, untilAt } of pauses) {
    if (next < fromAt.getTime()) break;
    if (!untilAt) return undefined;
    if (next < untilAt.getTime()) next = sameClock(next, zone, untilAt.getTime());
  }
  return next;
}
