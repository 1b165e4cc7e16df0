import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../../src/app/app.js';
import { examine } from '../../src/app/doctor/doctor.js';
import { closeDeps, makeDeps } from '../../src/app/make-deps.js';
import { firstStart } from '../../src/app/seed/first-start.js';
import { databaseOptions, readConfig, replicaOptions } from '../../src/config/config.js';
import { openDatabase, openReplica } from '../../src/platform/database/open.js';
import type { Replica } from '../../src/platform/database/replica.js';
import { makeLog } from '../../src/platform/log.js';
import { registry } from '../../src/platform/metrics/metrics.js';
import { makeListener } from '../../src/process/listener.js';
import { whenOver } from '../support/running.js';
import { type Cluster, onCluster } from './cluster.js';
import { onServer, openServer, withFolder } from './databases.js';
import { Relay } from './relay.js';
import { dataFolder, startService } from './service.js';
import { onStandby, pauseReplay, resumeReplay, tell, until } from './standby.js';

const SECRET_KEY = 's'.repeat(40);
const PASSWORD = 'correct horse battery staple';
const READER = '203.0.113.7';
const OTHER = '198.51.100.9';
/** Where there are so many, only an outage or a fault of the replica sends reads to the primary. */
const MUCH = { READ_LAG_SECONDS: '60' };

type Variables = Readonly<Record<string, string>>;

/** Uses a standby as the service does. Its lines are what the log is told. */
async function replicaOf(url: string, primaryUrl: string, more: Variables = {}) {
  const config = readConfig({
    DATABASE_URL: primaryUrl,
    READ_DATABASE_URL: url,
    SECRET_KEY,
    DATA_DIR: dataFolder(),
    ...more,
  });
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const options = replicaOptions(config);
  if (!options) throw new Error('There is no replica.');
  const replica = await openReplica({ ...options, log });
  whenOver(() => replica.close());
  return { config, replica, lines };
}

