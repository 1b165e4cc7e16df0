// node bench/graphql.mjs: CPU of the service and of PostgreSQL for a request over GraphQL, beside
// PostGraphile 4 on the same database and, with --before ../other-checkout, beside another build.
// --peer none leaves PostGraphile out. See README.md.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare, root } from '../scripts/prepare.mjs';
import { alone, backends, connected, used } from './database.mjs';
import { contentOf, SCENARIOS } from './graphql-documents.mjs';
import { cpuOf, freePort, killAll, mainOf, start, stop } from './processes.mjs';

const { values: options } = parseArgs({
  options: {
    before: { type: 'string' },
    peer: { type: 'string', default: '4.14.1' },
    posts: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '7' },
    scenario: { type: 'string' },
  },
});
const CONNECTIONS = [1, 8];
const WARM_UP = 3_000;

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** The folder of PostGraphile: outside the package, so that nothing of the service needs it. */
function installedPeer(version) {
  const folder = join(root, '.cache', `postgraphile-${version}`);
  if (existsSync(join(folder, 'node_modules/postgraphile'))) return folder;
  process.stderr.write(`Installing PostGraphile ${version} …\n`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync('npm', [...args, `postgraphile@${version}`], { cwd: folder, stdio: 'ignore' });
  return folder;
}

function send(origin, agent, body) {
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

const bodyOf = ({ document }, scenario, n) =>
  JSON.stringify({ query: scenario[document], variables: scenario.variables(n) });

/** Microseconds of CPU for one of `count` requests: of the process, and of its database's. */
async function measure(server, watcher, scenario, connections, count) {
  const { child, origin, application } = server;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const databaseBefore = await backends(watcher, application);
  const before = cpuOf(child.pid);
  let sent = 0;
  let last;
  const connection = async () => {
    while (sent < count) last = await send(origin, agent, bodyOf(server, scenario, sent++));
  };
  await Promise.all(Array.from({ length: connections }, connection));
  const service = (cpuOf(child.pid) - before) / count;
  const database = (used(databaseBefore, await backends(watcher, application)) ?? 0) / count;
  agent.destroy();
  if (!last.startsWith('{"data":')) throw new Error(last.slice(0, 500));
  return { service, database };
}

async function startService(name, folder, url) {
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
  const child = await start(mainOf(folder), { cwd: folder, env });
  const origin = `http://127.0.0.1:${port}`;
  return { name, child, origin, application: 'care', document: 'ours' };
}

async function startPeer(url) {
  const port = await freePort();
  const env = {
    DATABASE_URL: url,
    PORT: String(port),
    POSTGRAPHILE: installedPeer(options.peer),
    NODE_ENV: 'production',
  };
  const child = await start(join(import.meta.dirname, 'postgraphile.mjs'), { env });
  const origin = `http://127.0.0.1:${port}`;
  return { name: 'PostGraphile', child, origin, application: 'postgraphile', document: 'peer' };
}

/** Throws when the servers answer different content. Two builds must answer the same bytes. */
async function checkEqual(servers, scenario) {
  const agent = new Agent();
  const answers = [];
  for (const server of servers)
    answers.push(await send(server.origin, agent, bodyOf(server, scenario, 0)));
  const builds = servers.flatMap(({ document }, i) => (document === 'ours' ? answers[i] : []));
  if (new Set(builds).size > 1) throw new Error('The two builds answer differently.');
  if (new Set(answers.map(contentOf)).size > 1)
    throw new Error(`PostGraphile answers differently:\n${answers.join('\n').slice(0, 4_000)}`);
}

async function alternate(servers, watcher, scenario, connections) {
  const runs = servers.map(() => []);
  for (let round = 0; round < Number(options.rounds); round++)
    for (const [i, server] of round % 2 ? [...servers.entries()].reverse() : servers.entries())
      runs[i].push(
        await measure(server, watcher, scenario, connections, scenario.requests[connections]),
      );
  return runs;
}

const sumOf = ({ service, database }) => service + database;

/** Prints a line for each server, and what ours costs in relation to it. */
function print(name, connections, servers, runs) {
  const micro = (numbers) => median(numbers).toFixed(0).padStart(8);
  for (const [i, server] of servers.entries()) {
    const line = [name.padEnd(8), String(connections).padStart(5), server.name.padEnd(13)];
    const sums = runs[i].map(sumOf);
    line.push(micro(runs[i].map(({ service }) => service)));
    line.push(micro(runs[i].map(({ database }) => database)), micro(sums));
    line.push(`(${Math.min(...sums).toFixed(0)} - ${Math.max(...sums).toFixed(0)})`.padEnd(15));
    if (i > 0) line.push(ratiosOf(runs[0], runs[i]));
    process.stdout.write(`${line.join(' ')}\n`);
  }
}

/** What ours costs in relation to another: service alone, and together with the database. */
const ratiosOf = (ours, others) =>
  [({ service }) => service, sumOf]
    .map((of) => {
      const rounds = ours.map((run, i) => of(run) / of(others[i]));
      const ratio = median(ours.map(of)) / median(others.map(of));
      return `${ratio.toFixed(2)} (${Math.min(...rounds).toFixed(2)} - ${Math.max(...rounds).toFixed(2)})`;
    })
    .join('  ');

const HEAD = `scenario conn. server         service database   both µs (least - most)  ours to it: service, both\n`;

async function main() {
  await prepare();
  const right = await alone();
  const seed = [join(import.meta.dirname, 'seed.mjs'), options.posts, root];
  const url = execFileSync(process.execPath, seed, { encoding: 'utf8' }).trim();
  const watcher = await connected(url);
  const servers = [];
  try {
    servers.push(await startService('ours', root, url));
    if (options.before) servers.push(await startService('before', resolve(options.before), url));
    if (options.peer !== 'none') servers.push(await startPeer(url));
    process.stdout.write(HEAD);
    for (const [name, scenario] of Object.entries(SCENARIOS)) {
      if (options.scenario && options.scenario !== name) continue;
      for (const server of servers) await measure(server, watcher, scenario, 8, WARM_UP);
      await checkEqual(servers, scenario);
      for (const connections of CONNECTIONS)
        print(name, connections, servers, await alternate(servers, watcher, scenario, connections));
    }
    process.stdout.write(`load average ${loadavg()[0].toFixed(1)}\n`);
  } finally {
    for (const { child } of servers) await stop(child);
    await watcher.end();
    await right.end();
  }
}

main()
  .catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exitCode = 1;
  })
  .finally(killAll);
