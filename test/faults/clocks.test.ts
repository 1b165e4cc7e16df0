import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Database } from '../../src/platform/database/database.js';
import { Provider, tickets } from '../support/provider.js';
import { onServer, openServer } from './databases.js';
import { type Child, start } from './processes.js';
import { seedMembers } from './workforce.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const PRELOAD = pathToFileURL(fileURLToPath(new URL('shifted-clock.js', import.meta.url))).href;

/** A whole service as a process of its own. */
interface Service {
  readonly child: Child;
  readonly url: string;
  /** GET /readyz. */
  ready(): Promise<{ status: number; reasons: Record<string, string> }>;
}

interface Trial {
  readonly database: Database;
  /** Titles of the pushes that devices got. */
  readonly pushes: string[];
  /** Starts a process whose clock is so many seconds ahead, at once or when it gets SIGUSR2. */
  run(seconds: number, later?: 'later'): Promise<Service>;
  /**
   * Plans a message to the member so many seconds from now, by the database's clock; answers its
   * id.
   */
  due(seconds: number): Promise<string>;
  /** Resolves when the database's clock is `seconds` after that message was due. */
  past(id: string, seconds: number): Promise<void>;
  stateOf(id: string): Promise<string>;
}

const until = async (what: string, test: () => Promise<boolean>) => {
  for (let wait = 0; wait < 600; wait++) {
    if (await test()) return;
    await sleep(100);
  }
  throw new Error(`in a minute it did not come to: ${what}`);
};

const headers = { 'content-type': 'application/json' };

/** The access token of a new guest. */
async function guestAt(url: string): Promise<string> {
  const body = JSON.stringify({ language: 1 });
  const response = await fetch(`${url}/v3/api/v1/guest`, { method: 'POST', headers, body });
  return ((await response.json()) as { token: string }).token;
}

/** Whether a service knows whose access token this is. */
async function isKnownAt(url: string, token: string): Promise<boolean> {
  const authorization = `Bearer ${token}`;
  const body = JSON.stringify({ query: '{ viewer { id } }' });
  const options = { method: 'POST', headers: { ...headers, authorization }, body };
  const answer = (await (await fetch(`${url}/graphql`, options)).json()) as {
    data?: { viewer: unknown };
  };
  return Boolean(answer.data?.viewer);
}

/**
 * A member with a device and a medicine, and processes of the service beside one another on one
 * server.
 */
function onProcesses(title: string, body: (trial: Trial) => Promise<void>): void {
  onServer(title, async (url) => {
    const pushes: string[] = [];
    const provider = await Provider.start((request) => {
      if (request.path.endsWith('/getReceipts')) return { body: { data: {} } };
      for (const { title } of request.json) pushes.push(title);
      return tickets(request);
    });
    const database = await openServer(url);
    const children: Child[] = [];
    try {
      await seedMembers(database, 1, 1);
      // It stands for what comes; the planner has nothing to do with it.
      await database.query(`
        INSERT INTO reminder (account_id, creator_id, kind, name, frequency_type, scheduled, recognized, follows, zone, zone_source,
          start_local, times, times_source, created_at, updated_at)
        VALUES (1, 1, 'medicine', 'Aspirin', 'daily', true, true, true, 'UTC', 'profile', '2026-01-01T08:00:00', '{08:00}', 'usual', now(), now())`);
      const environment = {
        DATABASE_URL: url,
        PORT: '0',
        HOST: '127.0.0.1',
        SECRET_KEY: 'k'.repeat(40),
        SEED: 'none',
        LOG_LEVEL: 'info',
        EXPO_URL: provider.url,
        DATA_DIR: '/nowhere',
        NODE_OPTIONS: `--import ${PRELOAD}`,
      };
      await body({
        database,
        pushes,
        async run(seconds, later) {
          const shift = { SHIFT: String(seconds), ...(later && { SHIFT_LATER: '1' }) };
          const child = start('../../src/main.js', { ...environment, ...shift });
          children.push(child);
          await child.says('"msg":"ready"');
          const url = /"baseUrl":"([^"]+)"[^\n]*"msg":"ready"/.exec(child.output.text)?.[1] ?? '';
          const ready = async () => {
            const response = await fetch(`${url}/readyz`);
            const { reasons = {} } = (await response.json()) as {
              reasons?: Record<string, string>;
            };
            return { status: response.status, reasons };
          };
          return { child, url, ready };
        },
        async due(seconds) {
          const [row] = await database.query<{ id: string }>(
            `INSERT INTO reminder_alert (reminder_id, account_id, cause, planned_at, due_at, local_time)
             SELECT 1, 1, 'due', at, at, '2026-01-01T08:00:00' FROM (SELECT date_trunc('second', now()) + make_interval(secs => $1) AS at) AS t
             RETURNING id::text`,
            [seconds],
          );
          return row?.id as string;
        },
        past: (id, seconds) =>
          until('a time', async () => {
            const rows = await database.query(
              'SELECT 1 FROM reminder_alert WHERE id = $1::bigint AND due_at + ' +
                'make_interval(secs => $2) <= now()',
              [id, seconds],
            );
            return rows.length > 0;
          }),
        async stateOf(id) {
          const [row] = await database.query<{ state: string }>(
            'SELECT state FROM reminder_alert WHERE id = $1::bigint',
            [id],
          );
          return row?.state ?? 'none';
        },
      });
    } finally {
      await Promise.all(children.map((child) => child.kill()));
      await database.close();
      await provider.stop();
    }
  });
}

