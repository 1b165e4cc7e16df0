import type { Rule } from './rule.js';
import type { Bounds, DayTime, Unit } from './words/meaning.js';

/** What a phrase may name beside its days. */
interface Named {
  /** Times of the day. Without it: the usual ones for `timesADay`, or that of the start. */
  readonly at?: readonly DayTime[];
  /** How long it lasts from its first occurrence on, or its last date. */
  readonly course?: Exclude<Bounds, { kind: 'doses' }>;
}

/** A frequency as it was understood. */
export type Frequency =
  | { readonly kind: 'once'; readonly at?: Named['at'] }
  | { readonly kind: 'unrecognized' }
  /** At no time of its own. What it says of a maximum, and of the least number of minutes. */
  | { readonly kind: 'as_needed'; readonly maxPerDay?: number; readonly leastMinutes?: number }
  /**
   * By the calendar: every `every` days, weeks, months or years, `timesADay` times on the day.
   *
   * - `weekdays` (0 is Monday, in order): on these of each such week; weeks begin on Monday.
   * - `monthDays`: on these of each such month; -1 is the last, and stands for what is missing.
   * - `on`: on the first so many days of each period, of `every` days or months.
   */
  | ({
      readonly kind: 'calendar';
      readonly unit: Unit;
      readonly every: number;
      readonly timesADay: number;
      readonly weekdays?: readonly number[];
      readonly monthDays?: readonly number[];
      readonly on?: number;
    } & Named)
  /** So many minutes after the last dose. The start of the plan is the one next time. */
  | { readonly kind: 'after_dose'; readonly minutes: number }
  /**
   * By elapsed time, independent of shifts of the clocks. Hours may be parts of hours, in whole
   * minutes. Without `count` there is no last one.
   */
  | {
      readonly kind: 'elapsed';
      readonly hours: number;
      readonly count?: number;
      readonly until?: Rule['until'];
      readonly course?: Named['course'];
    }
  /** By an RFC 5545 rule, at clock times of the zone. `timesADay` only above one. */
  | ({ readonly kind: 'rule'; readonly timesADay?: number } & Rule & Named)
  /**
   * Differently often, one phase after the other. The first begins on the day of the first dose, or
   * of the start (`fromStart`), each other one on the day after the last of the phase before; only
   * the last may have no end. Phases of elapsed hours come before all others, the first at the
   * start. What follows them begins when they are over: hours at that instant, days of the calendar
   * with the first of their times from then on.
   */
  | {
      readonly kind: 'phased';
      readonly fromStart?: true;
      readonly phases: readonly FrequencyPhase[];
    };

export interface FrequencyPhase {
  /** How many days it lasts; of hours 24 of them each. */
  readonly days?: number;
  readonly often: Extract<Frequency, { kind: 'calendar' | 'rule' | 'elapsed' }>;
}
