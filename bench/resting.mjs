// node bench/resting.mjs [ROUNDS [FOLDER ...]]: time and CPU from start to the first answer, memory,
// CPU and statements of a service without work. On a database of its own. Other folders hold other
// builds of the service; their rounds alternate.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { withDatabase } from './database.mjs';
import { cpuOf, freePort, killAll, mainOf, start, stop } from './processes.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const [, , rounds = '5', ...given] = process.argv;
const folders = given.length > 0 ? given.map((folder) => resolve(folder)) : [root];
/** Seconds after which a service that has just started rests, and for which it is watched. */
const [SETTLE, WATCH] = [6, 20];
/** Seconds for the first answer. */
const PATIENCE = 60;

/** Resident memory of a process in megabytes: now, and the most it ever had. */
function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) / 1024;
  return { now: of('VmRSS'), most: of('VmHWM') };
}

/** Returns when an address answers 200. */
async function answered(url) {
  for (const end = performance.now() + PATIENCE * 1000; performance.now() < end; ) {
    const answer = await fetch(url).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    await sleep(5);
  }
  throw new Error(`${url} was not answered in ${PATIENCE} s.`);
}

async function statementsOf(base) {
  const text = await (await fetch(`${base}/metrics`)).text();
  return Number(/^care_database_statements (\d+)/m.exec(text)[1]);
}

async function round(folder, env) {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const began = performance.now();
  const service = await start(mainOf(folder), {
    env: { ...env, PORT: String(port), HOST: '127.0.0.1' },
    ready: false,
  });
  await answered(`${base}/api/v1/posts`);
  const first = { time: performance.now() - began, cpu: cpuOf(service.pid) / 1000 };
  await sleep(SETTLE * 1000);
  const [cpu, sent] = [cpuOf(service.pid), await statementsOf(base)];
  await sleep(WATCH * 1000);
  const result = {
    'first answer, ms': first.time,
    'its CPU, ms': first.cpu,
    'memory at rest, MB': memoryOf(service.pid).now,
    'memory at most, MB': memoryOf(service.pid).most,
    'CPU at rest, %': (cpuOf(service.pid) - cpu) / WATCH / 10_000,
    'statements a second': ((await statementsOf(base)) - sent) / WATCH,
  };
  await stop(service);
  return result;
}

function print(folder, results) {
  console.log(folder);
  for (const name of Object.keys(results[0])) {
    const values = results.map((one) => one[name]).sort((a, b) => a - b);
    const [median, least, most] = [values[values.length >> 1], values[0], values.at(-1)];
    console.log(`  ${name}: ${median.toFixed(1)} (${least.toFixed(1)} - ${most.toFixed(1)})`);
  }
}

await withDatabase('resting', async (url) => {
  const env = { DATABASE_URL: url, SECRET_KEY: 'b'.repeat(40), NODE_ENV: 'production' };
  try {
    await once(await start(join(root, 'scripts/migrate.mjs'), { env, ready: false }), 'exit');
    const results = new Map(folders.map((folder) => [folder, []]));
    await round(folders[0], env); // the first start writes what the later ones find
    for (let i = 0; i < Number(rounds); i++)
      for (const folder of folders) results.get(folder).push(await round(folder, env));
    for (const [folder, made] of results) print(folder, made);
    console.log(`load average ${loadavg()[0].toFixed(1)}`);
  } finally {
    killAll();
  }
});
