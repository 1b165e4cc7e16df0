import type { RequestContext } from '../../../core/context.js';
import { Prisma, type Reminder } from '../../../generated/prisma/client.js';
import type { Decimal } from '../../../platform/decimal.js';
import { localAt } from '../../../platform/zone.js';
import { pastPlansAfter } from '../reminder/reminder.service.js';
import { amountsOf } from './amount.service.js';
import { amountFinder, exactly } from './amounts.js';

const { sql } = Prisma;
const ALWAYS = new Date(0);

/** A dose as it was logged. */
interface LoggedAmount {
  readonly id: number;
  readonly amount: Decimal;
  /** When it was planned; of what is taken as needed, when it was taken. */
  readonly plannedAt: Date;
  readonly at: Date;
}

/**
 * Forgets how much was taken where it was one of some wrong amounts, unless the medicine has
 * exactly this amount at that time now. A stock that was counted before such a dose was taken is no
 * longer certain. At most five statements.
 */
export async function forgetWrong(
  inner: RequestContext,
  { id, zone }: Pick<Reminder, 'id' | 'zone'>,
  wrong: readonly string[],
): Promise<void> {
  const doses = await inner.rows<LoggedAmount>(sql`
    SELECT id, trim_scale(amount)::text AS amount, COALESCE(planned_at, at) AS "plannedAt", at
    FROM dose WHERE reminder_id = ${id}::int AND amount = ANY(${[...wrong]}::numeric[])`);
  if (doses.length === 0) return;
  const [amounts = []] = await amountsOf(inner, [id]);
  const find = amountFinder(amounts);
  const zoneAt = await zonesOf(inner, id, zone);
  const forgotten = doses.filter(({ amount, plannedAt }) => {
    const at = plannedAt.getTime();
    return exactly(find({ at, local: localAt(at, zoneAt(plannedAt)) })) !== amount;
  });
  if (forgotten.length === 0) return;
  const ids = forgotten.map((dose) => dose.id);
  await inner.db.$executeRaw(sql`
    UPDATE dose SET amount = NULL, unit = NULL WHERE id = ANY(${ids}::bigint[])`);
  const last = new Date(Math.max(...forgotten.map(({ at }) => at.getTime())));
  await inner.db.medicineStock.updateMany({
    where: { reminderId: id, countedAt: { lte: last } },
    data: { isCertain: false },
  });
}

/** Returns what finds the zone by whose clocks a medicine came at an instant. */
async function zonesOf(
  inner: RequestContext,
  id: number,
  zone: string,
): Promise<(instant: Date) => string> {
  const plans = await pastPlansAfter(inner, [id], ALWAYS);
  return (instant) =>
    plans.find(({ fromAt, toAt }) => (!fromAt || fromAt <= instant) && instant < toAt)?.zone ??
    zone;
}
