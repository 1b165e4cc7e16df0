import type { Deps } from '../../../core/deps.js';

/** SQL of the instant for which the first item is scheduled. */
export const NEXT_PUBLICATION = `
  SELECT min(published_at) FROM content_item WHERE status = 'future'`;

/**
 * Publishes items that were scheduled for a time that has come, by the injected clock. Returns how
 * many. One statement, so that a crash or a second process publishes nothing by half or twice.
 */
export async function publishDue({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): Promise<number> {
  const now = new Date(clock());
  return database.db.$executeRaw`
    UPDATE content_item SET status = 'publish', version = version + 1 WHERE status = 'future'
      AND published_at <= ${now}`;
}
