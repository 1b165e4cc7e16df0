// npm run bench: what a request costs the service, beside the least that answers the same bytes.
// See README.md.
import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { prepare, root as projectRoot } from '../scripts/prepare.mjs';
import { alone, backends, SERVER, used } from './database.mjs';
import {
  cpuOf,
  freePort,
  killAll,
  mainOf,
  memoryOf,
  messageOf,
  start,
  stop,
  within,
} from './processes.mjs';
import { printTable } from './table.mjs';
import { randomOf } from './writing.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
/**
 * Both answer with addresses below this one, so that their bytes can be equal; nothing is sent
 * there.
 */
const BASE_URL = 'http://bench.example';
const CONNECTIONS = [1, 20];
const LIST = '/api/v1/posts?per_page=10';

const SIZES = [10_000, 100_000];
const post = (n) =>
  `{"title":"Note ${n}","content":"<p>Take it with water.</p>\\n\\n<p>Dose ${n}, as agreed.</p>","status":"publish","categories":[2],"tags":[40,41]}`;

/** What is asked, of databases of which sizes, how often a run at 1 and at 20 connections. */
const SCENARIOS = {
  list: { posts: [100, ...SIZES], requests: { 1: 800, 20: 2_400 }, paths: () => [LIST] },
  list100: {
    posts: SIZES,
    requests: { 1: 120, 20: 360 },
    paths: () => ['/api/v1/posts?per_page=100'],
  },
  one: {
    posts: SIZES,
    requests: { 1: 1_500, 20: 6_000 },
    paths: (posts) => someIds(posts, 200).map((id) => `/api/v1/posts/${id}`),
  },
  // A word in one post of three thousand, in one of seven, two words, a word in every second post.
  search: {
    posts: SIZES,
    requests: { 1: 300, 20: 900 },
    paths: () =>
      ['pralurdipine', 'abacept', 'inhaler+breakfast', 'clinic'].map(
        (words) => `/api/v1/posts?search=${words}`,
      ),
  },
  terms: {
    posts: SIZES,
    requests: { 1: 300, 20: 900 },
    paths: () => ['/api/v1/posts?categories%5Bterms%5D=2&categories%5Binclude_children%5D=true'],
  },
  // A batch of 25 creates against 25 requests, of the service alone and in a copy of the database.
  batch: { posts: SIZES, requests: { 1: 8, 20: 24 }, creates: 25 },
};
/**
 * Above this many posts the database takes most of the time, and a third of the requests will do.
 */
const LARGE = 50_000;
/**
 * The compiler of the JavaScript engine is done after some thousand requests; a slow database ends
 * the warm-up earlier.
 */
const WARM_UP = { requests: 6_000, seconds: 12 };
const LONGEST = 900;

const { values: options } = parseArgs({
  options: {
    posts: { type: 'string' },
    scenario: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    service: { type: 'string' },
  },
});

/** The same ids, spread over all posts, in every run. */
function someIds(posts, count) {
  const random = randomOf(posts);
  return Array.from({ length: Math.min(count, posts) }, () => 1 + Math.floor(random() * posts));
}

function casesOf({ posts, scenario }) {
  const names = scenario ? scenario.split(',') : Object.keys(SCENARIOS);
  return names.flatMap((name) => {
    if (!SCENARIOS[name])
      throw new Error(
        `There is no scenario ${name}; there are ${Object.keys(SCENARIOS).join(' and ')}.`,
      );
    const sizes = posts ? posts.split(',').map(Number) : SCENARIOS[name].posts;
    return sizes.map((size) => ({
      scenario: name,
      posts: size,
      paths: SCENARIOS[name].paths?.(size),
    }));
  });
}

const requestsOf = ({ scenario, posts }, connections) =>
  Math.ceil(SCENARIOS[scenario].requests[connections] / (posts > LARGE ? 3 : 1));

/** Makes the database when it is missing; in a process of its own, see seed.mjs. */
function seeded(posts, service) {
  const args = [join(HERE, 'seed.mjs'), String(posts), service];
  return execFileSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: LONGEST * 1000,
  }).trim();
}

async function startService(service, url, log) {
  const port = await freePort();
  const env = {
    DATABASE_URL: url,
    PORT: String(port),
    HOST: '127.0.0.1',
    BASE_URL,
    SECRET_KEY: 'only for measurements, never kept',
  };
  const off = {
    RESPONSE_CACHE: 'off',
    RATE_LIMITS: 'off',
    SEED: 'none',
    LOG_LEVEL: 'info',
    NODE_ENV: 'production',
  };
  const child = await start(mainOf(service), {
    cwd: service,
    env: { ...env, ...off },
    log,
  });
  return { name: 'service', child, origin: `http://127.0.0.1:${port}`, application: 'care' };
}

async function startBare(url) {
  const port = await freePort();
  const child = await start(join(HERE, 'bare.mjs'), {
    env: { DATABASE_URL: url, PORT: String(port), HOST: '127.0.0.1', BASE_URL },
  });
  return { name: 'bare', child, origin: `http://127.0.0.1:${port}`, application: 'bare' };
}

