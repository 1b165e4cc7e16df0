// node bench/scale-database.mjs [--scale 1] [--name care_scale]: makes a database of a service that
// has run for a year. At scale 1 it holds a million posts, 300,000 members, a million reminders, ten
// million doses, and a year of notifications and audit. It is migrated by the service that was built
// here; a database of that name is made anew. Prints how long each part took.

import { loadavg } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { connected, SERVER } from './database.mjs';
import { addAudit } from './scale-audit.mjs';
import { addCare } from './scale-care.mjs';
import { addContent } from './scale-content.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
/** Those whose indexes are made after their rows. */
const LARGE = [
  'content_item',
  'content_term',
  'item_search',
  'revision',
  'reminder',
  'reminder_alert',
  'dose',
  'dose_fact',
  'notification',
  'delivery',
  'audit_event',
];
/** Rows of the whole size. */
const FULL = { posts: 1_000_000, reminders: 1_000_000, doses: 10_000_000, audit: 2_000_000 };

const { values: options } = parseArgs({
  options: { scale: { type: 'string', default: '1' }, name: { type: 'string', default: '' } },
});
const scale = Number(options.scale);
if (!(scale > 0 && scale <= 10)) throw new Error('--scale is a number above 0, at most 10.');
const name = options.name || `care_scale_${String(options.scale).replace('.', '_')}`;
if (!/^care_scale\w*$/.test(name)) throw new Error('The name begins with care_scale.');
const sizes = Object.fromEntries(
  Object.entries(FULL).map(([what, rows]) => [what, Math.ceil(rows * scale)]),
);

const began = performance.now();
const say = (text) =>
  console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${text}`);

/** A connection for loading: no triggers and foreign keys, whose work the loaders do themselves. */
async function loading(url) {
  const client = await connected(url);
  await client.query(`SET session_replication_role = replica; SET synchronous_commit = off;
    SET work_mem = '256MB'; SET maintenance_work_mem = '768MB'; SELECT setseed(0.5)`);
  return client;
}

async function makeEmpty() {
  const server = await connected(SERVER);
  await server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await server.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  await server.end();
  const { openDatabase } = await import(
    pathToFileURL(join(root, 'dist/platform/database/open.js')).href
  );
  const url = Object.assign(new URL(SERVER), { pathname: `/${name}` }).href;
  await (await openDatabase({ url, dataDir: '', wait: 5, migrate: true })).close();
  return url;
}

/** Drops the indexes of the large tables that no constraint needs. Returns their statements. */
async function dropIndexes(client) {
  const { rows } = await client.query(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS made
     FROM pg_index i WHERE i.indrelid = ANY($1::text[]::regclass[])
       AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)
     ORDER BY 1`,
    [LARGE],
  );
  for (const index of rows) await client.query(`DROP INDEX ${index.name}`);
  return rows.map(({ made }) => made);
}

/** Makes indexes on several connections; the largest one first, which is that of searches. */
async function makeIndexes(url, statements) {
  const waiting = statements.toSorted((a, b) => b.includes('USING gin') - a.includes('USING gin'));
  const worker = async () => {
    const client = await loading(url);
    for (let next = waiting.shift(); next; next = waiting.shift()) await client.query(next);
    await client.end();
  };
  await Promise.all([worker(), worker()]);
}

const url = await makeEmpty();
say(`${name} migrated, load average ${loadavg()[0].toFixed(1)}`);
const [one, other] = [await loading(url), await loading(url)];
const indexes = await dropIndexes(one);
await Promise.all([
  addContent(one, { posts: sizes.posts, root, say }),
  addCare(other, { ...sizes, say }).then(() => addAudit(other, { ...sizes, root, say })),
]);
await makeIndexes(url, indexes);
say(`${indexes.length} indexes made`);
await one.query(`SELECT setval(s, greatest(n, 1)) FROM (
  SELECT pg_get_serial_sequence(c.table_name, 'id') AS s, (xpath('/row/n/text()', query_to_xml(
    format('SELECT coalesce(max(id), 1) AS n FROM %I', c.table_name), false, true, '')))[1]::text::bigint AS n
  FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
  WHERE c.table_schema = 'public' AND c.column_name = 'id' AND t.table_type = 'BASE TABLE') known
  WHERE s IS NOT NULL`);
await Promise.all([one.query('VACUUM ANALYZE'), other.query('SELECT 1')]);
await one.query('CHECKPOINT');
const size = await one.query('SELECT pg_size_pretty(pg_database_size(current_database())) AS size');
say(`done: ${size.rows[0].size}, load average ${loadavg()[0].toFixed(1)}; ${url}`);
await Promise.all([one.end(), other.end()]);
// The migration engine leaves a timer of ten seconds
process.exit();
