import type { RequestContext } from '../../../core/context.js';
import type { Decimal } from '../../../platform/decimal.js';
import { plannedAmount } from '../amount/shown-amount.service.js';
import type { ReminderRow } from '../reminder/reminder.service.js';
import { takeFromStock } from '../stock/stock-count.service.js';

/** How much was taken, as columns of a dose. */
interface TakenColumns {
  readonly amount?: Decimal;
  readonly unit?: string | null;
  readonly fromStock?: Decimal;
}

/**
 * Takes a dose off the stock of its medicine, and returns how much it is, where somebody has said,
 * and how much of it was taken off. `plannedAt` null: a dose as needed. `at`: when it was taken.
 */
export async function takenColumns(
  inner: RequestContext,
  row: ReminderRow,
  plannedAt: Date | null,
  at: Date,
): Promise<TakenColumns> {
  const amount = await plannedAmount(inner, row, (plannedAt ?? at).getTime());
  const known = amount === undefined ? {} : { amount, unit: row.doseUnit };
  const fromStock = await takeFromStock(inner, row.id, { ...known, at });
  return { ...known, ...(fromStock !== undefined && { fromStock }) };
}