const COMPARED = ['content-type', 'x-wp-total', 'x-wp-totalpages', 'link', 'allow'];

/** Throws when an address is answered differently by the two. */
async function checkEqual(servers, paths) {
  for (const path of paths) {
    const [ours, theirs] = await Promise.all(
      servers.map(async ({ origin }) => {
        const response = await fetch(origin + path, {
          headers: { 'accept-encoding': 'identity' },
          signal: AbortSignal.timeout(30_000),
        });
        const headers = COMPARED.map((name) => `${name}: ${response.headers.get(name)}`).join('\n');
        return {
          status: response.status,
          headers,
          body: Buffer.from(await response.arrayBuffer()),
        };
      }),
    );
    const same =
      ours.status === 200 &&
      theirs.status === 200 &&
      ours.headers === theirs.headers &&
      ours.body.equals(theirs.body);
    if (!same)
      throw new Error(
        `${path} is answered differently:\n${excerpt(ours, theirs)}\n--- and ---\n${excerpt(theirs, ours)}`,
      );
  }
}

/** The status, the headers, and the body from a little before it parts from the other one. */
function excerpt({ status, headers, body }, other) {
  const parting = body.findIndex((byte, i) => byte !== other.body[i]);
  const from = Math.max(0, parting - 60);
  return `${status}\n${headers}\n${parting < 0 ? 'the same body' : body.subarray(from, from + 200)}`;
}

const checkedPaths = ({ paths }) => [
  '/api/v1/posts',
  LIST,
  '/api/v1/posts?per_page=1',
  '/api/v1/posts?per_page=100',
  ...paths,
];

async function command(load, name, asked = {}) {
  load.send({ command: name, ...asked });
  const result = await within(120, messageOf(load), 'The load was not sent');
  if (result.failure) throw new Error(result.failure);
  return result;
}

/**
 * One run against one server: what a request took, by the clock, of its CPU and of the database's.
 */
async function measure({ load, watcher }, server, { paths }, connections, requests, seconds = 60) {
  await command(load, 'open', { origin: server.origin, connections, paths });
  const databaseBefore = await backends(watcher, server.application);
  const before = cpuOf(server.child.pid);
  const result = await command(load, 'run', { paths, requests, seconds });
  const cpu = cpuOf(server.child.pid) - before;
  const database = used(databaseBefore, await backends(watcher, server.application));
  await command(load, 'close');
  const each = (total) => (total === null ? null : total / result.requests);
  return {
    ...result,
    cpu: each(cpu),
    database: each(database),
    rate: result.requests / result.seconds,
  };
}

/** Alternates runs of both, the one that goes first changing, and answers all of them by server. */
async function alternate(tools, servers, chosen, connections, rounds) {
  const runs = { service: [], bare: [] };
  for (let round = 0; round < rounds; round++) {
    for (const server of round % 2 ? servers.toReversed() : servers) {
      runs[server.name].push(
        await measure(tools, server, chosen, connections, requestsOf(chosen, connections)),
      );
    }
    if (runs.service[round].bytes !== runs.bare[round].bytes)
      throw new Error('The two have answered different numbers of bytes.');
  }
  return runs;
}

const median = (numbers) => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/** Medians over the rounds, and the ratios with the least and the most that a round showed. */
function summary({ scenario, posts }, connections, { service, bare }) {
  const of = (runs) => {
    const figure = (name) =>
      runs.some((run) => run[name] === null) ? null : median(runs.map((run) => run[name]));
    return { cpu: figure('cpu'), database: figure('database'), rate: figure('rate') };
  };
  const [ours, theirs] = [of(service), of(bare)];
  const ratio = (name) => {
    const rounds = service.map((run, i) => run[name] / bare[i][name]);
    return {
      median: ours[name] / theirs[name],
      least: Math.min(...rounds),
      most: Math.max(...rounds),
    };
  };
  const { bytes, requests } = service[0];
  return {
    scenario,
    posts,
    connections,
    requests,
    bytes: Math.round(bytes / requests),
    service: ours,
    bare: theirs,
    cpu: ratio('cpu'),
    rate: ratio('rate'),
  };
}

async function measureCase(chosen, load, url, { service, rounds, log }) {
  const servers = [await startService(service, url, log), await startBare(url)];
  const watcher = new pg.Client({ connectionString: url, application_name: 'bench' });
  await watcher.connect();
  try {
    const tools = { load, watcher };
    await checkEqual(servers, checkedPaths(chosen));
    for (const server of servers)
      await measure(tools, server, chosen, 10, WARM_UP.requests, WARM_UP.seconds);
    const rows = [];
    for (const connections of CONNECTIONS) {
      const runs = await alternate(tools, servers, chosen, connections, rounds);
      rows.push({ ...summary(chosen, connections, runs), loadAverage: loadavg()[0], runs });
    }
    await checkEqual(servers, checkedPaths(chosen));
    const memory = servers.map(
      ({ name, child }) => `${name} ${memoryOf(child.pid).most.toFixed(0)} MB`,
    );
    process.stdout.write(`memory at most, ${chosen.scenario}: ${memory.join(', ')}\n`);
    return rows;
  } finally {
    await watcher.end();
    await Promise.all(servers.map(({ child }) => stop(child)));
  }
}

