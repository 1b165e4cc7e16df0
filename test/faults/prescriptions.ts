// What members are to be reminded of, and whether they were: compares what the provider got with
// what the database says.
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { makeDeps } from '../../src/app/make-deps.js';
import { readConfig } from '../../src/config/config.js';
import { RequestContext } from '../../src/core/context.js';
import { Role } from '../../src/core/roles.js';
import { Viewer } from '../../src/core/viewer.js';
import { collapseKey } from '../../src/domains/notifications/delivery/delivery.worker.js';
import { occurrenceId } from '../../src/domains/reminders/alert/occurrence-id.js';
import { createMedicineReminder } from '../../src/domains/reminders/reminder/reminder-create.service.js';
import type { Database } from '../../src/platform/database/database.js';
import type { Received } from '../support/provider.js';
import { openServer } from './databases.js';
import { type Answer, nothingLeft, type Sent, seedMembers, Workforce } from './workforce.js';

const MEMBERS = 120;
const DEVICES = 2;

/** What a test has in hand while faults befall it. */
export interface Trial {
  readonly database: Database;
  readonly workers: Workforce;
  /**
   * Makes a reminder for every member, two for a third of them, that come about two seconds later.
   */
  prescribe(): Promise<void>;
}

/**
 * Lets faults befall workers who remind members, waits until all that was prescribed has gone out,
 * and checks what devices got; answers the figures in words. `answer`: what the provider says to a
 * batch.
 */
export async function remind(
  url: string,
  befall: (trial: Trial) => Promise<void>,
  answer?: (request: Received) => Answer,
): Promise<string> {
  const database = await openServer(url);
  try {
    await enrol(database);
    const workers = await Workforce.hire(url, answer);
    let made = 0;
    try {
      const prescribe = async () => {
        made += await prescribeAll(database, workers.clock);
      };
      await befall({ database, workers, prescribe });
      await allCarried(database);
    } finally {
      await workers.stop();
    }
    const { occurrences, repeated } = await check(database, workers, made);
    return `${occurrences} occurrences, ${workers.sent.length} pushes, ${repeated} of them taken again`;
  } finally {
    await database.close();
  }
}

/**
 * Members with devices; a quarter of them is reminded a second time. A hand-over pauses before it
 * queues its messages, so that a fault can be aimed at the middle of it.
 */
async function enrol(database: Database): Promise<void> {
  await seedMembers(database, MEMBERS, DEVICES);
  const { prisma } = database;
  await prisma.$executeRaw`
    INSERT INTO notification_preference (account_id, renotify_minutes, renotify_times) SELECT id, 1, 1 FROM account WHERE id % 4 = 0`;
  await prisma.$executeRawUnsafe(`
    CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.3); RETURN NULL; END $$`);
  await prisma.$executeRawUnsafe(
    'CREATE TRIGGER pause BEFORE INSERT ON notification EXECUTE FUNCTION pause()',
  );
}

/**
 * Resolves in the middle of a hand-over, with the worker's name; undefined when there is none
 * within three seconds.
 */
export async function handingOver(database: Database): Promise<string | undefined> {
  for (let wait = 0; wait < 300; wait++) {
    const [at] = await database.query<{ worker: string }>(`
      SELECT application_name AS worker FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event = 'PgSleep' ORDER BY random() LIMIT 1`);
    if (at) return at.worker;
    await sleep(10);
  }
  return undefined;
}

/** Answers how many reminders it made. */
async function prescribeAll(database: Database, clock: () => number): Promise<number> {
  const secret = 'k'.repeat(40);
  const config = readConfig({ SEED: 'none', RATE_LIMITS: 'off' });
  const deps = makeDeps({ config, database, secret, log: pino({ level: 'silent' }), clock });
  const site = await deps.readSite();
  const members = Array.from({ length: MEMBERS }, (_, i) => i + 1).flatMap((id) =>
    id % 3 === 0 ? [id, id] : [id],
  );
  const make = async (id: number, startDate: string) => {
    const input = {
      viewer: new Viewer(id, [Role.SUBSCRIBER]),
      site,
      siteUrl: '',
      requestId: 'prescribe',
    };
    await createMedicineReminder(new RequestContext(deps, input), {
      name: 'x',
      frequencyType: 'once',
      startDate,
    });
  };
  for (let next = 0; next < members.length; next += 8) {
    // What lies in the past when it is made does not come: each handful has its own two seconds,
    // which a busy machine may yet outlast.
    const startDate = new Date(Math.ceil(clock() / 1000 + 12) * 1000).toISOString();
    await Promise.all(members.slice(next, next + 8).map((id) => make(id, startDate)));
  }
  return members.length;
}

