import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Database,
  isUnavailable,
  StartError,
  TimeBudget,
  type TimeLimitError,
} from '../../../src/platform/database/database.js';
import { openDatabase } from '../../../src/platform/database/open.js';
import { configOf } from '../../../src/platform/database/postgresql.js';
import { Watch, WatchedClient } from '../../../src/platform/database/watch.js';
import { onServer, openServer } from '../../faults/databases.js';
import { Relay } from '../../faults/relay.js';

const refuses = (url: string, wait: number, sentence: RegExp) =>
  expect(openDatabase({ url, dataDir: '/nowhere', wait, migrate: true })).rejects.toSatisfy(
    (error) => {
      expect(error).toBeInstanceOf(StartError);
      expect(error.message).toMatch(sentence);
      expect(`${error.message} ${error.stack}`).not.toMatch(/opensesame/);
      return true;
    },
  );

test('an unreachable server is refused after the wait, in one sentence without the password', async () => {
  const began = Date.now();
  const sentence =
    /^PostgreSQL at 127\.0\.0\.1:1\/care cannot be reached, after waiting 1 seconds \(ECONNREFUSED\)\.$/;
  await refuses('postgres://care:opensesame@127.0.0.1:1/care', 1, sentence);
  expect(Date.now() - began, 'it waited').toBeGreaterThanOrEqual(950);
});

test('an address that is not one of PostgreSQL is refused without repeating it', async () => {
  await refuses(
    'mysql://care:opensesame@127.0.0.1/care',
    0,
    /^DATABASE_URL should begin with postgres:\/\//,
  );
  await refuses('//care:opensesame@', 0, /^DATABASE_URL is not an address/);
});

onServer(
  'a database or a user that does not exist is refused at once, naming what the server said',
  async (url) => {
    await refuses(`${url}x`, 30, /refused: database "\w+x" does not exist\.$/);
    const stranger = Object.assign(new URL(url), {
      username: 'nobody_of_ours',
      password: 'opensesame',
    }).href;
    await refuses(
      stranger,
      30,
      /refused: (?:role|password authentication failed for user) "nobody_of_ours"[^\n]*\.$/,
    );
  },
);

onServer('a server that comes up during the wait is used', async (url) => {
  const relay = await Relay.before(url);
  await relay.cut();
  const comingUp = setTimeout(() => void relay.restore(), 700);
  try {
    const database = await openDatabase({
      url: relay.url,
      dataDir: '/nowhere',
      wait: 10,
      migrate: true,
    });
    await database.close();
  } finally {
    clearTimeout(comingUp);
    await relay.cut();
  }
});

onServer(
  'while a server is lost requests are unavailable within seconds, and it is used again when ' +
    'it is back',
  async (url) => {
    const relay = await Relay.before(url);
    const database = await openServer(relay.url);
    try {
      await works(database);
      await relay.cut();
      await isDown(database);
      await relay.restore();
      await works(database);
      relay.silence();
      await isDown(database);
      await relay.restore();
      await works(database);
      relay.freeze();
      await isDown(database);
      relay.thaw();
      await untilWorks(database);
    } finally {
      await relay.cut();
      await database.close();
    }
  },
);

