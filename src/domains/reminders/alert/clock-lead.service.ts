import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { leadStart } from '../schedule/lead.js';

const DAY_SECONDS = 24 * 60 * 60;

/**
 * Returns the ids of the reminders whose alert comes at another instant in another zone although their
 * occurrence does not: appointments with a lead of whole days, which the clocks count. Those of which the
 * member was alerted already are left out.
 */
export async function ledByClocks(
  inner: Pick<RequestContext, 'rows' | 'now'>,
  reminders: readonly { readonly id: number; readonly leadSeconds: number }[],
): Promise<ReadonlySet<number>> {
  const led = reminders.filter(({ leadSeconds }) => leadSeconds >= DAY_SECONDS);
  if (led.length === 0) return new Set();
  const rows = await inner.rows<{ id: number }>(Prisma.sql`
    SELECT r.id FROM reminder r WHERE r.id = ANY(${led.map(({ id }) => id)}::int[])
      AND NOT EXISTS (SELECT FROM reminder_alert alert
        WHERE alert.reminder_id = r.id AND alert.state IN ('sent', 'late')
          AND alert.planned_at >= ${inner.now().toISOString()}::timestamptz)`);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Returns whether alerts that wait for their time are due when their lead begins by the clocks of the
 * zone. `due` has them by the instants of their occurrences, of which those before `from` do not count;
 * all in milliseconds. One whose lead has begun at `now` is due since it was planned.
 */
export const isDueByClocks = (
  { leadSeconds, zone }: { readonly leadSeconds: number; readonly zone: string },
  due: ReadonlyMap<number, number>,
  { from, now }: { readonly from: number; readonly now: number },
): boolean =>
  [...due].every(([at, planned]) => {
    const begins = leadStart(at, leadSeconds * 1000, zone);
    return at < from || begins === planned || Math.max(begins, planned) <= now;
  });
