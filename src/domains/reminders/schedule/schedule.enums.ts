import { enumType } from '../../../core/enum-type.js';
import type { Anchor, Repeat } from './schedule-value.js';

/** Kinds of schedules, for GraphQL. */
export const ScheduleKind = enumType('ScheduleKind', 'How a schedule repeats.', {
  ONCE: ['once', 'Once.'],
  DAYS: ['days', 'Every day, or every so many days.'],
  WEEKS: ['weeks', 'Every week, or every so many weeks, on weekdays.'],
  MONTHS: ['months', 'Every month, or every so many months, on days of the month.'],
  CYCLE: ['cycle', 'So many days with it, then so many without.'],
  INTERVAL: ['interval', 'By elapsed time from the start.'],
  AFTER_DOSE: ['afterDose', 'By elapsed time from the last dose.'],
  AS_NEEDED: ['asNeeded', 'As needed, at no time of its own.'],
  RRULE: ['rule', 'By an RFC 5545 rule.'],
  PHASES: ['phases', 'Differently often, one phase after the other: see `text`.'],
}) satisfies Record<string, Repeat['kind']>;

/** What times of day may depend on, for GraphQL. */
export const DayAnchor = enumType(
  'DayAnchor',
  'What a member does every day, at times of the member’s own.',
  {
    WAKING: [
      'wake',
      'Getting up. Unless the member set a time, the usual time of the first of two doses a ' +
        'day, by default 08:00.',
    ],
    BREAKFAST: [
      'breakfast',
      'The first meal. Unless the member set a time, the usual time of the first of three ' +
        'doses a day, by default 08:00.',
    ],
    LUNCH: [
      'lunch',
      'The meal at noon. Unless the member set a time, the usual time of the second of three ' +
        'doses a day, by default 14:00.',
    ],
    DINNER: [
      'dinner',
      'The meal in the evening. Unless the member set a time, the usual time of the third of ' +
        'three doses a day, by default 20:00.',
    ],
    BEDTIME: [
      'bedtime',
      'Going to bed. Unless the member set a time, 22:00, or the usual time of the evening if ' +
        'that is later.',
    ],
  },
) satisfies Record<string, Anchor>;
