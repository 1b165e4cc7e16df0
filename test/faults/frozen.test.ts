import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { patienceOf } from '../../src/platform/database/watch.js';
import { WRITE } from '../../src/platform/database/writes.js';
import { onCluster } from './cluster.js';
import { onServer } from './databases.js';
import { Relay } from './relay.js';
import { type Running, serving } from './serving.js';

/**
 * Everything that needs the database is answered 503 soon, and says when to try again. Returns how
 * long that took, in milliseconds.
 */
async function isAway({ ask }: Running): Promise<number> {
  const began = Date.now();
  const [posts, login, graphql, ready] = (await ask()) as [Response, Response, Response, Response];
  expect([posts.status, login.status, ready.status]).toStrictEqual([503, 503, 503]);
  for (const { headers } of [posts, login]) expect(headers.get('retry-after')).toBeTruthy();
  const { errors } = (await graphql.json()) as { errors: { extensions: { code: string } }[] };
  expect(errors[0]?.extensions.code).toBe('UNAVAILABLE');
  expect(((await ready.json()) as { reasons: object }).reasons).toStrictEqual({
    database: 'The database does not answer.',
  });
  const took = Date.now() - began;
  expect(took, `after ${took} ms; without a bound it is half a minute`).toBeLessThan(
    5_000 * patienceOf(),
  );
  return took;
}

async function recovers({ serves }: Running): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await serves()) return;
    await sleep(100);
  }
  throw new Error('it serves again without a restart');
}

onServer(
  'a network that drops everything is noticed at once, on both faces, and the service recovers ' +
    'by itself',
  async (url) => {
    const relay = await Relay.before(url);
    await serving(relay.url, async (service) => {
      expect(await service.serves()).toBe(true);
      const noticed: number[] = [];
      for (let round = 0; round < 3; round++) {
        relay.freeze();
        noticed.push(await isAway(service));
        await isAway(service);
        relay.thaw();
        await recovers(service);
      }
      // It takes 2 s; a machine that is busy meanwhile may slow some rounds, but hardly all.
      const soonest = Math.min(...noticed);
      expect(soonest, `noticed after ${noticed.join(', ')} ms`).toBeLessThan(3_000 * patienceOf());
    }).finally(() => relay.cut());
  },
);

onServer('a server that is slow for more than a second is busy, and not away', async (url) => {
  const relay = await Relay.before(url);
  await serving(relay.url, async ({ ask, serves, lines }) => {
    expect(await serves()).toBe(true);
    const before = lines.length;
    relay.hold();
    const asked = ask();
    await sleep(1_400);
    relay.go();
    // Who has no account has one second of the database. /readyz waits no longer either.
    for (const answer of (await asked).slice(0, 3))
      expect(await answer.text()).not.toMatch(/cannot reach/);
    expect(lines.slice(before).join('')).not.toMatch(/does not answer/);
  }).finally(() => relay.cut());
});

onServer(
  'an outage is one line a minute in the log, whatever is tried meanwhile, and one when it is over',
  async (url) => {
    const relay = await Relay.before(url);
    await serving(relay.url, async (service) => {
      await relay.cut();
      const before = service.lines.length;
      const until = Date.now() + 6_000;
      while (Date.now() < until) await Promise.all([service.ask(), sleep(200)]);
      const during = service.lines
        .slice(before)
        .filter((line) => !line.includes('"msg":"request"'));
      expect(during, during.join('')).toHaveLength(1);
      expect(during.join('')).toMatch(/PostgreSQL does not answer/);
      await relay.restore();
      await recovers(service);
      expect(
        service.lines.filter((line) => /PostgreSQL answers again, after \d+ s\./.test(line)),
      ).toHaveLength(1);
    }).finally(() => relay.cut());
  },
);

