import type { Deps } from '../../../core/deps.js';

const DAY = 24 * 60 * 60_000;
/** How long rows are kept, in milliseconds. */
export const RETENTION = {
  delivery: 30 * DAY,
  notification: 400 * DAY,
  deadDevice: 30 * DAY,
  unverifiedChannel: DAY,
} as const;
const PRUNED_AT_ONCE = 10_000;

/**
 * Deletes deliveries after 30 days, dead devices and channels after 30, channels that nobody
 * verified after one, and notifications after 400; returns how many rows.
 */
export async function pruneDeliveries(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  stopping: AbortSignal,
): Promise<number> {
  const before = (age: number) => new Date(clock() - age);
  const deliveries = before(RETENTION.delivery);
  const devices = before(RETENTION.deadDevice);
  const notifications = before(RETENTION.notification);
  const channels = before(RETENTION.unverifiedChannel);
  const steps = [
    () => database.db.$executeRaw`DELETE FROM delivery WHERE id IN (SELECT id FROM delivery
      WHERE due_at < ${deliveries} ORDER BY due_at LIMIT ${PRUNED_AT_ONCE}::int)`,
    () => database.db.$executeRaw`DELETE FROM device WHERE id IN (SELECT id FROM device
      WHERE dead_at < ${devices} ORDER BY dead_at LIMIT ${PRUNED_AT_ONCE}::int)`,
    () => database.db.$executeRaw`DELETE FROM device WHERE id IN (SELECT v.id FROM channel c
      JOIN device v ON v.id = c.device_id
      WHERE c.verified_at IS NULL AND v.created_at < ${channels} LIMIT ${PRUNED_AT_ONCE}::int)`,
    () => database.db.$executeRaw`DELETE FROM notification WHERE id IN (SELECT id FROM notification
      WHERE send_at < ${notifications} ORDER BY send_at LIMIT ${PRUNED_AT_ONCE}::int)`,
  ];
  let pruned = 0;
  for (const step of steps) {
    for (
      let count = PRUNED_AT_ONCE;
      count === PRUNED_AT_ONCE && !stopping.aborted;
      pruned += count
    ) {
      count = await step();
    }
  }
  return pruned;
}
