import { SINCE, STARTED, sinceSql, WEEKS_TIMES } from './since.js';
import { counted, LANGUAGE, MEMBERS, type Subject } from './subject.js';

/** The first week in which an account may have stopped: it and the three before are none. */
const FIRST_STOPPED = 4;
const WEEK = 'in weeks that begin in the month';

/** Accounts in the weeks since they signed up. */
export const cohortSubject: Subject = {
  name: 'cohort',
  description:
    'Accounts but guests in each week since they were made, up to the 52nd, by the weeks in which they were. A week ' +
    "counts once it is over in every zone, in the month in which it begins, by the clocks of the site's zone.",
  dimensions: [
    ...WEEKS_TIMES,
    LANGUAGE,
    STARTED('signUpWeek', 'The week in which the account was made'),
    {
      ...SINCE('the account was made'),
      excludes: (week) => (Number(week) < FIRST_STOPPED ? ['stopped'] : []),
    },
  ],
  countsWhole: 'week',
  counts: ['accountWeeks', 'active', 'stopped'],
  measures: [
    counted('accountWeeks', `Accounts, each once for each week, ${WEEK}.`),
    counted('active', `Those of them that answered for a dose in the week, ${WEEK}.`),
    {
      name: 'activeRate',
      type: 'float',
      most: 1,
      description: `active / accountWeeks, 0 to 1, ${WEEK}: of one week the share of the cohort.`,
      of: ({ active = 0, accountWeeks = 0 }) => (accountWeeks > 0 ? active / accountWeeks : null),
    },
    counted(
      'stopped',
      `Those of them that answered for no dose in the week and the three before, from the fourth on, ${WEEK}.`,
    ),
    {
      name: 'dropOffRate',
      type: 'float',
      most: 1,
      description: `stopped / accountWeeks, 0 to 1, ${WEEK}: of one week the share that has stopped.`,
      of: ({ stopped = 0, accountWeeks = 0 }) => (accountWeeks > 0 ? stopped / accountWeeks : null),
    },
    MEMBERS,
  ],
  facts: `SELECT w.account_id, w.day, 0 AS hour, w.monday::text AS "signUpWeek",
      w.week::text AS "weeksSince", 1 AS "accountWeeks",
      coalesce(d.last >= w.day::timestamp AT TIME ZONE $1, false)::int AS "active",
      (w.week >= ${FIRST_STOPPED} AND d.last IS NULL)::int AS "stopped"
    FROM (${sinceSql("SELECT id, id AS account_id, created_at FROM account WHERE NOT 'guest' = ANY(roles)")}) w
      LEFT JOIN LATERAL (SELECT max(at) AS last FROM dose WHERE account_id = w.account_id
        AND at >= (w.day - 21)::timestamp AT TIME ZONE $1
        AND at < (w.day + 7)::timestamp AT TIME ZONE $1) d ON true`,
};