/** A service on a server and on its standby, with the post 1. */
async function serve(primary: Cluster, standby: Cluster, more: Variables = {}) {
  const { config, replica, lines } = await replicaOf(standby.url, primary.url, {
    TRUSTED_PROXIES: '1',
    RATE_LIMITS: 'off',
    ADMIN_PASSWORD: PASSWORD,
    ...more,
  });
  const database = await openDatabase({ ...databaseOptions(config), migrate: false });
  const http = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => http.once('listening', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const log = makeLog('silent');
  const deps = makeDeps({ config, database, replica, secret: SECRET_KEY, log, baseUrl: url });
  const app = createApp(deps);
  await firstStart(app);
  const { listener } = await makeListener(app, http, url);
  http.on('request', listener);
  whenOver(async () => {
    http.closeAllConnections();
    http.close();
    await closeDeps(deps);
  });
  const send = async (path: string, from: string, body?: object, token?: string) => {
    const response = await fetch(url + path, {
      headers: {
        'x-forwarded-for': from,
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    expect(response.status, path).toBeLessThan(300);
    return response.json();
  };
  const login = await send('/api/v1/login', OTHER, { username: 'admin', password: PASSWORD });
  const token = login.accessToken ?? login.access_token ?? login.token;
  const post = await send('/api/v1/posts', OTHER, { title: 'Old', status: 'publish' }, token);
  await until(() => replica.isUsed);
  const path = `/api/v1/posts/${post.id}`;
  const query = `{ posts(first: 1) { nodes { title } } }`;
  return {
    replica,
    lines,
    /** The title of the post, by REST. */
    read: async (from = READER, as?: string) =>
      (await send(path, from, undefined, as)).title.rendered,
    /** The same, by GraphQL. */
    ask: async (from = READER, as?: string) =>
      (await send('/graphql', from, { query }, as)).data.posts.nodes[0].title,
    rename: (title: string) => send(path, OTHER, { title }, token),
    token,
  };
}

const metric = async (line: string) => {
  const text = await registry.metrics();
  return Number(new RegExp(`^${line} (.*)$`, 'm').exec(text)?.[1]);
};
const fromReplica = () => metric('care_read_replica_statements_total{from="replica"}');

describe('Reads that may lag', () => {
  onStandby('are those of public content, without an account', async (primary, standby) => {
    const service = await serve(primary, standby, { RESPONSE_CACHE: 'off', ...MUCH });
    await until(async () => (await service.read()) === 'Old');
    await pauseReplay(standby);
    await service.rename('New');
    const before = await fromReplica();
    expect([await service.read(), await service.ask()]).toStrictEqual(['Old', 'Old']);
    expect(await fromReplica()).toBeGreaterThan(before);
    const { token } = service;
    expect(await service.read(OTHER), 'of the network that wrote').toBe('New');
    expect(await service.ask(OTHER), 'of the network that wrote').toBe('New');
    expect(await service.read(READER, token), 'of an account').toBe('New');
    expect(await service.ask(READER, token), 'of an account').toBe('New');
    expect(await service.read(READER, 'nonsense'), 'of a credential').toBe('New');
    await resumeReplay(standby);
    await until(async () => (await service.read()) === 'New');
    expect(service.lines.at(-1)).toBe('Anonymous reads go to READ_DATABASE_URL.');
  });

  onStandby('go to the primary while the lag is too large', async (primary, standby) => {
    const service = await serve(primary, standby, { RESPONSE_CACHE: 'off' });
    expect(await metric('care_read_replica_used')).toBe(1);
    expect(await metric('care_read_replica_lag_seconds')).toBeLessThan(2);
    await pauseReplay(standby);
    await service.rename('New');
    const renamed = performance.now();
    await until(async () => (await service.read()) === 'New');
    expect(performance.now() - renamed).toBeLessThan(8_000);
    await until(() => service.lines.at(-1)?.includes(' not to '));
    expect(service.lines.at(-1)).toBe(
      'Anonymous reads go to DATABASE_URL, and not to READ_DATABASE_URL: it is more than 2 s behind.',
    );
    expect(await metric('care_read_replica_used')).toBe(0);
    expect(await metric('care_read_replica_lag_seconds')).toBeGreaterThan(2);
    await resumeReplay(standby);
    await until(() => service.replica.isUsed);
    expect(await service.read()).toBe('New');
    expect(await metric('care_read_replica_lag_seconds')).toBeLessThan(2);
  });

  onStandby('are never kept without a change that was seen', async (primary, standby) => {
    const service = await serve(primary, standby, MUCH);
    await until(async () => (await service.read()) === 'Old');
    await pauseReplay(standby);
    await service.rename('New');
    expect(await service.read()).toBe('New');
    // As another process changes it: this one learns of that within a second.
    await tell(primary.url, "UPDATE content_item SET title_rendered = 'Newer'");
    await until(async () => (await service.read()) === 'Newer');
    await sleep(1_100);
    expect(await service.read()).toBe('Newer');
    const before = await fromReplica();
    await resumeReplay(standby);
    await sleep(1_000);
    await tell(primary.url, "UPDATE content_item SET title_rendered = 'Newest'");
    await until(async () => (await service.read()) === 'Newest');
    expect(await fromReplica(), 'once it has the change').toBeGreaterThan(before);
  });

  onStandby('go on when the replica dies, and return to it', async (primary, standby) => {
    const service = await serve(primary, standby, { RESPONSE_CACHE: 'off' });
    const titles = new Set<string>();
    let over = false;
    const reading = (async () => {
      while (!over) titles.add(await service.read());
    })();
    await sleep(300);
    await standby.crash();
    await until(() => service.lines.at(-1)?.includes(' not to '));
    expect(service.lines.at(-1)).toMatch(
      /^Anonymous reads go to DATABASE_URL, and not to READ_DATABASE_URL: PostgreSQL at \S+ cannot be reached/,
    );
    await sleep(300);
    await standby.start();
    await until(() => service.replica.isUsed);
    await sleep(300);
    over = true;
    await reading;
    expect([...titles]).toStrictEqual(['Old']);
  });

  onStandby('do not wait long for a replica that is frozen', async (primary, standby) => {
    const service = await serve(primary, standby, { RESPONSE_CACHE: 'off' });
    const pid = await standby.pid();
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    const all = [pid, ...children.split(' ').filter(Boolean).map(Number)];
    for (const each of all) process.kill(each, 'SIGSTOP');
    try {
      const slowest: number[] = [];
      for (const began = performance.now(); performance.now() - began < 3_000; ) {
        const asked = performance.now();
        expect(await service.read()).toBe('Old');
        slowest.push(performance.now() - asked);
      }
      expect(Math.max(...slowest)).toBeLessThan(6_000);
      expect(service.replica.isUsed).toBe(false);
    } finally {
      for (const each of all) process.kill(each, 'SIGCONT');
    }
    await until(() => service.replica.isUsed);
  });
});

/** What the doctor says of a replica. */
async function doctorOf(primaryUrl: string, url: string) {
  const environment = {
    DATABASE_URL: primaryUrl,
    READ_DATABASE_URL: url,
    DATABASE_WAIT: '0',
    SECRET_KEY,
    DATA_DIR: dataFolder(),
  };
  for await (const { what, state, sentence } of examine(environment))
    if (what === 'read replica') return `${state}: ${sentence}`;
  return undefined;
}

describe('The service', () => {
  onStandby('starts, with workers, and reads there', async (primary, standby) => {
    const { child, url } = await startService({
      environment: {
        DATABASE_URL: primary.url,
        READ_DATABASE_URL: standby.url,
        SECRET_KEY,
        HOST: '127.0.0.1',
        WORKERS: '2',
      },
    });
    const metrics = async () => (await fetch(`${url}/metrics`)).text();
    await until(async () => (await metrics()).includes('\ncare_read_replica_used 2\n'));
    expect((await fetch(`${url}/api/v1/posts`)).status).toBe(200);
    await until(async () =>
      /^care_read_replica_statements_total\{from="replica"\} [1-9]/m.test(await metrics()),
    );
    child.signal('SIGTERM');
    expect(await child.ended, child.output.errors).toBe(0);
  });
});

describe('The database for reports', () => {
  onServer('keeps nothing else from working while it is down', async (url) => {
    await openServer(url).then((database) => database.close());
    const relay = await Relay.before(url);
    whenOver(() => relay.cut());
    await relay.cut();
    const { url: address } = await startService({
      environment: {
        DATABASE_URL: url,
        REPORTS_DATABASE_URL: relay.url,
        ADMIN_USERNAME: 'admin',
        ADMIN_PASSWORD: PASSWORD,
        SECRET_KEY,
        HOST: '127.0.0.1',
      },
    });
    const ask = async (path: string, body?: object, token?: string) => {
      const response = await fetch(address + path, {
        headers: {
          'content-type': 'application/json',
          ...(token && { authorization: `Bearer ${token}` }),
        },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
      return response.json();
    };
    const { token } = await ask('/api/v1/login', { username: 'admin', password: PASSWORD });
    const query = '{ doseReport(range: LAST_7_DAYS) { rows { day taken } } }';
    const report = () => ask('/graphql', { query }, token);
    const refusals = async (server: string) => {
      const text = await (await fetch(`${address}/metrics`)).text();
      const line = `^care_database_connections_refused_total{reason="server",server="${server}"} (.+)$`;
      return Number(new RegExp(line, 'm').exec(text)?.[1]);
    };
    const expectDown = async () => {
      const before = await refusals('reports');
      const { errors } = await report();
      expect(errors[0].extensions.code).toBe('UNAVAILABLE');
      expect(await refusals('reports')).toBeGreaterThan(before);
      expect(await refusals('primary')).toBe(0);
      expect(await ask('/readyz')).toMatchObject({
        status: 'ok',
        warnings: {
          'reports database': 'The database for reports does not answer, or lacks migrations.',
        },
      });
    };
    await expectDown();
    await relay.restore();
    await until(async () => (await ask('/readyz')).warnings === undefined);
    expect((await report()).data).toStrictEqual({ doseReport: { rows: [] } });
    await relay.cut();
    await expectDown();
  });
});

describe('npm run doctor', () => {
  onStandby('measures how far the replica is behind', async (primary, standby) => {
    expect(await doctorOf(primary.url, standby.url)).toMatch(
      /^ok: PostgreSQL \S.* answers, \d+ ms behind\.$/,
    );
    await pauseReplay(standby);
    await tell(primary.url, "UPDATE site SET tagline = 'New'");
    expect(await doctorOf(primary.url, standby.url)).toBe(
      'wrong: It is more than 2 s behind (READ_LAG_SECONDS), so it is not used.',
    );
    expect(await doctorOf(primary.url, `${primary.url}?application_name=x`)).toBe(
      'wrong: READ_DATABASE_URL is not used: it is no standby, or is one no more.',
    );
    expect(await doctorOf(primary.url, 'postgres://127.0.0.1:1/x')).toMatch(
      /^wrong: PostgreSQL at 127\.0\.0\.1:1\/x cannot be reached/,
    );
  });
});

describe('A replica is not used', () => {
  const refused = async (replica: Replica, lines: string[], why: RegExp) => {
    await until(() => lines.length > 0);
    expect(lines.at(-1)).toMatch(why);
    expect(replica.isUsed).toBe(false);
    expect(await replica.read('SELECT 1', [], {})).toBeUndefined();
  };

  onCluster('without the migrations of this version', (primary) =>
    withFolder(async (folder) => {
      const standby = await primary.standby(folder);
      await standby.start();
      try {
        await pauseReplay(standby);
        await openServer(primary.url).then((database) => database.close());
        const { replica, lines } = await replicaOf(standby.url, primary.url);
        await refused(
          replica,
          lines,
          /^Anonymous reads go to DATABASE_URL, and not to READ_DATABASE_URL: The database lacks migrations/,
        );
        await resumeReplay(standby);
        await until(() => replica.isUsed);
      } finally {
        await standby.crash().catch(() => {});
      }
    }),
  );

  onCluster('when it is the primary, or another server', async (primary) => {
    await openServer(primary.url).then((database) => database.close());
    const itself = await replicaOf(`${primary.url}?application_name=x`, primary.url);
    await refused(itself.replica, itself.lines, /it is no standby, or is one no more\.$/);
    const admin = process.env.TEST_DATABASE_URL as string;
    const another = await replicaOf(admin, primary.url);
    await refused(another.replica, another.lines, /it is no copy of DATABASE_URL\.$/);
  });

  onStandby('once it was promoted', async (primary, standby) => {
    const { replica, lines } = await replicaOf(standby.url, primary.url);
    await until(() => replica.isUsed);
    await tell(standby.url, 'SELECT pg_promote()');
    await until(() => lines.at(-1)?.includes(' not to '));
    await refused(replica, lines, /: it is (?:a standby no more|no standby, or is one no more)\.$/);
  });
});
