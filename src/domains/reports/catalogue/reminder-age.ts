import { AGES, ageOf, ageSql } from './account-age.js';
import type { Dimension } from './subject.js';

/** How long a reminder had been there. */
export const REMINDER_AGE: Dimension = {
  name: 'reminderAge',
  type: 'text',
  isPart: true,
  isNarrow: true,
  values: AGES,
  description:
    'How long the reminder had been there at the time of the dose, in spans of 24 hours: first_week ' +
    '(0 to 6), first_month (7 to 29), first_quarter (30 to 89), first_year (90 to 364), older; null ' +
    'when the reminder is gone. Months that were closed before this was counted have no cells by it.',
};

/** Returns the band of a reminder that had been there so many days. */
export const reminderAgeOf = (days: number | null): string | null =>
  days === null ? null : ageOf(days);

/** Returns SQL of the column of the dimension, from the column that holds the days. */
export const reminderAgeSql = (days: string): string =>
  `CASE WHEN ${days} IS NULL THEN '' ELSE ${ageSql(days)} END AS "${REMINDER_AGE.name}"`;
