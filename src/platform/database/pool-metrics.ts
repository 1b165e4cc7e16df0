import type pg from 'pg';
import { Counter, Histogram } from 'prom-client';
import { registry } from '../metrics/metrics.js';
import type { ServerRole } from './database.js';

const waits = new Histogram({
  name: 'care_database_connection_wait_seconds',
  help: 'How long statements and transactions waited for a connection of the pool.',
  buckets: [0.001, 0.01, 0.1, 0.5, 1, 2.5],
  registers: [registry],
});
const refused = new Counter({
  name: 'care_database_connections_refused_total',
  help:
    'Connections that the pool did not give, by reason: full, none of its own was free in time; ' +
    'server, PostgreSQL gave none; and by server: primary, reports or reads.',
  labelNames: ['reason', 'server'],
  registers: [registry],
});
for (const server of ['primary', 'reports', 'reads'])
  for (const reason of ['full', 'server']) refused.inc({ reason, server }, 0);

/** The message of the pool when none of its connections was free in time. */
const NONE_FREE = 'timeout exceeded when trying to connect';

/** Counts a connection to a server that was not given. */
export const observeRefusal = (server: ServerRole, reason: 'full' | 'server'): void =>
  refused.inc({ reason, server });

/** Takes a connection of a pool, and measures how long that took. Rejects as the pool does. */
export async function connectionOf(pool: pg.Pool, server: ServerRole): Promise<pg.PoolClient> {
  const began = performance.now();
  try {
    return await pool.connect();
  } catch (error) {
    observeRefusal(server, (error as Error).message === NONE_FREE ? 'full' : 'server');
    throw error;
  } finally {
    waits.observe((performance.now() - began) / 1_000);
  }
}
