import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { Decimal } from '../../../platform/decimal.js';
import { feedMoved, feedMoves } from '../../live/feed.service.js';
import { FeedKind } from '../../live/feed.types.js';
import type { LoggedDose } from '../calendar/event.types.js';

/** The fields of a dose that is being logged. */
type NewDose = Omit<LoggedDose, 'id' | 'amount' | 'unit'> & {
  readonly amount?: Decimal | undefined;
  readonly unit?: string | null | undefined;
  /** How much of it was taken off the stock. */
  readonly fromStock?: Decimal | undefined;
  readonly loggedById: number;
  readonly loggedAt: Date;
  /** The session or application password that logs it. */
  readonly loggedFrom: string | null;
};

/**
 * Inserts a dose, and moves the member's calendar; returns the id of the dose. One statement. The
 * caller has audited it.
 */
export async function insertDose(inner: RequestContext, dose: NewDose): Promise<number> {
  const { accountId, reminderId, plannedAt, extra, answer, at, name, medicineType, note } = dose;
  const { amount, unit, fromStock, loggedById, loggedAt, loggedFrom } = dose;
  const moves = feedMoves(FeedKind.CALENDAR, Prisma.sql`SELECT ${accountId}::int`);
  const [made] = await inner.rows<{ id: number }>(Prisma.sql`
    WITH made AS (
      INSERT INTO dose (account_id, reminder_id, planned_at, extra, answer, at, name,
        medicine_type, note, amount, unit, from_stock, logged_by_id, logged_at, logged_from)
      VALUES (${accountId}::int, ${reminderId}::int, ${iso(plannedAt)}::timestamptz,
        ${extra}::bool, ${answer}, ${iso(at)}::timestamptz, ${name}, ${medicineType}::text,
        ${note}::text, ${amount ?? null}::numeric, ${unit ?? null}::text,
        ${fromStock ?? null}::numeric, ${loggedById}::int, ${iso(loggedAt)}::timestamptz,
        ${loggedFrom}::text)
      RETURNING id
    ), moved AS (${moves})
    SELECT id FROM made`);
  feedMoved(inner);
  return (made as { id: number }).id;
}

const iso = (instant: Date | null) => instant?.toISOString() ?? null;
