import { bucketsOutside, quantilesOf } from './spread.js';
import {
  counted,
  LANGUAGE,
  MEMBERS,
  type Spread,
  type Subject,
  timeDimensions,
} from './subject.js';

/** Bands of days, each up to its last one. */
const BANDS = [
  ['afterwards', -1],
  ['same_day', 0],
  ['up_to_week', 7],
  ['up_to_month', 30],
] as const;
const LEAD_TIMES = [...BANDS.map(([name]) => name), 'over_month'];
/** Days from that on which an appointment was entered to its own. */
const LEAD: Spread = {
  column: 'lead',
  count: 'planned',
  ends: [-30, -1, 0, 1, 2, 7, 14, 30, 60, 90, 180, 365],
};
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
    {
      name: 'leadTime',
      type: 'text',
      isPart: true,
      values: LEAD_TIMES,
      excludes: (value) => bucketsOutside(LEAD, BANDS, value),
      description:
        "Days from that on which it was entered, by the clocks of the site's zone, to its own: " +
        'afterwards, same_day, up_to_week (1 to 7), up_to_month (8 to 30), over_month. Months that ' +
        'were closed before this was counted have no cells by it.',
    },
  ],
  countsWhole: 'day',
  counts: ['planned', 'attended'],
  spread: LEAD,
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
    ...quantilesOf(
      LEAD,
      'LeadTime',
      "`planned`, in days from that on which it was entered, by the clocks of the site's zone, to its own.",
    ),
    MEMBERS,
  ],
  facts: `SELECT r.account_id, left(r.start_local, 10)::date AS day,
      substr(r.start_local, 12, 2)::int AS hour,
      left(lower(trim(coalesce(r.event_type, ''))), 60) AS "eventType",
      lead AS "lead",
      CASE ${BANDS.map(([name, last]) => `WHEN lead <= ${last} THEN '${name}'`).join(' ')}
        ELSE 'over_month' END
        AS "leadTime",
      1 AS "planned", (r.attended_at IS NOT NULL)::int AS "attended"
    FROM reminder r, LATERAL (SELECT left(r.start_local, 10)::date
      - (r.created_at AT TIME ZONE $1)::date AS lead) l
    WHERE r.kind = 'appointment' AND r.scheduled AND r.deleted_at IS NULL
      AND left(r.start_local, 10)::date + interval '36 hours' <= $2 AT TIME ZONE 'UTC'`,
};
