// node bench/hostile.mjs [--rounds 5] [--only PATTERN] [--seconds 20] [--all]: the twenty dearest requests that
// are known, with their CPU in the service and their points; then how fast /healthz answers while one
// address spends its quota on them. Aims: 10 ms of CPU a point, /healthz within 100 ms at p99. Needs
// a PostgreSQL server in BENCH_DATABASE_URL (default: postgres on loopback) and a built service.
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { connected, withDatabase } from './database.mjs';
import { LISTS } from './hostile-lists.mjs';
import { PLACES } from './hostile-places.mjs';
import { MODEL, REQUESTS, REVISED, revise } from './hostile-requests.mjs';
import { LARGE, MADE, ROOTS, ROUTES } from './hostile-roots.mjs';
import { seedLarge, seedReminders, seedStocks } from './hostile-seed.mjs';
import { SHAPES } from './hostile-shapes.mjs';
import { cpuOf, freePort, killAll, mainOf, start, stop } from './processes.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const { openDatabase } = await import(
  pathToFileURL(join(root, 'dist/platform/database/open.js')).href
);
const part = (path) => import(pathToFileURL(join(root, 'dist', path)).href);
const PARTS = {
  rendering: (await part('domains/content/rendering/rendering.js')).RENDERING,
  ...(await part('domains/reports/rollup/cell.sql.js')),
  ...(await part('domains/reports/rollup/longer-cell.sql.js')),
  ...(await part('domains/reports/catalogue/dose.subject.js')),
};
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '20' },
    all: { type: 'boolean', default: false },
  },
});
const ROUNDS = Number(options.rounds);
const DEAREST = 20;
/** More points than any of them takes but those that no quota covers. */
const WHOLE = 950;
/** Connections of the address that spends its quota. */
const CONNECTIONS = 8;
const PASSWORD = 'only for measurements';
const ROLES = {
  editor: 'EDITOR',
  contributor: 'CONTRIBUTOR',
  member: 'SUBSCRIBER',
  clinician: 'CLINICIAN',
  analyst: 'ANALYST',
  patient: 'SUBSCRIBER',
  hourly: 'SUBSCRIBER',
};

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** Sends a request, and returns its status, its text, and the points that are left. */
function send(origin, wire, caller) {
  if (wire.run) return wire.run(origin, caller);
  const { path, headers = {}, body, method } = wire;
  const { token, agent } = caller;
  return new Promise((answer, fail) => {
    const all = { ...(token && { authorization: `Bearer ${token}` }), ...headers };
    if (body !== undefined) all['content-length'] = Buffer.byteLength(body);
    const verb = method ?? (body === undefined ? 'GET' : 'POST');
    // A long address is in the links of its response twice.
    const asked = { agent, method: verb, headers: all, maxHeaderSize: 65_536 };
    const sent = request(origin + path, asked, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk)).on('error', fail);
      response.on('end', () => {
        const [, left, wait] = /r=(\d+);t=(\d+)/.exec(response.headers.ratelimit ?? '') ?? [];
        answer({
          status: response.statusCode,
          text: Buffer.concat(chunks).toString(),
          left: Number(left),
          wait: Number(wait),
        });
      });
    });
    sent.on('error', fail).end(body);
  });
}

const graphql = (query, variables) => ({
  path: '/graphql',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query, variables }),
});

/** Makes an account for each role, and returns the callers by their names. */
async function makeCallers(origin, agent) {
  const signIn = async (username) => {
    const query = 'mutation($i: LoginInput!) { login(input: $i) { token } }';
    const { text } = await send(origin, graphql(query, { i: { username, password: PASSWORD } }), {
      agent,
    });
    return JSON.parse(text).data.login.token;
  };
  const token = await signIn('admin');
  const callers = { anonymous: { agent }, admin: { agent, token } };
  for (const [username, role] of Object.entries(ROLES)) {
    const input = {
      username,
      email: `${username}@example.com`,
      password: PASSWORD,
      roles: [role],
    };
    const query = 'mutation($i: CreateUserInput!) { createUser(input: $i) { __typename } }';
    await send(origin, graphql(query, { i: input }), { token, agent });
    callers[username] = { agent, token: await signIn(username) };
  }
  return callers;
}

