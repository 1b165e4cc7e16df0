import { dayAfter } from '../period.js';
import type { ReadNames } from './names.js';
import { type Dimension, timeDimensions } from './subject.js';

/** For how many weeks something is counted: a year. */
const LAST_WEEK = 52;
const FIRST = 'as its first day, a Monday';

/** The times of what is counted by whole weeks: these count in the months in which they begin. */
export const WEEKS_TIMES: readonly Dimension[] = timeDimensions(
  'of the first day of the week',
).filter(({ time }) => time === 'month' || time === 'quarter' || time === 'date');

const FIRST_MONDAY = '1970-01-05';
const WEEK_LENGTH = 7 * 24 * 60 * 60 * 1000;

/** Mondays that have come anywhere, the newest first: weeks are none but these. */
const mondays: ReadNames = async (context) => {
  const tomorrow = context.now().getTime() + 24 * 60 * 60 * 1000;
  const last = Math.floor((tomorrow - Date.parse(FIRST_MONDAY)) / WEEK_LENGTH);
  return new Map(
    Array.from({ length: last + 1 }, (_, week) => {
      const monday = dayAfter(FIRST_MONDAY, 7 * (last - week));
      return [monday, monday] as const;
    }),
  );
};

/** Returns the dimension of the week in which something began. */
export const STARTED = (name: string, what: string): Dimension => ({
  name,
  type: 'date',
  known: mondays,
  description: `${what}, ${FIRST}, by the clocks of the site's zone.`,
});

/** Returns the dimension of how long ago that is. */
export const SINCE = (what: string): Dimension => ({
  name: 'weeksSince',
  type: 'int',
  values: Array.from({ length: LAST_WEEK + 1 }, (_, week) => String(week)),
  description: `Weeks since ${what}, 0 to ${LAST_WEEK}; week 0 is that in which it was.`,
});

/**
 * SQL of what `started` selects (id, account_id, created_at) in each week since then that is over in
 * every zone and begins in the asked span: id, account_id, monday (of its first week), week (0 to
 * 52) and day, the Monday of that week.
 */
export const sinceSql = (started: string): string => `
  SELECT s.id, s.account_id, s.monday, week, s.monday + 7 * week AS day
  FROM asked, (SELECT id, account_id, date_trunc('week', created_at AT TIME ZONE $1)::date AS monday
      FROM (${started}) s) s,
    generate_series(greatest(0, (asked.first - s.monday + 6) / 7),
      least(${LAST_WEEK}, (asked.last - 1 - s.monday) / 7)) AS week
  WHERE s.monday + 7 * week + 6 + interval '36 hours' <= $2 AT TIME ZONE 'UTC'`;
