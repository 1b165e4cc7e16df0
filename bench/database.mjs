// The server of the measurements: databases of their own on it, and what its processes cost.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { cpuOf, isNamed } from './processes.mjs';

/** Where the databases are made. */
export const SERVER =
  process.env.BENCH_DATABASE_URL || 'postgres://postgres@127.0.0.1:5432/postgres';

/** A connection whose session runs in UTC. */
export async function connected(connectionString) {
  const client = new pg.Client({
    connectionString,
    options: '-c TimeZone=UTC',
    application_name: 'bench',
  });
  await client.connect();
  return client;
}

/** Runs `use` with the address of a new, empty database, and drops it, whatever happens. */
export async function withDatabase(purpose, use) {
  const name = `care_bench_${purpose}_${randomBytes(4).toString('hex')}`;
  const server = await connected(SERVER);
  try {
    await server.query(`CREATE DATABASE ${name}`);
    return await use(Object.assign(new URL(SERVER), { pathname: `/${name}` }).href);
  } finally {
    await server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await server.end();
  }
}

/**
 * Two benchmarks at once would measure each other: answers a connection that holds the right to run
 * one, or throws.
 */
export async function alone() {
  const client = await connected(SERVER);
  const { rows } = await client.query('SELECT pg_try_advisory_lock(7208115, 0) AS got');
  if (rows[0].got) return client;
  await client.end();
  throw new Error('Another benchmark is running on this database server.');
}

/**
 * CPU of the database's processes for one server in microseconds, by pid; empty when they are on
 * another machine.
 */
export async function backends(watcher, application) {
  const { rows } = await watcher.query({
    name: 'backends',
    text: `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1`,
    values: [application],
  });
  return new Map(
    rows.filter(({ pid }) => isNamed(pid, 'postgres')).map(({ pid }) => [pid, cpuOf(pid)]),
  );
}

/** What those processes have used between two looks; null when there are none. */
export function used(before, after) {
  let sum = 0;
  for (const [pid, cpu] of after) sum += cpu - (before.get(pid) ?? 0);
  return after.size > 0 ? sum : null;
}
