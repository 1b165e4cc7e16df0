import type { RequestContext } from '../../../core/context.js';
import { POINTS_OF_REMINDER } from '../../../core/quota.js';
import { auditAccess } from '../../audit/audit.service.js';
import { careRightsOver } from '../../care/care.service.js';
import { AppointmentReminder } from './appointment-reminder.types.js';
import { MedicineReminder } from './medicine-reminder.types.js';
import {
  pendingPlansOf,
  type ReminderKind,
  type ReminderRow,
  readReminder,
  remindersById,
} from './reminder.service.js';
import type { Reminder } from './reminder.types.js';

/** Returns a reminder as it is shown. Reads its former plans through a loader. */
export async function showReminder(context: RequestContext, row: ReminderRow): Promise<Reminder> {
  const Shown = row.kind === 'medicine' ? MedicineReminder : AppointmentReminder;
  return new Shown(row, context.now().getTime(), await pendingPlansOf(context, row));
}

/** Returns a reminder that the access rules have let through. Throws REMINDER_NOT_FOUND. */
export async function readShown(context: RequestContext, id: number): Promise<Reminder> {
  return showReminder(context, await readReminder(context, id));
}

/**
 * Returns the reminder of something that the viewer may see, such as an event; undefined when it
 * was deleted. Ids of one request are read together, and each is shown once.
 */
export async function reminderShown(
  context: RequestContext,
  id: number,
): Promise<Reminder | undefined> {
  return id ? context.loader(shownById).load(id) : undefined;
}

/** Reminders as they are shown, by id, for `context.loader`. The request pays for each. */
async function shownById(
  context: RequestContext,
  ids: readonly number[],
): Promise<(Reminder | undefined)[]> {
  const rows = await context.loader(remindersById).loadMany(ids);
  await context.quota.owe(ids.length * POINTS_OF_REMINDER);
  return Promise.all(
    rows.map((row) => {
      if (row instanceof Error) throw row;
      return row && !row.deletedAt ? showReminder(context, row) : undefined;
    }),
  );
}

/** Returns a reader of the reminders of a kind that the viewer may see, by their ids. */
export const remindersOf =
  (kind: ReminderKind) =>
  async (context: RequestContext, ids: readonly number[]): Promise<Reminder[]> => {
    if (!context.viewer.id) return [];
    const rows = await Promise.all(ids.map((id) => context.loader(remindersById).load(id)));
    const known = rows.filter(
      (row): row is ReminderRow => row?.kind === kind && row.deletedAt === null,
    );
    const seen = await visible(context, known);
    await auditAccess(
      context,
      seen.map(({ accountId }) => accountId),
      'reminder.read',
    );
    await context.quota.owe(seen.length * POINTS_OF_REMINDER);
    return Promise.all(seen.map((row) => showReminder(context, row)));
  };

/** Returns those rows of members whom the viewer may see. */
export async function visible<T extends { readonly accountId: number }>(
  context: RequestContext,
  rows: readonly T[],
): Promise<T[]> {
  const ids = rows.map(({ accountId }) => accountId);
  const rights = await Promise.all(ids.map((id) => context.loader(careRightsOver).load(id)));
  return rows.filter((_, i) => rights[i]?.has('see'));
}
