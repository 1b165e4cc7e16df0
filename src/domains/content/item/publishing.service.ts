import type { Deps } from '../../../core/deps.js';

/**
 * Publishes what was scheduled for a time that has come, by the injected clock; answers how many
 * items. One statement, so that nothing is published half or twice, whatever dies or runs beside
 * it.
 */
export async function publishDue({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): Promise<number> {
  const now = new Date(clock());
  return database.prisma.$executeRaw`
    UPDATE content_item SET status = 'publish', version = version + 1 WHERE status = 'future' AND published_at <= ${now}`;
}
