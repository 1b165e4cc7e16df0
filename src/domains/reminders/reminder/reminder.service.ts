import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { firstOf } from '../../../core/row.js';
import { Prisma, type Reminder } from '../../../generated/prisma/client.js';
import { auditAccess } from '../../audit/audit.service.js';
import { byReminder, type PastPlanRow } from '../calendar/occurrences.js';
import { reminderColumns } from './reminder-row.sql.js';

/** A reminder as it is stored. */
export type ReminderRow = Reminder;
export type ReminderKind = 'medicine' | 'appointment';

/** Returns reminders by id, deleted ones too, for `context.loader`. */
export async function remindersById(
  context: RequestContext,
  ids: readonly number[],
): Promise<(Reminder | undefined)[]> {
  const rows = await context.rows<Reminder>(Prisma.sql`
    SELECT ${reminderColumns} FROM reminder WHERE id = ANY(${[...ids]}::int[])`);
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => found.get(id));
}

/** Returns former plans of a reminder that may still have occurrences to come. */
export async function pendingPlansOf(
  context: RequestContext,
  { id, planFrom }: Reminder,
): Promise<readonly PastPlanRow[]> {
  return planFrom ? ((await context.loader(pendingPlans).load(id)) ?? []) : [];
}

async function pendingPlans(
  context: RequestContext,
  ids: readonly number[],
): Promise<PastPlanRow[][]> {
  const plans = byReminder(await pastPlansAfter(context, ids, context.now()));
  return ids.map((id) => plans.get(id) ?? []);
}

/** Returns the former plans of reminders that were in force after an instant, in order. */
export async function pastPlansAfter(
  context: RequestContext,
  ids: readonly number[],
  instant: Date,
): Promise<PastPlanRow[]> {
  return context.rows<PastPlanRow>(Prisma.sql`
    SELECT reminder_id AS "reminderId", frequency_type AS "frequencyType", schedule, zone,
      start_local AS "startLocal", times, until_at AS "untilAt", from_at AS "fromAt",
      to_at AS "toAt"
    FROM past_plan WHERE reminder_id = ANY(${[...ids]}::int[])
      AND to_at > ${instant.toISOString()}::timestamptz ORDER BY id`);
}

/**
 * Returns a reminder that was changed. Throws REMINDER_NOT_FOUND: of a change that comes again under
 * its Idempotency-Key it may be gone since.
 */
export const changedReminder = async (context: RequestContext, id: number): Promise<Reminder> =>
  firstOf([await context.loader(remindersById).load(id)], reminderNotFound);

export const reminderNotFound = () => refuse('REMINDER_NOT_FOUND', 'Invalid reminder ID.');

/**
 * Returns a reminder that the access rules have let through; reading somebody else's is audited.
 * Throws REMINDER_NOT_FOUND.
 */
export async function readReminder(context: RequestContext, id: number): Promise<Reminder> {
  const row = await changedReminder(context, id);
  await auditAccess(context, row.accountId, 'reminder.read');
  return row;
}

/**
 * Holds a reminder against edits, and against other answers to it, until the transaction ends.
 * Returns whether it is as it was read: whatever changes its plans counts its version up.
 */
export async function holdReminder(
  inner: RequestContext,
  { id, version }: Pick<Reminder, 'id' | 'version'>,
): Promise<boolean> {
  const [held] = await inner.rows<{ version: number }>(Prisma.sql`
    SELECT version FROM reminder WHERE id = ${id}::int AND deleted_at IS NULL
    FOR NO KEY UPDATE`);
  return held?.version === version;
}

/**
 * Returns a reminder, held against the planner and other edits until the transaction ends; with
 * `NO KEY UPDATE` not against rows that refer to it, as doses do. Throws REMINDER_NOT_FOUND.
 */
export async function locked(
  inner: RequestContext,
  id: number,
  lock: 'UPDATE' | 'NO KEY UPDATE' = 'UPDATE',
): Promise<Reminder> {
  await inner.db.$executeRaw`
    SELECT 1 FROM reminder WHERE id = ${id}::int FOR ${Prisma.raw(lock)}`;
  const row = await inner.db.reminder.findUnique({ where: { id } });
  if (!row || row.deletedAt) throw reminderNotFound();
  return row;
}