onProcesses(
  'a process whose clock is 45 minutes ahead is not ready, and leaves what is due to the ' +
    'process whose clock is right',
  async ({ run, due, past, stateOf, pushes }) => {
    const wrong = await run(45 * MINUTE);
    const [soon, later] = [await due(2), await due(20 * MINUTE)];
    await until('not ready', async () => (await wrong.ready()).status === 503);
    expect((await wrong.ready()).reasons.clock ?? '').toMatch(/2700 s ahead of the database's/);
    await past(soon, 3);
    expect([await stateOf(soon), await stateOf(later), pushes]).toStrictEqual([
      'planned',
      'planned',
      [],
    ]);
    const right = await run(0);
    await until('sent by the other', async () => (await stateOf(soon)) !== 'planned');
    await until('pushed by the other', async () => pushes.length === 1);
    expect([await stateOf(soon), await stateOf(later)]).toStrictEqual(['sent', 'planned']);
    expect(await right.ready()).toStrictEqual({ status: 200, reasons: {} });
    expect(
      wrong.child.output.text.split('ahead of the database').length - 1,
      'it is said once a minute',
    ).toBe(1);
    // An access token is good for 15 minutes: it is not over where the clock is wrong.
    const token = await guestAt(right.url);
    expect(await isKnownAt(wrong.url, token)).toBe(true);
  },
);

onProcesses(
  'a process whose clock is an hour behind does not send what is long over',
  async ({ run, due, stateOf, pushes }) => {
    const wrong = await run(-HOUR);
    const over = await due(-70 * 60);
    await until('not ready', async () => (await wrong.ready()).status === 503);
    expect((await wrong.ready()).reasons.clock ?? '').toMatch(/3600 s behind the database's/);
    await sleep(2_000);
    expect(await stateOf(over)).toBe('planned');
    await run(0);
    await until('judged by the other', async () => (await stateOf(over)) !== 'planned');
    expect([await stateOf(over), pushes]).toStrictEqual(['missed', []]);
  },
);

onProcesses(
  'a clock that is set while its process runs is noticed before anything is done by it, and ' +
    'when it is right again',
  async ({ run, due, past, stateOf, pushes }) => {
    const { child, ready } = await run(10 * MINUTE, 'later');
    expect((await ready()).status).toBe(200);
    const [soon, later] = [await due(3), await due(5 * MINUTE)];
    child.signal('SIGUSR2');
    await until('not ready', async () => (await ready()).status === 503);
    await past(soon, 3);
    expect([await stateOf(soon), await stateOf(later), pushes]).toStrictEqual([
      'planned',
      'planned',
      [],
    ]);
    child.signal('SIGUSR2');
    await until('ready again', async () => (await ready()).status === 200);
    await until('sent', async () => pushes.length === 1);
    expect([await stateOf(soon), await stateOf(later)]).toStrictEqual(['sent', 'planned']);
    expect(child.output.text).toMatch(/agrees with the database's again/);
  },
);
