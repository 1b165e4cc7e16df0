// What may befall a service, and the alert that tells of it.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Cluster } from '../faults/cluster.js';
import { run } from '../faults/processes.js';
import { MAIN, type Starting, variables } from '../faults/service.js';
import { otherKey, type Trial } from './trial.js';

/** A fault, as a sentence about the service. */
export interface Fault extends Starting {
  readonly name: string;
  /** The alert that must fire; none where nothing is wrong. */
  readonly alert?: string;
  /** Whether the gate tries it too: nightly tries all. */
  readonly inGate?: boolean;
  /** Whether it needs a server of PostgreSQL of its own. */
  readonly onCluster?: boolean;
  strike(trial: Trial, cluster?: Cluster): Promise<unknown>;
}

const preload = (program: string) =>
  pathToFileURL(fileURLToPath(new URL(program, import.meta.url))).href;
/** The service of the sources of these tests, with a mistake that it has at SIGUSR2. */
const mistaken = (mistake: string): Starting => ({
  command: [
    process.execPath,
    '--import',
    preload('mistakes.js'),
    fileURLToPath(new URL('../../src/main.js', import.meta.url)),
  ],
  environment: { MISTAKE: mistake },
});
/** The service with a clock that is so many seconds ahead from SIGUSR2 on. */
const shifted = (seconds: number): Starting => ({
  environment: {
    NODE_OPTIONS: `--import ${preload('../faults/shifted-clock.js')}`,
    SHIFT: String(seconds),
    SHIFT_LATER: '1',
  },
});
const setClock = async ({ service }: Trial) => service.child.signal('SIGUSR2');

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

const GUEST = ['/v3/api/v1/guest', { language: 1 }] as const;
/** Lets each insert into a table of the database do this. */
const onInsert = (table: string, body: string) => `
  CREATE FUNCTION befall() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NEW; END $$;
  CREATE TRIGGER befall BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION befall()`;

const PROCESSES: readonly Fault[] = [
  { name: 'nothing is wrong', inGate: true, strike: async () => {} },
  {
    name: 'the process is killed',
    alert: 'CareDown',
    inGate: true,
    strike: ({ service }) => service.child.kill(),
  },
  {
    name: 'the process is stopped',
    alert: 'CareDown',
    strike: async ({ service }) => service.child.signal('SIGSTOP'),
  },
  {
    name: 'the process starts again with a key that is not the key of its database',
    alert: 'CareDown',
    async strike({ service, environment }) {
      await service.child.kill();
      const PORT = String(service.port);
      const env = variables({ ...environment, PORT, SECRET_KEY: otherKey() });
      const next = run('the service', [process.execPath, MAIN], { env });
      expect(await next.ended).toBe(1);
    },
  },
  {
    name: 'a worker dies again and again',
    alert: 'CareWorkersDie',
    environment: { WORKERS: '2' },
    async strike({ keep, service }) {
      keep(250, async () => {
        for (const pid of childrenOf(service.child.pid).slice(1)) process.kill(pid, 'SIGKILL');
      });
    },
  },
  {
    name: 'an error is caught by nothing',
    alert: 'CareUncaughtErrors',
    ...mistaken('throw'),
    strike: async ({ service }) => service.child.signal('SIGUSR2'),
  },
  {
    name: 'a run of a job never ends',
    alert: 'CareJobStale',
    ...mistaken('hang'),
    strike: async ({ service }) => service.child.signal('SIGUSR2'),
  },
  {
    name: 'the clock is set ten minutes forward',
    alert: 'CareClockOff',
    ...shifted(600),
    strike: setClock,
  },
  {
    name: 'the clock is set an hour back',
    alert: 'CareClockOff',
    ...shifted(-3_600),
    strike: setClock,
  },
  {
    name: 'one address sends hundreds of requests at once',
    alert: 'CareSheds',
    environment: { DATABASE_POOL: '20' },
    async strike({ keep, ask }) {
      keep(10_000, () => Promise.all(Array.from({ length: 240 }, () => ask('/api/v1/posts'))));
    },
  },
  {
    name: 'somebody guesses passwords',
    alert: 'CareSignInsFail',
    environment: { DATABASE_POOL: '20' },
    async strike({ keep, ask }) {
      keep(200, () => ask('/api/v1/login', { username: 'm1', password: 'a wrong one' }));
    },
  },
];

