// node bench/hostile.mjs [--rounds 5] [--only PATTERN] [--seconds 20] [--all]: the twenty dearest requests that
// are known, with their CPU in the service and their points; then how fast /healthz answers while one
// address spends its quota on them for so many seconds. Prints each as it is measured. A request that
// takes long is measured in fewer rounds, so that all end within six minutes. A look: `--rounds 1
// --seconds 5`. Aims: 10 ms of CPU a point, /healthz within 100 ms at p99. Needs a PostgreSQL server in
// BENCH_DATABASE_URL (default: postgres on loopback), a built service, and Linux for addresses 127.x.
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
/** Milliseconds of the rounds of one request, and of all: then each has no more rounds, or one. */
const LONGEST = { each: 1_000, all: 210_000 };
/** Seconds to wait for the jobs at most. */
const PATIENCE = 60;
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
function send(origin, wire, caller, again = true) {
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
    sent
      .on('error', (error) => {
        // The service had closed a connection that nothing was sent over for long.
        if (again && sent.reusedSocket && error.code === 'ECONNRESET')
          send(origin, wire, caller, false).then(answer, fail);
        else fail(error);
      })
      .end(body);
  });
}

const since = performance.now();
/** Prints what is done, with the seconds since the start. */
const say = (text) => console.log(`${((performance.now() - since) / 1_000).toFixed(0)} s: ${text}`);

let addresses = 0;
/** A connection from a loopback address that nothing was sent from: its quota is whole. */
function stranger(maxSockets = 1) {
  const n = ++addresses;
  const localAddress = `127.${1 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`;
  return { localAddress, agent: new Agent({ keepAlive: true, maxSockets, localAddress }) };
}

const graphql = (query, variables) => ({
  path: '/graphql',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query, variables }),
});

/** Makes an account for each role, and returns the callers by their names. */
async function makeCallers(origin) {
  const { agent } = stranger();
  const signIn = async (username) => {
    const query = 'mutation($i: LoginInput!) { login(input: $i) { token } }';
    const { text } = await send(origin, graphql(query, { i: { username, password: PASSWORD } }), {
      agent,
    });
    return JSON.parse(text).data.login.token;
  };
  const token = await signIn('admin');
  const callers = { anonymous: stranger(), admin: { agent, token } };
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
  for (let quiet = 0, n = 0; quiet < 3 && n < PATIENCE; n++) {
    const from = cpuOf(child.pid);
    await sleep(1_000);
    quiet = cpuOf(child.pid) - from < 50_000 ? quiet + 1 : 0;
  }
}

/** Leaves a caller without an account an address whose quota is whole. */
function moveOn(caller) {
  if (caller.token) return;
  caller.agent.destroy();
  Object.assign(caller, stranger());
}

/** Sends one request. Returns its CPU in ms and its points, again where the quota did not suffice. */
async function cost(origin, child, wire, caller) {
  for (let tries = 1; ; tries++) {
    const before = await send(origin, wire.hasQuota ? wire : { path: '/api/v1/none' }, caller);
    const from = cpuOf(child.pid);
    const answered = await send(origin, wire, caller);
    const cpu = (cpuOf(child.pid) - from) / 1_000;
    // Pages and sockets do not tell what is left; the look at it is a point.
    if (!(answered.left >= 0))
      answered.left = (await send(origin, { path: '/api/v1/none' }, caller)).left + 1;
    // Below nothing when a window ended between the two.
    const points = before.left - answered.left;
    // What costs more than a whole quota is refused, whenever it comes. So is what has a limit of its own.
    const isWhole = answered.status !== 429 || before.left > WHOLE || tries > 3;
    if (isWhole && points >= 0) return { ...answered, cpu, points };
    moveOn(caller);
  }
}

/** Measures one request in some rounds, until an instant. The first is always made. */
async function measureOne({ origin, child, wire, caller, first, until }) {
  const runs = [await cost(origin, child, wire(first), caller)];
  for (let i = 1; i <= ROUNDS && performance.now() < until; i++)
    runs.push(await cost(origin, child, wire(first + i), caller));
  const { status, points, text } = runs.at(-1);
  // The first warms up, where there are others.
  const counted = runs.slice(runs.length > 1 ? 1 : 0);
  const cpu = median(counted.map((run) => run.cpu));
  return { status, points, text, cpu, each: cpu / Math.max(points, 1), rounds: counted.length };
}

/** Measures each request, and returns those that cost the most for a point first. */
async function measure(origin, child, callers) {
  const measured = [];
  const end = performance.now() + LONGEST.all;
  const roots = options.all ? [...ROOTS, ...ROUTES] : [];
  const asked = [...LISTS, ...REQUESTS, ...SHAPES, ...PLACES, ...LARGE, ...roots].filter(([name]) =>
    new RegExp(options.only).test(name),
  );
  for (const [name, as, wire] of asked) {
    const until = Math.min(performance.now() + LONGEST.each, end);
    const first = measured.length * 100;
    const { text, ...row } = await measureOne({
      ...{ origin, child, wire, caller: callers[as], first, until },
    });
    measured.push({ name, as, wire, ...row });
    const told = process.env.SHOW ? text.slice(0, 100) : '';
    say(
      `${measured.length} of ${asked.length}, ${name}: ${row.status}, ${row.cpu.toFixed(1)} ms, ` +
        `${row.points} points, rounds: ${row.rounds} ${told}`,
    );
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

/**
 * Spends the quota of one new address on requests, and prints how long /healthz took meanwhile. The
 * rounds have left more of the quotas of accounts than can be spent in this time.
 */
async function underAttack(origin, callers, rows) {
  const until = performance.now() + Number(options.seconds) * 1_000;
  const { agent, localAddress } = stranger(CONNECTIONS);
  let [sent, refused, busy, cut] = [0, 0, 0, 0];
  const attack = async (first) => {
    for (let i = first; performance.now() < until; i += CONNECTIONS) {
      const { as, wire } = rows[i % rows.length];
      const caller = { ...callers[as], agent, localAddress };
      // What the quota does not cover is refused before its body is read: the connection may break.
      const answered = await send(origin, wire(1_000_000 + i), caller).catch(() => undefined);
      const status = answered?.status;
      sent++;
      if (status === 429) refused++;
      if (status === 503) busy++;
      if (!answered) cut++;
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
      `${busy} for load, ${cut} cut off; /healthz ${took.length} times: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ` +
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
  try {
    const origin = `http://127.0.0.1:${port}`;
    const callers = await makeCallers(origin);
    say('the service runs');
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
    say('data is made');
    await idle(child);
    say('the jobs are idle');
    const rows = (await measure(origin, child, callers)).slice(0, DEAREST);
    printTable(rows);
    if (Number(options.seconds) > 0) {
      say(`attack of ${options.seconds} s`);
      await underAttack(origin, callers, rows);
    }
    console.log(`load average ${loadavg()[0].toFixed(1)}`);
    await stop(child);
  } finally {
    killAll();
  }
});
