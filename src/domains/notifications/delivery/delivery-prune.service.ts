import type { Deps } from '../../../core/deps.js';
import { type EndedRows, prune } from '../../../core/pruning.js';
import { Prisma } from '../../../generated/prisma/client.js';

const DAY = 24 * 60 * 60_000;
/** How many days devices that are gone and channels that nobody verified are kept. */
const KEPT_DAYS = { deadDevice: 30, unverifiedChannel: 1 } as const;

/**
 * Maximum number of devices that one statement deletes: all that was sent to them goes too, in years
 * of many doses a day more than 10,000 deliveries each.
 */
const DEVICES_AT_ONCE = 20;
/** The same of notifications, each of which may have gone to several devices. */
const NOTIFICATIONS_AT_ONCE = 1_000;

/**
 * Deletes deliveries after KEEP_DELIVERIES_DAYS, notifications after KEEP_NOTIFICATIONS_DAYS, dead
 * devices and channels after 30 days, and channels that nobody verified after one; returns how many
 * rows. What fails is thrown after the others.
 */
export async function pruneDeliveries(
  { database, clock, config }: Pick<Deps, 'database' | 'clock' | 'config'>,
  stopping: AbortSignal,
): Promise<number> {
  const before = (days: number) => new Date(clock() - days * DAY);
  const unverified = Prisma.sql`created_at < ${before(KEPT_DAYS.unverifiedChannel)} AND EXISTS
    (SELECT FROM channel c WHERE c.device_id = device.id AND c.verified_at IS NULL)`;
  const ended: EndedRows[] = [
    {
      table: Prisma.sql`delivery`,
      where: Prisma.sql`due_at < ${before(config.KEEP_DELIVERIES_DAYS)}`,
      by: Prisma.sql`due_at`,
    },
    {
      table: Prisma.sql`device`,
      where: Prisma.sql`dead_at < ${before(KEPT_DAYS.deadDevice)}`,
      by: Prisma.sql`dead_at`,
      atOnce: DEVICES_AT_ONCE,
    },
    {
      table: Prisma.sql`device`,
      where: unverified,
      by: Prisma.sql`id`,
      atOnce: DEVICES_AT_ONCE,
    },
    {
      table: Prisma.sql`notification`,
      where: Prisma.sql`send_at < ${before(config.KEEP_NOTIFICATIONS_DAYS)}`,
      by: Prisma.sql`send_at`,
      atOnce: NOTIFICATIONS_AT_ONCE,
    },
  ];
  let pruned = 0;
  const errors: unknown[] = [];
  for (const rows of ended)
    await prune(database.db, rows, stopping).then(
      (count) => (pruned += count),
      (error: unknown) => errors.push(error),
    );
  if (errors.length > 0) throw errors[0];
  return pruned;
}
