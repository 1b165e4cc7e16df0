// node bench/scale.mjs [--database care_scale] [--seconds 600] [--connections 4]: runs the service that
// was built here, with all of its jobs, on a database that scale-database.mjs made. Prints for each
// kind of traffic how long responses took, then what a request costs the service and PostgreSQL when
// only its kind comes; statements that ran for more than 100 ms; failed jobs; and what waits for each
// job. It writes to the database.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { alone, backends, connected, SERVER, used } from './database.mjs';
import { cpuOf, freePort, killAll, mainOf, memoryOf, start, stop } from './processes.mjs';
import { SECRET_KEY } from './scale-audit.mjs';
import { FIRST_STAFF } from './scale-content.mjs';
import { trafficOf } from './scale-traffic.mjs';
import { grouped, printWaiting, watchStatements } from './scale-watch.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const { values: options } = parseArgs({
  options: {
    database: { type: 'string', default: 'care_scale_1' },
    seconds: { type: 'string', default: '600' },
    connections: { type: 'string', default: '4' },
    only: { type: 'string', default: '' },
  },
});
const SECONDS = Number(options.seconds);
const MEMBERS = 200;
/** Requests of one kind alone, after two that warm up. */
const ALONE = 20;
/** Seconds without requests, for what the jobs cost. */
const REST = 60;
/** Seconds for the first cells of reports. */
const FIRST_CELLS = 3_600;
const PATIENCE = 35_000;
const agent = new Agent({ keepAlive: true });

/** Sends a request. Returns its status, milliseconds and text. */
function send(origin, { path, method = 'GET', headers = {}, body }) {
  const began = performance.now();
  const sent = body === undefined ? '' : JSON.stringify(body);
  const all = sent
    ? { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }
    : headers;
  return new Promise((answer) => {
    const failed = (error) =>
      answer({ status: error.code ?? 'error', ms: performance.now() - began, text: '' });
    const sending = request(
      origin + path,
      { agent, method, headers: all, timeout: PATIENCE },
      (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk)).on('error', failed);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const refused = path === '/graphql' && /"code":"(\w+)"/.exec(text)?.[1];
          const status = refused || response.statusCode;
          answer({ status, ms: performance.now() - began, text });
        });
      },
    );
    sending.on('timeout', () => sending.destroy(new Error('timeout'))).on('error', failed);
    sending.end(sent);
  });
}

/** Sessions of members with reminders, spread over all, and of an editor, as headers. */
async function callersOf(client) {
  const { Tokens } = await import(pathToFileURL(join(root, 'dist/core/tokens.js')).href);
  const { rows } = await client.query(
    `SELECT DISTINCT account_id AS id FROM reminder
     WHERE id IN (SELECT 1 + n * ((SELECT max(id) FROM reminder) / $1::int) FROM generate_series(0, $1::int - 1) n)`,
    [MEMBERS],
  );
  const ids = [...rows.map(({ id }) => id), FIRST_STAFF + 1];
  const sessions = ids.map(() => randomUUID());
  await client.query(
    'INSERT INTO session (id, account_id) SELECT * FROM unnest($1::uuid[], $2::int[])',
    [sessions, ids],
  );
  const tokens = new Tokens(SECRET_KEY);
  const headers = await Promise.all(
    ids.map(async (accountId, i) => ({
      authorization: `Bearer ${await tokens.signAccess({ accountId, sessionId: sessions[i], counter: 0 }, Date.now())}`,
    })),
  );
  return { members: headers.slice(0, -1), editor: headers.at(-1) };
}

/** All kinds in turn over some connections. Returns milliseconds and statuses by kind. */
async function mixed(origin, kinds) {
  const results = new Map(kinds.map(([name]) => [name, []]));
  const until = performance.now() + SECONDS * 1000;
  let turn = 0;
  const connection = async () => {
    while (performance.now() < until) {
      const [name, make] = kinds[turn++ % kinds.length];
      results.get(name).push(await send(origin, make()));
    }
  };
  await Promise.all(Array.from({ length: Number(options.connections) }, connection));
  return results;
}

/** CPU of one request of a kind, in the service and in PostgreSQL, in ms. */
async function costOf({ origin, pid, watcher }, make) {
  for (let i = 0; i < 2; i++) await send(origin, make());
  const cpus = async () => [cpuOf(pid), await backends(watcher, 'care')];
  const [cpu, database] = await cpus();
  for (let i = 0; i < ALONE; i++) await send(origin, make());
  const [after, databaseAfter] = await cpus();
  return [after - cpu, used(database, databaseAfter) ?? 0].map((each) => each / ALONE / 1000);
}

const at = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

function printKind(name, results, [service, database]) {
  const times = results.map(({ ms }) => ms).sort((a, b) => a - b);
  const bad = grouped(
    results.filter(({ status }) => status !== 200 && status !== 201),
    ({ status }) => status,
  );
  const told = [...bad].map(([status, all]) => `${all.length} × ${status}`).join(', ');
  const cells = [
    times.length,
    ...[0.5, 0.95, 1].map((share) => at(times, share).toFixed(0)),
    service.toFixed(1),
    database.toFixed(1),
  ];
  console.log(`| ${[name, ...cells, told].join(' | ')} |`);
}

