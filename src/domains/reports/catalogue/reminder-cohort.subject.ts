import { SINCE, STARTED, sinceSql, WEEKS_TIMES } from './since.js';
import { counted, LANGUAGE, MEMBERS, type Subject } from './subject.js';

const WEEK = 'in weeks that begin in the month';

/** Reminders of medicines in the weeks since they were made. */
export const reminderCohortSubject: Subject = {
  name: 'reminderCohort',
  description:
    'Reminders of medicines that were understood, in each week since they were made, up to the 52nd. A week counts ' +
    "once it is over in every zone, in the month in which it begins, by the clocks of the site's zone.",
  dimensions: [
    ...WEEKS_TIMES,
    LANGUAGE,
    STARTED('startWeek', 'The week in which the reminder was made'),
    SINCE('the reminder was made'),
    {
      name: 'medicineType',
      type: 'text',
      isFreeText: true,
      description: 'Type of the medicine, in lower case; null when it has none.',
    },
  ],
  countsWhole: 'week',
  counts: ['reminderWeeks', 'ended'],
  measures: [
    counted('reminderWeeks', `Reminders, each once for each week, ${WEEK}.`),
    counted(
      'ended',
      `Those of them that were deleted, or whose course was over, by the end of the week, ${WEEK}.`,
    ),
    {
      name: 'dropOffRate',
      type: 'float',
      most: 1,
      description: `ended / reminderWeeks, 0 to 1, ${WEEK}: of one week the share that has ended.`,
      of: ({ ended = 0, reminderWeeks = 0 }) => (reminderWeeks > 0 ? ended / reminderWeeks : null),
    },
    MEMBERS,
  ],
  facts: `SELECT w.account_id, w.day, 0 AS hour, w.monday::text AS "startWeek",
      w.week::text AS "weeksSince",
      left(lower(trim(coalesce(r.medicine_type, ''))), 60) AS "medicineType", 1 AS "reminderWeeks",
      coalesce(least(r.deleted_at, r.until_at) < (w.day + 7)::timestamp AT TIME ZONE $1, false)::int
        AS "ended"
    FROM (${sinceSql(
      "SELECT id, account_id, created_at FROM reminder WHERE kind = 'medicine' AND scheduled AND recognized",
    )}) w JOIN reminder r ON r.id = w.id`,
};
