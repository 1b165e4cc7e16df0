import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { readBackup } from '../../src/app/backup/examination.js';
import { makeBackup } from '../../src/app/backup/making.js';
import { claimDatabase } from '../../src/app/secret-key.service.js';
import { backupTool, restoreTool } from '../../src/app/tools/backup.js';
import { readMigrations } from '../../src/platform/database/migrations.js';
import { openDatabase } from '../../src/platform/database/open.js';
import { projectRoot } from '../../src/platform/root.js';
import { adminUrl, startError, withServer } from '../faults/databases.js';
import { run } from '../faults/processes.js';
import { dataFolder, startService } from '../faults/service.js';
import {
  COMMON,
  depsOf,
  type Environment,
  fill,
  MEDIA_KEY,
  opened,
  PASSWORD,
  SECRET_KEY,
} from './backed-up.js';

/** Makes a folder below which one has a longer path than the system takes, so that nobody can read it. */
function makeUnreadable(folder: string): void {
  mkdirSync(folder);
  const down = 'i=0; while [ $i -lt 17 ]; do mkdir "$0" && cd -P "./$0"; i=$((i + 1)); done';
  execFileSync('bash', ['-c', down, 'd'.repeat(250)], { cwd: folder });
}

/** Writes and deletes files of uploads, as a busy service does, until the work ends. */
async function whileFilesComeAndGo<T>(folder: string, work: Promise<T>): Promise<T> {
  let isOver = false;
  const churn = async (...below: string[]) => {
    const place = join(folder, ...below);
    for (let i = 0; !isOver; i++) {
      await mkdir(place, { recursive: true });
      await writeFile(join(place, `f${i % 50}`), 'x');
      await rm(i % 2 ? place : join(place, `f${(i + 1) % 50}`), { recursive: true, force: true });
    }
  };
  const churned = [
    churn('files', 'arriving'),
    churn('files', 'cd'),
    churn('files', 'ff'),
    churn('work', 'work-1'),
  ];
  try {
    return await work;
  } finally {
    isOver = true;
    await Promise.all(churned);
  }
}

/** Runs a command. Returns its exit code, what it printed, and what it wrote on the standard error. */
async function command(tool: typeof backupTool, environment: Environment, ...args: string[]) {
  const lines: string[] = [];
  const notes: string[] = [];
  const say = (line: string) => void lines.push(line);
  const note = (line: string) => void notes.push(line);
  const status = await tool({ ...environment }, args, { say, note });
  return { status, lines, notes };
}
const backup = (environment: Environment, ...args: string[]) =>
  command(backupTool, environment, ...args);
const restore = (environment: Environment, ...args: string[]) =>
  command(restoreTool, environment, ...args);

/** Signs in as the administrator, and makes an account, on a service over what was restored. */
async function useRestored(environment: Environment): Promise<void> {
  const { url, child } = await startService({ environment });
  const ask = async (query: string, token?: string) => {
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const body = JSON.stringify({ query });
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
    const { data, errors } = (await response.json()) as {
      data: { login: { token: string }; createUser: { account: { databaseId: number } } };
      errors?: unknown;
    };
    expect(errors).toBeUndefined();
    return data;
  };
  const { login } = await ask(
    `mutation { login(input: { username: "admin", password: "${PASSWORD}" }) { token } }`,
  );
  const { createUser } = await ask(
    'mutation { createUser(input: { username: "new", email: "new@example.com", password: "correct horse" }) { account { databaseId } } }',
    login.token,
  );
  expect(createUser.account.databaseId).toBe(2);
  await child.kill();
}

/** What a restore must bring back. */
async function expectRestored(environment: Environment): Promise<void> {
  const folder = environment.DATA_DIR ?? '';
  expect(readFileSync(join(folder, 'files', 'ab', MEDIA_KEY))).toStrictEqual(
    Buffer.alloc(300_000, 'care'),
  );
  expect(readFileSync(join(folder, 'files', 'empty'), 'utf8')).toBe('');
  const database = await opened(environment);
  const [row] = await database.query<{ changes: number; indexes: number; triggers: number }>(`
    SELECT (SELECT count(*) FROM public_change) AS changes,
      (SELECT count(*) FROM pg_indexes WHERE indexname = 'model_item_field_7') AS indexes,
      (SELECT count(*) FROM pg_trigger WHERE tgenabled <> 'O' AND NOT tgisinternal) AS triggers,
      (SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND convalidated)
        - (SELECT count(*) FROM pg_constraint WHERE contype = 'f') AS keys`);
  await database.close();
  expect(row).toMatchObject({ indexes: 1, triggers: 0, keys: 0 });
  expect(row?.changes).toBeGreaterThanOrEqual(3000);
  await useRestored({ ...environment, LOG_LEVEL: 'info' });
}

