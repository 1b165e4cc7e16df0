// A process of the service, as main.ts puts it together, whose pushes go to the providers that the
// environment names (see dispatch-provider.mjs), or nowhere: then each kind of device has a
// transport that says "delivered" at once and writes to the file RECORDS which device got which
// message when (see records.mjs). Commands: jobs, plan, create, statements.
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../scripts/prepare.mjs';
import { Records } from './records.mjs';

const part = (path) => import(pathToFileURL(resolve(root, 'dist', path)).href);
const [
  app,
  config,
  deps,
  jobs,
  database,
  rolling,
  log,
  memory,
  server,
  context,
  viewers,
  reminders,
  planning,
] = await Promise.all(
  [
    'app/app.js',
    'config/config.js',
    'app/make-deps.js',
    'app/jobs.js',
    'platform/database/open.js',
    'platform/jobs/rolling.js',
    'platform/log.js',
    'platform/heap.js',
    'process/listener.js',
    'core/context.js',
    'core/viewer.js',
    'domains/reminders/reminder/reminder-write.service.js',
    'domains/reminders/alert/plan-due.service.js',
  ].map(part),
);

memory.boundHeap();
const { DATABASE_URL, RECORDS, PROVIDERS } = process.env;
const secret = 'only for measurements, never kept';
const settings = config.readConfig({
  ...JSON.parse(PROVIDERS ?? '{}'),
  DATABASE_URL,
  SECRET_KEY: secret,
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'warn',
});
const db = await database.openDatabase({
  url: DATABASE_URL,
  dataDir: '',
  wait: 10,
  migrate: false,
});
const records = new Records(RECORDS);

/** As much at once as the transports of src/platform/push take. */
const push = Object.fromEntries(
  [
    ['expo', 100, 6],
    ['fcm', 1, 100],
    ['web', 1, 50],
  ].map(([kind, batch, concurrency]) => [
    kind,
    { name: 'null', batch, concurrency, send: async (messages) => taken(messages) },
  ]),
);

function taken(messages) {
  const now = Date.now();
  for (const { id, token } of messages)
    records.add({ device: Number(/\d{22}/.exec(token)[0]), at: now, id });
  return messages.map(() => ({ kind: 'delivered' }));
}

const pino = log.makeLog('warn');
const service = app.createApp({
  ...deps.makeDeps({ config: settings, database: db, secret, log: pino }),
  ...(PROVIDERS === undefined && { push }),
});
const http = createServer().listen(0, '127.0.0.1');
const { listener } = await server.makeListener(service, http, 'http://bench.example');
http.on('request', listener);

let stopJobs = async () => {};
const COMMANDS = {
  /** Does by itself what every process of the service does. */
  jobs: () => {
    stopJobs = rolling.startRolling(jobs.jobsOf(service), pino);
  },
  plan: async () => ({ rows: await planning.planDue(service.deps) }),
  create,
  statements: () => ({ statements: db.statements }),
};

/** Makes a reminder for each of these members; CPU of this process in microseconds. */
async function create({ members, input }) {
  const statements = db.statements;
  const before = process.cpuUsage();
  for (const id of members) {
    const request = {
      viewer: new viewers.Viewer(id, ['subscriber']),
      site: await service.deps.readSite(),
      siteUrl: '',
      requestId: 'create',
      timeZone: 'Europe/Berlin',
    };
    await reminders.createMedicineReminder(
      new context.RequestContext(service.deps, request),
      input,
    );
  }
  const { user, system } = process.cpuUsage(before);
  return { cpu: user + system, statements: db.statements - statements };
}

process.on('message', async ({ command, ...asked }) => {
  try {
    process.send({ ...(await COMMANDS[command](asked)) });
  } catch (error) {
    process.send({ failure: error.stack });
  }
});

process.once('SIGTERM', async () => {
  await stopJobs();
  records.close();
  process.exit(0);
});
process.send('ready');