function printFailures(log) {
  const failed = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"level":50') || line.includes('"level":60'));
  const lines = failed.map((line) => JSON.parse(line));
  const told = grouped(lines, ({ msg, job, err }) =>
    [msg, job, err?.message?.slice(0, 160)].filter(Boolean).join(': '),
  );
  console.log(`\nerrors in the log, failed jobs among them: ${lines.length}`);
  for (const [text, all] of told) console.log(`  ${all.length} × ${text}`);
}

/** Waits for the cells of doses and deliveries of the last two months, which the database is made without. */
async function firstCells(client) {
  const began = performance.now();
  await client.query(`INSERT INTO report_stale (subject, month)
    SELECT subject, date_trunc('month', now() - n * interval '1 month')::date
    FROM unnest('{dose,notification,content}'::text[]) AS subject, generate_series(0, 1) n
    WHERE NOT EXISTS (SELECT FROM report_cell WHERE subject = 'dose' LIMIT 1)`);
  const left = async () =>
    (
      await client.query(`SELECT DISTINCT subject, month::text FROM (
        SELECT subject, month FROM report_stale UNION ALL SELECT subject, month FROM report_building) left_
        WHERE month >= now() - interval '2 months'
          AND NOT EXISTS (SELECT FROM report_month m WHERE m.subject = left_.subject AND m.month = left_.month)
        ORDER BY 2, 1`)
    ).rows.map(({ subject, month }) => `${subject} ${month.slice(0, 7)}`);
  const seconds = () => Math.round((performance.now() - began) / 1000);
  let months = await left();
  for (let shown = 0; months.length > 0 && seconds() < FIRST_CELLS; months = await left()) {
    if (seconds() >= shown) console.error(`${seconds()} s: without cells ${months.join(', ')}`);
    if (seconds() >= shown) shown += 60;
    await sleep(1000);
  }
  console.log(`first cells of reports: ${seconds()} s\n`);
}

async function measure(origin, child, url, log) {
  const watcher = await connected(url);
  await firstCells(watcher);
  const place = { origin, pid: child.pid, watcher };
  const kinds = (
    await trafficOf({ client: watcher, callers: await callersOf(watcher), send, origin })
  ).filter(([name]) => name.includes(options.only));
  const [began, slow] = [loadavg()[0], await watchStatements(url)];
  const results = await mixed(origin, kinds);
  const statements = await slow.end();
  console.log(
    `${SECONDS} s, ${options.connections} connections; load average ${began.toFixed(1)} to ${loadavg()[0].toFixed(1)}\n`,
  );
  console.log(
    '| kind | requests | p50 ms | p95 ms | most ms | service CPU ms | PostgreSQL CPU ms | other statuses |',
  );
  console.log('| ---- | ---- | ---- | ---- | ---- | ---- | ---- | ---- |');
  for (const [name, make] of kinds) printKind(name, results.get(name), await costOf(place, make));
  const [cpu, database] = [cpuOf(child.pid), await backends(watcher, 'care')];
  await sleep(REST * 1000);
  const rest = [cpuOf(child.pid) - cpu, used(database, await backends(watcher, 'care')) ?? 0];
  const [service, postgres] = rest.map((each) => (each / REST / 10_000).toFixed(1));
  console.log(`\nwithout requests: service ${service} %, PostgreSQL ${postgres} % of a core`);
  console.log(`memory of the service at most ${memoryOf(child.pid).most.toFixed(0)} MB`);
  console.log(`\nstatements seen running for more than 100 ms: ${statements.length}`);
  for (const { times, most, text } of statements)
    console.log(`  ${times} ×, at most ${most.toFixed(0)} ms: ${text}`);
  printFailures(log);
  await printWaiting(watcher, `${origin}/metrics`);
  await watcher.end();
}

const right = await alone();
const folder = mkdtempSync(join(tmpdir(), 'scale-'));
try {
  const url = Object.assign(new URL(SERVER), { pathname: `/${options.database}` });
  url.searchParams.set('application_name', 'care');
  const port = await freePort();
  const log = join(folder, 'log');
  const child = await start(mainOf(root), {
    cwd: root,
    log: openSync(log, 'w'),
    env: {
      DATABASE_URL: url.href,
      PORT: String(port),
      HOST: '127.0.0.1',
      SECRET_KEY,
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      RATE_LIMITS: 'off',
      RESPONSE_CACHE: 'off',
      SEED: 'none',
    },
  });
  url.search = '';
  await measure(`http://127.0.0.1:${port}`, child, url.href, log);
  await stop(child);
} finally {
  killAll();
  agent.destroy();
  rmSync(folder, { recursive: true });
  await right.end();
}
