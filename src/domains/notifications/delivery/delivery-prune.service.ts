import type { Deps } from '../../../core/deps.js';
import { prune } from '../../../core/pruning.js';
import { Prisma } from '../../../generated/prisma/client.js';

const DAY = 24 * 60 * 60_000;
/** How long rows are kept, in milliseconds. */
export const RETENTION = {
  delivery: 30 * DAY,
  notification: 400 * DAY,
  deadDevice: 30 * DAY,
  unverifiedChannel: DAY,
} as const;

/**
 * Deletes deliveries after 30 days, dead devices and channels after 30, channels that nobody
 * verified after one, and notifications after 400; returns how many rows.
 */
export async function pruneDeliveries(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  stopping: AbortSignal,
): Promise<number> {
  const before = (age: number) => new Date(clock() - age);
  const unverified = Prisma.sql`created_at < ${before(RETENTION.unverifiedChannel)} AND EXISTS
    (SELECT FROM channel c WHERE c.device_id = device.id AND c.verified_at IS NULL)`;
  const ended = [
    {
      table: Prisma.sql`delivery`,
      where: Prisma.sql`due_at < ${before(RETENTION.delivery)}`,
      by: Prisma.sql`due_at`,
    },
    {
      table: Prisma.sql`device`,
      where: Prisma.sql`dead_at < ${before(RETENTION.deadDevice)}`,
      by: Prisma.sql`dead_at`,
    },
    { table: Prisma.sql`device`, where: unverified, by: Prisma.sql`id` },
    {
      table: Prisma.sql`notification`,
      where: Prisma.sql`send_at < ${before(RETENTION.notification)}`,
      by: Prisma.sql`send_at`,
    },
  ];
  let pruned = 0;
  for (const rows of ended) pruned += await prune(database.db, rows, stopping);
  return pruned;
}
