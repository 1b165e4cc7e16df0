import { setImmediate } from 'node:timers/promises';
import { feedMoves } from '../../../domains/live/feed.service.js';
import { FeedKind } from '../../../domains/live/feed.types.js';
import type { AmountRow } from '../../../domains/reminders/amount/amounts.js';
import { amountColumns } from '../../../domains/reminders/amount/amounts.js';
import { keepPauses, type Planning } from '../../../domains/reminders/pause/pause-plan.service.js';
import type { ReminderKind } from '../../../domains/reminders/reminder/reminder.service.js';
import { reminderRecord } from '../../../domains/reminders/reminder/reminder-row.sql.js';
import { deleteReminder } from '../../../domains/reminders/reminder/reminder-write.service.js';
import { type Shortcoming, takeOver } from '../../../domains/reminders/reminder/taken-over.js';
import { type Member, membersById } from '../../../domains/reminders/setting/member.service.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { Db } from '../../../platform/database/transaction.js';
import type { Import, Left, Mapped } from '../kind.js';
import { text } from '../kind.js';
import { JUDGED } from '../lines/reminder.lines.js';
import { mappedDate, mappedInstant } from './mapped-date.js';
import type { FieldRow, FieldValue, MappedKind, Unnumbered } from './mapped-row.js';
import type { MappedQuery } from './mapping.js';

const { sql } = Prisma;

/** Rows that are understood before others go on: some 2 ms. */
const AT_ONCE = 20;
/** The texts of a reminder: what of it people change. */
const TEXTS = [
  ...['name', 'description', 'medicine_type', 'frequency_type', 'start_date', 'end_date'],
  ...['created_date', 'remind_before'],
];
const COLUMNS = [
  ...TEXTS,
  ...['kind', 'account_id', 'creator_id', 'schedule', 'scheduled', 'recognized', 'follows', 'zone'],
  ...['zone_source', 'start_local', 'times', 'times_source', 'until_at', 'lead_seconds'],
  ...['plan_from', 'planned_until', 'plan_at', 'dose_unit', 'reading', 'doubted_at', 'created_at'],
  ...['updated_at', 'deleted_at'],
];

const kindOf = (kind: ReminderKind): MappedKind => ({
  table: 'reminder',
  columns: COLUMNS,
  judged: JUDGED,
  unused: 't.deleted_at IS NOT NULL',
  async map(run, rows, query) {
    const members = await membersOf(run, rows);
    const mapped: (Unnumbered | Left)[] = [];
    for (const [i, row] of rows.entries()) {
      // Meanwhile the batch before is written, one statement after the other.
      if (i % AT_ONCE === AT_ONCE - 1) await setImmediate();
      mapped.push(reminderOf(run, kind, row, { query, members }));
    }
    return mapped;
  },
  // What was due before the original stopped, it has rung: a medicine of a trial begins again.
  renewed: ({ since }) => since && `t.plan_from < '${since.toISOString()}'`,
  clear: clearReminders,
  complete: placeReminders,
  used: 'EXISTS (SELECT FROM dose d WHERE d.reminder_id = t.id)',
  async remove(inner, id) {
    await deleteReminder(inner, id);
  },
});

/** Medicines: their texts are kept, and understood as those that are sent to the service. */
export const MEDICINES = kindOf('medicine');
/** Appointments. */
export const APPOINTMENTS = kindOf('appointment');

type Members = ReadonlyMap<number, Member>;

async function membersOf({ context }: Import, rows: readonly FieldRow[]): Promise<Members> {
  const ids = [...new Set(rows.map(({ member }) => Number(member)))].filter(Number.isInteger);
  const fitting = ids.filter((id) => id > 0 && id < 2 ** 31);
  const found = await membersById(context, fitting);
  return new Map(found.flatMap((one) => (one ? [[one.id, one]] : [])));
}

/** Control characters but for tabs and the ends of lines. */
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

const REASONS: Readonly<Record<Shortcoming, string>> = {
  frequency: 'its frequency is not understood: it is kept as it is, and never rings',
  start: 'its start is no date that is certain: it is kept as it is, and never rings',
  end: 'its end is no date that is certain: it is kept as it is, and never rings',
  order: 'its end lies before its start: it is kept, and never rings',
  date: 'its date is none that is certain: it is kept as it is, and never rings',
  lead: 'how long before it is to ring cannot be read: it rings at its time',
};

