import { firstPlanned } from '../../../domains/reminders/alert/alert-plan.service.js';
import { minuteAfter } from '../../../domains/reminders/reminder/taken-over.js';
import { localOf } from '../../../platform/moment.js';
import { isZone } from '../../../platform/zone.js';
import type { ImportRun } from '../kind.js';
import type { Fields, Line, LineKind, Part } from './line.js';

/** How the zone of a reminder without a named one is written. */
const OFFSET = /^[+-]\d\d:\d\d$/;

const FIELDS: Fields = {
  accountId: 'integer',
  creatorId: 'integer',
  name: 'text',
  description: 'text?',
  medicineType: 'text?',
  frequencyType: 'text?',
  schedule: 'text?',
  startDate: 'text?',
  endDate: 'text?',
  createdDate: 'text?',
  remindBefore: 'text?',
  eventType: 'text?',
  scheduled: 'boolean',
  recognized: 'boolean',
  follows: 'boolean',
  zone: 'text',
  zoneSource: 'text',
  startLocal: 'text',
  times: 'texts',
  timesSource: 'text',
  untilAt: 'instant?',
  suppliedUntil: 'instant?',
  ownUntilAt: 'instant?',
  leadSeconds: 'integer',
  planFrom: 'instant?',
  withheld: 'instants',
  doseUnit: 'text?',
  maxPerDay: 'integer?',
  leastInterval: 'integer?',
  reading: 'integer',
  doubtedAt: 'instant?',
  confirmedAt: 'instant?',
  attendedAt: 'instant?',
  createdAt: 'instant',
  updatedAt: 'instant',
  deletedAt: 'instant?',
  version: 'integer',
};

const PARTS: Readonly<Record<string, Part>> = {
  pastPlans: {
    table: 'past_plan',
    of: 'reminder_id',
    order: 'p.id',
    key: ['fromAt', 'toAt'],
    madeAt: 'toAt',
    fields: {
      id: 'integer',
      frequencyType: 'text?',
      schedule: 'text?',
      zone: 'text',
      startLocal: 'text',
      times: 'texts',
      untilAt: 'instant?',
      fromAt: 'instant?',
      toAt: 'instant',
    },
  },
  pauses: {
    table: 'reminder_pause',
    of: 'reminder_id',
    order: 'p.id',
    key: ['fromAt', 'createdAt'],
    madeAt: 'createdAt',
    fields: {
      id: 'integer',
      fromAt: 'instant',
      untilAt: 'instant?',
      madeById: 'integer',
      createdAt: 'instant',
    },
  },
  amounts: {
    table: 'dose_amount',
    of: 'reminder_id',
    order: 'p.id',
    fields: {
      id: 'integer',
      startsOn: 'text',
      startsAt: 'instant?',
      time: 'text?',
      amount: 'decimal',
      upTo: 'decimal?',
      weekdays: 'integers',
    },
  },
  stock: {
    table: 'medicine_stock',
    of: 'reminder_id',
    order: 'p.reminder_id',
    isOne: true,
    madeAt: 'countedAt',
    passing: ['lookAt', 'lowToldAt'],
    fields: {
      amount: 'decimal',
      unit: 'text',
      isCertain: 'boolean',
      noticeDays: 'integer',
      countedAt: 'instant',
      lookAt: 'instant?',
      lowToldAt: 'instant?',
      version: 'integer',
    },
  },
  packs: {
    table: 'medicine_pack',
    of: 'reminder_id',
    order: 'p.id',
    key: ['expiresOn'],
    passing: ['toldAt'],
    fields: { id: 'integer', amount: 'decimal', expiresOn: 'text', toldAt: 'instant?' },
  },
};

/** The columns of a reminder that people change. */
export const JUDGED: readonly string[] = [
  ...['name', 'description', 'medicine_type', 'frequency_type', 'start_date', 'end_date'],
  ...['created_date', 'remind_before', 'account_id', 'confirmed_at', 'deleted_at'],
];

/**
 * Reminders of a kind as they were understood, deleted ones too. They ring from the minute after their import
 * on, or after `since`, an appointment whose lead began before not again: the planner makes their alerts.
 */
const reminderLines = (kind: 'medicine' | 'appointment'): LineKind => ({
  name: kind,
  table: 'reminder',
  where: `t.kind = '${kind}'`,
  fields: FIELDS,
  parts: PARTS,
  judged: JUDGED,
  filled: ['kind', 'planned_until', 'plan_at'],
  fault: ({ zone }) =>
    isZone(String(zone)) || OFFSET.test(String(zone)) ? undefined : 'its zone is unknown here',
  fill: (line, run) => ({ kind, ...planned(kind, line, run) }),
});

export const MEDICINE_LINES = reminderLines('medicine');
export const APPOINTMENT_LINES = reminderLines('appointment');

function planned(kind: 'medicine' | 'appointment', line: Line, run: ImportRun) {
  const since = minuteAfter(run.since ?? run.context.now());
  const { scheduled, recognized, deletedAt } = line;
  const [startLocal, zone] = [String(line.startLocal), String(line.zone)];
  const reminder = { kind, startLocal, zone, leadSeconds: Number(line.leadSeconds) };
  return {
    // The planner reports a start that cannot be read.
    planned_until: Number.isNaN(localOf(startLocal)) ? since : firstPlanned(reminder, since),
    plan_at: scheduled && recognized && !deletedAt ? since : null,
  };
}

/** What was taken or skipped. */
export const DOSE_LINES: LineKind = {
  name: 'dose',
  table: 'dose',
  fields: {
    accountId: 'integer',
    reminderId: 'integer?',
    plannedAt: 'instant?',
    extra: 'boolean',
    answer: 'text',
    at: 'instant',
    name: 'text',
    medicineType: 'text?',
    note: 'text?',
    amount: 'decimal?',
    unit: 'text?',
    fromStock: 'decimal?',
    loggedById: 'integer',
    loggedAt: 'instant',
  },
};
