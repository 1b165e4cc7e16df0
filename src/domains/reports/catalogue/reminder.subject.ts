import { ACCOUNT_AGE, accountAgeSql } from './account-age.js';
import { counted, LANGUAGE, MEMBERS, type Subject, timeDimensions } from './subject.js';

const DAY = 'on the day on which they were made';

/** Reminders that members, carers and clinicians made. */
export const reminderSubject: Subject = {
  name: 'reminder',
  description: "Reminders, each on the day on which it was made, by the clocks of the site's zone.",
  dimensions: [
    ...timeDimensions("in the site's zone"),
    LANGUAGE,
    {
      name: 'kind',
      type: 'text',
      isPart: true,
      values: ['medicine', 'appointment'],
      description: 'medicine or appointment.',
    },
    {
      name: 'medicineType',
      type: 'text',
      isFreeText: true,
      description: 'Type of the medicine, in lower case; null when it has none.',
    },
    ACCOUNT_AGE,
  ],
  counts: ['created', 'deleted', 'unrecognized'],
  measures: [
    counted('created', `Reminders that were made, deleted ones included, ${DAY}.`),
    counted('deleted', `Those of them that are deleted by now, ${DAY}.`),
    counted('unrecognized', `Those of them whose frequency is not understood, ${DAY}.`),
    {
      name: 'unrecognizedRate',
      type: 'float',
      most: 1,
      description: `unrecognized / created, 0 to 1, ${DAY}; null when none was made.`,
      of: ({ unrecognized = 0, created = 0 }) => (created > 0 ? unrecognized / created : null),
    },
    MEMBERS,
  ],
  facts: `SELECT r.account_id, (r.created_at AT TIME ZONE $1)::date AS day,
      extract(hour FROM r.created_at AT TIME ZONE $1)::int AS hour, r.kind,
      left(lower(trim(coalesce(r.medicine_type, ''))), 60) AS "medicineType", 1 AS "created",
      ${accountAgeSql('a.created_at', 'r.created_at')},
      (r.deleted_at IS NOT NULL)::int AS "deleted", (NOT r.recognized)::int AS "unrecognized"
    FROM reminder r JOIN account a ON a.id = r.account_id`,
};
