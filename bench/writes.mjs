// node bench/writes.mjs: CPU of the service and of PostgreSQL for writes of posts over REST, by an
// editor with an application password; --before ../other-checkout adds another build, several times
// if you like. See README.md.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare, root } from '../scripts/prepare.mjs';
import { makeEditor } from './builds.mjs';
import { alone, backends, connected, SERVER, used } from './database.mjs';
import { cpuOf, freePort, killAll, mainOf, memoryOf, start, stop } from './processes.mjs';
import { writePost } from './writing.mjs';

const { values: options } = parseArgs({
  options: {
    before: { type: 'string', multiple: true, default: [] },
    posts: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '7' },
    scenario: { type: 'string' },
  },
});
const CONNECTIONS = [1, 8];
const PASSWORD = 'onlyformeasurements';
const CREDENTIALS = `Basic ${Buffer.from(`author-1:${PASSWORD}`).toString('base64')}`;
/** The posts that are updated in turn: the first ones. The last ones are deleted. */
const UPDATED = 200;

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const note = (n) => ({
  title: `Note ${n}`,
  content: `<p>Take it with water.</p>\n\n<p>Dose ${n}, as agreed.</p>`,
  status: 'publish',
  categories: [2],
  tags: [40, 41],
});

/**
 * How many requests a run has at each number of connections, and the nth request. The numbers go on
 * through all runs, alike for each build.
 */
const SCENARIOS = {
  create: {
    requests: { 1: 300, 8: 600 },
    warmUp: 1_500,
    ask: (n) => ({ path: '/api/v1/posts', body: note(n), status: 201 }),
  },
  'batch of 25': {
    requests: { 1: 20, 8: 40 },
    warmUp: 100,
    ask: (n) => ({
      path: '/api/batch/v1',
      body: {
        requests: Array.from({ length: 25 }, (_, i) => ({
          path: '/v1/posts',
          body: note(`${n}-${i}`),
        })),
      },
      status: 207,
    }),
  },
  update: {
    requests: { 1: 300, 8: 600 },
    warmUp: 1_000,
    ask: (n) => ({
      path: `/api/v1/posts/${1 + (n % UPDATED)}`,
      body: { title: `Edit ${n}`, content: writePost(n).content },
      status: 200,
    }),
  },
  delete: {
    requests: { 1: 150, 8: 300 },
    warmUp: 300,
    ask: (n) => ({
      method: 'DELETE',
      path: `/api/v1/posts/${Number(options.posts) - n}?force=true`,
      status: 200,
    }),
  },
};

/** Sends a request and returns the body of its answer. Throws for another status. */
function send({ origin }, agent, { method = 'POST', path, body, status }) {
  return new Promise((answer, fail) => {
    const headers = { authorization: CREDENTIALS, 'content-type': 'application/json' };
    const sent = request(origin + path, { method, agent, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === status) answer(text);
        else fail(new Error(`${method} ${path} was answered ${response.statusCode}: ${text}`));
      });
    });
    sent.on('error', fail);
    sent.end(body && JSON.stringify(body));
  });
}

/** Microseconds of CPU for one of `count` requests: of the process, and of its database's. */
async function measure(server, { ask }, connections, first, count) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const databaseBefore = await backends(server.watcher, 'care');
  const before = cpuOf(server.child.pid);
  let sent = 0;
  const connection = async () => {
    while (sent < count) await send(server, agent, ask(first + sent++));
  };
  await Promise.all(Array.from({ length: connections }, connection));
  const service = (cpuOf(server.child.pid) - before) / count;
  const database = (used(databaseBefore, await backends(server.watcher, 'care')) ?? 0) / count;
  agent.destroy();
  return { service, database };
}

