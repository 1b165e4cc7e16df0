import type pg from 'pg';
import { within } from './ping.js';
import type { Statement } from './time-budget.js';

/**
 * The cost, in units of the planner (PostgreSQL's documentation, 14.1), of what an idle server does
 * in about a second: it counts a million rows of an index in a tenth of that, for 25,000 units.
 */
const A_SECOND = 250_000;
/** How many statements are estimated at most, and the milliseconds that each and all may take. */
const MOST = 50;
const PATIENCE = { each: 300, all: 500 } as const;

/**
 * Returns whether statements together would take an idle server this many seconds or longer, by the
 * estimates of its planner. A server that does not say so soon is busy, and they are not dear.
 */
export async function areDear(
  pool: pg.Pool,
  statements: readonly Statement[],
  seconds: number,
): Promise<boolean> {
  const until = performance.now() + PATIENCE.all;
  const cost = await within(PATIENCE.all, costOf(pool, statements.slice(0, MOST), until)).catch(
    () => 0,
  );
  return cost >= seconds * A_SECOND;
}

/** Returns the cost of statements together, or of the first of them that were estimated in time. */
async function costOf(
  pool: pg.Pool,
  statements: readonly Statement[],
  until: number,
): Promise<number> {
  const client = await pool.connect();
  // The pool handles errors only of idle clients. The statements reject with the same error.
  const ignore = () => {};
  client.on('error', ignore);
  let failed = true;
  try {
    await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${PATIENCE.each}`);
    let cost = 0;
    for (const statement of statements) {
      if (performance.now() > until) break;
      cost += await estimate(client, statement);
    }
    await client.query('ROLLBACK');
    failed = false;
    return cost;
  } finally {
    client.off('error', ignore);
    client.release(failed);
  }
}

async function estimate(client: pg.ClientBase, { text, values }: Statement): Promise<number> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: { 'Total Cost': number } }] }>(
    `EXPLAIN (FORMAT JSON) ${text}`,
    [...values],
  );
  return rows[0]?.['QUERY PLAN'][0].Plan['Total Cost'] ?? 0;
}
