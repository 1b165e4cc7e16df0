import { Prisma, type Reminder as ReminderRow } from '../../../generated/prisma/client.js';
import { MEDICINE_TEXTS, type MedicineText } from './medicine-text.sql.js';

const TEXTS = Object.fromEntries(
  Object.entries(MEDICINE_TEXTS).map(([field, column]) => [field, `${column} text`]),
) as Record<MedicineText, string>;

/** The column of each field of a reminder, and its type. */
const COLUMNS: Readonly<Record<keyof ReminderRow, string>> = {
  id: 'id int',
  kind: 'kind text',
  accountId: 'account_id int',
  creatorId: 'creator_id int',
  fingerprint: 'fingerprint text',
  ...TEXTS,
  frequencyType: 'frequency_type text',
  schedule: 'schedule text',
  startDate: 'start_date text',
  endDate: 'end_date text',
  remindBefore: 'remind_before text',
  eventType: 'event_type text',
  scheduled: 'scheduled bool',
  recognized: 'recognized bool',
  follows: 'follows bool',
  zone: 'zone text',
  zoneSource: 'zone_source text',
  startLocal: 'start_local text',
  times: 'times text[]',
  timesSource: 'times_source text',
  untilAt: 'until_at timestamptz',
  suppliedUntil: 'supplied_until timestamptz',
  ownUntilAt: 'own_until_at timestamptz',
  leadSeconds: 'lead_seconds int',
  planFrom: 'plan_from timestamptz',
  plannedUntil: 'planned_until timestamptz',
  planAt: 'plan_at timestamptz',
  withheld: 'withheld timestamptz[]',
  doseUnit: 'dose_unit text',
  maxPerDay: 'max_per_day int',
  leastInterval: 'least_interval int',
  reading: 'reading int2',
  doubtedAt: 'doubted_at timestamptz',
  confirmedAt: 'confirmed_at timestamptz',
  attendedAt: 'attended_at timestamptz',
  createdAt: 'created_at timestamptz',
  updatedAt: 'updated_at timestamptz',
  deletedAt: 'deleted_at timestamptz',
  version: 'version int',
};

const FIELDS = Object.entries(COLUMNS).map(([field, column]) => {
  const [name = '', type = ''] = column.split(' ');
  return { field: field as keyof ReminderRow, name, type };
});

/** The columns of `reminder` under the names of the fields of a `ReminderRow`. */
export const reminderColumns: Prisma.Sql = Prisma.raw(
  FIELDS.map(({ field, name }) => `${name} AS "${field}"`).join(', '),
);

/** Fields as they are stored, or SQL for them. */
export type ReminderValues = {
  readonly [Field in keyof ReminderRow]?: ReminderRow[Field] | Prisma.Sql;
};

/** Returns the columns of fields, in parentheses, and a SELECT of their values `from` something. */
export function reminderValues(values: ReminderValues, from: Prisma.Sql): Prisma.Sql {
  const given = FIELDS.filter(({ field }) => values[field] !== undefined);
  const written = given.map(({ field, type }) => {
    const value = values[field];
    if (value instanceof Prisma.Sql) return value;
    const sent = value instanceof Date ? value.toISOString() : value;
    return Prisma.sql`${sent}::${Prisma.raw(type)}`;
  });
  const names = Prisma.raw(given.map(({ name }) => name).join(', '));
  return Prisma.sql`(${names}) SELECT ${Prisma.join(written)} FROM ${from}`;
}

/** Returns fields under the names of their columns, for statements that read rows from JSON. */
export function reminderRecord(values: Partial<ReminderRow>): Readonly<Record<string, unknown>> {
  const record: Record<string, unknown> = {};
  for (const { field, name } of FIELDS)
    if (values[field] !== undefined) record[name] = values[field];
  return record;
}
