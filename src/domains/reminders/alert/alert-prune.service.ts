import type { Deps } from '../../../core/deps.js';
import { prune } from '../../../core/pruning.js';
import { Prisma } from '../../../generated/prisma/client.js';

/** How long alerts that went out, or did not, stay on record, in milliseconds: 90 days. */
export const ALERTS_KEPT = 90 * 24 * 60 * 60_000;

/**
 * Deletes settled alerts that were due more than 90 days ago, and returns how many. Doses and plans
 * stay.
 */
export async function pruneAlerts(
  { database, clock }: Deps,
  stopping: AbortSignal,
): Promise<number> {
  const where = Prisma.sql`due_at < ${new Date(clock() - ALERTS_KEPT)} AND state <> 'planned'`;
  const by = Prisma.sql`due_at`;
  return prune(database.db, { table: Prisma.sql`reminder_alert`, where, by }, stopping);
}
