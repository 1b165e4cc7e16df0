import { orGone } from './listed.service.js';
import { namesOfOptions, namesOfPolls } from './names.js';
import { counted, LANGUAGE, MEMBERS, type Subject, timeDimensions } from './subject.js';

/** Options that were chosen in polls. */
export const pollChoiceSubject: Subject = {
  name: 'pollChoice',
  noiseOf: 'poll',
  description:
    'Options that were chosen in polls, each on the day on which the answer came, by the clocks of ' +
    "the site's zone. The share of an option is `members` of it over `members` of its poll.",
  dimensions: [
    ...timeDimensions("in the site's zone"),
    LANGUAGE,
    {
      name: 'poll',
      type: 'text',
      description: 'The poll, by the number that apps know it by.',
      known: orGone(namesOfPolls, { subject: 'pollChoice', name: 'poll' }),
    },
    {
      name: 'option',
      type: 'text',
      implies: 'poll',
      description: 'The option, by the number that apps know it by.',
      known: orGone(namesOfOptions, { subject: 'pollChoice', name: 'option' }),
    },
  ],
  labels: [
    {
      name: 'pollName',
      of: 'poll',
      description: 'The question of the poll; null when it is gone.',
    },
    {
      name: 'optionName',
      of: 'option',
      description: 'The text of the option; null when it is gone.',
    },
  ],
  counts: ['choices'],
  measures: [
    counted('choices', 'Times that an option was chosen, on the day on which it was.'),
    MEMBERS,
  ],
  facts: `SELECT s.account_id, (s.submitted_at AT TIME ZONE $1)::date AS day,
      extract(hour FROM s.submitted_at AT TIME ZONE $1)::int AS hour,
      s.poll_id::text AS "poll", chosen::text AS "option", 1 AS "choices"
    FROM poll_submission s, unnest(s.option_ids) AS chosen`,
};
