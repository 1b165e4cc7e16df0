// A service in operation, with all that it talks to on loopback, and people who use it.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SMTPServer } from 'smtp-server';
import { openServer } from '../faults/databases.js';
import { Relay } from '../faults/relay.js';
import { type Service, type Starting, startService } from '../faults/service.js';
import { seedMembers } from '../faults/workforce.js';
import { Provider, type Received, type Reply, tickets } from '../support/provider.js';
import { Recording, STEP } from './recording.js';

const MEMBERS = 20;
/** Samples before the fault, and after it: those of two minutes, and one more. */
const HEALTHY = 4;
const FAULTY = 9;
const SAMPLES = HEALTHY + 1 + FAULTY;
/** Milliseconds after which a request of people is given up. */
const PATIENCE = 20_000;

const JSON_TYPE = { 'content-type': 'application/json' };

/** What a fault has in hand. */
export interface Trial {
  readonly service: Service;
  /** The environment of the service, to start another one. */
  readonly environment: Readonly<Record<string, string>>;
  /** A session in the database that no relay is before. */
  readonly database: pg.Client;
  readonly postgres: Relay;
  readonly redis: Relay;
  readonly provider: Provider;
  /** How the provider answers from now on. */
  answer(reply: (request: Received) => Reply): void;
  /** Nobody takes mails any more. */
  stopMails(): void;
  /** Does this every so many milliseconds until the trial is over, whatever becomes of it. */
  keep(every: number, work: () => Promise<unknown>): void;
  /** Sends a request to the service. */
  ask(path: string, body?: object): Promise<string>;
  /** Opens another session in the database, which ends with the trial. */
  session(): Promise<pg.Client>;
}

/** What a trial is begun with. */
interface Beginning extends Starting {
  readonly strike: (trial: Trial) => Promise<unknown>;
}

/** When the fault strikes, and when its alert must fire at the latest, in seconds of a recording. */
export const STRIKES = HEALTHY * STEP;
export const FIRES_BY = STRIKES + 120;

/**
 * Runs the service on a database, with people who use it, and lets a fault befall it. Returns what
 * was recorded of it.
 */
export async function recorded(
  url: string,
  { command, environment: own = {}, strike }: Beginning,
): Promise<Recording> {
  const ends: (() => unknown)[] = [];
  try {
    const trial = await begin(url, { ...(command && { command }), environment: own }, ends);
    await warmedUp(trial);
    const recording = new Recording(trial.service.url);
    const began = performance.now();
    let struck: Promise<unknown> | undefined;
    for (let i = 0; i < SAMPLES; i++) {
      await sleep(Math.max(0, began + i * STEP * 1_000 - performance.now()));
      await recording.scrape();
      if (i !== HEALTHY) continue;
      struck = strike(trial);
      struck.catch(() => {}); // it is thrown at the end
    }
    await struck;
    return recording;
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

async function begin(
  url: string,
  { command, environment: own }: Starting,
  ends: (() => unknown)[],
): Promise<Trial> {
  const prepared = await openServer(url);
  await seedMembers(prepared, MEMBERS, 1);
  await prepared.close();
  const [postgres, redis] = await Promise.all([
    Relay.before(url),
    Relay.before(process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'),
  ]);
  ends.push(
    () => postgres.cut(),
    () => redis.cut(),
  );
  const session = async () => {
    const client = new pg.Client(url);
    client.on('error', () => {}); // some faults end it
    await client.connect();
    ends.push(() => client.end().catch(() => {}));
    return client;
  };
  let reply: (request: Received) => Reply = well;
  const provider = await Provider.start((request) => reply(request));
  ends.push(() => provider.stop());
  const mails = await mailServer();
  ends.push(() => mails.close());
  const environment = {
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    EXPO_URL: provider.url,
    SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    SECRET_KEY: 's'.repeat(40),
    HOST: '127.0.0.1',
    RESPONSE_CACHE: 'off',
    RATE_LIMITS: 'off',
    ...own,
  };
  const service = await startService({ ...(command && { command }), environment });
  ends.push(() => service.child.kill());
  const over = new AbortController();
  ends.push(() => over.abort());
  const database = await session();
  const trial: Trial = {
    service,
    environment,
    database,
    postgres,
    redis,
    provider,
    answer: (next) => {
      reply = next;
    },
    stopMails: () => void mails.close(),
    keep: (every, work) => void repeated(every, work, over.signal),
    ask: (path, body) => ask(service.url + path, body),
    session,
  };
  peopleUse(trial);
  return trial;
}

/**
 * Resolves when the service answers ten requests one after the other within their time: what is
 * loaded at the first of them is no fault.
 */
async function warmedUp({ ask }: Trial): Promise<void> {
  for (let good = 0, tries = 0; good < 10 && tries < 300; tries++) {
    const began = performance.now();
    const text = await ask('/graphql', { query: '{ posts(first: 1) { nodes { id } } }' }).catch(
      () => '',
    );
    good = text.includes('"data"') && performance.now() - began < 500 ? good + 1 : 0;
    await sleep(250);
  }
}

/** Work goes on while runs of it are slow, and when one fails. */
async function repeated(
  every: number,
  work: () => Promise<unknown>,
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    void work().catch(() => {});
    await sleep(every, undefined, { signal: over }).catch(() => {});
  }
}

async function ask(url: string, body?: object): Promise<string> {
  const response = await fetch(url, {
    ...(body && { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(PATIENCE),
  });
  return response.text();
}

/** People read on both faces and mistype a password now and then; pushes and mails come due. */
function peopleUse({ keep, ask, database }: Trial): void {
  keep(1_000, () => ask('/api/v1/posts'));
  keep(1_000, () => ask('/graphql', { query: '{ posts(first: 1) { nodes { id } } }' }));
  keep(7_000, () => ask('/api/v1/login', { username: 'nobody', password: 'a wrong one' }));
  keep(2_000, () => database.query(PUSHES));
  keep(5_000, () => database.query(MAIL));
}

/** A message to each member, due now. */
const PUSHES = `
  WITH made AS (
    INSERT INTO notification (account_id, created_by, kind, title, body, message_id, state, created_at, send_at)
    SELECT a.id, a.id, 'message', 'Hello', '', gen_random_uuid(), 'queued', now(), now() FROM account a
    WHERE username LIKE 'm%' RETURNING id, account_id, send_at
  )
  INSERT INTO delivery (notification_id, device_id, kind, state, due_at, expires_at, next_at)
  SELECT m.id, v.id, v.kind, 'planned', m.send_at, m.send_at + interval '30 minutes', m.send_at
  FROM made m JOIN device v ON v.account_id = m.account_id`;

const MAIL = `
  INSERT INTO outgoing_mail (id, "to", to_key, template, language, "values", created_at, due_at)
  VALUES (gen_random_uuid(), 'm1@example.com', 'm1@example.com', 'password_changed', 'en', '{"name":"m"}', now(), now())`;

const well = (request: Received): Reply =>
  request.path.endsWith('/getReceipts') ? { body: { data: {} } } : tickets(request);

async function mailServer(): Promise<{ port: number; close(): void }> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 1,
    logger: false,
    onData: (stream, _session, done) => void stream.on('end', done).resume(),
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as { port: number };
  return { port, close: () => server.close() };
}

/** A key that no other service has. */
export const otherKey = () => randomBytes(20).toString('hex');
