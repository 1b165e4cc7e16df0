import { type EnumValue, enumType } from './enum-type.js';

/** The days of a week, in their order from Monday. */
export const Weekday = enumType('Weekday', 'A day of the week.', {
  MONDAY: ['monday', 'Monday.'],
  TUESDAY: ['tuesday', 'Tuesday.'],
  WEDNESDAY: ['wednesday', 'Wednesday.'],
  THURSDAY: ['thursday', 'Thursday.'],
  FRIDAY: ['friday', 'Friday.'],
  SATURDAY: ['saturday', 'Saturday.'],
  SUNDAY: ['sunday', 'Sunday.'],
});
export type Weekday = EnumValue<typeof Weekday>;

/** The days from Monday. */
export const WEEKDAYS: readonly Weekday[] = Object.values(Weekday);
