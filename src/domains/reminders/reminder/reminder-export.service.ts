import { setImmediate } from 'node:timers/promises';
import type { RequestContext } from '../../../core/context.js';
import { POINTS_OF_REMINDER } from '../../../core/quota.js';
import { amountsOf } from '../amount/amount.service.js';
import { fhirDosagesOf } from './fhir-dosage.service.js';
import { MedicineReminder } from './medicine-reminder.types.js';

/**
 * Returns the reminders of the account, deleted ones too, with their pauses, amounts and stock, and
 * the plans that were in force before; of medicines also how they are taken, as Dosages of FHIR R4.
 * The request pays for each.
 */
export async function exportReminders(
  context: RequestContext,
  accountId: number,
): Promise<object[]> {
  const rows = await context.db.reminder.findMany({
    where: { accountId },
    orderBy: { id: 'asc' },
    include: { pastPlans: true, pauses: true, amounts: true, stock: { include: { packs: true } } },
  });
  await context.quota.owe(rows.length * POINTS_OF_REMINDER);
  await context.loader(amountsOf).loadMany(rows.map(({ id }) => id));
  const exported: object[] = [];
  for (const { fingerprint, planAt, plannedUntil, ...row } of rows) {
    if (row.kind !== 'medicine') {
      exported.push(row);
      continue;
    }
    const whole = { ...row, fingerprint, planAt, plannedUntil };
    const reminder = new MedicineReminder(whole, context.now().getTime(), []);
    const fhirDosages = await fhirDosagesOf(context, reminder, 'R4');
    exported.push({ ...row, fhirDosages });
    await setImmediate(); // wording takes a millisecond, and there may be hundreds
  }
  return exported;
}

/** Returns what the account took or skipped. */
export async function exportDoses({ db }: RequestContext, accountId: number): Promise<object[]> {
  const doses = await db.dose.findMany({
    where: { accountId },
    orderBy: { id: 'asc' },
    omit: { loggedFrom: true },
  });
  return doses.map((dose) => ({ ...dose, id: Number(dose.id) }));
}

/** Returns the alerts of the account, and which carers were notified by them. */
export async function exportAlerts({ db }: RequestContext, accountId: number): Promise<object[]> {
  const omit = { accountId: true, retryAt: true } as const;
  const alerts = await db.reminderAlert.findMany({
    where: { accountId },
    orderBy: { id: 'asc' },
    omit,
  });
  return alerts.map((alert) => ({ ...alert, id: Number(alert.id) }));
}

/**
 * Returns what the account set, or taught, about its reminders; null when nothing. The secret of
 * the calendar's address nobody knows.
 */
export async function exportCareSettings(
  { db }: RequestContext,
  accountId: number,
): Promise<object | null> {
  const omit = { accountId: true, feedHash: true } as const;
  return db.careSetting.findUnique({ where: { accountId }, omit });
}
