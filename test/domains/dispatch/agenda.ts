import type { Database } from '../../../src/platform/database/database.js';

const HOUR = 60 * 60_000;

/**
 * When hand-over or delivery next have something to do, as their tables say; Infinity for never.
 */
async function nextWork(database: Database): Promise<number> {
  const [row] = await database.query<{ at: Date | null }>(
    `SELECT LEAST((SELECT min(GREATEST(due_at, retry_at)) FROM reminder_alert WHERE state = 'planned'),
      (SELECT min(next_at) FROM delivery WHERE state = 'planned' OR lost)) AS at`,
    [],
  );
  return row?.at?.getTime() ?? Number.POSITIVE_INFINITY;
}

/**
 * Lets rounds of the jobs run at each of these instants at which they have something to do; at the
 * one before it too, since what comes too early must be seen, and at least every hour. The others
 * would find nothing, and be most of them.
 */
export async function roundsAt(
  instants: readonly number[],
  database: Database,
  round: (now: number) => Promise<unknown>,
): Promise<void> {
  let ran = Number.NEGATIVE_INFINITY;
  let next = await nextWork(database);
  for (const [i, now] of instants.entries()) {
    const following = instants[i + 1] ?? Number.POSITIVE_INFINITY;
    if (following < next && now < ran + HOUR) continue;
    await round(now);
    ran = now;
    next = await nextWork(database);
  }
}