/** An author of the database, by an application password. */
async function signIn(client) {
  const password = 'only for measurements';
  const hash = createHash('sha256')
    .update(password.replace(/[^A-Za-z0-9]/g, ''))
    .digest('hex');
  await client.query(`UPDATE account SET roles = '{editor}' WHERE id = 1`);
  await client.query(
    'INSERT INTO application_password (id, account_id, name, hash) VALUES ($1, 1, $2, $3)',
    [randomUUID(), 'bench', hash],
  );
  return { authorization: `Basic ${Buffer.from(`author-1:${password}`).toString('base64')}` };
}

/**
 * Both sides are the service: one sends 25 creates in a batch, the other each for itself. What is
 * compared is the cost of 25.
 */
async function measureCreates(chosen, load, url, { service, rounds, log }) {
  const { creates, requests } = SCENARIOS[chosen.scenario];
  const name = `${new URL(url).pathname.slice(1)}_copy`;
  const server = new pg.Client({ connectionString: SERVER, application_name: 'bench' });
  await server.connect();
  await server.query(`DROP DATABASE IF EXISTS ${name}`);
  await server.query(`CREATE DATABASE ${name} TEMPLATE ${new URL(url).pathname.slice(1)}`);
  const address = new URL(url);
  address.pathname = `/${name}`;
  const watcher = new pg.Client({ connectionString: address.href, application_name: 'bench' });
  await watcher.connect();
  const running = await startService(service, address.href, log);
  try {
    const headers = await signIn(watcher);
    const tools = { load, watcher };
    const each = {
      paths: [{ path: '/api/v1/posts', method: 'POST', status: 201, headers, body: post('{n}') }],
    };
    const items = Array.from(
      { length: creates },
      () => `{"path":"/v1/posts","body":${post('{n}')}}`,
    );
    const batch = {
      path: '/api/batch/v1',
      method: 'POST',
      status: 207,
      headers,
      body: `{"requests":[${items.join(',')}]}`,
    };
    const together = { paths: [batch] };
    await measure(tools, running, each, 5, 300);
    await measure(tools, running, together, 5, 20);
    const rows = [];
    for (const connections of CONNECTIONS) {
      const runs = { service: [], bare: [] };
      for (let round = 0; round < rounds; round++) {
        const alone = await measure(
          tools,
          running,
          each,
          connections,
          requests[connections] * creates,
        );
        const of25 = {
          ...alone,
          cpu: alone.cpu * creates,
          database: alone.database && alone.database * creates,
        };
        runs.bare.push({ ...of25, rate: alone.rate / creates });
        runs.service.push(
          await measure(tools, running, together, connections, requests[connections]),
        );
      }
      rows.push({ ...summary(chosen, connections, runs), loadAverage: loadavg()[0], runs });
    }
    return rows;
  } finally {
    await watcher.end();
    await stop(running.child);
    await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await server.end();
  }
}

async function main() {
  const service = options.service ? resolve(options.service) : projectRoot;
  const rounds = Number(options.rounds);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error('--rounds takes a whole number above 0.');
  const cases = casesOf(options);
  if (!options.service) await prepare();
  const right = await alone();
  const urls = new Map(cases.map(({ posts }) => [posts, seeded(posts, service)]));

  const folder = mkdtempSync(join(tmpdir(), 'care-bench-'));
  const log = openSync(join(folder, 'service.log'), 'a'); // a file, as an operator would keep it
  const load = await start(join(HERE, 'load.mjs'), { ready: false });
  const rows = [];
  try {
    for (const chosen of cases) {
      process.stderr.write(`${chosen.scenario}, ${chosen.posts} posts …\n`);
      const measuring = SCENARIOS[chosen.scenario].creates ? measureCreates : measureCase;
      rows.push(
        ...(await measuring(chosen, load, urls.get(chosen.posts), { service, rounds, log })),
      );
    }
  } finally {
    await stop(load);
    await right.end();
    closeSync(log);
    rmSync(folder, { recursive: true, force: true });
  }
  const results = { node: process.versions.node, cores: cpus().length, rounds, rows };
  const rounded = (_key, value) =>
    typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;
  writeFileSync(join(HERE, 'results.json'), `${JSON.stringify(results, rounded, 1)}\n`);
  process.stdout.write(printTable(results));
}

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => finish(new Error('Stopped.')));

function finish(error) {
  killAll();
  if (error) process.stderr.write(`${error.message}\n`);
  process.exit(error ? 1 : 0);
}

within(options.scenario ? LONGEST : 3 * LONGEST, main(), 'The benchmark was not done').then(
  () => finish(),
  finish,
);
