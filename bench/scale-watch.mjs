// What a service makes its database do, and what waits for its jobs, for scale.mjs.
import { connected } from './database.mjs';

const EVERY = 50;
/** Milliseconds from which a statement is told. */
const LONG = 100;
const SHOWN = 40;

/** Rows by what `key` returns of them. */
export function grouped(rows, key) {
  const groups = new Map();
  for (const row of rows) groups.set(key(row), [...(groups.get(key(row)) ?? []), row]);
  return groups;
}

/**
 * Looks every 50 ms for statements of the service that have run for more than 100 ms. `end` returns
 * them by their text, the longest first. It needs no setting of the server.
 */
export async function watchStatements(url) {
  const client = await connected(url);
  const seen = new Map();
  let ended = false;
  const look = async () => {
    const { rows } = await client.query({
      name: 'long',
      text: `SELECT pid || ' ' || query_start AS key, extract(epoch FROM clock_timestamp() - query_start) * 1000 AS ms,
          left(regexp_replace(query, '\\s+', ' ', 'g'), 300) AS text
        FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'care' AND state = 'active'
          AND query_start < clock_timestamp() - make_interval(secs => ${LONG / 1000})`,
    });
    for (const { key, ms, text } of rows) seen.set(key, { ms: Number(ms), text });
  };
  const watching = (async () => {
    while (!ended) {
      await look();
      await new Promise((resolve) => setTimeout(resolve, EVERY));
    }
  })();
  return {
    async end() {
      ended = true;
      await watching;
      await client.end();
      const byText = grouped([...seen.values()], ({ text }) => text);
      return [...byText]
        .map(([text, all]) => ({
          text,
          times: all.length,
          most: Math.max(...all.map(({ ms }) => ms)),
        }))
        .sort((a, b) => b.most - a.most)
        .slice(0, SHOWN);
    },
  };
}

/** By job: how many rows wait, and since when the oldest, in seconds. */
const WAITING = {
  plan: ['reminder', 'plan_at', 'plan_at < now()'],
  'hand over': ['reminder_alert', 'due_at', "state = 'planned' AND due_at < now()"],
  deliver: ['delivery', 'next_at', "state = 'planned' AND next_at < now()"],
  publish: ['content_item', 'published_at', "status = 'future' AND published_at < now()"],
  audit: ['audit_event', 'at', 'seal IS NULL'],
  'reports, months': ['report_stale', 'NULL::timestamptz', 'true'],
  'reports, accounts': ['report_change', 'NULL::timestamptz', 'true'],
  'reports, months being made': ['report_building', 'started_at', 'true'],
  'reports, behind': ['report_state', 'as_of', "subject = 'all'"],
  'reports, members': ['report_due', 'NULL::timestamptz', 'true'],
};

/** Prints what waits for jobs by the database, and the gauges of /metrics that say so. */
export async function printWaiting(client, metrics) {
  console.log('\nwaiting for jobs: rows, seconds since the oldest');
  for (const [job, [table, at, condition]] of Object.entries(WAITING)) {
    const { rows } = await client.query(
      `SELECT count(*)::int AS n, round(extract(epoch FROM now() - min(${at}))) AS s FROM ${table} WHERE ${condition}`,
    );
    console.log(`  ${job}: ${rows[0].n}, ${rows[0].s ?? '-'}`);
  }
  const text = await (await fetch(metrics)).text();
  const gauges = text
    .split('\n')
    .filter((line) => /^care_\w*(due|behind|waiting|stale|depth|age|job)\w*[ {]/.test(line))
    .filter((line) => !/_bucket|_sum/.test(line));
  console.log(`\nmetrics\n  ${gauges.join('\n  ')}`);
}
