// node bench/reports.mjs (--facts 10000000): reports over three years of doses. The aims: a question
// of two dimensions over a year takes at most 100 ms CPU in the service and 200 ms in PostgreSQL, at
// most a 50th of the same GROUP BY over the facts; cells are built of more than 200,000 facts a
// second; recording a dose costs at most a fifth more; the dearest questions over two years take at
// most 200 ms CPU in the service and PostgreSQL together. `--only years` asks these alone. Needs a PostgreSQL server in
// BENCH_DATABASE_URL (default: postgres on loopback), 4 GB of its disk, and a built service (npm
// start once). The plans of both statements go to bench/plans-reports.txt.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { backends, connected, used, withDatabase } from './database.mjs';
import { cpuOf, freePort, killAll, mainOf, start, stop } from './processes.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const { values: options } = parseArgs({
  options: { facts: { type: 'string', default: '10000000' }, only: { type: 'string' } },
});
const DAYS = 1096;
const A_DAY = 3;
const MEMBERS = Math.max(10, Math.round(Number(options.facts) / DAYS / A_DAY));
const [WARM, BATCHES, BATCH] = [15, 5, 5];
const YEAR = 'from: "2025-01-01", to: "2025-12-31"';

/** Questions, with the GROUP BY over the facts that they stand for. */
const QUESTIONS = {
  'month language': ['a.language_id', "date_trunc('month', f.day)"],
  'day medicineType': ['f.medicine_type', 'f.day'],
  'weekday hour': ['extract(isodow FROM f.day)', 'f.hour'],
  'medicineType scheduleKind': ['f.medicine_type', 'f.schedule_kind'],
};

const TWO_YEARS = 'from: "2024-01-01", to: "2025-12-31"';
const ALL = `scheduled taken missed adherenceRate margin withheld
  interval { scheduled { low high } adherenceRate { low high } }`;
/** The dearest questions over two years, by what makes them dear: arguments and fields. */
const DEAREST = {
  'days and types': ['', `rows { day medicineType ${ALL} } total { ${ALL} }`],
  'days and types, with members': ['', 'rows { day medicineType taken members } total { members }'],
  'all days and types, with sums and averages': [
    'grain: DAY, fill: true, first: 100, orderBy: [{ by: TAKEN, direction: DESC }]',
    'rows { date medicineType taken cumulative { taken } movingAverage { adherenceRate } }',
  ],
  'days and bands, with medians': ['', 'rows { day punctuality medianLateness p90Lateness }'],
  'weeks from Sunday, with members': [
    'weekStart: SUNDAY',
    'rows { week language taken members } total { members }',
  ],
  'three dimensions, with members': [
    '',
    `rows { language medicineType scheduleKind members } total { members }`,
  ],
  'leading types of days': [
    'grain: DAY, top: { count: 3, by: TAKEN }',
    `rows { date medicineType isOthers ${ALL} }`,
  ],
  'the whole by hours of weekdays': ['', `rows { weekday hour members ${ALL} } total { members }`],
};

/** Members of five languages; each takes one of eight types of medicine three times a day. */
async function seed(client) {
  const began = performance.now();
  await client.query(
    `INSERT INTO account (username, username_key, name, slug, roles, language_id, created_at, email_proven_at)
     SELECT n, n, n, n, ARRAY['subscriber'], 1 + i % 3, '2022-01-01', '2022-01-01'
     FROM (SELECT i, 'member' || i AS n FROM generate_series(1, $1::int) i) names`,
    [MEMBERS],
  );
  for (let day = 0; day < DAYS; day += 100)
    await client.query(
      `INSERT INTO dose_fact
       SELECT a.id, '2023-01-01T08:00:00Z'::timestamptz + d * interval '1 day' + h * interval '5 hours',
         '2023-01-01'::date + d, 8 + 5 * h,
         (ARRAY['tablet', 'drops', 'capsule', 'spray', 'cream', 'patch', 'syrup', ''])[1 + (a.id + h) % 8],
         CASE WHEN a.id % 4 = 0 THEN 'elapsed' ELSE 'calendar' END,
         CASE WHEN (a.id + 7 * d + h) % 6 = 0 THEN 'missed' ELSE 'taken' END,
         CASE WHEN (a.id + 7 * d + h) % 6 > 0 THEN (a.id * 31 + d * 17 + h) % 150 - 20 END, d
       FROM account a, generate_series($1::int, least($1 + 99, $2)) d, generate_series(0, $3::int - 1) h
       WHERE a.username LIKE 'member%'`,
      [day, DAYS - 1, A_DAY],
    );
  await client.query('VACUUM ANALYZE dose_fact');
  const { rows } = await client.query('SELECT count(*)::int AS facts FROM dose_fact');
  console.log(`${rows[0].facts} facts of ${MEMBERS} members, made in ${seconds(began)} s`);
  return rows[0].facts;
}

