/** The days of a week, in their order from Monday. */
export enum Weekday {
  MONDAY = 'monday',
  TUESDAY = 'tuesday',
  WEDNESDAY = 'wednesday',
  THURSDAY = 'thursday',
  FRIDAY = 'friday',
  SATURDAY = 'saturday',
  SUNDAY = 'sunday',
}

/** The days from Monday. */
export const WEEKDAYS: readonly Weekday[] = Object.values(Weekday);
