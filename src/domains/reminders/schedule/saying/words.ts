/** The words of a language in which schedules are said. `n` is a number of several. */
export interface Words {
  readonly once: string;
  readonly everyDay: string;
  readonly everyDays: (n: number) => string;
  readonly everyWeek: string;
  readonly everyWeeks: (n: number) => string;
  readonly everyMonth: string;
  readonly everyMonths: (n: number) => string;
  readonly everyHours: (n: number) => string;
  readonly everyMinutes: (n: number) => string;
  /** After how long behind the last dose: of `hours` or `minutes`. */
  readonly afterDose: (time: string) => string;
  readonly hours: (n: number) => string;
  readonly minutes: (n: number) => string;
  readonly cycle: (on: number, off: number) => string;
  readonly asNeeded: string;
  readonly atMost: (n: number) => string;
  readonly apart: (time: string) => string;
  readonly on: (weekdays: string) => string;
  /** Monday first. */
  readonly weekdays: readonly string[];
  readonly onDays: (days: string) => string;
  readonly lastDay: string;
  readonly at: (times: string) => string;
  readonly and: string;
  /** wake, breakfast, lunch, dinner, bedtime: at it, so long before it, so long after it. */
  readonly anchors: readonly (readonly [at: string, before: string, after: string])[];
  readonly count: (n: number) => string;
  readonly forDays: (n: number) => string;
  readonly forMonths: (n: number) => string;
  /** A date YYYY-MM-DD, included. */
  readonly until: (date: string) => string;
  /** Until nothing is at hand any more, and that this is so. */
  readonly untilFinished: string;
  readonly finished: string;
  /** On the first so many days of each month. */
  readonly firstDays: (n: number) => string;
  /** On a numbered weekday of the month: 1 to 5, -1 for the last. */
  readonly nth: (number: number, weekday: string) => string;
  /** From a date YYYY-MM-DD on. */
  readonly from: (date: string) => string;
  /** Phases, one after the other. */
  readonly phases: (each: readonly string[]) => string;
  /** From one amount to a larger one. */
  readonly upTo: (least: string, most: string) => string;
  /** Whether a number has the form of several; without it those above one have. */
  readonly isSeveral?: (n: number) => boolean;
  /** The forms that are counted: one of it, and several. */
  readonly forms: Readonly<Record<string, readonly [one: string, many: string]>>;
}