const DATABASE: readonly Fault[] = [
  {
    name: 'PostgreSQL crashes',
    alert: 'CareDatabaseRefuses',
    onCluster: true,
    strike: async (_trial, cluster) => cluster?.crash(),
  },
  {
    name: 'PostgreSQL is stopped',
    alert: 'CareDatabaseRefuses',
    onCluster: true,
    async strike(_trial, cluster) {
      const server = (await cluster?.pid()) ?? 0;
      for (const pid of [server, ...childrenOf(server)]) process.kill(pid, 'SIGSTOP');
      await sleep(130_000);
      for (const pid of [server, ...childrenOf(server)]) process.kill(pid, 'SIGCONT');
    },
  },
  {
    name: 'the connections to PostgreSQL are cut',
    alert: 'CareDatabaseRefuses',
    strike: ({ postgres }) => postgres.cut(),
  },
  {
    name: 'the network to PostgreSQL drops everything',
    alert: 'CareDatabaseRefuses',
    strike: async ({ postgres }) => postgres.freeze(),
  },
  {
    name: 'the disk of PostgreSQL is full',
    alert: 'CareDatabaseUnwritable',
    inGate: true,
    strike: ({ database }) =>
      database.query(`
        CREATE FUNCTION disk_full() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RAISE SQLSTATE '53100'; END $$;
        ${['notification', 'delivery', 'session', 'audit_seal', 'audit_event']
          .map((table) =>
            onInsert(table, `RAISE SQLSTATE '53100';`).replaceAll('befall', `full_${table}`),
          )
          .join(';')};
        CREATE EVENT TRIGGER disk_full ON ddl_command_start EXECUTE FUNCTION disk_full()`),
  },
  {
    name: 'PostgreSQL becomes read-only',
    alert: 'CareDatabaseUnwritable',
    strike: ({ database }) =>
      database.query(`
        DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$;
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'care%'`),
  },
  {
    name: 'all connections of the pool wait for a lock',
    alert: 'CarePoolExhausted',
    environment: { DATABASE_POOL: '3' },
    async strike({ session, keep, ask }) {
      const holder = await session();
      await holder.query('BEGIN; LOCK TABLE account IN ACCESS EXCLUSIVE MODE');
      keep(1_000, () => ask('/api/v1/login', { username: 'm1', password: 'a wrong one' }));
    },
  },
  {
    name: 'a write of the database is slow',
    alert: 'CareSlow',
    async strike({ database, keep, ask }) {
      await database.query(onInsert('account', 'PERFORM pg_sleep(1.6);'));
      keep(1_000, () => ask(...GUEST));
    },
  },
  {
    name: 'a write of the database fails',
    alert: 'CareErrors',
    async strike({ database, keep, ask }) {
      await database.query(onInsert('account', `RAISE 'a mistake in a trigger';`));
      keep(1_000, () => ask(...GUEST));
    },
  },
  {
    name: 'a job meets a table that is not there',
    alert: 'CareJobFails',
    strike: ({ database }) => database.query('ALTER TABLE sign_in_code RENAME TO gone'),
  },
  {
    name: 'somebody holds the rows of reminders that are due',
    alert: 'CareRemindersLate',
    async strike({ session }) {
      const holder = await session();
      await holder.query(`
        INSERT INTO reminder (account_id, creator_id, kind, name, frequency_type, scheduled, recognized, follows, zone, zone_source,
          start_local, times, times_source, created_at, updated_at)
        VALUES (1, 1, 'medicine', 'Aspirin', 'daily', true, true, true, 'UTC', 'profile', '2026-01-01T08:00:00', '{08:00}', 'usual', now(), now());
        INSERT INTO reminder_alert (reminder_id, account_id, cause, planned_at, due_at, local_time)
        SELECT id, 1, 'due', now() + interval '4 s', now() + interval '4 s', '08:00' FROM reminder`);
      await holder.query('BEGIN; SELECT FROM reminder_alert FOR UPDATE');
    },
  },
  {
    name: 'a row of the audit is under a key that is none of the service',
    alert: 'CareAuditUnsealed',
    strike: ({ database }) =>
      database.query(`
        INSERT INTO audit_event (uid, at, action, key_id, mac)
        VALUES (gen_random_uuid(), now(), 'sign_in', 'other', 'x')`),
  },
];

const OUTSIDE: readonly Fault[] = [
  {
    name: 'Redis is gone',
    alert: 'CareRedisLost',
    environment: { RATE_LIMITS: 'on' },
    strike: ({ redis }) => redis.cut(),
  },
  {
    name: 'the provider of pushes fails',
    alert: 'CareProviderFails',
    inGate: true,
    strike: async ({ answer }) => answer(() => ({ status: 500, body: 'oops' })),
  },
  {
    name: 'the provider of pushes answers 429',
    alert: 'CareProviderFails',
    strike: async ({ answer }) => answer(() => ({ status: 429, headers: { 'Retry-After': '3' } })),
  },
  {
    name: 'the provider of pushes never answers',
    alert: 'CareProviderFails',
    strike: async ({ answer }) => answer(() => ({ after: 600_000 })),
  },
  {
    name: 'the provider of pushes cannot be reached',
    alert: 'CareProviderFails',
    strike: ({ provider }) => provider.stop(),
  },
  {
    name: 'the provider of pushes refuses the key of the service',
    alert: 'CareProviderFails',
    strike: async ({ answer }) =>
      answer(() => ({ status: 401, body: { errors: [{ code: 'UNAUTHORIZED', message: 'no' }] } })),
  },
  {
    name: 'the mail server is gone',
    alert: 'CareMailsLate',
    strike: async ({ stopMails }) => stopMails(),
  },
];

/** All faults: of the process, of its database, and of what else it talks to. */
export const FAULTS: readonly Fault[] = [...PROCESSES, ...DATABASE, ...OUTSIDE];
