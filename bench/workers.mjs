// node bench/workers.mjs [ROUNDS [COUNT]]: what a request costs one process and two workers, and how many
// they serve a second, in turns, over REST and over GraphQL, each request of a hundred connections on its
// own. On a database of its own that it drops.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { root } from '../scripts/prepare.mjs';
import { PASSWORD, send, startBuild } from './builds.mjs';
import { withDatabase } from './database.mjs';
import { cpuOf, killAll, start } from './processes.mjs';

const [, , rounds = '9', count = '2000'] = process.argv;
const CONNECTIONS = 100;
const QUERY = '{ posts(first: 10) { nodes { title content author { name } } } }';
const WORKS = {
  'GET posts': (server) => send(server, '/api/v1/posts'),
  'query of posts': (server) =>
    send(server, '/graphql', { method: 'POST', body: { query: QUERY } }),
};

/** A process and those that it started. */
const processesOf = (pid) => [
  pid,
  ...readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number),
];
const cpu = ({ child }) => processesOf(child.pid).reduce((sum, pid) => sum + cpuOf(pid), 0);

/** Sends requests over all connections. Returns milliseconds of CPU for one, and how many a second. */
async function measure(server, work) {
  const [before, began] = [cpu(server), performance.now()];
  let left = Number(count);
  const next = async () => {
    while (left-- > 0) await work(server);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, next));
  const seconds = (performance.now() - began) / 1_000;
  return { cpu: (cpu(server) - before) / count / 1_000, rate: count / seconds };
}

async function write(server) {
  const body = { username: 'admin', password: PASSWORD };
  const { token } = JSON.parse(await send(server, '/api/v1/login', { method: 'POST', body }));
  const headers = { authorization: `Bearer ${token}` };
  for (let i = 0; i < 20; i++) {
    const post = { title: `Post ${i}`, content: 'A text. '.repeat(100), status: 'publish' };
    await send(server, '/api/v1/posts', { method: 'POST', headers, body: post });
  }
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const figure = (numbers) =>
  `${median(numbers).toFixed(2)} (${Math.min(...numbers).toFixed(2)} - ${Math.max(...numbers).toFixed(2)})`;

await withDatabase('workers', async (url) => {
  const env = { DATABASE_URL: url };
  await once(await start(join(root, 'scripts/migrate.mjs'), { env, ready: false }), 'exit');
  try {
    const servers = [];
    for (const WORKERS of ['1', '2'])
      servers.push(await startBuild(WORKERS, root, url, { WORKERS }));
    for (const server of servers)
      server.agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    await write(servers[0]);
    for (const [name, work] of Object.entries(WORKS)) {
      const results = servers.map(() => []);
      for (let round = -2; round < Number(rounds); round++) {
        const order = [...servers.entries()];
        for (const [i, server] of round % 2 ? order.toReversed() : order) {
          const result = await measure(server, work);
          if (round >= 0) results[i].push(result);
        }
      }
      const [one, two] = results;
      const times = (of) => figure(two.map((result, n) => result[of] / one[n][of]));
      console.log(
        `${name}: ${figure(one.map((result) => result.cpu))} ms CPU by one process, by two workers ` +
          `${times('cpu')} times; ${figure(one.map((result) => result.rate))} a second, ${times('rate')} times`,
      );
    }
    console.log(`load average ${loadavg()[0].toFixed(1)}`);
  } finally {
    killAll();
  }
});
process.exit();
