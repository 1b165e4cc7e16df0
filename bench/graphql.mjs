// node bench/graphql.mjs: CPU of the service's process for a request over GraphQL, beside that of
// another build: --before ../other-checkout. See README.md.
import { execFileSync } from 'node:child_process';
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare, root } from '../scripts/prepare.mjs';
import { alone } from './database.mjs';
import { cpuOf, freePort, killAll, start, stop } from './processes.mjs';

const { values: options } = parseArgs({
  options: {
    before: { type: 'string' },
    posts: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '7' },
  },
});
const CONNECTIONS = 4;
const WARM_UP = 3_000;
const POST = `fragment P on Post {
  id slug publishedAt modifiedAt status url kind isSticky format title content excerpt
  author { id name } terms { id name taxonomy }
}`;
/** What is asked, how often a run, and the variables of the nth request. */
const SCENARIOS = {
  list: {
    requests: 600,
    query: `query List($first: Int!, $search: String) {
      posts(first: $first, filter: { search: $search }) { totalCount nodes { ...P } }
    } ${POST}`,
    variables: () => ({ first: 10 }),
  },
  one: {
    requests: 1_500,
    query: `query One($id: ID!) { post(id: $id) { ...P } } ${POST}`,
    variables: (n) => ({ id: 1 + (n % 200) }),
  },
  // No rows: what the way of a request costs besides its document.
  nothing: { requests: 2_000, query: '{ __typename }', variables: () => ({}) },
};

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

function send(origin, body) {
  return new Promise((answer, fail) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request(`${origin}/graphql`, { method: 'POST', agent, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => answer(Buffer.concat(chunks).toString()));
    });
    sent.on('error', fail);
    sent.end(body);
  });
}

/** Microseconds of CPU for one of `count` requests. */
async function measure({ child, origin }, { query, variables }, count) {
  const before = cpuOf(child.pid);
  let sent = 0;
  let last;
  const connection = async () => {
    while (sent < count)
      last = await send(origin, JSON.stringify({ query, variables: variables(sent++) }));
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  if (!last.startsWith('{"data":')) throw new Error(last.slice(0, 500));
  return (cpuOf(child.pid) - before) / count;
}

async function startService(folder, url) {
  const port = await freePort();
  const env = {
    DATABASE_URL: url,
    PORT: String(port),
    HOST: '127.0.0.1',
    BASE_URL: 'http://bench.example',
    SECRET_KEY: 'only for measurements, never kept',
    RATE_LIMITS: 'off',
    SEED: 'none',
    LOG_LEVEL: 'info',
    NODE_ENV: 'production',
  };
  const child = await start(join(folder, 'dist/main.js'), { cwd: folder, env });
  return { child, origin: `http://127.0.0.1:${port}` };
}

async function compare(servers, [name, scenario], rounds) {
  const answers = new Set();
  for (const server of servers) {
    await measure(server, scenario, WARM_UP);
    const { query, variables } = scenario;
    answers.add(await send(server.origin, JSON.stringify({ query, variables: variables(0) })));
  }
  if (answers.size > 1) throw new Error('The two answer differently.');
  const runs = servers.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (const [i, server] of round % 2 ? [...servers.entries()].reverse() : servers.entries())
      runs[i].push(await measure(server, scenario, scenario.requests));
  const [ours, before] = runs;
  const micro = (all) => median(all).toFixed(0).padStart(7);
  const ratios = before?.map((one, i) => ours[i] / one) ?? [];
  const spread = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2));
  const beside = before
    ? `${micro(before)}  ratio ${(median(ours) / median(before)).toFixed(2)} (${spread.join(' - ')})`
    : '';
  process.stdout.write(`${name.padEnd(10)}${micro(ours)}${beside}\n`);
}

async function main() {
  prepare();
  const right = await alone();
  const seed = [join(import.meta.dirname, 'seed.mjs'), options.posts, root];
  const url = execFileSync(process.execPath, seed, { encoding: 'utf8' }).trim();
  const folders = [root, ...(options.before ? [resolve(options.before)] : [])];
  const servers = [];
  try {
    for (const folder of folders) servers.push(await startService(folder, url));
    process.stdout.write(`scenario  ours µs${options.before ? ', before' : ''}\n`);
    for (const entry of Object.entries(SCENARIOS))
      await compare(servers, entry, Number(options.rounds));
    process.stdout.write(`load average ${loadavg()[0].toFixed(1)}\n`);
  } finally {
    agent.destroy();
    for (const { child } of servers) await stop(child);
    await right.end();
  }
}

main()
  .catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exitCode = 1;
  })
  .finally(killAll);
