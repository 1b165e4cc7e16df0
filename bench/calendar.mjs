// node bench/calendar.mjs: CPU of the service for all_events of a member with 50 reminders over 31
// days; 15 ms at most is the aim. Needs a PostgreSQL server in BENCH_DATABASE_URL (default:
// postgres on loopback) and a built service (npm start once).
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withDatabase } from './database.mjs';
import { cpuOf, freePort, killAll, start, stop } from './processes.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const REMINDERS = 50;
const [WARM, BATCHES, BATCH] = [100, 12, 20];

const FREQUENCIES = [
  'daily',
  'daily',
  '2_times_a_day',
  'every_8_hours',
  'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
];

async function measure(base, service) {
  const password = process.env.ADMIN_PASSWORD_BENCH;
  const login = await fetch(`${base}/api/v1/login`, post({ username: 'admin', password }));
  const { token } = await login.json();
  const headers = { authorization: `Bearer ${token}`, 'time-zone': 'Europe/Berlin' };
  for (let i = 0; i < REMINDERS; i++) {
    const body = {
      name: `Medicine ${i}`,
      frequency_type: FREQUENCIES[i % FREQUENCIES.length],
      start_date: '2024-01-01',
    };
    const made = await fetch(`${base}/api/v1/medicine_reminder`, post(body, headers));
    if (made.status !== 201) throw new Error(await made.text());
  }
  for (const [what, path] of [
    ['all_events, 31 days', '/v3/api/v1/all_events?date_from=2026-03-01&date_to=2026-03-31'],
    ['events, as the app opens', '/api/v1/events'],
  ]) {
    const read = async () => (await fetch(base + path, { headers })).json();
    for (let i = 0; i < WARM; i++) await read();
    const costs = [];
    for (let batch = 0; batch < BATCHES; batch++) {
      const before = cpuOf(service.pid);
      for (let i = 0; i < BATCH; i++) await read();
      costs.push((cpuOf(service.pid) - before) / BATCH / 1000);
    }
    costs.sort((a, b) => a - b);
    const [least, median] = [costs[0], costs[costs.length >> 1]];
    console.log(
      `${what}: ${(await read()).length} events, ${least.toFixed(1)} ms CPU (least of ${BATCHES} batches), median ${median.toFixed(1)} ms`,
    );
  }
}

const post = (body, headers = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

process.env.ADMIN_PASSWORD_BENCH = randomBytes(12).toString('hex');
await withDatabase('calendar', async (url) => {
  const env = {
    DATABASE_URL: url,
    SECRET_KEY: 'b'.repeat(40),
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'off',
  };
  try {
    const migrating = await start(join(root, 'scripts/migrate.mjs'), { env, ready: false });
    await once(migrating, 'exit');
    const port = await freePort();
    const service = await start(join(root, 'dist/main.js'), {
      env: {
        ...env,
        PORT: String(port),
        HOST: '127.0.0.1',
        ADMIN_PASSWORD: process.env.ADMIN_PASSWORD_BENCH,
      },
    });
    await measure(`http://127.0.0.1:${port}`, service);
    await stop(service);
  } finally {
    killAll();
  }
});