onCluster(
  'a server that is stopped in the midst of its work is noticed at once, whole or in part',
  async (cluster) => {
    await serving(cluster.url, async (service) => {
      const admin = new pg.Client(cluster.url);
      await admin.connect();
      const { rows } = await admin.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE application_name IN ('care', 'care watch') AND pid <> pg_backend_pid()`,
      );
      const backends = rows.map(({ pid }) => pid);
      const signal = (pids: readonly number[], name: NodeJS.Signals) => {
        for (const pid of pids) process.kill(pid, name);
      };
      const all = [await cluster.pid(), ...backends];
      signal(all, 'SIGSTOP');
      await isAway(service);
      signal(all, 'SIGCONT');
      await recovers(service);

      const { rows: served } = await admin.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE application_name = 'care' AND pid <> pg_backend_pid()`,
      );
      const some = served.map(({ pid }) => pid);
      signal(some, 'SIGSTOP');
      const began = Date.now();
      await service.ask();
      expect(Date.now() - began, 'whoever meets a stopped process is told soon').toBeLessThan(
        5_000 * patienceOf(),
      );
      await recovers(service);
      signal(some, 'SIGCONT');
      await admin.end();
    });
  },
);

/**
 * What /readyz says, and the statuses of a write over each face, with the time after which to try
 * again.
 */
async function writing({ url }: Running) {
  const headers = { 'content-type': 'application/json' };
  const guest = await fetch(`${url}/v3/api/v1/guest`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ language: 1 }),
  });
  const query = JSON.stringify({
    query: 'mutation { createGuestSession(input: { language: 1 }) { token } }',
  });
  const graphql = await fetch(`${url}/graphql`, { method: 'POST', headers, body: query });
  const { errors } = (await graphql.json()) as { errors?: { extensions: { code: string } }[] };
  const ready = await fetch(`${url}/readyz`);
  const { warnings } = (await ready.json()) as { warnings?: { database: string } };
  return {
    rest: guest.status,
    again: guest.headers.get('retry-after'),
    graphql: errors?.[0]?.extensions.code,
    ready: ready.status,
    warning: warnings?.database,
  };
}

const WRITES = { again: null, graphql: undefined, ready: 200, warning: undefined };

onServer(
  'writes are 503 on both faces while a database takes none; /readyz stays 200 and warns, since reads go on',
  async (url, admin) => {
    const name = new URL(url).pathname.slice(1);
    const own = new pg.Client(url);
    own.on('error', () => {});
    await own.connect();
    await serving(url, async (service) => {
      const { rest, ...works } = await writing(service);
      expect(rest, String(rest)).toBeLessThan(300);
      expect(works).toStrictEqual(WRITES);
      const isRefused = async (warning: string) =>
        expect(await writing(service)).toStrictEqual({
          rest: 503,
          again: '1',
          graphql: 'UNAVAILABLE',
          ready: 200,
          warning,
        });
      const worksAgain = async () => {
        const warned = async () =>
          (await (await fetch(`${service.url}/readyz`)).text()).includes('warnings');
        for (let tries = 0; tries < 600 && (await warned()); tries++) await sleep(100);
        const { rest: _, ...again } = await writing(service);
        expect(again).toStrictEqual(WRITES);
      };

      // Nothing that needs a new page can be written, as on a full disk.
      await own.query(`
      CREATE FUNCTION disk_full() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RAISE SQLSTATE '53100'; END $$;
      CREATE FUNCTION disk_full_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE SQLSTATE '53100'; END $$;
      CREATE TRIGGER disk_full BEFORE INSERT ON account FOR EACH ROW EXECUTE FUNCTION disk_full_row();
      CREATE EVENT TRIGGER disk_full ON ddl_command_start EXECUTE FUNCTION disk_full()`);
      await isRefused('The disk of the database is full.');
      await own.query('DROP EVENT TRIGGER disk_full; DROP TRIGGER disk_full ON account');
      await worksAgain();

      await admin.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
      await admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name LIKE 'care%'`,
        [name],
      );
      await sleep(200);
      await service.ask();
      await isRefused('The database is read-only.');
      await admin.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
      await admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name LIKE 'care%'`,
        [name],
      );
      await worksAgain();
    }).finally(() => own.end());
  },
);

onServer(
  'a user who may make no temporary tables hears of a read-only database too',
  async (url) => {
    const name = new URL(url).pathname.slice(1);
    const client = new pg.Client(url);
    await client.connect();
    // Roles belong to the whole server: this one is rolled back.
    await client.query(`BEGIN; REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC;
    CREATE ROLE ${name}_plain; SET LOCAL ROLE ${name}_plain`);
    await client.query(WRITE);
    await client.query('SET TRANSACTION READ ONLY');
    await expect(client.query(WRITE)).rejects.toMatchObject({ code: '25006' });
    await client.query('ROLLBACK');
    await client.end();
  },
);
