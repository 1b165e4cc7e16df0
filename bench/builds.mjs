// Two builds of the service on one database, measured in turns: what a request costs them and
// PostgreSQL.
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { root } from '../scripts/prepare.mjs';
import { backends, connected, used, withDatabase } from './database.mjs';
import { cpuOf, freePort, killAll, mainOf, start, stop } from './processes.mjs';

export const PASSWORD = 'only for measurements';
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** Makes account 1 an editor with an application password, which has no blanks. */
export async function makeEditor(client, password) {
  const hash = createHash('sha256').update(password).digest('hex');
  await client.query(`UPDATE account SET roles = '{editor}' WHERE id = 1`);
  await client.query(
    'INSERT INTO application_password (id, account_id, name, hash) VALUES ($1, 1, $2, $3)',
    [randomUUID(), 'bench', hash],
  );
}

/** Sends a request over its server's one connection. Answers the body; throws for a refusal. */
export function send({ origin, agent }, path, { method = 'GET', headers = {}, body } = {}) {
  const sending = body ? { ...headers, 'content-type': 'application/json' } : headers;
  return new Promise((answer, fail) => {
    const sent = request(origin + path, { agent, method, headers: sending }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode < 300) answer(text);
        else fail(new Error(`${method} ${path} was answered ${response.statusCode}: ${text}`));
      });
    });
    sent.on('error', fail).end(body && JSON.stringify(body));
  });
}

/** Starts a build on a database, with further variables of the environment, and perhaps a flag of V8 of its own. */
export async function startBuild(name, folder, url, more = {}, flag = undefined) {
  const port = await freePort();
  const env = {
    DATABASE_URL: url,
    PORT: String(port),
    HOST: '127.0.0.1',
    BASE_URL: 'http://bench.example',
    SECRET_KEY: 'only for measurements, never kept',
    ADMIN_PASSWORD: PASSWORD,
    RATE_LIMITS: 'off',
    RESPONSE_CACHE: 'off',
    LOG_LEVEL: 'info',
    NODE_ENV: 'production',
    ...more,
  };
  const child = await start(mainOf(folder), { cwd: folder, env, seconds: 240, flag });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return { name, child, origin: `http://127.0.0.1:${port}`, agent };
}

/**
 * Runs `use` with the servers of this build and, if there is one, of that in the folder `before`,
 * on a new database that is dropped afterwards, and with a connection to it.
 */
export async function withBuilds(purpose, before, use) {
  await withDatabase(purpose, async (url) => {
    const env = { DATABASE_URL: url };
    await once(await start(join(root, 'scripts/migrate.mjs'), { env, ready: false }), 'exit');
    const servers = [await startBuild('now', root, url)];
    const watcher = await connected(url);
    try {
      if (before) servers.push(await startBuild('before', resolve(before), url));
      await use(servers, watcher);
      console.log(`load average ${loadavg()[0].toFixed(1)}`);
      for (const { agent, child } of servers) {
        agent.destroy();
        await stop(child);
      }
    } finally {
      killAll();
      await watcher.end();
    }
  });
}

/** Milliseconds of CPU for one of `count` works: of the process, and of its database's. */
async function cost(server, watcher, work, count) {
  const databaseBefore = await backends(watcher, 'care');
  const before = cpuOf(server.child.pid);
  for (let i = 0; i < count; i++) await work(server);
  const service = (cpuOf(server.child.pid) - before) / count / 1000;
  const database = used(databaseBefore, await backends(watcher, 'care')) ?? 0;
  return { service, database: database / count / 1000 };
}

/**
 * Measures a work, a function of a server, on all servers in turns, and prints medians with the
 * least and the most, and how many times the CPU of the first server each needs. The first `warmUps`
 * rounds do not count; `prepare` runs before each turn. A round has so many `turns` of `count` works:
 * many short ones where the machine changes its speed within seconds.
 */
export async function inTurns(name, servers, watcher, work, options) {
  const { warmUps = 3, rounds, turns = 1, count, prepare = () => {} } = options;
  const results = servers.map(() => []);
  for (let round = -warmUps; round < rounds; round++) {
    const sums = servers.map(() => ({ service: 0, database: 0 }));
    for (let turn = 0; turn < turns; turn++) {
      // Each comes after each other one's turn: the caches of the processor are those of who was last.
      const order = [...servers.entries()];
      const first = (warmUps + round) * turns + turn;
      const at = first % servers.length;
      for (const [i, server] of [...order.slice(at), ...order.slice(0, at)]) {
        await prepare();
        const { service, database } = await cost(server, watcher, work, count);
        sums[i].service += service / turns;
        sums[i].database += database / turns;
      }
    }
    if (round >= 0) for (const [i, sum] of sums.entries()) results[i].push(sum);
  }
  const figure = (numbers) =>
    `${median(numbers).toFixed(2)} (${Math.min(...numbers).toFixed(2)} - ${Math.max(...numbers).toFixed(2)})`;
  for (const [i, { name: build }] of servers.entries()) {
    const [service, database] = ['service', 'database'].map((part) =>
      figure(results[i].map((one) => one[part])),
    );
    const times = figure(results[i].map((one, n) => one.service / results[0][n].service));
    console.log(
      `${name}, ${build}: ${service} ms CPU, ${times} times + ${database} ms in PostgreSQL`,
    );
  }
}
