// node bench/resting.mjs [ROUNDS [FOLDER ...]]: time and CPU from start to the first answer, memory,
// CPU and statements of a service without work, beside the bare server. On a database of its own.
// Other folders hold other builds of the service; all rounds alternate.
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { withDatabase } from './database.mjs';
import { cpuOf, freePort, killAll, mainOf, memoryOf, start, stop } from './processes.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const [, , rounds = '5', ...given] = process.argv;
const folders = given.length > 0 ? given.map((folder) => resolve(folder)) : [root];
const BARE = join(root, 'bench/bare.mjs');
/** Seconds after which a service that has just started rests, and for which it is watched. */
const [SETTLE, WATCH] = [6, 20];
/** Seconds for the first answer. */
const PATIENCE = 60;

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

/** Returns how many statements a service has sent. */
async function statementsOf(base) {
  const text = await (await fetch(`${base}/metrics`)).text();
  return Number(/^care_database_statements (\d+)/m.exec(text)[1]);
}

/** Starts a program, and returns what it took until its first answer and what it takes at rest. */
async function round(program, env) {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const began = performance.now();
  const service = await start(program, {
    env: { ...env, PORT: String(port), HOST: '127.0.0.1', BASE_URL: base },
    ready: false,
  });
  await answered(`${base}/api/v1/posts`);
  const first = { time: performance.now() - began, cpu: cpuOf(service.pid) / 1000 };
  await sleep(SETTLE * 1000);
  const statements = program === BARE ? () => Number.NaN : () => statementsOf(base);
  const [cpu, sent] = [cpuOf(service.pid), await statements()];
  await sleep(WATCH * 1000);
  const result = {
    'first answer, ms': first.time,
    'its CPU, ms': first.cpu,
    'memory at rest, MB': memoryOf(service.pid).now,
    'memory at most, MB': memoryOf(service.pid).most,
    'CPU at rest, %': (cpuOf(service.pid) - cpu) / WATCH / 10_000,
    'statements a second': ((await statements()) - sent) / WATCH,
  };
  await stop(service);
  return result;
}

function print(program, results) {
  console.log(program);
  for (const name of Object.keys(results[0])) {
    const values = results.map((one) => one[name]).sort((a, b) => a - b);
    if (Number.isNaN(values[0])) continue; // the bare server does not tell
    const [median, least, most] = [values[values.length >> 1], values[0], values.at(-1)];
    console.log(`  ${name}: ${median.toFixed(1)} (${least.toFixed(1)} - ${most.toFixed(1)})`);
  }
}

await withDatabase('resting', async (url) => {
  const env = { DATABASE_URL: url, SECRET_KEY: 'b'.repeat(40), NODE_ENV: 'production' };
  try {
    await once(await start(join(root, 'scripts/migrate.mjs'), { env, ready: false }), 'exit');
    const programs = [...folders.map(mainOf), BARE];
    const results = new Map(programs.map((program) => [program, []]));
    await round(programs[0], env); // the first start writes what the later ones find
    for (let i = 0; i < Number(rounds); i++)
      for (const program of programs) results.get(program).push(await round(program, env));
    for (const [program, made] of results) print(program, made);
    console.log(`load average ${loadavg()[0].toFixed(1)}`);
  } finally {
    killAll();
  }
});
