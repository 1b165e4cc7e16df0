import type { Deps } from '../../../core/deps.js';
import { prune } from '../../../core/pruning.js';
import { Prisma } from '../../../generated/prisma/client.js';

const DAY = 24 * 60 * 60_000;

/**
 * Deletes settled alerts that were due more than KEEP_ALERTS_DAYS ago, and returns how many. Doses and
 * plans stay.
 */
export async function pruneAlerts(
  { database, clock, config }: Deps,
  stopping: AbortSignal,
): Promise<number> {
  const before = new Date(clock() - config.KEEP_ALERTS_DAYS * DAY);
  const where = Prisma.sql`due_at < ${before} AND state <> 'planned'`;
  const by = Prisma.sql`due_at`;
  return prune(database.db, { table: Prisma.sql`reminder_alert`, where, by }, stopping);
}
