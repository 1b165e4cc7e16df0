// The move of the embedded database to PostgreSQL, ended amid its work.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readBackup } from '../../src/app/backup/examination.js';
import { readMigrations } from '../../src/platform/database/migrations.js';
import { openDatabase } from '../../src/platform/database/open.js';
import { projectRoot } from '../../src/platform/root.js';
import { COMMON, type Environment, fill, opened } from '../app/backed-up.js';
import { adminUrl, openServer, withServer } from './databases.js';
import { type Child, run } from './processes.js';
import { dataFolder, MAIN } from './service.js';

const TOOLS = join(projectRoot, 'dist-service/tools.js');
const ROWS = 40_000;

const start = (environment: Environment, ...command: readonly string[]) =>
  run(command.join(' '), [process.execPath, ...command], {
    env: { PATH: process.env.PATH, PORT: '0', ...environment },
  });
const move = (environment: Environment) => start(environment, TOOLS, 'move-to-postgres');

/** What a command wrote on the standard error at last. It must have failed. */
async function failure(child: Child): Promise<string | undefined> {
  expect(await child.ended, child.output.text).toBeGreaterThan(0);
  return child.output.errors.trim().split('\n').at(-1);
}

/** The embedded database that is moved. */
async function filled(): Promise<Environment> {
  const from = { ...COMMON, DATA_DIR: join(dataFolder(), 'data') };
  await fill(from);
  const database = await opened(from);
  await database.query(
    `INSERT INTO public_change (at) SELECT now() FROM generate_series(1, ${ROWS})`,
  );
  await database.close();
  return from;
}

/** The rows, sequences and indexes of a database, as a backup of it measures them. */
async function contents(environment: Environment): Promise<object> {
  const file = join(dataFolder(), 'backup');
  const child = start(environment, TOOLS, 'backup', file);
  expect(await child.ended, child.output.errors).toBe(0);
  const { tables, sequences, indexes } = (await readBackup(file, undefined)).manifest;
  return { tables, sequences, indexes };
}

/** Waits until a statement returns a row. */
async function until(client: pg.Client, child: Child, text: string): Promise<void> {
  while (!(await client.query(text).catch(() => ({ rowCount: 0 }))).rowCount) {
    expect(child.hasEnded, child.output.errors).toBe(false);
    await sleep(10);
  }
}

