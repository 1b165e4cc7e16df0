import { rateOf } from '../../reminders/dose/adherence.types.js';
import type { Frequency } from '../../reminders/schedule/frequency.types.js';
import { LATENESS, PUNCTUALITY, punctualitySql } from './punctuality.js';
import { REMINDER_AGE, reminderAgeSql } from './reminder-age.js';
import { quantilesOf } from './spread.js';
import { counted, LANGUAGE, MEMBERS, type Subject, type Sums, timeDimensions } from './subject.js';

const DAY = "on the day of the dose's time, by the clocks of the member";
const outcome = ({ taken = 0, skipped = 0, missed = 0 }: Sums) => ({ taken, skipped, missed });

const SCHEDULE_KINDS: readonly Frequency['kind'][] = [
  'once',
  'calendar',
  'elapsed',
  'rule',
  'phased',
  'as_needed',
  'after_dose',
  'unrecognized',
];

/** What a fact is made of, in the table of facts `f` or the log of them. */
const COLUMNS = `f.account_id, f.day, f.hour,
  f.medicine_type AS "medicineType", f.schedule_kind AS "scheduleKind",
  ${punctualitySql('f.outcome', 'f.late_minutes')}, f.late_minutes AS "lateness",
  ${reminderAgeSql('f.reminder_days')},
  (f.outcome = 'taken')::int AS "taken", (f.outcome = 'skipped')::int AS "skipped",
  (f.outcome = 'missed')::int AS "missed", (f.outcome = 'asNeeded')::int AS "asNeeded"`;

/** Doses, and how members keep to their plans. */
export const doseSubject: Subject = {
  name: 'dose',
  description:
    'Doses of which it is known what became of them, but for those that were not needed, each on the day of its time, by the clocks ' +
    'of its member.',
  dimensions: [
    ...timeDimensions('by the clocks of the member'),
    LANGUAGE,
    {
      name: 'medicineType',
      type: 'text',
      isFreeText: true,
      description: 'Type of the medicine, in lower case; null when it has none.',
    },
    {
      name: 'scheduleKind',
      type: 'text',
      isPart: true,
      values: SCHEDULE_KINDS,
      description:
        'How the reminder comes today: once, calendar (clock times on days), elapsed (every so ' +
        'many hours), rule, phased (one after the other), as_needed, after_dose, unrecognized; null ' +
        'when the reminder is gone.',
    },
    PUNCTUALITY,
    REMINDER_AGE,
  ],
  counts: ['taken', 'skipped', 'missed', 'asNeeded'],
  spread: LATENESS,
  measures: [
    {
      name: 'scheduled',
      type: 'int',
      description: `Doses that were taken, skipped or missed, ${DAY}: the denominator of rates.`,
      of: (sums) => rateOf(outcome(sums)).of,
    },
    counted('taken', `Doses that were taken, early or late, ${DAY}.`),
    counted('skipped', `Doses that were left out on purpose or refused, ${DAY}.`),
    counted('missed', `Doses that nobody answered for within two hours, ${DAY}.`),
    counted(
      'asNeeded',
      'Doses logged apart, on the day on which they were taken: as needed, out of turn, or once ' +
        'more. Not in `scheduled`.',
    ),
    {
      name: 'adherenceRate',
      type: 'float',
      most: 1,
      description: `taken / scheduled, 0 to 1, ${DAY}; null when nothing was scheduled.`,
      of: (sums) => rateOf(outcome(sums)).rate,
    },
    ...quantilesOf(
      LATENESS,
      'Lateness',
      `\`taken\`, in whole minutes from the time of a dose to when it was taken, negative when early, ${DAY}.`,
    ),
    MEMBERS,
  ],
  facts: `SELECT ${COLUMNS} FROM dose_fact f`,
};

/** The same with what only the member may see: by reminder. */
export const ownDoseSubject: Subject = {
  ...doseSubject,
  dimensions: [
    ...doseSubject.dimensions,
    { name: 'reminderId', type: 'int', description: 'Number of the reminder; 0 of one gone.' },
    { name: 'name', type: 'text', description: 'Name of the medicine.' },
  ],
};
