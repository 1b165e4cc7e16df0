import { registerEnumType } from 'type-graphql';
import type { ZoneSource } from '../../accounts/member-zone.service.js';

/** How reminders stand, for GraphQL. */
export const ReminderStatus = {
  ACTIVE: 'active',
  ENDED: 'ended',
  PAUSED: 'paused',
  AS_NEEDED: 'as_needed',
  UNRECOGNIZED: 'unrecognized',
  UPCOMING: 'upcoming',
  DUE: 'due',
  PAST: 'past',
  ATTENDED: 'attended',
  UNSCHEDULED: 'unscheduled',
} as const;
/** How a reminder stands. */
export type ReminderStatus = (typeof ReminderStatus)[keyof typeof ReminderStatus];
registerEnumType(ReminderStatus, {
  name: 'ReminderStatus',
  description:
    'How a reminder stands. The first five are of medicines, the others of appointments.',
  valuesConfig: {
    ACTIVE: { description: 'The medicine has doses to come.' },
    ENDED: { description: 'The medicine has no doses to come.' },
    PAUSED: { description: 'The medicine does not come until somebody resumes it.' },
    AS_NEEDED: { description: 'The medicine is taken as needed, at no planned time.' },
    UNRECOGNIZED: {
      description: 'The frequency was not understood: it shows on its first day, and never fires.',
    },
    UPCOMING: { description: 'The time of the appointment has not come.' },
    DUE: { description: 'The time of the appointment came within the last two hours.' },
    PAST: {
      description: 'The appointment was over two hours ago, and nobody said that it was attended.',
    },
    ATTENDED: { description: 'The appointment was attended.' },
    UNSCHEDULED: { description: 'The appointment has no date.' },
  },
});

/** Sources of clock times, for GraphQL. */
export const TimesSource = {
  START: 'start_date',
  USUAL_TIMES: 'usual_times',
  RULE: 'rule',
  SCHEDULE: 'schedule',
  NONE: 'none',
} as const;
/** Source of the clock times of a reminder. */
export type TimesSource = (typeof TimesSource)[keyof typeof TimesSource];
registerEnumType(TimesSource, {
  name: 'TimesSource',
  description: 'Where the clock times of a reminder come from.',
  valuesConfig: {
    START: { description: 'The start was given with a clock time.' },
    USUAL_TIMES: { description: "The member's usual times. When those change, these follow." },
    RULE: { description: 'The frequency names them.' },
    SCHEDULE: { description: 'The schedule names them.' },
    NONE: { description: 'The reminder has no clock times.' },
  },
});

/** Sources of a zone, for GraphQL. */
export const ZoneSources = {
  OFFSET: 'offset',
  PROFILE: 'profile',
  REQUEST: 'header',
  LEARNED: 'learned',
  SITE: 'site',
} as const satisfies Record<string, ZoneSource>;
registerEnumType(ZoneSources, {
  name: 'TimeZoneSource',
  description: 'Where a time zone is known from.',
  valuesConfig: {
    OFFSET: { description: 'The start of the reminder was given with an offset from UTC.' },
    PROFILE: { description: "The member's profile." },
    REQUEST: { description: "The header Time-Zone of the member's request." },
    LEARNED: { description: 'An earlier request or date of the member.' },
    SITE: { description: 'Nothing is known of the member; it is the zone of the site.' },
  },
});