/** Returns the reminder of a row, understood as of now. */
function reminderOf(
  run: Import,
  kind: ReminderKind,
  row: FieldRow,
  { query, members }: { readonly query: MappedQuery; readonly members: Members },
): Unnumbered | Left {
  const accountId = Number(row.member);
  if (!run.accounts.has(accountId))
    return { outcome: 'skipped', reason: 'its account is not among those that are imported' };
  const remarks = new Set<string>();
  const site = run.site.timeZone;
  const { zones, usual, anchors } = members.get(accountId) ?? NEW_MEMBER;
  const now = run.context.now().getTime();
  const circumstances = { zones: { ...zones, site }, usual, anchors, now };
  const sent = sentOf(kind, row, query, remarks);
  const created = mappedInstant(row.created, query.dates, site);
  const foreign = { kind, accountId, sent, createdAt: created.at, stoppedAt: run.since };
  const taken = takeOver(foreign, circumstances);
  for (const one of taken.shortcomings) remarks.add(REASONS[one]);
  if (taken.shortcomings.includes('frequency')) run.report.notUnderstood(sent.frequencyType ?? '');
  return {
    own: reminderRecord(taken.row),
    parts: { amounts: taken.amounts },
    remarks: [...remarks],
  };
}

const NEW_MEMBER = { zones: {}, usual: {}, anchors: {} };

type Texts = Parameters<typeof takeOver>[0]['sent'];

/** Returns the texts of a reminder as they are kept: dates in a form that is read here, where they are certain. */
function sentOf(
  kind: ReminderKind,
  row: FieldRow,
  { dates }: MappedQuery,
  remarks: Set<string>,
): Texts {
  const plain = (value: FieldValue) => {
    const written = text(value);
    const clean = written.replace(CONTROLS, '');
    if (clean !== written) remarks.add('it had control characters: they are left out');
    return clean;
  };
  const date = (value: FieldValue) => mappedDate(value, dates).text;
  if (kind === 'appointment')
    return {
      name: plain(row.title),
      description: plain(row.description),
      startDate: date(row.date),
      remindBefore: plain(row.lead),
    };
  return {
    name: plain(row.name),
    description: plain(row.description),
    medicineType: plain(row.type),
    frequencyType: plain(row.frequency),
    startDate: date(row.start),
    endDate: date(row.end),
    createdDate: date(row.created),
  };
}

/** Removes amounts of changed reminders, and plans and alerts to come, which are made anew. */
async function clearReminders(db: Db, ids: readonly number[], run: Import): Promise<void> {
  const since = (run.since ?? run.context.now()).toISOString();
  await db.$executeRaw(sql`
    DELETE FROM reminder_alert WHERE reminder_id = ANY(${ids}::int[])
      AND state IN ('planned', 'cancelled') AND planned_at >= ${since}::timestamptz`);
  await db.$executeRaw(sql`
    DELETE FROM past_plan WHERE reminder_id = ANY(${ids}::int[]) AND from_at >= ${since}::timestamptz`);
  await db.$executeRaw(sql`
    UPDATE past_plan SET to_at = ${since}::timestamptz
    WHERE reminder_id = ANY(${ids}::int[]) AND to_at > ${since}::timestamptz`);
  await db.$executeRaw(sql`DELETE FROM dose_amount WHERE reminder_id = ANY(${ids}::int[])`);
}

/**
 * Writes what phrases state of each dose, takes pauses that were made here out of the plans, and moves the
 * calendars of members.
 */
async function placeReminders(db: Db, written: readonly Mapped[], run: Import): Promise<void> {
  const amounts = written.flatMap(({ own, parts }) =>
    ((parts?.amounts ?? []) as AmountRow[]).map((one) => amountColumns(own.id, one)),
  );
  if (amounts.length > 0) await db.doseAmount.createMany({ data: amounts });
  const planning = { db, rows: db.$queryRaw.bind(db), now: () => run.context.now() } as Planning;
  await keepPauses(
    planning,
    written.map(({ own }) => own.id),
  );
  const members = written.map(({ own }) => own.account_id as number);
  await db.$executeRaw(
    feedMoves(FeedKind.CALENDAR, sql`SELECT DISTINCT unnest(${members}::int[])`),
  );
}
