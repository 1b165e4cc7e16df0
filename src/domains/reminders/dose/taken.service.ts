import type { RequestContext } from '../../../core/context.js';
import type { Decimal } from '../../../platform/decimal.js';
import { exactly } from '../amount/amounts.js';
import { plannedAmount } from '../amount/shown-amount.service.js';
import type { ReminderRow } from '../reminder/reminder.service.js';
import { takeFromStock } from '../stock/stock-count.service.js';

/** How much was taken, as columns of a dose. */
interface TakenColumns {
  readonly amount?: Decimal;
  readonly unit?: string | null;
  readonly fromStock?: Decimal;
}

/** When a dose is, and how much was taken, where whoever logs it says so. */
interface TakenDose {
  /** Null: a dose as needed. */
  readonly plannedAt: Date | null;
  /** When it was taken. */
  readonly at: Date;
  readonly amount?: Decimal | null | undefined;
}

/**
 * Takes a dose off the stock of its medicine, and returns how much it is, where somebody has said,
 * and how much of it was taken off. Of a dose that is planned as a range nobody knows how much was
 * taken unless it is said when the dose is logged: no amount is kept, nothing is taken off, and the
 * stock is no longer certain, so that it ends no course, and shows no day on which it runs out.
 */
export async function takenColumns(
  inner: RequestContext,
  row: ReminderRow,
  { plannedAt, at, amount: said }: TakenDose,
): Promise<TakenColumns> {
  const planned = () => plannedAmount(inner, row, (plannedAt ?? at).getTime());
  const amount = said ?? exactly(await planned());
  const known = amount === undefined ? {} : { amount, unit: row.doseUnit };
  const fromStock = await takeFromStock(inner, row.id, { ...known, at });
  return { ...known, ...(fromStock !== undefined && { fromStock }) };
}
