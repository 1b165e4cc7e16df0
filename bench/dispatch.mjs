// node bench/dispatch.mjs: a hundred thousand reminders due at once, among a million, carried to a
// transport by two workers, or with --http over HTTP to providers on loopback; what the planning of
// as many costs, and of a new one by its end. See README.md.
import { createECDH, generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { prepare, root } from '../scripts/prepare.mjs';
import { alone, backends, connected, used, withDatabase } from './database.mjs';
import { checkSeed, ledgerOf } from './dispatch-ledger.mjs';
import { fill } from './dispatch-seed.mjs';
import { cpuOf, killAll, messageOf, start, stop, within } from './processes.mjs';

const { values: options } = parseArgs({
  options: {
    reminders: { type: 'string', default: '1000000' },
    due: { type: 'string', default: '100000' },
    waves: { type: 'string', default: '3' },
    workers: { type: 'string', default: '2' },
    gap: { type: 'string', default: '60' },
    only: { type: 'string', default: 'waves,planning,creation' },
    http: { type: 'boolean', default: false },
  },
});
const [REMINDERS, DUE, WAVES, WORKERS, GAP] = ['reminders', 'due', 'waves', 'workers', 'gap'].map(
  (name) => Number(options[name]),
);
const PATIENCE = 300;
const SECOND = 1000;

const part = (path) => import(pathToFileURL(resolve(root, 'dist', path)).href);
const say = (line) => process.stderr.write(`${line}\n`);
const seconds = (milliseconds) => (milliseconds / SECOND).toFixed(1);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/**
 * Megabytes of memory that a process held at most: since `forget`, or since it began. Linux only.
 */
const peakOf = ({ pid }) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

const script = (name) => fileURLToPath(new URL(name, import.meta.url));

async function startWorker(url, records, providers) {
  return start(script('dispatch-worker.mjs'), {
    cwd: root,
    log: 2,
    env: {
      DATABASE_URL: url,
      RECORDS: records,
      NODE_ENV: 'production',
      ...(providers && { PROVIDERS: JSON.stringify(providers.settings) }),
    },
  });
}

/** Providers on loopback, what a worker needs to send to them, and keys of browsers. */
async function startProviders(folder) {
  const records = join(folder, 'providers.records');
  const child = await start(script('dispatch-provider.mjs'), {
    ready: false,
    env: { RECORDS: records },
  });
  const { origin } = await within(PATIENCE, messageOf(child), 'the providers were not ready');
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const own = createECDH('prime256v1');
  const browser = createECDH('prime256v1');
  const account = {
    project_id: 'bench',
    client_email: 'bench@example.com',
    private_key: privateKey,
    token_uri: `${origin}/token`,
  };
  return {
    child,
    records,
    settings: {
      EXPO_URL: origin,
      FCM_URL: origin,
      FCM_SERVICE_ACCOUNT: JSON.stringify(account),
      VAPID_PUBLIC_KEY: own.generateKeys('base64url'),
      VAPID_PRIVATE_KEY: own.getPrivateKey('base64url'),
      VAPID_SUBJECT: 'mailto:bench@example.com',
      WEB_PUSH_LOOPBACK: 'on',
    },
    web: {
      origin,
      p256dh: browser.generateKeys('base64url'),
      auth: randomBytes(16).toString('base64url'),
    },
  };
}

/** What the providers counted since they were asked last; undefined without any. */
async function countsOf(providers) {
  if (!providers) return undefined;
  providers.child.send('counts');
  return within(PATIENCE, messageOf(providers.child), 'the providers did not count');
}

async function command(worker, name, asked = {}) {
  worker.send({ command: name, ...asked });
  const answer = await within(PATIENCE, messageOf(worker), `${name} was not done`);
  if (answer.failure) throw new Error(answer.failure);
  return answer;
}

/**
 * What is used from now on until the answer is called: CPU of each worker and of their backends in
 * seconds, statements, transactions.
 */
async function meter(watcher, workers) {
  const look = async () => ({
    cpu: workers.map(({ pid }) => cpuOf(pid)),
    backends: await backends(watcher, 'care'),
    statements: await Promise.all(
      workers.map(async (worker) => (await command(worker, 'statements')).statements),
    ),
    transactions: Number((await watcher.query(TRANSACTIONS)).rows[0].sum),
  });
  const before = await look();
  // Connections that are not needed are closed within seconds, and their processes end.
  const ended = new Map(before.backends);
  const looking = setInterval(async () => {
    for (const [pid, cpu] of await backends(watcher, 'care')) ended.set(pid, cpu);
  }, SECOND).unref();
  return async () => {
    clearInterval(looking);
    const after = await look();
    const database = used(before.backends, new Map([...ended, ...after.backends]));
    return {
      cpu: after.cpu.map((cpu, i) => (cpu - before.cpu[i]) / 1e6),
      database: database === null ? null : database / 1e6,
      statements: after.statements.reduce((sum, count, i) => sum + count - before.statements[i], 0),
      transactions: after.transactions - before.transactions,
    };
  };
}
const TRANSACTIONS =
  'SELECT xact_commit AS sum FROM pg_stat_database WHERE datname = current_database()';

const WAITING = `SELECT EXISTS (SELECT FROM reminder_alert WHERE state = 'planned' AND due_at <= $1)
  OR EXISTS (SELECT FROM delivery WHERE kind IN ('expo', 'fcm', 'web') AND state = 'planned' AND next_at <= $1::timestamptz + interval '1 hour') AS waiting`;

/** Waits for what is due at an instant, and until everything of it is on its way. */
async function carry(watcher, workers, at) {
  await sleep(at - Date.now() - SECOND);
  const done = await meter(watcher, workers);
  const [load] = loadavg();
  await sleep(at - Date.now());
  for (;;) {
    await sleep(500);
    const { rows } = await watcher.query({
      name: 'waiting',
      text: WAITING,
      values: [new Date(at)],
    });
    if (!rows[0].waiting) return { ...(await done()), load: [load, loadavg()[0]] };
    if (Date.now() - at > PATIENCE * SECOND)
      throw new Error(`What is due was not carried within ${PATIENCE} seconds.`);
  }
}

/** The waves, one after the other, while the workers do all that the service does by itself. */
async function carryWaves(url, folder, watcher, { waves, providers }) {
  const files = Array.from({ length: WORKERS }, (_, i) => join(folder, `${i}.records`));
  const workers = await Promise.all(files.map((file) => startWorker(url, file, providers)));
  const begun = Date.now();
  for (const worker of workers) await command(worker, 'jobs');
  if (Date.now() > waves[0] - 2 * SECOND)
    throw new Error('The seeding took longer than its rehearsal said.');
  const costs = [];
  for (const [i, at] of waves.entries()) {
    say(`wave ${i + 1} of ${waves.length} in ${seconds(at - Date.now())} s …`);
    await countsOf(providers);
    const cost = await carry(watcher, workers, at);
    costs.push({ ...cost, counts: await countsOf(providers) });
  }
  await sleep(2 * SECOND);
  const memory = workers.map(peakOf);
  for (const worker of workers) await stopped(worker);
  if (providers) await stopped(providers.child);
  const from = providers ? [providers.records] : files;
  const ledger = await ledgerOf(watcher, from, { waves, begun });
  return {
    waves: ledger.waves.map((wave, i) => ({ ...wave, ...costs[i] })),
    meanwhile: ledger.meanwhile,
    memory,
  };
}

/** Ends a worker, and waits until it has written everything. */
async function stopped(worker) {
  const gone = once(worker, 'exit');
  await stop(worker);
  await gone;
}

/**
 * The workers plan what became due for planning at once: the state of a day ago, for as many
 * reminders as are in a wave.
 */
async function planWave(url, folder, watcher) {
  const workers = await Promise.all(
    Array.from({ length: WORKERS }, () => startWorker(url, join(folder, 'planning.records'))),
  );
  for (const worker of workers) await command(worker, 'plan'); // what is left of the waves
  const { rowCount } = await watcher.query(
    `UPDATE reminder SET plan_at = now(), planned_until = now() + interval '24 hours' WHERE id IN
      (SELECT id FROM reminder WHERE frequency_type IN ('daily', 'FREQ=DAILY') ORDER BY md5(id::text) LIMIT $1)`,
    [DUE],
  );
  await watcher.query(
    `DELETE FROM reminder_alert o USING reminder r WHERE r.id = o.reminder_id AND r.plan_at <= now() AND o.planned_at >= r.planned_until`,
  );
  await watcher.query('VACUUM ANALYZE reminder, reminder_alert');
  const idle = workers.map(peakOf);
  const done = await meter(watcher, workers);
  const begun = Date.now();
  let wall = 0;
  const made = await Promise.all(
    workers.map(async (worker) => {
      const { rows } = await command(worker, 'plan');
      wall = Math.max(wall, Date.now() - begun);
      return rows;
    }),
  );
  const cost = await done();
  const memory = workers.map(peakOf);
  for (const worker of workers) await stopped(worker);
  return {
    ...cost,
    count: rowCount,
    wall: wall / SECOND,
    made: made.reduce((sum, rows) => sum + rows),
    memory,
    idle,
    load: loadavg()[0],
  };
}

const DAY = 24 * 60 * 60 * SECOND;
const ENDS = { 'a week': 7, 'a year': 365, 'fifty years': 50 * 365.25, none: undefined };
const FREQUENCIES = ['daily', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'];
const [ROUNDS, CREATED] = [24, 10];

/** Makes reminders that end sooner, later and never, in turns. */
async function create(url, folder, watcher) {
  const worker = await startWorker(url, join(folder, 'creating.records'));
  const { rows: members } = await watcher.query(
    'SELECT id FROM account ORDER BY id DESC LIMIT $1',
    [CREATED],
  );
  const kinds = FREQUENCIES.flatMap((frequencyType) =>
    Object.keys(ENDS).map((end) => ({ frequencyType, end, runs: [] })),
  );
  for (let round = -2; round < ROUNDS; round++) {
    for (let turn = 0; turn < kinds.length; turn++) {
      const kind = kinds[(turn + round + kinds.length) % kinds.length];
      const days = ENDS[kind.end];
      const input = {
        name: 'Aspirin',
        frequencyType: kind.frequencyType,
        startDate: '2024-01-01T08:00:00',
        ...(days && { endDate: new Date(Date.now() + days * DAY).toISOString().slice(0, 10) }),
      };
      const before = await backends(watcher, 'care');
      const rowsBefore = await newest(watcher);
      const cost = await command(worker, 'create', { members: members.map(({ id }) => id), input });
      const database = used(before, await backends(watcher, 'care'));
      const rows = (await newest(watcher)) - rowsBefore;
      if (round >= 0) kind.runs.push({ ...cost, database, rows }); // the first ones warm up
    }
  }
  await stopped(worker);
  const medians = kinds.map(({ runs, ...kind }) => {
    const each = (name) => median(runs.map((run) => run[name])) / CREATED;
    return {
      ...kind,
      cpu: each('cpu'),
      database: each('database'),
      statements: each('statements'),
      rows: each('rows'),
    };
  });
  return { kinds: medians, load: loadavg()[0] };
}

const newest = async (watcher) =>
  Number((await watcher.query('SELECT max(id) AS id FROM reminder_alert')).rows[0].id);

const fixed = (number, digits = 1) => (number === null ? '-' : number.toFixed(digits));
const list = (numbers, digits = 0) => numbers.map((number) => fixed(number, digits)).join(', ');

function printWaves({ waves, meanwhile, memory }) {
  const line = (name, values, limit = '') =>
    console.log(
      `${name.padEnd(44)}${values.map((value) => String(value).padStart(10)).join('')}   ${limit}`,
    );
  const each = (name, of, limit) => line(name, waves.map(of), limit);
  line(
    'wave',
    waves.map((_, i) => i + 1),
  );
  each('reminders due at once', ({ due }) => due);
  each('accounts', ({ accounts }) => accounts);
  each('pushes', ({ pushes }) => pushes);
  each('load average before, after', ({ load }) => load.map((one) => one.toFixed(1)).join(' '));
  if (waves[0].counts) {
    each(
      'pushes to Expo, FCM, browsers',
      ({ counts: { expo, fcm, web } }) => `${expo} ${fcm} ${web}`,
    );
    each('Expo, s', ({ counts: { first, last } }) => fixed((last - first) / SECOND));
    each('at 600 a second, s', ({ counts: { expo } }) => fixed(expo / 600), '110 % at most');
    each('most within a second', ({ counts: { fastest } }) => fastest, 'at most 600');
    each('connections at once', ({ counts: { connections } }) => connections, 'at most 6');
    each('refused by Expo', ({ counts: { refused } }) => refused, '0');
  }
  each(
    'until the last push came, s',
    ({ last }) => fixed(last),
    waves[0].counts ? '' : 'at most 30',
  );
  each('lateness p50, s', ({ p50 }) => fixed(p50));
  each('lateness p99, s', ({ p99 }) => fixed(p99), 'at most 60');
  each('greatest lateness of an account, s', ({ last }) => fixed(last));
  each('the noisy account, s', ({ noisy }) => fixed(noisy));
  each('the thousand due after the noisy one, s', ({ behind }) => fixed(behind));
  each('what was due in the minute after, s', ({ next }) => fixed(next));
  for (let i = 0; i < WORKERS; i++) each(`CPU of worker ${i + 1}, s`, ({ cpu }) => fixed(cpu[i]));
  each("CPU of PostgreSQL's backends, s", ({ database }) => fixed(database));
  each('statements', ({ statements }) => statements);
  each('transactions', ({ transactions }) => transactions);
  each(
    'not settled, in no message, in several',
    ({ unsettled, unnamed, repeated }) => `${unsettled} ${unnamed} ${repeated}`,
    '0 0 0',
  );
  each('accounts with divided messages', ({ divided }) => divided, '0');
  each(
    'pushes lost, doubled, unasked',
    ({ lost, doubled, unasked }) => `${lost} ${doubled} ${unasked}`,
    '0 0 0',
  );
  console.log(`\nmemory of the workers at most, MB: ${list(memory)} (at most 300)`);
  const { count, p99, last } = meanwhile;
  console.log(
    `${count} other pushes meanwhile, lateness p99 ${fixed(p99)} s, greatest ${fixed(last)} s\n`,
  );
}

function printPlanning({ count, made, wall, cpu, database, memory, idle, load }) {
  console.log(
    `planning of ${count} reminders at once by ${WORKERS} workers: ${fixed(wall)} s, ${made} occurrences;`,
  );
  console.log(
    `  CPU of the workers ${list(cpu, 1)} s, of PostgreSQL's backends ${fixed(database)} s;`,
  );
  console.log(
    `  memory at most ${list(memory)} MB, ${list(idle)} MB before; load average ${fixed(load)}\n`,
  );
}

function printCreation({ kinds, load }) {
  const line = (name, values) =>
    console.log(`${name.padEnd(48)}${values.map((value) => value.padStart(13)).join('')}`);
  console.log(
    `a new reminder, by when it ends (medians of ${ROUNDS} runs of ${CREATED}); load average ${fixed(load)}`,
  );
  line('', ['CPU µs', 'database µs', 'statements', 'occurrences']);
  for (const { frequencyType, end, cpu, database, statements, rows } of kinds) {
    line(`${frequencyType}, ${end}`, [
      fixed(cpu, 0),
      fixed(database, 0),
      fixed(statements),
      fixed(rows),
    ]);
  }
}

const PARTS = {
  waves: async (...where) => printWaves(await carryWaves(...where)),
  planning: async (...where) => printPlanning(await planWave(...where)),
  creation: async (...where) => printCreation(await create(...where)),
};

async function main() {
  await prepare();
  const { openDatabase } = await part('platform/database/open.js');
  const right = await alone();
  const folder = mkdtempSync(join(tmpdir(), 'care-bench-'));
  try {
    await withDatabase('dispatch', async (url) => {
      try {
        await Promise.race([measure(url, folder, openDatabase), interrupted()]);
      } finally {
        killAll();
      }
    });
  } finally {
    rmSync(folder, { recursive: true });
    await right.end();
  }
}

/** Rejects when somebody ends this program, so that what it made is taken away. */
const interrupted = () =>
  new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'])
      process.once(signal, () => reject(new Error('Stopped.')));
  });

async function measure(url, folder, openDatabase) {
  await (await openDatabase({ url, dataDir: '', wait: 5, migrate: true })).close();
  const watcher = await connected(url);
  watcher.on('error', () => {}); // its database is dropped when this program is interrupted
  const providers = options.http ? await startProviders(folder) : undefined;
  const begun = Date.now();
  const progress = (what) => say(`${seconds(Date.now() - begun)} s: ${what}`);
  const waves = await fill(watcher, {
    reminders: REMINDERS,
    due: DUE,
    waves: WAVES,
    gap: GAP,
    web: providers?.web,
    progress,
  });
  await checkSeed(
    watcher,
    await part('domains/reminders/alert/planned.js'),
    await part('domains/reminders/schedule/schedule.js'),
  );
  say(`seeded in ${seconds(Date.now() - begun)} s`);
  for (const what of options.only.split(',')) {
    say(`${what} …`);
    await PARTS[what](url, folder, watcher, { waves, providers });
  }
  await watcher.end();
}

main().then(
  () => process.exit(),
  (error) => {
    say(error.stack);
    process.exit(1);
  },
);
