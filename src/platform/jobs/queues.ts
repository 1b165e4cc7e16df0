import { Gauge } from 'prom-client';
import type { Database } from '../database/database.js';
import { registry } from '../metrics/metrics.js';

/** Most rows of a queue that are counted. */
const MOST = 100_000;

const depth = new Gauge({
  name: 'care_queue_depth',
  help: `Rows that wait for a background job, by its name, with those that wait for another try; at most ${MOST}.`,
  labelNames: ['queue'],
  aggregator: 'max',
  registers: [registry],
});
const age = new Gauge({
  name: 'care_queue_age_seconds',
  help:
    'For how long the first of these rows could have been worked off, but was not; 0 when none ' +
    'could. What waits for another try could not.',
  labelNames: ['queue'],
  aggregator: 'max',
  registers: [registry],
});

/** Rows of the database that wait for a job. */
export interface Queue {
  /** Of the job. */
  readonly name: string;
  /**
   * SQL of a row for each that waits at the instant $1. Its column `since` is the instant from which
   * it could be worked off; null where that is still to come. It reads by an index.
   */
  readonly waiting: string;
}

/** Measures the depth and age of queues, by one statement. */
export async function measureQueues(
  { database, clock }: { readonly database: Pick<Database, 'query'>; readonly clock: () => number },
  queues: readonly Queue[],
): Promise<void> {
  const parts = queues.map(
    ({ name, waiting }) => `
      SELECT '${name}' AS name, count(*)::int AS depth,
        (extract(epoch FROM min(since)) * 1000)::float8 AS since
      FROM (SELECT since FROM (${waiting}) AS waiting ORDER BY since LIMIT ${MOST}) AS first`,
  );
  const now = clock();
  const rows = await database.query<{ name: string; depth: number; since: number | null }>(
    parts.join(' UNION ALL '),
    [new Date(now).toISOString()],
  );
  for (const { name: queue, depth: count, since } of rows) {
    depth.set({ queue }, count);
    age.set({ queue }, Math.max(0, now - (since ?? now)) / 1_000);
  }
}
