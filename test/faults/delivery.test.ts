import { randomUUID } from 'node:crypto';
import { collapseKey } from '../../src/domains/notifications/delivery/delivery.worker.js';
import type { Database } from '../../src/platform/database/database.js';
import { onServer, openServer } from './databases.js';
import { KILLS, nothingLeft, type Sent, seedMembers, Workforce } from './workforce.js';

const ACCOUNTS = 400;
const DEVICES = 2;

onServer(
  'kill -9 of delivering workers loses no push, and repeats one only under its own message id',
  async (url) => {
    const database = await openServer(url);
    await seedMembers(database, ACCOUNTS, DEVICES);
    const workers = await Workforce.hire(url);
    try {
      for (let kill = 0; kill < KILLS; kill++) {
        const before = workers.sent.length;
        await feed(database, workers.clock);
        await workers.kill(await workers.atWork(before));
      }
      await nothingLeft(
        database,
        `(SELECT count(*) FROM delivery WHERE state = 'planned') + (SELECT count(*) FROM notification WHERE state = 'planned')`,
      );
    } finally {
      await workers.stop();
    }
    try {
      const repeated = await check(database, workers);
      console.log(
        `${KILLS} kills, ${workers.sent.length} pushes sent, ${repeated} of them again after a kill`,
      );
      expect(workers.sent.length, 'the workers had something to do').toBeGreaterThanOrEqual(
        ACCOUNTS * DEVICES * KILLS,
      );
    } finally {
      await database.close();
    }
  },
);

/**
 * Queues a notification for everybody, due now, some of them planned and to be turned into
 * deliveries by the workers.
 */
async function feed({ prisma }: Database, clock: () => number): Promise<void> {
  const [now, round] = [new Date(clock()), randomUUID()];
  await prisma.$executeRaw`
    WITH made AS (
      INSERT INTO notification (account_id, created_by, kind, title, body, message_id, state, created_at, send_at)
      SELECT a.id, a.id, 'message', ${round} || ' ' || a.id, '', gen_random_uuid(),
        CASE WHEN a.id % 4 = 0 THEN 'planned' ELSE 'queued' END, ${now}, ${now}
      FROM account a RETURNING id, account_id, state, send_at
    )
    INSERT INTO delivery (notification_id, device_id, kind, state, due_at, expires_at, next_at)
    SELECT m.id, v.id, v.kind, 'planned', m.send_at, m.send_at + interval '30 minutes', m.send_at
    FROM made m JOIN device v ON v.account_id = m.account_id WHERE m.state = 'queued'`;
}

/**
 * Compares what the provider got with what the database says, and answers how many pushes were
 * repeated.
 */
async function check(database: Database, workers: Workforce): Promise<number> {
  const owed = await database.query<{
    token: string;
    title: string;
    messageId: string;
    state: string;
  }>(`
    SELECT v.token, n.title, n.message_id AS "messageId", d.state
    FROM notification n JOIN device v ON v.account_id = n.account_id
    LEFT JOIN delivery d ON d.notification_id = n.id AND d.device_id = v.id`);
  const received = new Map<string, Sent[]>();
  for (const push of workers.sent) {
    const name = `${push.token} ${push.title}`;
    received.set(name, [...(received.get(name) ?? []), push]);
  }
  let repeated = 0;
  for (const { token, title, messageId, state } of owed) {
    const pushes = received.get(`${token} ${title}`) ?? [];
    expect(state, `${title} for ${token}`).toBe('accepted');
    expect(pushes.length, `lost: ${title} for ${token}`).toBeGreaterThan(0);
    for (const { key } of pushes)
      expect(key, 'sent under another message id').toBe(collapseKey(messageId));
    repeated += workers.repetitions(pushes, `${title} for ${token}`);
    received.delete(`${token} ${title}`);
  }
  expect(received.size, 'sent what nobody asked for').toBe(0);
  return repeated;
}
