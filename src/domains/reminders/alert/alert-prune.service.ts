import type { Deps } from '../../../core/deps.js';

/** How long alerts that went out, or did not, stay on record, in milliseconds: 90 days. */
export const ALERTS_KEPT = 90 * 24 * 60 * 60_000;
const PRUNED_AT_ONCE = 10_000;

/**
 * Deletes settled alerts that were due more than 90 days ago, and returns how many. Doses and plans
 * stay.
 */
export async function pruneAlerts(
  { database, clock }: Deps,
  stopping: AbortSignal,
): Promise<number> {
  const before = new Date(clock() - ALERTS_KEPT);
  for (let sum = 0; ; ) {
    const count = await database.db.$executeRaw`DELETE FROM reminder_alert WHERE id IN
      (SELECT id FROM reminder_alert WHERE due_at < ${before} AND state <> 'planned'
        ORDER BY due_at LIMIT ${PRUNED_AT_ONCE}::int)`;
    sum += count;
    if (count < PRUNED_AT_ONCE || stopping.aborted) return sum;
  }
}
