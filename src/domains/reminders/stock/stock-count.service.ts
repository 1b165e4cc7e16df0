import type { RequestContext } from '../../../core/context.js';
import { type Dose, Prisma } from '../../../generated/prisma/client.js';
import { type Decimal, ZERO } from '../../../platform/decimal.js';

const { sql } = Prisma;

/** A dose that is taken. */
interface TakenDose {
  readonly amount?: Decimal | undefined;
  readonly unit?: string | null | undefined;
  readonly at: Date;
}

/**
 * Takes a dose off the stock of its medicine, in the transaction that logs it. Returns how much was
 * taken off: less than the dose where less was at hand, 0 where nobody has said how much the dose
 * is in the unit of the stock; in both cases the stock is no longer certain. Undefined without a
 * stock, or where it was counted after the dose was taken. One statement.
 */
export async function takeFromStock(
  inner: RequestContext,
  reminderId: number,
  { amount = ZERO, unit, at }: TakenDose,
): Promise<Decimal | undefined> {
  const dose = sql`CASE WHEN btrim(s.unit) = ${unit?.trim() ?? ''} THEN ${amount}::numeric ELSE 0 END`;
  const [row] = await inner.rows<{ taken: Decimal }>(sql`
    UPDATE medicine_stock s SET amount = GREATEST(0, s.amount - ${dose}),
      is_certain = s.is_certain AND s.amount >= ${dose} AND ${dose} > 0
    FROM (SELECT reminder_id, amount FROM medicine_stock
      WHERE reminder_id = ${reminderId}::int FOR UPDATE) before
    WHERE s.reminder_id = before.reminder_id AND s.counted_at <= ${at.toISOString()}::timestamptz
    RETURNING trim_scale(before.amount - s.amount)::text AS taken`);
  return row?.taken;
}

/**
 * Gives back what a dose that is taken back had taken off the stock, unless the stock was counted
 * since. At most one statement.
 */
export async function returnToStock(
  inner: RequestContext,
  { reminderId, fromStock, loggedAt }: Pick<Dose, 'reminderId' | 'fromStock' | 'loggedAt'>,
): Promise<void> {
  if (!reminderId || !fromStock?.greaterThan(0)) return;
  await inner.db.medicineStock.updateMany({
    where: { reminderId, countedAt: { lte: loggedAt } },
    data: { amount: { increment: fromStock } },
  });
}