/** Waits until a statement in a database waits for a lock. */
async function untilLocked(admin: pg.Client, database: string): Promise<void> {
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = 'Lock'`;
  while (!(await admin.query(waiting, [database])).rowCount) await sleep(20);
}

describe('A backup of the embedded database', () => {
  const from = { ...COMMON, DATA_DIR: dataFolder() };
  const out = dataFolder();
  const plain = join(out, 'plain.backup');
  const sealed = join(out, 'sealed.backup');
  const passphrase = join(out, 'passphrase');

  beforeAll(async () => {
    await fill(from);
    writeFileSync(passphrase, `${PASSWORD}\n`);
    const { lines } = await backup(from, plain);
    expect(lines.join()).toMatch(/plain\.backup holds \d+ rows of \d+ tables and 3 files\.$/);
    await backup(from, sealed, '--passphrase-file', passphrase);
  });

  it('brings everything back: rows, audit, uploads, indexes, and who signs in', async () => {
    const to = { ...COMMON, DATA_DIR: join(dataFolder(), 'data') };
    const { status, lines } = await restore(to, sealed, '--passphrase-file', passphrase);
    expect(lines[0]).toMatch(/^Restored \d+ rows of \d+ tables and 3 files, as they were at 20/);
    expect([status, lines[1]]).toStrictEqual([
      0,
      expect.stringMatching(/^The audit is whole: \d+ rows in 1 seals, 0 not sealed yet, 1 exp/),
    ]);
    await expectRestored(to);
  });

  it('has the key of the data directory only where it is encrypted', async () => {
    const kept = { LOG_LEVEL: 'silent', DATA_DIR: dataFolder() };
    writeFileSync(join(kept.DATA_DIR, 'secret.key'), SECRET_KEY);
    await opened(kept).then(async (database) => {
      await claimDatabase(depsOf(kept, database));
      await database.close();
    });
    const [open, closed, identity] = ['open', 'closed', 'identity'].map((name) =>
      join(dataFolder(), name),
    ) as [string, string, string];
    const made = await backup({}, '--new-key', identity);
    await backup(kept, open);
    await backup(kept, closed, '--recipient', made.lines[0] ?? '');
    const to = { LOG_LEVEL: 'silent', DATA_DIR: join(dataFolder(), 'data') };
    await expect(restore(to, open)).rejects.toSatisfy(startError(/^The backup holds no key: set/));
    const { status } = await restore(to, closed, '--identity', identity);
    expect([status, readFileSync(join(to.DATA_DIR, 'secret.key'), 'utf8')]).toStrictEqual([
      0,
      SECRET_KEY,
    ]);
  });

  it('gets a name of its own in a folder, and never takes the place of another file', async () => {
    const folder = dataFolder();
    const { lines } = await backup(from, folder);
    expect(readdirSync(folder)).toStrictEqual([
      expect.stringMatching(/^care-\d{4}-\d\d-\d\dT\d{6}Z\.backup$/),
    ]);
    expect(lines[0]).toContain(folder);
    await expect(backup(from, plain)).rejects.toSatisfy(startError(/ is there already\.$/));
    const within = join(from.DATA_DIR, 'files', 'backup');
    await expect(backup(from, within)).rejects.toSatisfy(startError(/ is below DATA_DIR, which/));
    const unlocked = backup(from, join(out, 'unlocked'), '--recipient', '');
    await expect(unlocked).rejects.toSatisfy(startError(/^--recipient must be a recipient of age/));
    const nowhere = join(out, 'no', 'folder');
    await expect(backup(from, nowhere)).rejects.toSatisfy(
      startError(/^The file system refuses \(ENOENT\): \S+ was not written\.$/),
    );
    expect(readdirSync(out).sort()).toStrictEqual(['passphrase', 'plain.backup', 'sealed.backup']);
  });

  it('is not written where a folder of uploads cannot be read', async () => {
    const folder = join(from.DATA_DIR, 'files', 'zz');
    const file = join(dataFolder(), 'backup');
    makeUnreadable(folder);
    try {
      await expect(backup(from, file)).rejects.toSatisfy(
        startError(/^The file system refuses \(ENAMETOOLONG\): \S+ was not written\.$/),
      );
      expect(existsSync(file)).toBe(false);
    } finally {
      execFileSync('rm', ['-rf', folder]);
    }
  });

  it('names what files of media it lacks, and ends with exit code 1', async () => {
    const lacking = { ...COMMON, DATA_DIR: dataFolder() };
    await fill(lacking);
    rmSync(join(lacking.DATA_DIR, 'files', 'ab', MEDIA_KEY));
    const { status, lines, notes } = await backup(lacking, join(dataFolder(), 'backup'));
    expect([status, lines.length]).toStrictEqual([1, 1]);
    expect(notes.join('\n')).toContain(
      `Files of media that are missing below DATA_DIR, and so in the backup: 1, such as files/ab/${MEDIA_KEY}.`,
    );
  });

  it('says that uploads are not in it where a bucket holds them', async () => {
    const STORAGE_URL = 'https://id:secret@s3.example.org/pictures?region=eu-1';
    const { status, notes } = await backup({ ...from, STORAGE_URL }, join(dataFolder(), 'backup'));
    expect(status).toBe(0);
    expect(notes.join('\n')).toContain(
      'The uploads are not in it: keep copies of the bucket pictures in another place.',
    );
  });

  it('is made while files arrive and others are deleted', async () => {
    for (let i = 0; i < 5; i++) {
      const file = join(dataFolder(), 'backup');
      const { status } = await whileFilesComeAndGo(from.DATA_DIR, backup(from, file));
      expect(status).toBe(0);
      const names: string[] = [];
      await readBackup(file, undefined, { file: async (name) => void names.push(name) });
      expect(names).toContain(`files/ab/${MEDIA_KEY}`);
      expect(names.filter((name) => /arriving|work/.test(name))).toStrictEqual([]);
    }
  });

  it('is checked without a database by restore --check', async () => {
    const { status, lines } = await restore({}, plain, '--check');
    expect([status, lines.length]).toStrictEqual([0, 1]);
    expect(lines[0]).toMatch(/plain\.backup is whole: \d+ rows of \d+ tables and 3 files\.$/);
  });

  /** Tries to restore, which must be refused with one sentence and change nothing. */
  async function refused(sentence: RegExp, environment: Environment, ...args: string[]) {
    const folder = environment.DATA_DIR ?? '';
    const list = () =>
      existsSync(folder) ? readdirSync(folder).filter((name) => name !== '.lock') : [];
    const before = list();
    await expect(restore(environment, ...args)).rejects.toSatisfy(startError(sentence));
    expect(list()).toStrictEqual(before);
  }
  const empty = () => ({ ...COMMON, DATA_DIR: join(dataFolder(), 'data') });

  it('is refused when it was cut short or changed anywhere, encrypted or not', async () => {
    for (const [file, ...key] of [[plain], [sealed, '--passphrase-file', passphrase]] as const) {
      const { length } = readFileSync(file);
      for (const cut of [length - 1, length - 20, Math.floor(length / 2), 300]) {
        const copy = join(dataFolder(), 'cut');
        copyFileSync(file, copy);
        truncateSync(copy, cut);
        await refused(/^\S+ is damaged or cut short: [^\n]+\.$/, empty(), copy, ...key);
      }
      for (const at of [length - 3, Math.floor(length / 2)]) {
        const copy = join(dataFolder(), 'changed');
        const bytes = readFileSync(file);
        bytes[at] = (bytes[at] as number) ^ 1;
        writeFileSync(copy, bytes);
        await refused(/^\S+ is damaged or cut short: [^\n]+\.$/, empty(), copy, ...key);
      }
    }
  });

  it('is refused under another key or passphrase, without one, and where it is none', async () => {
    const other = join(dataFolder(), 'other');
    writeFileSync(other, 'another passphrase');
    await refused(
      / is encrypted to another key or passphrase\.$/,
      empty(),
      sealed,
      '--passphrase-file',
      other,
    );
    await refused(/ is encrypted: give --identity FILE or/, empty(), sealed);
    await refused(/ is no backup of this service\.$/, empty(), other);
    await refused(/ cannot be read \(ENOENT\)\.$/, empty(), join(out, 'nothing'));
    await refused(/ cannot be read\.$/, empty(), out);
    const key = { ...empty(), SECRET_KEY: 'o'.repeat(40) };
    await refused(/^The backup is of another SECRET_KEY: /, key, plain);
  });

  it('is refused where there is a database or a file already', async () => {
    await refused(/ has a database already: restore into another DATA_DIR\.$/, from, plain);
    const to = empty();
    mkdirSync(join(to.DATA_DIR, 'files'), { recursive: true });
    writeFileSync(join(to.DATA_DIR, 'files', 'empty'), 'something');
    await refused(/files\/empty is there already: restore into another DATA_DIR\.$/, to, plain);
  });

  it('leaves nothing when a file gets no place, and is restored afterwards', async () => {
    const to = empty();
    const notAFolder = join(dataFolder(), 'file');
    writeFileSync(notAFolder, '');
    const misplaced = { ...to, AUDIT_HEAD_FILE: join(notAFolder, 'heads') };
    await refused(
      /^The file system refuses \(E\w+\): the backup was not restored/,
      misplaced,
      plain,
    );
    expect(existsSync(join(to.DATA_DIR, 'files', 'empty'))).toBe(false);
    expect((await restore(to, plain)).status).toBe(0);
  });

  it('is neither half written nor half restored when a signal comes', async () => {
    const stop = new AbortController();
    const file = join(dataFolder(), 'backup');
    const database = await opened(from);
    const told = (line: string) => /^comparing/.test(line) && stop.abort(new Error('stopped'));
    const made = makeBackup(depsOf(from, database), file, undefined, told, stop.signal);
    await expect(made).rejects.toThrow('stopped');
    await database.close();
    expect(readdirSync(dirname(file))).toStrictEqual([]);
    const to = empty();
    const tool = [process.execPath, join(projectRoot, 'dist-service/tools.js'), 'restore', plain];
    const child = run('a restore', tool, { env: { PATH: process.env.PATH, ...to } });
    while (!child.output.errors.includes('making the tables') && !child.hasEnded) await sleep(20);
    child.signal('SIGTERM');
    expect(await child.ended).toBe(2);
    expect(child.output.errors).toContain('Stopped by SIGTERM: the backup was not restored.');
    expect(readdirSync(to.DATA_DIR).filter((name) => name !== '.lock')).toStrictEqual([]);
  });

  it('of an earlier version is restored and brought up to date; of a later one it is refused', async () => {
    const all = readMigrations();
    const names = all.map(({ name }) => name);
    const earlier = { ...COMMON, DATA_DIR: dataFolder() };
    // This version, which makes the backup here, reads all columns of the site.
    const ofSite = ['20261217000000_posts_page', '20261222000000_said_settings'];
    const isEarlier = (name: string) => name < '20261213010000_wide_ids' || ofSite.includes(name);
    const file = join(dataFolder(), 'earlier');
    const database = await openDatabase({
      dataDir: earlier.DATA_DIR,
      wait: 0,
      migrate: true,
      migrations: names.filter(isEarlier),
    });
    const deps = depsOf(earlier, database);
    await claimDatabase(deps);
    await makeBackup(deps, file, undefined, () => {});
    await database.query(`INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
      VALUES ('x', 'x', '29990101000000_future', now())`);
    await makeBackup(deps, `${file}.later`, undefined, () => {});
    await database.close();
    const to = empty();
    expect((await restore(to, file)).status).toBe(0);
    const restored = await opened(to);
    const applied = await restored.query<{ name: string }>(
      'SELECT migration_name AS name FROM _prisma_migrations ORDER BY 1',
    );
    await restored.close();
    // Some wait for the next version.
    const now = all.filter(({ script }) => !/^-- from: /m.test(script));
    expect(applied.map(({ name }) => name)).toStrictEqual(now.map(({ name }) => name));
    await refused(/^The backup is of a newer version of the service \(/, empty(), `${file}.later`);
  });

  (adminUrl ? it : it.skip)('moves to PostgreSQL', () =>
    withServer(async (url) => {
      const to = { ...COMMON, DATA_DIR: dataFolder(), DATABASE_URL: url };
      expect((await restore(to, plain)).status).toBe(0);
      await expectRestored(to);
    }),
  );
});

(adminUrl ? describe : describe.skip)('A backup of PostgreSQL', () => {
  it('is not restored over what somebody writes meanwhile, and is restored after it failed', () =>
    withServer(async (url, admin) => {
      const from = { ...COMMON, DATA_DIR: dataFolder() };
      const file = join(dataFolder(), 'backup');
      await fill(from);
      await backup(from, file);
      const to = { ...COMMON, DATA_DIR: dataFolder(), DATABASE_URL: url };
      const database = await opened(to);
      let refused: Promise<void> | undefined;
      await database.transaction(async (db) => {
        await db.$executeRaw`INSERT INTO feed (name, version) VALUES ('mine', 1)`;
        refused = expect(restore(to, file)).rejects.toSatisfy(
          startError(
            /^The database is not empty: the table feed has rows\. Restore into a new one/,
          ),
        );
        await untilLocked(admin, new URL(url).pathname.slice(1));
      });
      await refused;
      expect(await database.query('SELECT name FROM feed')).toStrictEqual([{ name: 'mine' }]);
      await database.query('DELETE FROM feed');
      await database.close();
      const notAFolder = join(dataFolder(), 'file');
      writeFileSync(notAFolder, '');
      const misplaced = { ...to, AUDIT_HEAD_FILE: join(notAFolder, 'heads') };
      await expect(restore(misplaced, file)).rejects.toSatisfy(
        startError(/^The file system refuses \(E\w+\): the backup was not restored\.$/),
      );
      expect((await restore(to, file)).status).toBe(0);
    }));

  it('is of one state while others write, and brings it back on another server', () =>
    withServer(async (source) => {
      const from = { ...COMMON, DATA_DIR: dataFolder(), DATABASE_URL: source };
      await fill(from);
      const file = join(dataFolder(), 'backup');
      const database = await opened(from);
      // Two rows that belong together, in tables that are read one after the other.
      const write = (i: number) =>
        database.transaction(async (db) => {
          await db.$executeRaw`INSERT INTO feed (name, version) VALUES (${`x${i}`}, 1)`;
          await db.$executeRaw`
            INSERT INTO used_provider_token (hash, expires_at) VALUES (${`x${i}`}, now())`;
        });
      await write(0);
      let isOver = false;
      const writing = (async () => {
        for (let i = 1; !isOver; i++) await write(i);
      })();
      await backup(from, file);
      isOver = true;
      await writing;
      await database.close();
      await withServer(async (target) => {
        const to = { ...COMMON, DATA_DIR: dataFolder(), DATABASE_URL: target };
        const { status, lines } = await restore(to, file);
        expect([status, lines[1]]).toStrictEqual([
          0,
          expect.stringMatching(/^The audit is whole: \d+ rows in 1 seals/),
        ]);
        await expectRestored(to);
        await expect(restore({ ...to, DATA_DIR: dataFolder() }, file)).rejects.toSatisfy(
          startError(/^The database is not empty: the table account has rows\. Restore into a/),
        );
        const restored = await opened(to);
        const [counts] = await restored.query<{ feeds: number; tokens: number; accounts: number }>(
          `SELECT (SELECT count(*) FROM feed WHERE name LIKE 'x%') AS feeds,
            (SELECT count(*) FROM used_provider_token) AS tokens,
            (SELECT count(*) FROM account) AS accounts`,
        );
        await restored.close();
        expect(counts).toMatchObject({ tokens: counts?.feeds, accounts: 2 });
        expect(counts?.tokens).toBeGreaterThan(0);
      });
    }));

  it('keeps a migration waiting that changes a table which was not read yet', () =>
    withServer(async (source, admin) => {
      const from = { ...COMMON, DATA_DIR: dataFolder(), DATABASE_URL: source };
      await fill(from);
      const file = join(dataFolder(), 'backup');
      const database = await opened(from);
      await database.query(
        `INSERT INTO feed (name, version) SELECT 'x' || i, 1 FROM generate_series(1, 10000) AS i`,
      );
      await database.query(
        `INSERT INTO used_provider_token (hash, expires_at) VALUES ('x', now())`,
      );
      let altered: Promise<unknown> | undefined;
      await makeBackup(depsOf(from, database), file, undefined, (line) => {
        if (line.startsWith('feed'))
          altered = database.query('ALTER TABLE used_provider_token ADD COLUMN more text');
      });
      await altered;
      expect((await restore({ ...COMMON, DATA_DIR: dataFolder() }, file)).status).toBe(0);
      let late: Promise<unknown> | undefined;
      await database.transaction(async (db) => {
        await db.$executeRaw`ALTER TABLE feed ADD COLUMN more text`;
        late = backup(from, `${file}.late`);
        await untilLocked(admin, new URL(source).pathname.slice(1));
      });
      await late;
      await database.close();
      const { about } = await readBackup(`${file}.late`, undefined);
      expect(about.tables.feed).toMatch(/, more text$/);
    }));
});