/** Makes a model with three HTML fields. Returns its number. */
async function makeModel(origin, caller) {
  const ask = async (name, type, shown, input) => {
    const query = `mutation($i: ${type}!) { ${name}(input: $i) { model { ${shown} } } }`;
    const { text } = await send(origin, graphql(query, { i: input }), caller);
    return JSON.parse(text).data[name].model;
  };
  const made = { name: 'leaflet', label: 'Leaflet', type: 'POST_TYPE' };
  let model = await ask('createModel', 'CreateModelInput', 'databaseId version', made);
  for (const name of ['a', 'b', 'c']) {
    const { databaseId: modelId, version } = model;
    const field = { modelId, version, name, label: name, type: 'WYSIWYG' };
    model = await ask('createModelField', 'CreateModelFieldInput', 'databaseId version', field);
  }
  return model.databaseId;
}

/** Words of medicines, with who takes how many of them. */
const MEDICINES = [
  ['1 tablet in the morning and 2 tablets at night for 300 days with food', 480, 'patient'],
  ['FREQ=HOURLY', 6, 'hourly'],
  ['FREQ=HOURLY', 25, 'cared-%'],
];

async function seedMedicines(url, origin, callers) {
  for (const [frequency_type, count, names] of MEDICINES) {
    const body = JSON.stringify({ name: 'Medicine', start_date: '2026-01-01', frequency_type });
    const headers = { 'content-type': 'application/json' };
    const made = await send(
      origin,
      { path: '/api/v1/medicine_reminder', headers, body },
      callers.patient,
    );
    await seedReminders(url, { id: JSON.parse(made.text).id, count, names });
  }
}

/** Makes a calendar's feed of whoever takes the most, and finds the members that are cared for. */
async function seedFeed(url, origin, callers) {
  const client = await connected(url);
  const { rows } = await client.query("SELECT id FROM account WHERE username LIKE 'cared-%'");
  MADE.cared = rows.map(({ id }) => id);
  await client.query('UPDATE account SET email_proven_at = now()');
  await client.end();
  const query =
    'mutation { createCalendarFeed(input: { titles: true, alarms: true }) { calendarFeed { url } } }';
  const { text } = await send(origin, graphql(query), callers.hourly);
  MADE.feed = new URL(JSON.parse(text).data.createCalendarFeed.calendarFeed.url).pathname;
}

/** Waits until the jobs have worked off what was made: they would be measured with the requests. */
async function idle(child) {
  for (let quiet = 0; quiet < 3; ) {
    const from = cpuOf(child.pid);
    await sleep(1_000);
    quiet = cpuOf(child.pid) - from < 50_000 ? quiet + 1 : 0;
  }
}

/** Sends one request. Returns its CPU in ms and its points, again when its window was spent. */
async function cost(origin, child, wire, caller) {
  for (;;) {
    const before = await send(origin, wire.hasQuota ? wire : { path: '/api/v1/none' }, caller);
    const from = cpuOf(child.pid);
    const answered = await send(origin, wire, caller);
    const cpu = (cpuOf(child.pid) - from) / 1_000;
    // Pages and sockets do not tell what is left; the look at it is a point.
    if (!(answered.left >= 0)) {
      const after = await send(origin, { path: '/api/v1/none' }, caller);
      Object.assign(answered, { left: after.left + 1, wait: after.wait });
    }
    const points = before.left - answered.left;
    // What costs more than a whole quota is refused, whenever it comes.
    const beyond = answered.status === 429 && before.left > WHOLE;
    if (beyond) return { ...answered, cpu, points: Math.max(points, 1) };
    if (answered.status !== 429 && points >= 0) return { ...answered, cpu, points };
    await sleep((answered.status === 429 ? answered.wait : 1) * 1_000 + 100);
  }
}

