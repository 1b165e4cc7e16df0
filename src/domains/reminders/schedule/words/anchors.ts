import { clockOf, sinceMidnight, usualTimes } from '../times.js';
import type { Anchor, DayTime } from './meaning.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A member's own usual times, by how many a day: `HH:MM`. */
export type UsualTimes = Readonly<Record<number, readonly string[]>>;

/** The clock times, HH:MM, of what a member does every day, as far as the member has set them. */
export type AnchorTimes = Readonly<Partial<Record<Anchor, string>>>;

/** The times of day that are a member's own. */
export interface MemberTimes {
  readonly usual: UsualTimes;
  readonly anchors: AnchorTimes;
}

/** Where the time of an anchor is among the usual times, and when that part of the day is. */
interface AnchorSlot {
  /** So many times a day, and which of them. */
  readonly of: readonly [count: number, place: number];
  readonly from: string;
  readonly to: string;
}
const MORNING: AnchorSlot = { of: [2, 0], from: '04:00', to: '11:59' };
const EVENING: AnchorSlot = { of: [2, 1], from: '17:00', to: '23:59' };
const ANCHOR_SLOTS: Readonly<Record<Exclude<Anchor, 'bedtime'>, AnchorSlot>> = {
  wake: MORNING,
  morning: MORNING,
  breakfast: { ...MORNING, of: [3, 0] },
  lunch: { of: [3, 1], from: '11:00', to: '16:59' },
  afternoon: { of: [3, 1], from: '12:00', to: '17:59' },
  dinner: { ...EVENING, of: [3, 2] },
  evening: EVENING,
  night: EVENING,
};
/** When somebody of whom nothing else is known goes to bed. */
const BEDTIME = '22:00';

/**
 * Returns the clock time of an anchor, HH:MM: the one rule, for phrases and for schedules.
 *
 * - A time that the member has set for it counts first.
 * - Else parts of the day and meals have the member's usual times: the morning and waking that of
 *   the first of two doses a day, meals those of three. A usual time in another part of the day
 *   (somebody works at night) is not taken, but the default one.
 * - Bedtime is 22:00, or the usual evening if that is later.
 */
export function anchorTime(anchor: Anchor, times: Partial<MemberTimes>): string {
  const { usual = {}, anchors = {} } = times;
  const own = anchors[anchor];
  if (own) return own;
  if (anchor === 'bedtime') {
    const evening = anchorTime('evening', times);
    return evening > BEDTIME ? evening : BEDTIME;
  }
  const { of, from, to } = ANCHOR_SLOTS[anchor];
  const [count, place] = of;
  const usually = usual[count]?.[place];
  return usually && usually >= from && usually <= to
    ? usually
    : (usualTimes(count)[place] as string);
}

/**
 * Returns the clock time so many minutes after an anchor, or before it (negative). It stays within
 * the day of the anchor: 23:59 at the latest, so that a dose of a Monday does not come on a Sunday.
 */
export function clockAround(anchor: Anchor, minutes: number, times: Partial<MemberTimes>): string {
  const at = sinceMidnight(anchorTime(anchor, times)) + minutes * MINUTE;
  return clockOf(Math.min(Math.max(at, 0), DAY - MINUTE));
}

/**
 * Returns the clock time, HH:MM, of each of some times of a day. Beside an evening, the night is
 * bedtime. Before and after without a length are the time of the meal itself.
 */
export function eachClock(
  at: readonly DayTime[],
  times: Partial<MemberTimes> = {},
): readonly string[] {
  const evening = at.some((time) => 'anchor' in time && time.anchor === 'evening');
  return at.map((time) => {
    if ('clock' in time) return time.clock;
    const { anchor, relation, minutes = 0 } = time;
    const late = evening && anchor === 'night';
    return clockAround(
      late ? 'bedtime' : anchor,
      relation === 'before' ? -minutes : minutes,
      times,
    );
  });
}

/** Returns the clock times of some times of a day, HH:MM, each once, in order. */
export const clocksOf = (at: readonly DayTime[], times?: Partial<MemberTimes>): readonly string[] =>
  inOrder(eachClock(at, times));

/** Returns clock times each once, in order. */
export const inOrder = (clocks: readonly string[]): string[] => [...new Set(clocks)].sort();

/** Returns whether all times of a day stand on the clock, whoever the member is. */
export const isFixed = (at: readonly DayTime[]): boolean => at.every((time) => 'clock' in time);
