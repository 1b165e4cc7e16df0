import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { collapseKey } from '../../src/domains/notifications/delivery.worker.js';
import type { Database } from '../../src/platform/database/database.js';
import { Provider, tickets } from '../support/provider.js';
import { fastClock } from './clock.js';
import { onServer, openServer } from './databases.js';
import { type Child, start } from './processes.js';

/** How many workers are killed; `.ci/nightly` kills 200. */
const KILLS = Number(process.env.DELIVERY_KILLS ?? 10);
/** Six times as fast: a lease of a minute is ten seconds, long enough for a machine that has other things to do. */
const SPEED = 6;
const ACCOUNTS = 400;
const DEVICES = 2;

/** One push as the provider got it. */
interface Sent {
  readonly worker: string;
  readonly at: number;
  readonly token: string;
  readonly title: string;
  readonly key: string;
}

interface Death {
  readonly worker: string;
  readonly at: number;
}

onServer('kill -9 of delivering workers loses no push, and repeats one only under its own message id', async (url) => {
  const database = await openServer(url);
  const epoch = Date.now();
  const clock = fastClock(epoch, SPEED);
  const sent: Sent[] = [];
  const provider = await Provider.start((request) => {
    const worker = request.headers.authorization?.replace('Bearer ', '') ?? '';
    const at = Date.now();
    for (const { to, title, tag } of request.json) sent.push({ worker, at, token: to, title, key: tag });
    return { ...tickets(request), after: 1 + Math.random() * 150 };
  });
  const environment = { DATABASE_URL: url, EXPO_URL: provider.url, EPOCH: String(epoch), SPEED: String(SPEED) };
  let hired = 0;
  const hire = () => {
    const name = `worker-${++hired}`;
    return { name, child: start('deliver.js', { ...environment, WORKER: name }) };
  };
  const workers: { name: string; child: Child }[] = [hire(), hire()];
  const deaths: Death[] = [];
  await seed(database);
  await Promise.all(workers.map(({ child }) => child.says('ready')));
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      const before = sent.length;
      await feed(database, clock);
      for (let wait = 0; wait < 100 && sent.length === before; wait++) await sleep(20);
      await sleep(Math.random() * 1_000);
      const busy = workers.findIndex(({ name }) => name === sent.at(-1)?.worker);
      const victim = busy >= 0 && Math.random() < 0.8 ? busy : Math.floor(Math.random() * workers.length);
      const [dying] = workers.splice(victim, 1, hire());
      await dying?.child.kill();
      deaths.push({ worker: dying?.name ?? '', at: Date.now() });
      await workers[victim]?.child.says('ready');
    }
    await allSent(database);
    await sleep(1_000); // time for a repetition that should not be
  } finally {
    await Promise.all(workers.map(({ child }) => child.kill()));
    await provider.stop();
  }
  try {
    const repeated = await check(database, sent, deaths);
    console.log(`${KILLS} kills, ${sent.length} pushes sent, ${repeated} of them again after a kill`);
    assert.ok(sent.length >= ACCOUNTS * DEVICES * KILLS, 'the workers had something to do');
  } finally {
    await database.close();
  }
});

async function seed({ prisma }: Database): Promise<void> {
  await prisma.$executeRaw`
    INSERT INTO account (username, username_key, email, email_key, name, slug, roles)
    SELECT 'm' || i, 'm' || i, 'm' || i || '@example.com', 'm' || i || '@example.com', 'm', 'm' || i, '{subscriber}'
    FROM generate_series(1, ${ACCOUNTS}::int) i`;
  await prisma.$executeRaw`
    INSERT INTO device (account_id, kind, token, token_hash, created_at, last_seen_at)
    SELECT a.id, 'expo', 'ExponentPushToken[' || a.id || '-' || j || ']', a.id || '-' || j, now(), now()
    FROM account a, generate_series(1, ${DEVICES}::int) j`;
}

/** Queues a notification for everybody, due now, some of them planned and to be turned into deliveries by the workers. */
async function feed({ prisma }: Database, clock: () => number): Promise<void> {
  const [now, round] = [new Date(clock()), randomUUID()];
  await prisma.$executeRaw`
    WITH made AS (
      INSERT INTO notification (account_id, kind, title, body, message_id, state, created_at, send_at)
      SELECT a.id, 'message', ${round} || ' ' || a.id, '', gen_random_uuid(),
        CASE WHEN a.id % 4 = 0 THEN 'planned' ELSE 'queued' END, ${now}, ${now}
      FROM account a RETURNING id, account_id, state, send_at
    )
    INSERT INTO delivery (notification_id, device_id, kind, state, due_at, expires_at, next_at)
    SELECT m.id, v.id, v.kind, 'planned', m.send_at, m.send_at + interval '30 minutes', m.send_at
    FROM made m JOIN device v ON v.account_id = m.account_id WHERE m.state = 'queued'`;
}

/** Waits until nothing is left to send. */
async function allSent(database: Database): Promise<void> {
  for (let second = 0; second < 60; second++) {
    const [left] = await database.query<{ count: number }>(`
      SELECT (SELECT count(*) FROM delivery WHERE state = 'planned') + (SELECT count(*) FROM notification WHERE state = 'planned')
        AS count`);
    if (left?.count === 0) return;
    await sleep(1_000);
  }
}

/** Compares what the provider got with what the database says, and answers how many pushes were repeated. */
async function check(database: Database, sent: readonly Sent[], deaths: readonly Death[]): Promise<number> {
  const owed = await database.query<{ token: string; title: string; messageId: string; state: string }>(`
    SELECT v.token, n.title, n.message_id AS "messageId", d.state
    FROM notification n JOIN device v ON v.account_id = n.account_id
    LEFT JOIN delivery d ON d.notification_id = n.id AND d.device_id = v.id`);
  const received = new Map<string, Sent[]>();
  for (const push of sent) {
    const name = `${push.token} ${push.title}`;
    received.set(name, [...(received.get(name) ?? []), push]);
  }
  const diedAt = new Map(deaths.map(({ worker, at }) => [worker, at]));
  let repeated = 0;
  for (const { token, title, messageId, state } of owed) {
    const pushes = received.get(`${token} ${title}`) ?? [];
    assert.equal(state, 'accepted', `${title} for ${token}`);
    assert.ok(pushes.length > 0, `lost: ${title} for ${token}`);
    for (const { key } of pushes) assert.equal(key, collapseKey(messageId), 'sent under another message id');
    for (const [i, next] of pushes.slice(1).entries()) {
      const push = pushes[i] as Sent;
      const death = diedAt.get(push.worker);
      const between = death !== undefined && push.at <= death && death <= next.at && death - push.at < 5_000;
      assert.ok(between, `repeated without a crash in between: ${title} by ${push.worker} and ${next.worker}`);
      repeated++;
    }
    received.delete(`${token} ${title}`);
  }
  assert.equal(received.size, 0, 'sent what nobody asked for');
  return repeated;
}
