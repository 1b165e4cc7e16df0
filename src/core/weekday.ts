import { registerEnumType } from 'type-graphql';

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

registerEnumType(Weekday, {
  name: 'Weekday',
  description: 'A day of the week.',
  valuesConfig: {
    MONDAY: { description: 'Monday.' },
    TUESDAY: { description: 'Tuesday.' },
    WEDNESDAY: { description: 'Wednesday.' },
    THURSDAY: { description: 'Thursday.' },
    FRIDAY: { description: 'Friday.' },
    SATURDAY: { description: 'Saturday.' },
    SUNDAY: { description: 'Sunday.' },
  },
});

/** The days from Monday. */
export const WEEKDAYS: readonly Weekday[] = Object.values(Weekday);