/** Waits until everything that was prescribed has gone out. */
export function allCarried(database: Database): Promise<void> {
  const left = `(SELECT count(*) FROM reminder_alert WHERE state = 'planned') + (SELECT count(*) FROM delivery WHERE state = 'planned')`;
  return nothingLeft(database, left);
}

interface Owed {
  token: string;
  reminderId: number;
  plannedAt: Date;
  state: string;
  repetition: number;
  messageIds: string[];
}

/**
 * Asserts that each of the `made` reminders reached each device, under one message id, and that
 * nothing else did: one that was still on its way when its repetition was handed over by that
 * repetition. Answers how many occurrences there are, and how many pushes a provider took again.
 */
async function check(
  database: Database,
  workers: Workforce,
  made: number,
): Promise<{ occurrences: number; repeated: number }> {
  const owed = await database.query<Owed>(`
    SELECT v.token, o.reminder_id AS "reminderId", o.planned_at AS "plannedAt", o.state, o.repetition,
      ARRAY(SELECT n.message_id::text FROM notification n WHERE n.account_id = o.account_id AND o.id = ANY(n.alert_ids)) AS "messageIds"
    FROM reminder_alert o JOIN device v ON v.account_id = o.account_id`);
  const received = new Map<string, Sent[]>();
  for (const push of workers.sent) {
    const name = `${push.token} ${push.key}`;
    received.set(name, [...(received.get(name) ?? []), push]);
  }
  const named = new Set<string>();
  for (const { token, reminderId, plannedAt, state, repetition, messageIds } of owed) {
    const id = occurrenceId(reminderId, plannedAt.getTime());
    const name = `${id} (${repetition}) for ${token}`;
    expect(state, name).toMatch(/^(sent|late)$/);
    expect(messageIds, `${name} is in ${messageIds.length} messages`).toHaveLength(1);
    const push = `${token} ${collapseKey(messageIds[0] ?? '')}`;
    const last = received.get(push)?.at(-1);
    if (last) named.add(push);
    const told = last?.taken && last.understood;
    if (!told && owed.some((one) => repeats(one, { token, reminderId, plannedAt, repetition })))
      continue;
    expect(last, `lost: ${name}`).toBeTruthy();
    expect(told, `not tried again: ${name}`).toBeTruthy();
    expect(last?.data.occurrence_ids?.includes(id), `${name} is not named`).toBeTruthy();
  }
  const originals = owed.filter(({ repetition }) => repetition === 0);
  await checkRows(database, made, originals.length / DEVICES);
  expect(owed.length, 'some were repeated, as their members chose').toBeGreaterThan(
    originals.length,
  );
  let repeated = 0;
  for (const [push, pushes] of received) {
    expect(named.has(push), `sent what nobody asked for: ${push}`).toBe(true);
    repeated += workers.repetitions(pushes, push);
  }
  return { occurrences: owed.length / DEVICES, repeated };
}

type Named = Pick<Owed, 'token' | 'reminderId' | 'plannedAt' | 'repetition'>;

/** Whether something that is owed is a repetition of something else; it is looked for itself. */
const repeats = (one: Named, of: Named) =>
  one.token === of.token &&
  one.reminderId === of.reminderId &&
  one.plannedAt.getTime() === of.plannedAt.getTime() &&
  one.repetition > of.repetition;

/**
 * Asserts that the database holds every reminder, an occurrence for each that was not made too
 * late, and no doubt about any.
 */
async function checkRows(database: Database, made: number, occurrences: number): Promise<void> {
  const [reminders] = await database.query<{ all: number; coming: number }>(`
    SELECT count(*)::int AS "all", (count(*) FILTER (WHERE start_date::timestamptz >= date_trunc('minute', created_at)))::int AS coming
    FROM reminder`);
  expect(reminders?.all, 'every reminder was kept').toBe(made);
  expect(occurrences, 'every reminder came').toBe(reminders?.coming);
  // What its repetition overtook is cancelled.
  const states = await database.query<{ state: string }>(
    "SELECT DISTINCT state FROM delivery WHERE code IS DISTINCT FROM 'moot'",
  );
  expect(states, 'the database knows of all').toStrictEqual([{ state: 'accepted' }]);
  const passedOver = await database.prisma.reminderAlert.count({
    where: { retryAt: { not: null } },
  });
  expect(passedOver, 'a fault of the machine is no fault of an occurrence').toBe(0);
}
