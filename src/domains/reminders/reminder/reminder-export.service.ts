import type { RequestContext } from '../../../core/context.js';

/**
 * Returns the reminders of the account, deleted ones too, with their pauses, amounts and stock, and
 * the plans that were in force before.
 */
export async function exportReminders(
  { db }: RequestContext,
  accountId: number,
): Promise<object[]> {
  const rows = await db.reminder.findMany({
    where: { accountId },
    orderBy: { id: 'asc' },
    include: { pastPlans: true, pauses: true, amounts: true, stock: { include: { packs: true } } },
  });
  return rows.map(({ fingerprint, planAt, plannedUntil, ...row }) => row);
}

/** Returns what the account took or skipped. */
export async function exportDoses({ db }: RequestContext, accountId: number): Promise<object[]> {
  return db.dose.findMany({
    where: { accountId },
    orderBy: { id: 'asc' },
    omit: { loggedFrom: true },
  });
}

/**
 * Returns what the account set, or taught, about its reminders; null when nothing. The secret of
 * the calendar's address nobody knows.
 */
export async function exportCareSettings(
  { db }: RequestContext,
  accountId: number,
): Promise<object | null> {
  const select = {
    learnedZone: true,
    usualTimes: true,
    feedTitles: true,
    feedAlarms: true,
    feedMadeAt: true,
  } as const;
  return db.careSetting.findUnique({ where: { accountId }, select });
}
