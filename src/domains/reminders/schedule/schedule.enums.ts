import { registerEnumType } from 'type-graphql';
import type { Anchor, Repeat } from './schedule-value.js';

/** Kinds of schedules, for GraphQL. */
export const ScheduleKind = {
  ONCE: 'once',
  DAYS: 'days',
  WEEKS: 'weeks',
  MONTHS: 'months',
  CYCLE: 'cycle',
  INTERVAL: 'interval',
  AFTER_DOSE: 'afterDose',
  AS_NEEDED: 'asNeeded',
  RRULE: 'rule',
  PHASES: 'phases',
} as const satisfies Record<string, Repeat['kind']>;
registerEnumType(ScheduleKind, {
  name: 'ScheduleKind',
  description: 'How a schedule repeats.',
  valuesConfig: {
    ONCE: { description: 'Once.' },
    DAYS: { description: 'Every day, or every so many days.' },
    WEEKS: { description: 'Every week, or every so many weeks, on weekdays.' },
    MONTHS: { description: 'Every month, or every so many months, on days of the month.' },
    CYCLE: { description: 'So many days with it, then so many without.' },
    INTERVAL: { description: 'By elapsed time from the start.' },
    AFTER_DOSE: { description: 'By elapsed time from the last dose.' },
    AS_NEEDED: { description: 'As needed, at no time of its own.' },
    RRULE: { description: 'By an RFC 5545 rule.' },
    PHASES: { description: 'Differently often, one phase after the other: see `text`.' },
  },
});

/** What times of day may depend on, for GraphQL. */
export const DayAnchor = {
  WAKING: 'wake',
  BREAKFAST: 'breakfast',
  LUNCH: 'lunch',
  DINNER: 'dinner',
  BEDTIME: 'bedtime',
} as const satisfies Record<string, Anchor>;
registerEnumType(DayAnchor, {
  name: 'DayAnchor',
  description: 'What a member does every day, at times of the member’s own.',
  valuesConfig: {
    WAKING: {
      description:
        'Getting up. Unless the member set a time, the usual time of the first of two doses a ' +
        'day, by default 08:00.',
    },
    BREAKFAST: {
      description:
        'The first meal. Unless the member set a time, the usual time of the first of three ' +
        'doses a day, by default 08:00.',
    },
    LUNCH: {
      description:
        'The meal at noon. Unless the member set a time, the usual time of the second of three ' +
        'doses a day, by default 14:00.',
    },
    DINNER: {
      description:
        'The meal in the evening. Unless the member set a time, the usual time of the third of ' +
        'three doses a day, by default 20:00.',
    },
    BEDTIME: {
      description:
        'Going to bed. Unless the member set a time, 22:00, or the usual time of the evening if ' +
        'that is later.',
    },
  },
});