const seconds = (began) => ((performance.now() - began) / 1000).toFixed(1);

const MOST_ACCOUNTS = 1_000_000;

/** Builds all cells of the doses, a month at a time, as the job does. */
async function build(client, facts) {
  const load = (path) => import(pathToFileURL(join(root, 'dist/domains/reports', path)).href);
  const { changeCellsSql } = await load('rollup/cell.sql.js');
  const { doseSubject } = await load('catalogue/dose.subject.js');
  await client.query("SET work_mem = '96MB'");
  const pid = (await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid;
  const [began, cpu] = [performance.now(), cpuOf(pid)];
  for (let month = 0; month < 37; month++) {
    const [from, to] = [month, month + 1].map((n) =>
      new Date(Date.UTC(2023, n, 1)).toISOString().slice(0, 10),
    );
    await client.query(
      `INSERT INTO report_change (subject, month, account_id) SELECT DISTINCT 'dose', $1::date, account_id
       FROM dose_fact WHERE day >= $1 AND day < $2`,
      [from, to],
    );
    await client.query(changeCellsSql(doseSubject), [
      'UTC',
      new Date(),
      from,
      to,
      '00'.repeat(32),
      'bench',
      MOST_ACCOUNTS,
      'dose',
    ]);
  }
  const { longerCellsSql } = await load('rollup/longer-cell.sql.js');
  for (const longer of ['week', 'quarter'])
    await client.query(longerCellsSql(doseSubject, longer), ['2022-12-26', '2026-04-01']);
  const wall = (performance.now() - began) / 1000;
  const busy = (cpuOf(pid) - cpu) / 1e6;
  await client.query('DELETE FROM report_stale');
  await client.query('VACUUM ANALYZE report_cell');
  const { rows } = await client.query('SELECT count(*)::int AS cells FROM report_cell');
  console.log(
    `${rows[0].cells} cells built in ${wall.toFixed(1)} s, ${busy.toFixed(1)} s CPU: ` +
      `${Math.round(facts / wall)} facts a second, ${Math.round(facts / busy)} a second of CPU`,
  );
}

/** Runs work a few times. Returns the medians in milliseconds: of the service's CPU, PostgreSQL's, and in all. */
async function timed(work, service, watcher) {
  const runs = [];
  for (let i = 0; i < WARM; i++) await work();
  for (let batch = 0; batch < BATCHES; batch++) {
    const [cpu, before, began] = [
      cpuOf(service.pid),
      await backends(watcher, 'care'),
      performance.now(),
    ];
    for (let i = 0; i < BATCH; i++) await work();
    const wall = (performance.now() - began) * 1000;
    const database = used(before, await backends(watcher, 'care')) ?? 0;
    runs.push([cpuOf(service.pid) - cpu, database, wall].map((us) => us / BATCH / 1000));
  }
  return [0, 1, 2].map((at) => runs.map((run) => run[at]).sort((a, b) => a - b)[BATCHES >> 1]);
}

/** The CPU of one statement, in milliseconds: the least of three runs. */
async function raw(client, sql) {
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  const costs = [];
  for (let i = 0; i < 3; i++) {
    const before = cpuOf(rows[0].pid);
    await client.query(sql);
    costs.push((cpuOf(rows[0].pid) - before) / 1000);
  }
  return Math.min(...costs);
}

async function measure(ask, service, client) {
  const plans = [];
  await client.query('SET max_parallel_workers_per_gather = 0');
  const explain = async (title, sql) => {
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS) ${sql}`);
    plans.push(`${title}\n\n${rows.map((row) => row['QUERY PLAN']).join('\n')}\n`);
  };
  for (const [fields, columns] of Object.entries(QUESTIONS)) {
    const query = `{ doseReport(${YEAR}) { rows { ${fields} scheduled adherenceRate } total { scheduled } } }`;
    let rows = 0;
    const work = async () => {
      rows = (await ask(query)).doseReport.rows.length;
    };
    const [cpu, database, wall] = await timed(work, service, client);
    const scan = `SELECT ${columns.join(', ')}, count(*) FILTER (WHERE outcome = 'taken'), count(*),
      count(DISTINCT f.account_id) FROM dose_fact f JOIN account a ON a.id = f.account_id
      WHERE f.day >= '2025-01-01' AND f.day <= '2025-12-31' GROUP BY ${columns.join(', ')}`;
    const scanned = await raw(client, scan.replace(/,\s*count\(DISTINCT f.account_id\)/, ''));
    const distinct = await raw(client, scan);
    console.log(
      `${fields}: ${rows} rows, service ${cpu.toFixed(1)} ms CPU, PostgreSQL ${database.toFixed(1)} ms CPU, ` +
        `${wall.toFixed(0)} ms in all; over the facts ${scanned.toFixed(0)} ms CPU (${(scanned / database).toFixed(0)} times), ` +
        `with the accounts ${distinct.toFixed(0)} ms (${(distinct / database).toFixed(0)} times)`,
    );
    const grid = fields.replace(/^month /, '').replace(' month', '');
    await explain(
      `${fields}, from the cells`,
      `SELECT date::text, keys, accounts, sums, tops FROM report_cell
        WHERE subject = 'dose' AND grid = '${grid}' AND date >= '2025-01-01' AND date <= '2025-12-31' AND accounts >= 5`,
    );
    await explain(`${fields}, over the facts`, scan);
  }
  writeFileSync(join(root, 'bench/plans-reports.txt'), `${plans.join('\n')}`);
}

async function measureYears(ask, service, client) {
  for (const [name, [args, fields]] of Object.entries(DEAREST)) {
    const query = `{ doseReport(${TWO_YEARS} ${args}) { ${fields} } }`;
    let rows = [];
    const work = async () => {
      ({ rows } = (await ask(query)).doseReport);
    };
    const [cpu, database] = await timed(work, service, client);
    const hidden = rows.filter(({ withheld }) => withheld).length;
    console.log(
      `two years, ${name}: ${rows.length} rows, ${hidden} hidden, service ${cpu.toFixed(0)} + PostgreSQL ` +
        `${database.toFixed(0)} = ${(cpu + database).toFixed(0)} ms CPU`,
    );
  }
}

/** What recording a dose costs with the triggers of the rollups, and without. */
async function recording(ask, service, client) {
  const made =
    await ask(`mutation { createMedicineReminder(input: { name: "Aspirin", frequency: "as needed" })
    { reminder { databaseId } } }`);
  const { databaseId } = made.createMedicineReminder.reminder;
  const log = async () => {
    await ask(`mutation { logDose(input: { reminderId: ${databaseId} }) { event { title } } }`);
  };
  const costs = { on: [], off: [] };
  for (let round = 0; round < 6; round++)
    for (const state of ['on', 'off']) {
      await client.query(
        `ALTER TABLE dose ${state === 'on' ? 'ENABLE' : 'DISABLE'} TRIGGER report_dose`,
      );
      const [cpu, database] = await timed(log, service, client);
      costs[state].push([cpu, database]);
    }
  await client.query('ALTER TABLE dose ENABLE TRIGGER report_dose');
  const least = (state, at) => Math.min(...costs[state].map((cost) => cost[at]));
  const of = (state) => `${least(state, 0).toFixed(2)} + ${least(state, 1).toFixed(2)} ms`;
  console.log(
    `recording a dose: service + PostgreSQL ${of('on')} CPU, without the rollups ${of('off')}`,
  );
}

const password = randomBytes(12).toString('hex');
await withDatabase('reports', async (url) => {
  const env = {
    DATABASE_URL: url,
    SECRET_KEY: 'b'.repeat(40),
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'off',
  };
  try {
    await once(await start(join(root, 'scripts/migrate.mjs'), { env, ready: false }), 'exit');
    const port = await freePort();
    const serve = () =>
      start(mainOf(root), {
        env: { ...env, PORT: String(port), HOST: '127.0.0.1', ADMIN_PASSWORD: password },
      });
    await stop(await serve()); // makes the administrator
    const client = await connected(url);
    await build(client, await seed(client));
    const service = await serve();
    const post = async (path, body, headers = {}) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      return answer.json();
    };
    const { token } = await post('/api/v1/login', { username: 'admin', password });
    const ask = async (query) => {
      const body = await post('/graphql', { query }, { authorization: `Bearer ${token}` });
      if (body.errors) throw new Error(JSON.stringify(body.errors));
      return body.data;
    };
    try {
      if (options.only !== 'years') {
        await measure(ask, service, client);
        await recording(ask, service, client);
      }
      await measureYears(ask, service, client);
    } finally {
      await client.end();
    }
    await stop(service);
  } finally {
    killAll();
  }
});
