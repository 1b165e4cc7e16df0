import { orGone } from './listed.service.js';
import { namesOfForms } from './names.js';
import { counted, type Subject, timeDimensions } from './subject.js';

/** What came in by forms. */
export const formSubject: Subject = {
  name: 'form',
  description:
    "Submissions of forms, each on the day on which it came, by the clocks of the site's zone; " +
    'those too that were deleted since.',
  dimensions: [
    ...timeDimensions("in the site's zone"),
    {
      name: 'form',
      type: 'text',
      description: 'The form, by the number that apps know it by.',
      known: orGone(namesOfForms, { subject: 'form', name: 'form' }),
    },
    {
      name: 'platform',
      type: 'text',
      isFreeText: true,
      description: 'Platform of the sender, in lower case.',
    },
  ],
  labels: [
    { name: 'formName', of: 'form', description: 'Name of the form; null when it is gone.' },
  ],
  counts: ['submissions'],
  measures: [
    counted('submissions', 'Submissions, on the day on which they came.'),
    counted(
      'senders',
      'Different senders, on the days of the row: accounts, or submissions of nobody signed in.',
      'accounts',
    ),
  ],
  facts: `SELECT coalesce(s.account_id, -s.id) AS account_id,
      (s.at AT TIME ZONE $1)::date AS day, extract(hour FROM s.at AT TIME ZONE $1)::int AS hour,
      s.form::text AS "form", left(lower(trim(s.platform)), 60) AS "platform", 1 AS "submissions"
    FROM (SELECT id, account_id, received_at AS at, form_id AS form, platform FROM form_submission
      UNION ALL SELECT (fact ->> 'id')::int, account_id, at, (fact ->> 'form')::int,
        fact ->> 'platform' FROM report_kept WHERE subject = 'form') s`,
};