/** Starts a build on a copy of the database of its own: builds may have different migrations. */
async function startBuild(name, folder, template, right) {
  const copy = `care_bench_writes_${randomBytes(4).toString('hex')}`;
  await right.query(`CREATE DATABASE ${copy} TEMPLATE ${template}`);
  const url = Object.assign(new URL(SERVER), { pathname: `/${copy}` }).href;
  const server = { name, copy, watcher: await connected(url) };
  await makeEditor(server.watcher, PASSWORD);
  const port = await freePort();
  const env = {
    DATABASE_URL: url,
    PORT: String(port),
    HOST: '127.0.0.1',
    BASE_URL: 'http://bench.example',
    SECRET_KEY: 'only for measurements, never kept',
    RATE_LIMITS: 'off',
    RESPONSE_CACHE: 'off',
    SEED: 'none',
    LOG_LEVEL: 'info',
    NODE_ENV: 'production',
  };
  const child = await start(mainOf(folder), { cwd: folder, env });
  return { ...server, child, origin: `http://127.0.0.1:${port}` };
}

/** Throws when the builds answer differently, apart from the instants of now. */
async function checkEqual(servers, { ask }, n) {
  const agent = new Agent();
  const answers = await Promise.all(servers.map((server) => send(server, agent, ask(n))));
  agent.destroy();
  const instants = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/g;
  const [first, ...others] = answers.map((answer) => answer.replace(instants, ''));
  const other = others.find((answer) => answer !== first);
  if (other) throw new Error(`The builds answer differently:\n${first}\n${other}`);
}

const figure = (numbers) =>
  `${median(numbers).toFixed(0).padStart(7)} ${`(${Math.min(...numbers).toFixed(0)} - ${Math.max(...numbers).toFixed(0)})`.padEnd(17)}`;

function print(name, connections, servers, runs) {
  for (const [i, server] of servers.entries()) {
    const figures = ['service', 'database'].map((of) => figure(runs[i].map((run) => run[of])));
    const line = [name.padEnd(12), String(connections).padStart(5), server.name.padEnd(14)];
    process.stdout.write(`${[...line, ...figures].join(' ')}\n`);
  }
}

async function run(servers, name, scenario) {
  let next = 0;
  const all = async (connections, count) => {
    const turns = [...servers.entries()];
    const results = [];
    for (const [i, server] of next % 2 ? turns.reverse() : turns)
      results[i] = await measure(server, scenario, connections, next, count);
    next += count;
    return results;
  };
  await checkEqual(servers, scenario, next++);
  await all(8, scenario.warmUp);
  for (const connections of CONNECTIONS) {
    const rounds = [];
    while (rounds.length < Number(options.rounds)) {
      rounds.push(await all(connections, scenario.requests[connections]));
      next++; // another build goes first
    }
    const runs = servers.map((_, i) => rounds.map((round) => round[i]));
    print(name, connections, servers, runs);
  }
}

async function main() {
  await prepare();
  const seed = [join(import.meta.dirname, 'seed.mjs'), options.posts, root];
  const seeded = new URL(execFileSync(process.execPath, seed, { encoding: 'utf8' }).trim());
  const right = await alone();
  const servers = [];
  try {
    const builds = [['ours', root], ...options.before.map((path) => [basename(path), path])];
    for (const [name, folder] of builds)
      servers.push(await startBuild(name, resolve(folder), seeded.pathname.slice(1), right));
    process.stdout.write(
      'µs of CPU         conn. build          service (least - most)    database\n',
    );
    for (const [name, scenario] of Object.entries(SCENARIOS))
      if (!options.scenario || name.startsWith(options.scenario))
        await run(servers, name, scenario);
    for (const { name, child } of servers)
      process.stdout.write(`memory at most, ${name}: ${memoryOf(child.pid).most.toFixed(0)} MB\n`);
    process.stdout.write(`load average ${loadavg()[0].toFixed(1)}\n`);
  } finally {
    for (const { child, watcher, copy } of servers) {
      await stop(child);
      await watcher.end();
      await right.query(`DROP DATABASE ${copy} WITH (FORCE)`);
    }
    await right.end();
  }
}

main()
  .catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exitCode = 1;
  })
  .finally(killAll);