/** Measures each request, and returns those that cost the most for a point first. */
async function measure(origin, child, callers) {
  const measured = [];
  const roots = options.all ? [...ROOTS, ...ROUTES] : [];
  const asked = [...LISTS, ...REQUESTS, ...SHAPES, ...PLACES, ...LARGE, ...roots].filter(([name]) =>
    new RegExp(options.only).test(name),
  );
  for (const [name, as, wire] of asked) {
    const runs = [];
    for (let i = 0; i < ROUNDS + 1; i++)
      runs.push(await cost(origin, child, wire(measured.length * 100 + i), callers[as]));
    const { status, points, text } = runs.at(-1);
    const cpu = median(runs.slice(1).map((run) => run.cpu));
    if (process.env.SHOW) console.log(name, status, points, cpu.toFixed(1), text.slice(0, 100));
    measured.push({ name, as, wire, status, points, cpu, each: cpu / Math.max(points, 1) });
  }
  return measured.toSorted((a, b) => b.each - a.each);
}

function printTable(rows) {
  console.log('| request | by | status | CPU, ms | points | ms a point |');
  console.log('|---|---|---|---|---|---|');
  for (const { name, as, status, cpu, points, each } of rows)
    console.log(
      `| ${name} | ${as} | ${status} | ${cpu.toFixed(1)} | ${points} | ${each.toFixed(1)} |`,
    );
}

/** Spends the quota of one address on requests, and returns how long /healthz took meanwhile. */
async function underAttack(origin, callers, rows) {
  const until = performance.now() + Number(options.seconds) * 1_000;
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let [sent, refused, busy] = [0, 0, 0];
  const attack = async (first) => {
    for (let i = first; performance.now() < until; i += CONNECTIONS) {
      const { as, wire } = rows[i % rows.length];
      const { status } = await send(origin, wire(1_000_000 + i), { ...callers[as], agent });
      sent++;
      if (status === 429) refused++;
      if (status === 503) busy++;
    }
  };
  const took = [];
  const look = async () => {
    const own = new Agent({ keepAlive: true, maxSockets: 1 });
    for (; performance.now() < until; await sleep(20)) {
      const from = performance.now();
      await send(origin, { path: '/healthz' }, { agent: own });
      took.push(performance.now() - from);
    }
    own.destroy();
  };
  await Promise.all([look(), ...Array.from({ length: CONNECTIONS }, (_, i) => attack(i))]);
  agent.destroy();
  took.sort((a, b) => a - b);
  const at = (share) => took[Math.floor(took.length * share)].toFixed(1);
  console.log(
    `\n${sent} of them from one address by ${CONNECTIONS} connections, ${refused} refused for its quota, ` +
      `${busy} for load; /healthz ${took.length} times: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ` +
      `at most ${took.at(-1).toFixed(1)} ms (goal: 100 at p99)`,
  );
}

await withDatabase('hostile', async (url) => {
  await (await openDatabase({ url, dataDir: '', wait: 5, migrate: true })).close();
  const port = await freePort();
  const env = {
    DATABASE_URL: url,
    SECRET_KEY: 'only for measurements, never kept',
    PORT: String(port),
    HOST: '127.0.0.1',
    ADMIN_PASSWORD: PASSWORD,
    SEED: 'demo',
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'on',
  };
  const child = await start(mainOf(root), { env, cwd: root });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const origin = `http://127.0.0.1:${port}`;
    const callers = await makeCallers(origin, agent);
    await seedLarge(url, PARTS);
    await seedMedicines(url, origin, callers);
    await seedStocks(url);
    await seedFeed(url, origin, callers);
    MODEL.id = await makeModel(origin, callers.admin);
    const made = await send(origin, revise(0), callers.contributor);
    REVISED.id = JSON.parse(made.text).id;
    for (let i = 1; i <= 10; i++) {
      const { headers } = revise(i);
      const body = JSON.stringify({ title: `revision ${i}` });
      await send(
        origin,
        { path: `/api/v1/posts/${REVISED.id}`, headers, body },
        callers.contributor,
      );
    }
    await idle(child);
    const rows = (await measure(origin, child, callers)).slice(0, DEAREST);
    printTable(rows);
    if (Number(options.seconds) > 0) {
      await sleep(60_000);
      await underAttack(origin, callers, rows);
    }
    console.log(`load average ${loadavg()[0].toFixed(1)}`);
    await stop(child);
  } finally {
    agent.destroy();
    killAll();
  }
});
