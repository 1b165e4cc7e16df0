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
}
