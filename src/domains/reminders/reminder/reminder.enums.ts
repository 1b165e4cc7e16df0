import { enumType } from '../../../core/enum-type.js';
import type { ZoneSource } from '../../accounts/member-zone.service.js';

/** How reminders stand, for GraphQL. */
export const ReminderStatus = enumType(
  'ReminderStatus',
  'How a reminder stands. The first five are of medicines, the others of appointments.',
  {
    ACTIVE: ['active', 'The medicine has doses to come.'],
    ENDED: ['ended', 'The medicine has no doses to come.'],
    PAUSED: ['paused', 'The medicine does not come until somebody resumes it.'],
    AS_NEEDED: ['as_needed', 'The medicine is taken as needed, at no planned time.'],
    UNRECOGNIZED: [
      'unrecognized',
      'The frequency was not understood: it shows on its first day, and never fires.',
    ],
    UPCOMING: ['upcoming', 'The time of the appointment has not come.'],
    DUE: ['due', 'The time of the appointment came within the last two hours.'],
    PAST: ['past', 'The appointment was over two hours ago, and nobody said that it was attended.'],
    ATTENDED: ['attended', 'The appointment was attended.'],
    UNSCHEDULED: ['unscheduled', 'The appointment has no date.'],
  },
);
/** How a reminder stands. */
export type ReminderStatus = (typeof ReminderStatus)[keyof typeof ReminderStatus];

/** Sources of clock times, for GraphQL. */
export const TimesSource = enumType(
  'TimesSource',
  'Where the clock times of a reminder come from.',
  {
    START: ['start_date', 'The start was given with a clock time.'],
    USUAL_TIMES: ['usual_times', "The member's usual times. When those change, these follow."],
    RULE: ['rule', 'The frequency names them.'],
    SCHEDULE: ['schedule', 'The schedule names them.'],
    NONE: ['none', 'The reminder has no clock times.'],
  },
);
/** Source of the clock times of a reminder. */
export type TimesSource = (typeof TimesSource)[keyof typeof TimesSource];

/** Sources of a zone, for GraphQL. */
export const ZoneSources = enumType('TimeZoneSource', 'Where a time zone is known from.', {
  OFFSET: ['offset', 'The start of the reminder was given with an offset from UTC.'],
  PROFILE: ['profile', "The member's profile."],
  REQUEST: ['header', "The header Time-Zone of the member's request."],
  LEARNED: ['learned', 'An earlier request or date of the member.'],
  SITE: ['site', 'Nothing is known of the member; it is the zone of the site.'],
}) satisfies Record<string, ZoneSource>;