onServer('a server that is busy is not taken for one that is silent', async (url) => {
  const database = await openServer(url);
  const { prisma } = database;
  const slow = Array.from({ length: 3 }, () => prisma.$queryRaw`SELECT pg_sleep(2.5)::text`);
  const locked = database.transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE language`;
    const reading = database.query('SELECT count(*) AS count FROM language');
    await sleep(2_000);
    return () => reading;
  });
  const [read] = [await locked];
  expect(await read()).toStrictEqual([{ count: 7 }]);
  await Promise.all(slow);
  await database.close();
});

/**
 * Asks a server over a connection whose packets are held for so long, or until the question is given up.
 * The watch asks over its own connections to `watched`.
 */
async function answered(
  relay: Relay,
  watched: string,
  { load, held }: { readonly load: number; readonly held: number },
): Promise<boolean> {
  const watch = new Watch({ config: configOf(watched), pooled: false, load: () => load });
  const client = new WatchedClient({ ...configOf(relay.url), watch });
  client.on('error', () => {});
  try {
    await client.connect();
    relay.hold();
    const asked = client.query('SELECT 1').then(
      () => true,
      () => false,
    );
    await Promise.race([asked, sleep(held)]);
    relay.go();
    return await asked;
  } finally {
    watch.close();
    await client.end();
  }
}

onServer('a server that sends nothing may be as slow as this machine is busy', async (url) => {
  const relay = await Relay.before(url);
  try {
    expect(await answered(relay, relay.url, { load: 0.5, held: 20_000 })).toBe(false);
    expect(await answered(relay, relay.url, { load: 4, held: 3_000 })).toBe(true);
  } finally {
    await relay.cut();
  }
});

onServer(
  'a process of the server that gets no time has as long as this machine is busy',
  async (url) => {
    const relay = await Relay.before(url);
    try {
      expect(await answered(relay, url, { load: 0.5, held: 20_000 })).toBe(false);
      expect(await answered(relay, url, { load: 0.5, held: 700 })).toBe(true);
      expect(await answered(relay, url, { load: 4, held: 2_500 })).toBe(true);
    } finally {
      await relay.cut();
    }
  },
);

onServer(
  'sessions have a limit for statements and for transactions that do nothing, and compile no plans',
  async (url) => {
    const database = await openServer(url);
    const setting = async (name: string) =>
      (await database.query('SELECT current_setting($1) AS value', [name]))[0]?.value;
    expect(await setting('statement_timeout')).toBe('30s');
    expect(await setting('idle_in_transaction_session_timeout')).toBe('1min');
    expect(await setting('jit')).toBe('off');
    await database.close();
  },
);

onServer(
  'a statement that runs out of time is dear when an idle server would need as long, else the ' +
    'server is busy',
  async (url) => {
    const database = await openServer(url);
    const judged = (text: string) =>
      database.query(text, [], { budget: new TimeBudget(300) }).then(
        () => 'it was answered',
        (error: TimeLimitError) => [error.name, error.dear],
      );
    expect(await judged('SELECT count(*) FROM generate_series(1, 100000000)')).toStrictEqual([
      'TimeLimitError',
      true,
    ]);
    expect(await judged('SELECT pg_sleep(20)')).toStrictEqual(['TimeLimitError', false]);
    const budget = new TimeBudget(1_000);
    const many = Array.from({ length: 5 }, () =>
      database.query('SELECT count(*) FROM generate_series(1, 40000000)', [], { budget }),
    );
    const dear = (await Promise.allSettled(many)).map(
      (result) => result.status === 'rejected' && result.reason.dear,
    );
    expect(dear, 'together they are dear').toStrictEqual([true, true, true, true, true]);
    await database.close();
  },
);

async function works(database: Database): Promise<void> {
  await database.ping();
  expect(await database.prisma.language.count()).toBe(7);
  expect(await database.transaction((tx) => tx.language.count())).toBe(7);
}

/** It is noticed within a moment that the server answers again. */
async function untilWorks(database: Database): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (
      await database.ping().then(
        () => true,
        () => false,
      )
    )
      break;
    await sleep(100);
  }
  await works(database);
}

async function isDown(database: Database): Promise<void> {
  const began = Date.now();
  const { prisma } = database;
  const attempts = [
    database.ping(),
    database.query('SELECT 1'),
    prisma.site.count(),
    database.db.$queryRaw`SELECT 1`,
    database.db.site.count(),
    database.transaction((tx) => tx.site.count()),
    database.transaction((tx) => tx.$queryRaw`SELECT 1`),
  ];
  for (const result of await Promise.allSettled(attempts)) {
    const reason = result.status === 'rejected' ? result.reason : 'it was answered';
    expect(isUnavailable(reason), String(reason)).toBe(true);
  }
  expect(Date.now() - began, `it took ${Date.now() - began} ms`).toBeLessThan(10_000);
}
