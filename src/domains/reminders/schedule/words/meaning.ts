/**
 * What a phrase about a frequency says, independent of its language and of the member. Numbers are
 * whole and positive. Local times have no zone: they are by the member's clocks.
 */
export type Meaning = Uniform | Phased;

/** What comes equally often all the time. */
export type Uniform = Once | AsNeeded | Interval | Calendar;

/** One time only. */
export interface Once {
  readonly kind: 'once';
  readonly at?: readonly DayTime[];
  readonly amount?: Amount;
}

/** When the member needs it: never rings. */
export interface AsNeeded {
  readonly kind: 'as_needed';
  readonly maxPerDay?: number;
  /** Least number of minutes between two doses. */
  readonly leastMinutes?: number;
  readonly amount?: Amount;
}

/** By elapsed time, in minutes. */
export interface Interval {
  readonly kind: 'interval';
  readonly minutes: number;
  readonly bounds?: Bounds;
  readonly amount?: Amount;
}

/** By the calendar: on days of every `every`th day, week, month or year. */
export interface Calendar {
  readonly kind: 'calendar';
  readonly unit: Unit;
  readonly every: number;
  /** Times on each of its days. Equals the length of `at`, when the phrase names the times. */
  readonly timesADay: number;
  readonly at?: readonly DayTime[];
  /**
   * 1 Monday to 7 Sunday, in order. Only with the unit week. Without it: the weekday of the start.
   */
  readonly weekdays?: readonly number[];
  /** 1 to 31, or -1 for the last day, in order. Only with the unit month. */
  readonly monthDays?: readonly number[];
  /** In a month without one of `monthDays`: left out, unless this says the last day instead. */
  readonly orLast?: true;
  /** Numbered weekdays of a month, such as the first Monday; -1 is the last. */
  readonly nth?: readonly NumberedWeekday[];
  /** How many days of each period, when the phrase does not say which: "twice a week". */
  readonly unsaidDays?: number;
  readonly cycle?: Cycle;
  readonly bounds?: Bounds;
  readonly amount?: Amount;
}

/**
 * Days that come differently often, one phase after the other: twice a day for a week, then daily.
 * A phase begins on the day after the last one of the phase before; the first on the day of the
 * first dose. What follows hours begins when they are over: every 4 hours for 2 days, then twice
 * daily. Steps of the amount are those of the phases: behind hours from their end on.
 */
export interface Phased {
  readonly kind: 'phased';
  /** The first phase begins on the day of the start, whether or not a dose comes on it. */
  readonly fromStart?: true;
  readonly phases: readonly Phase[];
  readonly amount?: Amount;
}

export interface Phase {
  /** How many days it lasts; of hours 24 of them each. Only the last phase may have no end. */
  readonly days?: number;
  /** Hours come before all days of the calendar. */
  readonly often: Omit<Calendar, 'bounds' | 'amount'> | Omit<Interval, 'bounds' | 'amount'>;
}

export type Unit = 'day' | 'week' | 'month' | 'year';

export interface NumberedWeekday {
  readonly number: number;
  readonly weekday: number;
}

/**
 * So many days with it, then so many without, from the first day on. `months`: on the first days of
 * each so many months, by the date of the first day.
 */
export type Cycle =
  | { readonly on: number; readonly off: number }
  | { readonly on: number; readonly months: number };

/** The end of a course. */
export type Bounds =
  | { readonly kind: 'duration'; readonly unit: Unit; readonly count: number }
  | { readonly kind: 'doses'; readonly count: number }
  /** A date YYYY-MM-DD, included. */
  | { readonly kind: 'until'; readonly date: string }
  /** When what is at hand is used up. */
  | { readonly kind: 'supply' };

/**
 * So much, or from so much to so much. Values are exact decimals: 0.05, 1500; a digit before the
 * point, no zeros at the end.
 */
export interface Portion {
  readonly value: string;
  /** The larger end of a range: 1 to 2 tablets. */
  readonly upTo?: string;
}

/** How much each time that has no amount of its own. */
export interface Amount extends Portion {
  /** The word of the table, in the singular and in English. */
  readonly unit?: string;
  /** Other amounts later on: from so many days after the first day of the course. In order. */
  readonly steps?: readonly (Portion & { readonly after: number })[];
  /** Other amounts on some weekdays, 1 Monday to 7 Sunday, in order; no day twice. */
  readonly onDays?: readonly (Portion & { readonly weekdays: readonly number[] })[];
  /** The strength of each, where the phrase names no other unit: 2 x 500 mg. */
  readonly each?: { readonly value: string; readonly unit: string };
}

/** What a member has a time for. */
export type Anchor =
  | 'wake'
  | 'morning'
  | 'breakfast'
  | 'lunch'
  | 'afternoon'
  | 'dinner'
  | 'evening'
  | 'night'
  | 'bedtime';

/** How a dose stands to its anchor. `with` also stands for a time of day: "in the morning". */
export type Relation = 'before' | 'with' | 'after';

/** A time of the day: by the clock, or by an anchor. */
export type DayTime =
  /**
   * `amount` where it is another one than at the first of the times: an exact decimal, `upTo` the
   * larger end of a range.
   */
  | { readonly clock: string; readonly amount?: string; readonly upTo?: string }
  | {
      readonly anchor: Anchor;
      readonly relation: Relation;
      /** Minutes before or after the anchor, where the phrase names them. */
      readonly minutes?: number;
      readonly amount?: string;
      readonly upTo?: string;
    };
