import { ACCOUNT_AGE, AGE_BANDS, accountAgeSql } from './account-age.js';
import { bucketsOutside, quantilesOf } from './spread.js';
import {
  counted,
  LANGUAGE,
  MEMBERS,
  type Spread,
  type Subject,
  timeDimensions,
} from './subject.js';
import { COUNTRIES, ZONES } from './zones.js';

/** Days from that on which an account was made. */
const AGE: Spread = {
  column: 'age',
  count: 'sessions',
  ends: [0, 0, 6, 13, 29, 59, 89, 179, 364, 729, 1_825],
};
const NONE =
  'null when it is not known. Months that were closed before this was counted have no cells by it.';

/** Accounts: how they came, and whether they are used. */
export const accountSubject: Subject = {
  name: 'account',
  description:
    'Accounts that were made, guests that signed up and sessions that began, each on its day, by ' +
    "the clocks of the site's zone. Erased accounts are not counted.",
  dimensions: [
    ...timeDimensions("in the site's zone"),
    LANGUAGE,
    {
      ...ACCOUNT_AGE,
      excludes: (value) => [
        ...(value === AGE_BANDS[0][0] ? [] : ['created', 'guests']),
        ...bucketsOutside(AGE, AGE_BANDS, value),
      ],
    },
    {
      name: 'zone',
      type: 'text',
      known: ZONES,
      implies: 'country',
      description: `IANA name or offset of the account's zone, as its profile has it or its app told; ${NONE}`,
    },
    {
      name: 'country',
      type: 'text',
      known: COUNTRIES,
      description: `Country of that zone by CLDR, as ISO 3166-1 has it, such as DE; ${NONE}`,
    },
  ],
  counts: ['created', 'guests', 'guestsSignedUp', 'sessions'],
  spread: AGE,
  measures: [
    counted('created', 'Accounts, guests included, on the day on which they were made.'),
    counted('guests', 'Those of them that are guests still, on the day on which they were made.'),
    {
      name: 'signUps',
      type: 'int',
      description: 'Those of them that are no guests any more, or never were, on that day.',
      of: ({ created = 0, guests = 0 }) => Math.max(0, created - guests),
    },
    counted('guestsSignedUp', 'Guests that signed up, on the day on which they did.'),
    counted('sessions', 'Times that somebody signed in, on the day of it.'),
    ...quantilesOf(
      AGE,
      'Age',
      "`sessions`, in days from that on which the account was made, by the clocks of the site's zone.",
    ),
    {
      ...MEMBERS,
      name: 'active',
      description:
        'Different accounts that were made, signed up or signed in, on the days of the row.',
    },
  ],
  facts: `SELECT e.account_id, (e.at AT TIME ZONE $1)::date AS day,
      extract(hour FROM e.at AT TIME ZONE $1)::int AS hour,
      ${accountAgeSql('a.created_at', 'e.at')},
      CASE WHEN e.session = 1 THEN (e.at AT TIME ZONE $1)::date - (a.created_at AT TIME ZONE $1)::date
        END AS "age",
      coalesce(a.time_zone, c.learned_zone, '') AS "zone",
      coalesce(report_country(coalesce(a.time_zone, c.learned_zone)), '') AS "country",
      e.created AS "created", e.guests AS "guests", e.signed AS "guestsSignedUp",
      e.session AS "sessions"
    FROM (SELECT id AS account_id, created_at AS at, 1 AS created,
          (roles = ARRAY['guest'])::int AS guests, 0 AS signed, 0 AS session FROM account
        UNION ALL SELECT subject_id, at, 0, 0, (action = 'account.upgrade')::int,
          (action = 'session.start')::int FROM audit_event
          WHERE action IN ('account.upgrade', 'session.start')
        UNION ALL SELECT account_id, at, 0, 0, (fact ->> 'action' = 'account.upgrade')::int,
          (fact ->> 'action' = 'session.start')::int FROM report_kept
          WHERE subject = 'account') e
      JOIN account a ON a.id = e.account_id
      LEFT JOIN care_setting c ON c.account_id = a.id`,
};
