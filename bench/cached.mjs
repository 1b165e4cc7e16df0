// node bench/cached.mjs [--rounds 7] [--writes 1]: a list of 10 posts that the service has kept,
// beside a static server of the same bytes, in turns: requests a second, CPU of each, and the share
// of requests that were answered without the database. `--writes`: changes of a post in each second
// meanwhile. See README.md.
import { execFileSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { root } from '../scripts/prepare.mjs';
import { cpuOf, freePort, killAll, mainOf, messageOf, start, stop, within } from './processes.mjs';

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, writes: { type: 'string', default: '0' } },
});
const HERE = dirname(fileURLToPath(import.meta.url));
const PATHNAME = '/api/v1/posts?per_page=10';
const REQUESTS = { 1: 5_000, 8: 15_000 };
/** Nothing is kept in the first second after a start. */
const SETTLED = 2_000;

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const spread = (numbers, digits) =>
  `${median(numbers).toFixed(digits)} (${Math.min(...numbers).toFixed(digits)} - ${Math.max(...numbers).toFixed(digits)})`;

async function startBoth() {
  const [port, other] = [await freePort(), await freePort()];
  const url = execFileSync(process.execPath, [join(HERE, 'seed.mjs'), '10000', root], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();
  const origin = `http://127.0.0.1:${port}`;
  const service = await start(mainOf(root), {
    env: {
      DATABASE_URL: url,
      PORT: String(port),
      HOST: '127.0.0.1',
      SECRET_KEY: 'only for measurements, never kept',
      NODE_ENV: 'production',
      RATE_LIMITS: 'off',
      RESPONSE_CACHE: 'on',
      SEED: 'none',
    },
  });
  await new Promise((resolve) => setTimeout(resolve, SETTLED));
  const plain = await start(join(HERE, 'static.mjs'), {
    env: { PORT: String(other), ORIGIN: origin, PATHNAME },
  });
  return {
    url,
    service: { child: service, origin },
    static: { child: plain, origin: `http://127.0.0.1:${other}` },
  };
}

/** Changes a post so often in each second; returns what ends that. */
async function changing(url, writes) {
  if (!writes) return async () => {};
  const client = new pg.Client(url);
  await client.connect();
  let last = Promise.resolve();
  const change = () =>
    (last = client.query(
      'UPDATE content_item SET title_rendered = title_rendered WHERE id = (SELECT max(id) FROM content_item)',
    ));
  const timer = setInterval(change, 1_000 / writes);
  return async () => {
    clearInterval(timer);
    await last;
    await client.end();
  };
}

/** Returns how many requests the service has answered from what it keeps, and how many in all. */
async function outcomes({ origin }) {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const counts = [...text.matchAll(/^care_response_cache_total\{outcome="(\w+)"\} (\d+)/gm)];
  const sum = (names) =>
    counts.reduce((all, [, name, count]) => all + (names(name) ? Number(count) : 0), 0);
  return { hits: sum((name) => name === 'hit' || name === 'old'), all: sum(() => true) };
}

async function command(load, name, asked = {}) {
  load.send({ command: name, ...asked });
  const result = await within(120, messageOf(load), 'The load was not sent');
  if (result.failure) throw new Error(result.failure);
  return result;
}

async function run(load, { child, origin }, connections) {
  await command(load, 'open', { origin, connections, paths: [PATHNAME] });
  const before = cpuOf(child.pid);
  const asked = { paths: [PATHNAME], requests: REQUESTS[connections], seconds: 60 };
  const { requests, seconds } = await command(load, 'run', asked);
  const cpu = (cpuOf(child.pid) - before) / requests;
  await command(load, 'close');
  return { rate: requests / seconds, cpu };
}

try {
  const { url, ...servers } = await startBoth();
  const load = await start(join(HERE, 'load.mjs'), { ready: false });
  for (const connections of [1, 8]) {
    const runs = { service: [], static: [] };
    for (const server of Object.values(servers)) await run(load, server, connections); // warm-up
    const before = await outcomes(servers.service);
    const calm = await changing(url, Number(options.writes));
    for (let round = 0; round < Number(options.rounds); round++)
      for (const name of round % 2 ? ['static', 'service'] : ['service', 'static'])
        runs[name].push(await run(load, servers[name], connections));
    await calm();
    const after = await outcomes(servers.service);
    const share = (after.hits - before.hits) / (after.all - before.all);
    const of = (name, key) => runs[name].map((one) => one[key]);
    const ratios = of('service', 'rate').map((rate, i) => rate / runs.static[i].rate);
    console.log(
      `${connections} connections: service ${spread(of('service', 'rate'), 0)} requests/s, ${spread(of('service', 'cpu'), 0)} µs CPU; ` +
        `static ${spread(of('static', 'rate'), 0)} requests/s, ${spread(of('static', 'cpu'), 0)} µs; ratio ${spread(ratios, 2)}; ` +
        `${(share * 100).toFixed(2)} % without the database, ${options.writes} writes a second`,
    );
  }
  console.log(`load average ${loadavg()[0].toFixed(1)}`);
  for (const { child } of Object.values(servers)) await stop(child);
} finally {
  killAll();
}
process.exit();
