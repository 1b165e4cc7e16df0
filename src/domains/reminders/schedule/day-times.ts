import { ANCHORS, type Anchor, type DayTime } from './schedule-value.js';
import { sinceMidnight } from './times.js';
import {
  type AnchorTimes,
  anchorTime,
  clockAround,
  inOrder,
  type MemberTimes,
} from './words/anchors.js';

const DAY = sinceMidnight('24:00');

/**
 * Returns the times that a column holds, in the order of ANCHORS; those that are empty are unset.
 */
export const anchorTimes = (column: readonly string[] | null): AnchorTimes =>
  Object.fromEntries(ANCHORS.flatMap((name, i) => (column?.[i] ? [[name, column[i]]] : [])));

/** Returns times as the column holds them: empty texts for those that are unset. */
export const anchorColumn = (times: AnchorTimes): string[] =>
  ANCHORS.map((anchor) => times[anchor] ?? '');

/** Returns when a member gets up, eats and goes to bed, and what of it the member has set. */
export function dayTimesOf(own: MemberTimes): Record<Anchor, string> & { own: Anchor[] } {
  const times = ANCHORS.map((anchor) => [anchor, anchorTime(anchor, own)] as const);
  const set = ANCHORS.filter((anchor) => own.anchors[anchor]);
  return { ...(Object.fromEntries(times) as Record<Anchor, string>), own: set };
}

/**
 * Returns the clock time of each of some times of day. Minutes before or after an anchor stay within
 * its day.
 */
export const clockOfEach = (times: readonly DayTime[], own: Partial<MemberTimes>): string[] =>
  times.map((time) =>
    typeof time === 'string' ? time : clockAround(time.anchor, time.offset, own),
  );

/** Returns times of day as clock times, each once, in order. */
export const clockTimesOf = (times: readonly DayTime[], own: Partial<MemberTimes>): string[] =>
  inOrder(clockOfEach(times, own));

/** Returns whether times of day depend on the member's anchor times. */
export const hasAnchors = (times: readonly DayTime[]): boolean =>
  times.some((time) => typeof time !== 'string');

/**
 * Returns whether a day is in order from waking to going to bed, within 24 hours. It may go on
 * after midnight, and begin at any hour: who works at night may wake at 16:00 and go to bed at
 * 07:00. A time that the member has set is at no other one's; the usual ones of the rest may be.
 */
export function isDayInOrder(own: MemberTimes): boolean {
  const clocks = ANCHORS.map((anchor) => anchorTime(anchor, own));
  const [wake = ''] = clocks;
  const since = clocks.map((clock) => (sinceMidnight(clock) - sinceMidnight(wake) + DAY) % DAY);
  return ANCHORS.every((anchor, i) => {
    if (i === 0) return true;
    const step = (since[i] as number) - (since[i - 1] as number);
    const set = own.anchors[anchor] ?? own.anchors[ANCHORS[i - 1] as Anchor];
    return set ? step > 0 : step >= 0;
  });
}
