import { orGone } from './listed.service.js';
import { namesOfPolls } from './names.js';
import { counted, LANGUAGE, MEMBERS, type Subject, timeDimensions } from './subject.js';

/** Answers to polls. */
export const pollSubject: Subject = {
  name: 'poll',
  description:
    "Answers to polls, each on the day on which it came, by the clocks of the site's zone.",
  dimensions: [
    ...timeDimensions("in the site's zone"),
    LANGUAGE,
    {
      name: 'poll',
      type: 'text',
      description: 'The poll, by the number that apps know it by.',
      known: orGone(namesOfPolls, { subject: 'poll', name: 'poll' }),
    },
  ],
  labels: [
    {
      name: 'pollName',
      of: 'poll',
      description: 'The question of the poll; null when it is gone.',
    },
  ],
  counts: ['submissions', 'choices'],
  measures: [
    counted('submissions', 'Accounts that answered a poll, on the day on which they did.'),
    counted('choices', 'Options that they chose, on that day.'),
    {
      name: 'choicesPerSubmission',
      type: 'float',
      description: 'choices / submissions, on that day; null when nobody answered.',
      of: ({ choices = 0, submissions = 0 }) => (submissions > 0 ? choices / submissions : null),
    },
    MEMBERS,
  ],
  facts: `SELECT s.account_id, (s.submitted_at AT TIME ZONE $1)::date AS day,
      extract(hour FROM s.submitted_at AT TIME ZONE $1)::int AS hour,
      s.poll_id::text AS "poll", 1 AS "submissions", cardinality(s.option_ids) AS "choices"
    FROM poll_submission s`,
};
