import { counted, LANGUAGE, MEMBERS, type Subject, timeDimensions } from './subject.js';

const DAY = 'on its day, by the clocks of the member';

/** Appointments of members. */
export const appointmentSubject: Subject = {
  name: 'appointment',
  description:
    'Appointments that were not deleted, each on its day, by the clocks of its member, once that ' +
    'day is over in every zone: what is to come is not counted.',
  dimensions: [
    ...timeDimensions('by the clocks of the member'),
    LANGUAGE,
    {
      name: 'eventType',
      type: 'text',
      isFreeText: true,
      description: 'Type of the appointment, in lower case; null when it has none.',
    },
  ],
  counts: ['planned', 'attended'],
  measures: [
    counted('planned', `Appointments, ${DAY}.`),
    counted('attended', `Those of them that are marked as attended, ${DAY}.`),
    {
      name: 'attendanceRate',
      type: 'float',
      most: 1,
      description: `attended / planned, 0 to 1, ${DAY}; null when none was planned.`,
      of: ({ attended = 0, planned = 0 }) => (planned > 0 ? attended / planned : null),
    },
    MEMBERS,
  ],
  facts: `SELECT r.account_id, left(r.start_local, 10)::date AS day,
      substr(r.start_local, 12, 2)::int AS hour,
      left(lower(trim(coalesce(r.event_type, ''))), 60) AS "eventType",
      1 AS "planned", (r.attended_at IS NOT NULL)::int AS "attended"
    FROM reminder r
    WHERE r.kind = 'appointment' AND r.scheduled AND r.deleted_at IS NULL
      AND left(r.start_local, 10)::date + interval '36 hours' <= $2 AT TIME ZONE 'UTC'`,
};
