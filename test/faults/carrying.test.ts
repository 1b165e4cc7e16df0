import assert from 'node:assert/strict';
import { pino } from 'pino';
import { readConfig } from '../../src/config.js';
import { RequestContext } from '../../src/context.js';
import { makeDeps } from '../../src/deps.js';
import { Role } from '../../src/domains/accounts/role.js';
import { Viewer } from '../../src/domains/accounts/viewer.js';
import { collapseKey } from '../../src/domains/notifications/delivery.worker.js';
import { occurrenceId } from '../../src/domains/reminders/occurrence-id.js';
import { createMedicineReminder } from '../../src/domains/reminders/reminder.service.js';
import { siteReader } from '../../src/domains/site/site.service.js';
import type { Database } from '../../src/platform/database/database.js';
import { onServer, openServer } from './databases.js';
import { KILLS, nothingLeft, type Sent, seedMembers, Workforce } from './workforce.js';

const MEMBERS = 120;
const DEVICES = 2;

onServer(
  'kill -9 of workers that hand over and deliver loses no occurrence, and sends none under two message ids',
  async (url) => {
    const database = await openServer(url);
    await seedMembers(database, MEMBERS, DEVICES);
    // A quarter is reminded a second time.
    await database.prisma.$executeRaw`
    INSERT INTO notification_preference (account_id, renotify_minutes, renotify_times) SELECT id, 1, 1 FROM account WHERE id % 4 = 0`;
    const workers = await Workforce.hire(url);
    let made = 0;
    try {
      for (let kill = 0; kill < KILLS; kill++) {
        const before = workers.sent.length;
        made += await prescribe(database, workers.clock);
        await workers.kill(before);
      }
      await nothingLeft(
        database,
        `(SELECT count(*) FROM occurrence WHERE state = 'planned') + (SELECT count(*) FROM delivery WHERE state = 'planned')`,
      );
    } finally {
      await workers.stop();
    }
    try {
      const [occurrences, repeated] = await check(database, workers, made);
      console.log(
        `${KILLS} kills, ${occurrences} occurrences, ${workers.sent.length} pushes, ${repeated} of them again after a kill`,
      );
    } finally {
      await database.close();
    }
  },
);

/** Makes a reminder for every member, two for a third of them, that come about two seconds later; answers how many. */
async function prescribe(database: Database, clock: () => number): Promise<number> {
  const secret = 'k'.repeat(40);
  const config = readConfig({ SEED: 'none', RATE_LIMITS: 'off' });
  const deps = makeDeps({ config, database, secret, log: pino({ level: 'silent' }), clock });
  const site = await siteReader(deps)();
  const members = Array.from({ length: MEMBERS }, (_, i) => i + 1).flatMap((id) => (id % 3 === 0 ? [id, id] : [id]));
  const make = async (id: number, startDate: string) => {
    const input = { viewer: new Viewer(id, [Role.SUBSCRIBER]), site, siteUrl: '', requestId: 'prescribe' };
    await createMedicineReminder(new RequestContext(deps, input), { name: 'x', frequencyType: 'once', startDate });
  };
  for (let next = 0; next < members.length; next += 8) {
    // What lies in the past when it is made does not come: each handful has its own two seconds.
    const startDate = new Date(Math.ceil(clock() / 1000 + 12) * 1000).toISOString();
    await Promise.all(members.slice(next, next + 8).map((id) => make(id, startDate)));
  }
  return members.length;
}

interface Owed {
  token: string;
  reminderId: number;
  plannedAt: Date;
  state: string;
  repetition: number;
  messageIds: string[];
}

/** Compares what the provider got with the occurrences of the database; answers how many those are, and how many pushes were repeated. */
async function check(database: Database, workers: Workforce, made: number): Promise<[number, number]> {
  const owed = await database.query<Owed>(`
    SELECT v.token, o.reminder_id AS "reminderId", o.planned_at AS "plannedAt", o.state, o.repetition,
      ARRAY(SELECT n.message_id::text FROM notification n WHERE n.account_id = o.account_id AND o.id = ANY(n.occurrence_ids)) AS "messageIds"
    FROM occurrence o JOIN device v ON v.account_id = o.account_id`);
  const received = new Map<string, Sent[]>();
  for (const push of workers.sent) {
    const name = `${push.token} ${push.key}`;
    received.set(name, [...(received.get(name) ?? []), push]);
  }
  const named = new Set<string>();
  for (const { token, reminderId, plannedAt, state, repetition, messageIds } of owed) {
    const id = occurrenceId(reminderId, plannedAt.getTime());
    const name = `${id} (${repetition}) for ${token}`;
    assert.match(state, /^(sent|late)$/, name);
    assert.equal(messageIds.length, 1, `${name} is in ${messageIds.length} messages`);
    const push = `${token} ${collapseKey(messageIds[0] ?? '')}`;
    const [first] = received.get(push) ?? [];
    assert.ok(first, `lost: ${name}`);
    assert.ok(first.data.occurrence_ids?.includes(id), `${name} is not named`);
    named.add(push);
  }
  const originals = owed.filter(({ repetition }) => repetition === 0);
  assert.equal(originals.length, made * DEVICES, 'every reminder came');
  assert.ok(owed.length > originals.length, 'some were repeated, as their members chose');
  let repeated = 0;
  for (const [push, pushes] of received) {
    assert.ok(named.has(push), `sent what nobody asked for: ${push}`);
    repeated += workers.repetitions(pushes, push);
  }
  return [owed.length / DEVICES, repeated];
}