const BEGUN = `SELECT FROM unfinished_move.moved WHERE name = 'public_change'`;
const WAITING = `SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Refuses rows of a table that is moved late, as on a full disk. */
const FULL = `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN RAISE SQLSTATE '53100'; END $$;
  CREATE TRIGGER full_disk BEFORE INSERT ON site FOR EACH ROW EXECUTE FUNCTION full_disk()`;

/** Starts a move, which waits for ever amid its work, and calls `end`. */
async function amid(
  client: pg.Client,
  environment: Environment,
  end: (child: Child) => unknown,
): Promise<Child> {
  const child = move(environment);
  await until(client, child, BEGUN);
  const holder = new pg.Client(environment.DATABASE_URL);
  holder.on('error', () => {});
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE secret_key IN SHARE MODE');
  await until(client, child, WAITING);
  await end(child);
  await holder.end();
  return child;
}

const REFUSED =
  'The move into this database is not finished: run `npm run move-to-postgres` again.';
const AGAIN = 'the move is not finished; run the command again, and it goes on there.';

/** Runs a test with a database to move to, and a connection to it. */
const onServer = (
  title: string,
  body: (to: { DATABASE_URL: string }, client: pg.Client) => Promise<void>,
) =>
  (adminUrl ? it : it.skip)(title, () =>
    withServer(async (DATABASE_URL) => {
      const client = new pg.Client(DATABASE_URL);
      client.on('error', () => {});
      await client.connect();
      await body({ DATABASE_URL }, client).finally(() => client.end());
    }),
  );

/** Runs `work` with the address of a user who owns all tables, and may make no schema. */
async function withoutRight(
  client: pg.Client,
  { DATABASE_URL: to }: { DATABASE_URL: string },
  work: (url: string) => Promise<void>,
): Promise<void> {
  const [url, password] = [new URL(to), 'x'.repeat(20)];
  const base = url.pathname.slice(1);
  const user = `${base}_user`;
  Object.assign(url, { username: user, password });
  await client.query(`CREATE ROLE ${user} LOGIN PASSWORD '${password}';
    GRANT CREATE ON DATABASE ${base} TO ${user}; GRANT ALL ON SCHEMA public TO ${user}`);
  try {
    await openServer(url.href).then((made) => made.close());
    await client.query(`REVOKE CREATE ON DATABASE ${base} FROM ${user}`);
    await work(url.href);
  } finally {
    await client.query(`REASSIGN OWNED BY ${user} TO CURRENT_USER; DROP OWNED BY ${user};
      DROP ROLE ${user}`);
  }
}

describe('A move to PostgreSQL', () => {
  onServer(
    'goes on where it was ended, and nobody starts on the database before',
    async (to, client) => {
      const from = await filled();
      const before = await contents(from);
      const environment = { ...from, ...to };
      const first = async () =>
        (await client.query('SELECT id, xmin FROM public_change ORDER BY id LIMIT 1')).rows;

      await amid(client, environment, (child) => child.kill());
      const moved = await first();
      for (const command of [[MAIN], [TOOLS, 'migrate'], [TOOLS, 'account', 'list']])
        expect(await failure(start(environment, ...command))).toBe(REFUSED);
      const doctor = start(environment, TOOLS, 'doctor');
      expect(await doctor.ended).toBe(1);
      expect(doctor.output.text).toContain(REFUSED);

      const stopped = await amid(client, environment, (child) => child.signal('SIGTERM'));
      expect(await failure(stopped)).toBe(`Stopped by SIGTERM: ${AGAIN}`);

      const child = move(environment);
      expect(await child.ended, child.output.errors).toBe(0);
      expect(child.output.text).toMatch(
        /^Moved \d+ rows of \d+ tables, and compared them\.\nThe au/,
      );
      expect(child.output.errors).toMatch(/^compared: (\d+) of \1$/m);
      expect(await first(), 'what was moved stayed').toStrictEqual(moved);
      expect(await contents(environment)).toStrictEqual(before);
      const { rows } = await client.query(`SELECT
        to_regnamespace('unfinished_move') AS unfinished,
        (SELECT count(*)::int FROM pg_trigger WHERE tgenabled <> 'O' AND NOT tgisinternal) AS off,
        (SELECT count(*) > 50 FROM pg_constraint WHERE contype = 'f' AND convalidated) AS keys`);
      expect(rows).toStrictEqual([{ unfinished: null, off: 0, keys: true }]);
    },
  );

  onServer('has the tables of one that is in use, which lacks what new ones have', async (to) => {
    const from = { ...COMMON, DATA_DIR: join(dataFolder(), 'data') };
    const migrations = readMigrations()
      .filter(({ script }) => !/^-- from: /m.test(script))
      .map(({ name }) => name);
    const options = { dataDir: from.DATA_DIR, wait: 5, migrate: true, migrations };
    await (await openDatabase(options)).close();
    await fill(from);
    const environment = { ...from, ...to };
    const child = move(environment);
    expect(await child.ended, child.output.errors).toBe(0);
    expect(await contents(environment)).toStrictEqual(await contents(from));
  });

  onServer('compares what it moved, and moves anew what differs', async (to, client) => {
    const from = await filled();
    const environment = { ...from, ...to };
    await amid(client, environment, (child) => child.kill());
    await client.query('DELETE FROM public_change WHERE id = (SELECT min(id) FROM public_change)');
    expect(await failure(move(environment))).toBe(
      'The rows of public_change differ in the two databases: run the command again, which moves them anew.',
    );
    const child = move(environment);
    expect(await child.ended, child.output.errors).toBe(0);
    expect(await contents(environment)).toStrictEqual(await contents(from));
  });

  onServer('is refused, or ends, with one sentence', async (to, client) => {
    const from = await filled();
    const environment = { ...from, ...to };
    const refused = async (own: Environment, sentence: RegExp) => {
      const child = move({ ...environment, ...own });
      expect(await failure(child)).toMatch(sentence);
      expect(child.output.errors.trim().split('\n')).toHaveLength(1);
    };
    await refused(
      { DATABASE_URL: '' },
      /^DATABASE_URL is missing: the database that is moved to\.$/,
    );
    await refused({ DATA_DIR: dataFolder() }, /^There is no database in \S+: set DATA_DIR or/);
    await refused({ SECRET_KEY: 'o'.repeat(40) }, /SECRET_KEY/);
    const nowhere = { DATABASE_URL: 'postgres://x:opensesame@127.0.0.1:1/x', DATABASE_WAIT: '0' };
    await refused(nowhere, /^PostgreSQL at 127\.0\.0\.1:1\/x cannot be reached/);
    await withoutRight(client, to, (url) =>
      refused({ DATABASE_URL: url }, /^The user of DATABASE_URL needs the right CREATE on the/),
    );
    const ended = await amid(client, environment, () =>
      client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`),
    );
    expect(await failure(ended)).toBe(`The database does not answer: ${AGAIN}`);
    const full = await amid(client, environment, () => client.query(FULL));
    expect(await failure(full)).toBe(`The disk of the database is full: ${AGAIN}`);
    await client.query(`INSERT INTO public.feed (name, version) VALUES ('mine', 1);
      DROP SCHEMA unfinished_move CASCADE`);
    await refused({}, /^The database is not empty: the table account has rows\. Move into a new/);
  });
});
