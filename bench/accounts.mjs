// node bench/accounts.mjs: what credentials cost the service, in CPU of its process. See README.md.
import { randomBytes, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { prepare, root } from '../scripts/prepare.mjs';
import { withDatabase } from './database.mjs';
import { cpuOf, freePort, killAll, mainOf, start, stop } from './processes.mjs';

const SECRET_KEY = 'only for measurements, never kept';
const ROUNDS = 7;
const REQUESTS = 1_000;
const LOGINS = 60;
const CONNECTIONS = 10;
const PATH = '/api/wp/v2/categories?_fields=id';
const PASSWORD = 'correct horse battery';

const part = (path) => import(pathToFileURL(resolve(root, 'dist', path)).href);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

function send(origin, path, { method = 'GET', headers = {}, body } = {}) {
  return new Promise((answer, fail) => {
    const sent = request(origin + path, { method, agent, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        answer({ status: response.statusCode, text: Buffer.concat(chunks).toString() }),
      );
    });
    sent.on('error', fail);
    sent.end(body);
  });
}

/**
 * CPU of the service for one of `count` requests, in microseconds; throws unless all are answered
 * with `status`.
 */
async function measure({ child, origin }, count, ask, status = 200) {
  const before = cpuOf(child.pid);
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const { path = PATH, ...sending } = ask(next++);
      const answer = await send(origin, path, sending);
      if (answer.status !== status)
        throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  return (cpuOf(child.pid) - before) / count;
}

/** A member with a password, and as many sessions and application passwords as will be used. */
async function seed(url, { hashPassword, Tokens, applicationPasswordHash }) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const insert = `INSERT INTO account (username, username_key, email, email_key, name, slug, roles, password_hash)
    VALUES ('mina', 'mina', 'mina@example.com', 'mina@example.com', 'Mina', 'mina', '{subscriber}', $1) RETURNING id`;
  const { rows } = await client.query(insert, [await hashPassword(PASSWORD)]);
  const accountId = rows[0].id;
  const many = Array.from({ length: (ROUNDS + 1) * REQUESTS }, () => ({
    id: randomUUID(),
    password: randomBytes(12).toString('hex'),
  }));
  await client.query('INSERT INTO session (id, account_id) SELECT unnest($1::uuid[]), $2', [
    many.map(({ id }) => id),
    accountId,
  ]);
  await client.query(
    `INSERT INTO application_password (id, account_id, name, hash, last_used_at)
     SELECT id, $2, 'bench', hash, now() FROM unnest($1::uuid[], $3::text[]) AS made (id, hash)`,
    [
      many.map(({ id }) => id),
      accountId,
      many.map(({ password }) => applicationPasswordHash(password)),
    ],
  );
  await client.query('ANALYZE');
  await client.end();
  const tokens = new Tokens(SECRET_KEY);
  const bearers = await Promise.all(
    many.map(({ id }) => tokens.signAccess({ accountId, sessionId: id, counter: 0 }, Date.now())),
  );
  return {
    bearers: bearers.map((token) => `Bearer ${token}`),
    basics: many.map(
      ({ password }) => `Basic ${Buffer.from(`mina:${password}`).toString('base64')}`,
    ),
  };
}

const as = (authorization) => ({ headers: { authorization } });
const login = (username) => ({
  path: '/api/v1/login',
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ username, password: PASSWORD }),
});

/** What one verification costs by itself, in a process like the service's, with as many at once. */
async function argonCost({ hashPassword, verifyPassword }) {
  const hash = await hashPassword(PASSWORD);
  await verifyPassword(hash, PASSWORD);
  const before = process.cpuUsage();
  let next = 0;
  const worker = async () => {
    while (next++ < LOGINS) await verifyPassword(hash, PASSWORD);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / LOGINS;
}

async function run(service, { bearers, basics }, password) {
  const kinds = {
    anonymous: () => ({}),
    'token, first use': (i, round) => as(bearers[round * REQUESTS + i]),
    'token, later': () => as(bearers[0]),
    'application password, first use': (i, round) => as(basics[round * REQUESTS + i]),
    'application password, later': () => as(basics[0]),
  };
  const runs = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
  for (let i = 0; i < 3; i++)
    await measure(service, 2 * REQUESTS, () => (i % 2 ? as(bearers[0]) : {})); // warm
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [kind, ask] of Object.entries(kinds)) {
      const cpu = await measure(service, REQUESTS, (i) => ask(i, round));
      if (round > 0) runs[kind].push(cpu);
    }
  }
  const logins = { login: [], 'login, refused': [] };
  await measure(service, LOGINS, () => login('mina'));
  const argon = [];
  for (let round = 0; round < ROUNDS; round++) {
    argon.push(await argonCost(password));
    logins.login.push(await measure(service, LOGINS, () => login('mina')));
    logins['login, refused'].push(await measure(service, LOGINS, () => login('nobody'), 401));
  }
  return { runs, logins, argon: median(argon) };
}

const ms = (microseconds) => (microseconds / 1000).toFixed(3).padStart(8);

function print({ runs, logins, argon }, { memoryCost, timeCost, parallelism }) {
  console.log(
    `load average ${loadavg()[0].toFixed(1)}; CPU of the service's process, ms a request, medians of ${ROUNDS} runs\n`,
  );
  for (const [kind, cpus] of Object.entries(runs)) {
    // Against the anonymous run of the same round, because the machine's pace changes.
    const more = median(cpus.map((cpu, round) => cpu - runs.anonymous[round]));
    console.log(`${kind.padEnd(34)} ${ms(median(cpus))}  more than anonymous ${ms(more)}`);
  }
  console.log(
    `\nargon2id, ${memoryCost} KiB, t=${timeCost}, p=${parallelism}`.padEnd(35),
    ms(argon),
  );
  for (const [kind, cpus] of Object.entries(logins))
    console.log(
      `${kind.padEnd(34)} ${ms(median(cpus))}  besides argon2       ${ms(median(cpus) - argon)}`,
    );
}

async function main() {
  await prepare();
  const [{ openDatabase }, password, { Tokens }, { applicationPasswordHash }] = await Promise.all([
    part('platform/database/open.js'),
    part('domains/accounts/password.js'),
    part('core/tokens.js'),
    part('domains/sign-in/session/credentials.service.js'),
  ]);
  await withDatabase('accounts', async (url) => {
    await (await openDatabase({ url, dataDir: '', wait: 5, migrate: true })).close();
    const credentials = await seed(url, { ...password, Tokens, applicationPasswordHash });
    const port = await freePort();
    const off = {
      RESPONSE_CACHE: 'off',
      RATE_LIMITS: 'off',
      SEED: 'none',
      LOG_LEVEL: 'info',
      NODE_ENV: 'production',
    };
    const env = { DATABASE_URL: url, PORT: String(port), HOST: '127.0.0.1', SECRET_KEY, ...off };
    const child = await start(mainOf(root), { cwd: root, env });
    try {
      print(
        await run({ child, origin: `http://127.0.0.1:${port}` }, credentials, password),
        password.COST,
      );
    } finally {
      await stop(child);
      agent.destroy();
    }
  });
}

main().catch((error) => {
  console.error(error);
  killAll();
  process.exitCode = 1;
});
