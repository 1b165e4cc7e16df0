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
    'could. What waits for another try could not. Where rows have no time: since this process has ' +
    'found the same row first.',
  labelNames: ['queue'],
  aggregator: 'max',
  registers: [registry],
});

/** Rows of the database that wait for a job. */
export interface Queue {
  /** Of the job, or of what it works off where it has several queues. */
  readonly name: string;
  /**
   * SQL of a row for each that waits at the instant $1, in the order of an index. Its column `since` is the
   * instant from which it could be worked off; null where that is still to come.
   */
  readonly waiting: string;
  /** Rows have no such instant. `since` is an integer by which they are ordered. */
  readonly isNumbered?: boolean;
}

interface MeasuredQueue {
  readonly name: string;
  readonly depth: number;
  /** Milliseconds, or a number of a row. */
  readonly first: number | null;
}

/**
 * Returns a function that measures the depth and age of queues, by one statement. It remembers the first rows of
 * those that have numbers.
 */
export function queueMeasure(
  { database, clock }: { readonly database: Pick<Database, 'query'>; readonly clock: () => number },
  queues: readonly Queue[],
): () => Promise<void> {
  const seen = new Map<string, { readonly first: number; readonly at: number }>();
  const numbered = new Set(queues.filter(({ isNumbered }) => isNumbered).map(({ name }) => name));
  const statement = queues.map(measureOf).join(' UNION ALL ');
  const since = ({ name, first }: MeasuredQueue, now: number): number => {
    if (first === null || !numbered.has(name)) return first ?? now;
    const before = seen.get(name);
    if (before?.first === first) return before.at;
    seen.set(name, { first, at: now });
    return now;
  };
  return async () => {
    const now = clock();
    const rows = await database.query<MeasuredQueue>(statement, [new Date(now).toISOString()]);
    for (const row of rows) {
      const queue = row.name;
      depth.set({ queue }, row.depth);
      age.set({ queue }, Math.max(0, now - since(row, now)) / 1_000);
    }
  };
}

const measureOf = ({ name, waiting, isNumbered }: Queue) => `
  SELECT '${name}' AS name, count(*)::int AS depth,
    (${isNumbered ? 'min(since)' : 'extract(epoch FROM min(since)) * 1000'})::float8 AS first
  FROM (SELECT since FROM (${waiting}) AS waiting LIMIT ${MOST}) AS first`;
