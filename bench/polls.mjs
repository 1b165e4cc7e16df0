// node bench/polls.mjs (--submissions 50000 --connections 64): many answer one poll at once, each
// account twice. The count must be exact, or it ends with an error. Then what one submission costs the
// service: 1.5 ms CPU at most is the aim. Needs a PostgreSQL server in BENCH_DATABASE_URL (default:
// postgres on loopback) and a built service (npm start once).
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { connected, withDatabase } from './database.mjs';
import { cpuOf, freePort, killAll, mainOf, start, stop } from './processes.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const part = (path) => import(pathToFileURL(join(root, 'dist', path)).href);
const { values: options } = parseArgs({
  options: {
    submissions: { type: 'string', default: '50000' },
    connections: { type: 'string', default: '64' },
  },
});
const ACCOUNTS = Number(options.submissions) / 2;
const CONNECTIONS = Number(options.connections);
/** Runs that are measured, and the accounts of each. */
const [BATCHES, BATCH] = [8, 200];
const SECRET_KEY = 'only for measurements, never kept';
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

/** Makes accounts with a session each, and a poll of three options. Answers tokens and ids. */
async function seed(client, { Tokens }) {
  const count = ACCOUNTS + BATCHES * BATCH;
  const { rows: accounts } = await client.query(
    `INSERT INTO account (username, username_key, email, email_key, name, slug, roles)
     SELECT 'm' || n, 'm' || n, 'm' || n || '@example.com', 'm' || n || '@example.com', 'M', 'm' || n,
       '{subscriber}' FROM generate_series(1, $1::int) n RETURNING id`,
    [count],
  );
  const sessions = accounts.map(({ id }) => ({ accountId: id, sessionId: randomUUID() }));
  await client.query(
    'INSERT INTO session (id, account_id) SELECT * FROM unnest($1::uuid[], $2::int[])',
    [sessions.map(({ sessionId }) => sessionId), sessions.map(({ accountId }) => accountId)],
  );
  const { rows } = await client.query(
    `WITH made AS (INSERT INTO poll (question, opens_at, created_at) VALUES ('?', now(), now()) RETURNING id)
     INSERT INTO poll_option (poll_id, position, text)
     SELECT id, n, 'Option ' || n FROM made, generate_series(0, 2) n RETURNING id, poll_id AS "pollId"`,
  );
  await client.query('ANALYZE');
  const tokens = new Tokens(SECRET_KEY);
  const bearers = [];
  for (const session of sessions)
    bearers.push(await tokens.signAccess({ ...session, counter: 0 }, Date.now()));
  return { bearers, pollId: rows[0].pollId, optionIds: rows.map(({ id }) => id) };
}

/** Sends one submission and answers its status; throws unless it is 200 or 503. */
function submitOnce(origin, token, body) {
  return new Promise((answer, fail) => {
    const sent = request(
      `${origin}/v3/api/v1/poll/submit`,
      {
        method: 'POST',
        agent,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
        response.on('end', () =>
          response.statusCode === 200 || response.statusCode === 503
            ? answer(response.statusCode)
            : fail(new Error(`It was answered ${response.statusCode}: ${text}`)),
        );
      },
    );
    sent.on('error', fail);
    sent.end(JSON.stringify(body));
  });
}

/** Submissions that were sent again, as apps do, because the service was too busy: 503. */
let repeated = 0;

async function submit(origin, token, body) {
  while ((await submitOnce(origin, token, body)) === 503) repeated++;
}

/** Sends `count` submissions over all connections; `accountOf` names the account of each. */
async function submitAll(origin, { bearers, pollId, optionIds }, count, accountOf) {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const i = next++;
      // The second answer of an account has another option than the first.
      const option_ids = [optionIds[i % optionIds.length]];
      await submit(origin, bearers[accountOf(i)], { poll_id: pollId, option_ids });
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
}

/** Throws unless the poll counts each of so many accounts once. */
async function judge(client, pollId, accounts) {
  const { rows } = await client.query(
    `SELECT participants, (SELECT count(*)::int FROM poll_submission WHERE poll_id = $1) AS answers,
       (SELECT sum(votes)::int FROM poll_option WHERE poll_id = $1) AS votes,
       (SELECT bool_and(o.votes = (SELECT count(*) FROM poll_submission s
         WHERE s.poll_id = $1 AND o.id = ANY(s.option_ids))) FROM poll_option o WHERE poll_id = $1) AS each
     FROM poll WHERE id = $1`,
    [pollId],
  );
  const counted = JSON.stringify(rows[0]);
  const exact = { participants: accounts, answers: accounts, votes: accounts, each: true };
  if (counted !== JSON.stringify(exact)) throw new Error(`The count is not exact: ${counted}`);
  console.log(`exact: ${counted}`);
}

async function run(child, origin, client, seeded) {
  const began = performance.now();
  await submitAll(origin, seeded, 2 * ACCOUNTS, (i) => i >> 1);
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `${2 * ACCOUNTS} submissions of ${ACCOUNTS} accounts from ${CONNECTIONS} connections in ` +
      `${seconds.toFixed(1)} s, ${repeated} sent again after 503; load average ${loadavg()[0].toFixed(1)}`,
  );
  await judge(client, seeded.pollId, ACCOUNTS);
  const cpus = [];
  for (let batch = 0; batch < BATCHES; batch++) {
    const before = cpuOf(child.pid);
    await submitAll(origin, seeded, BATCH, (i) => ACCOUNTS + batch * BATCH + i);
    cpus.push((cpuOf(child.pid) - before) / BATCH / 1000);
  }
  const sorted = cpus.toSorted((a, b) => a - b);
  console.log(
    `a first submission: ${sorted[BATCHES >> 1].toFixed(2)} ms CPU of the service ` +
      `(${sorted[0].toFixed(2)} to ${sorted[BATCHES - 1].toFixed(2)})`,
  );
}

await withDatabase('polls', async (url) => {
  const { openDatabase } = await part('platform/database/open.js');
  await (await openDatabase({ url, dataDir: '', wait: 5, migrate: true })).close();
  const client = await connected(url);
  try {
    const seeded = await seed(client, await part('core/tokens.js'));
    const port = await freePort();
    const off = { RESPONSE_CACHE: 'off', RATE_LIMITS: 'off', SEED: 'none', LOG_LEVEL: 'info' };
    const at = { DATABASE_URL: url, PORT: String(port), HOST: '127.0.0.1', SECRET_KEY };
    const env = { ...at, ...off, NODE_ENV: 'production' };
    const child = await start(mainOf(root), { cwd: root, env });
    await run(child, `http://127.0.0.1:${port}`, client, seeded);
    await stop(child);
  } finally {
    agent.destroy();
    killAll();
    await client.end();
  }
});
