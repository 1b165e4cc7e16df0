// Backups and restores that are ended amid their work, or find no room.
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { filledTable } from '../../src/platform/database/inspection.js';
import { projectRoot } from '../../src/platform/root.js';
import { COMMON, type Environment, fill, MEDIA_KEY, opened } from '../app/backed-up.js';
import { adminUrl, withServer } from './databases.js';
import { type Child, run } from './processes.js';
import { dataFolder } from './service.js';

const TOOLS = join(projectRoot, 'dist-service/tools.js');

/** Starts a command of operators as a process of its own. */
const start = (environment: Environment, args: readonly string[], within: readonly string[] = []) =>
  run(args[0] ?? '', [...within, process.execPath, TOOLS, ...args], {
    env: { PATH: process.env.PATH, ...environment },
  });

/** Waits until something holds of a command that runs. */
async function until(child: Child, holds: () => boolean): Promise<void> {
  while (!holds()) {
    expect(child.hasEnded, child.output.errors).toBe(false);
    await sleep(2);
  }
}

/** The last line on the standard error of a command, which must have failed. */
async function failure(child: Child): Promise<string | undefined> {
  expect(await child.ended, child.output.text).toBe(2);
  return child.output.errors.trim().split('\n').at(-1);
}

/** Starts a command, which must succeed. */
async function succeeds(environment: Environment, args: readonly string[]): Promise<void> {
  const child = start(environment, args);
  expect(await child.ended, child.output.errors).toBe(0);
}

/** Runs a test on the embedded database, and where there is a server on a database of it. */
function onEach(title: string, body: (environment: Environment) => Promise<void>): void {
  const environment = () => ({ ...COMMON, DATA_DIR: join(dataFolder(), 'data') });
  it(`${title} (embedded)`, () => body(environment()));
  if (adminUrl)
    it(`${title} (PostgreSQL)`, () =>
      withServer((DATABASE_URL) => body({ ...environment(), DATABASE_URL })));
}

/** Fills a service, with so many uploads that a backup takes its time. */
async function fillMuch(environment: Environment): Promise<void> {
  await fill(environment);
  const folder = join(environment.DATA_DIR ?? '', 'files', 'zz');
  mkdirSync(folder);
  for (let i = 0; i < 20; i++) writeFileSync(join(folder, `${i}`), randomBytes(1_000_000));
}

/** Ends a process where a file gets too long, as on a full disk. */
const SHORT_FILES = ['bash', '-c', 'ulimit -f 4000; exec "$@"', 'limited'];

describe('A backup', () => {
  onEach('that ends amid its work leaves no archive under its name', async (from) => {
    await fillMuch(from);
    const out = dataFolder();
    const file = join(out, 'care.backup');
    const begun = async () => {
      const child = start(from, ['backup', file]);
      await until(child, () =>
        readdirSync(out).some(
          (name) => name.endsWith('.part') && statSync(join(out, name)).size > 0,
        ),
      );
      return child;
    };
    const stopped = await begun();
    stopped.signal('SIGTERM');
    expect(await failure(stopped)).toBe('Stopped by SIGTERM: the backup was not written.');
    expect(readdirSync(out)).toStrictEqual([]);
    const full = start(from, ['backup', file], SHORT_FILES);
    expect(await failure(full)).toBe(`The file system refuses (EFBIG): ${file} was not written.`);
    expect(readdirSync(out)).toStrictEqual([]);
    await (await begun()).kill();
    expect(readdirSync(out)).toStrictEqual([expect.stringMatching(/^care\.backup\..+-\d+\.part$/)]);
    await succeeds(from, ['backup', file]);
    expect(readdirSync(out)).toStrictEqual(['care.backup']);
    await succeeds({}, ['restore', file, '--check']);
  });

  it('beside another to the same file takes nothing from it', async () => {
    // One at a time opens an embedded database.
    const [one, other] = [dataFolder(), dataFolder()].map((DATA_DIR) => ({ ...COMMON, DATA_DIR }));
    await fillMuch(one as Environment);
    await fillMuch(other as Environment);
    const out = dataFolder();
    const file = join(out, 'care.backup');
    const both = [one, other].map((from) => start(from as Environment, ['backup', file]));
    expect(await Promise.all(both.map(({ ended }) => ended))).toStrictEqual([0, 0]);
    expect(readdirSync(out)).toStrictEqual(['care.backup']);
    await succeeds({}, ['restore', file, '--check']);
  });

  it('into a folder removes what killed ones left there more than a day ago', async () => {
    const from = { ...COMMON, DATA_DIR: dataFolder() };
    await fill(from);
    const out = dataFolder();
    const [old, young, other] = ['care-2026-01-01T000000Z.backup.part', 'care-2Z.backup.part', 'x'];
    const [now, before] = [Date.now() / 1000, Date.now() / 1000 - 25 * 3600];
    for (const name of [old, young, other]) {
      writeFileSync(join(out, name), '');
      utimesSync(join(out, name), now, name === young ? now : before);
    }
    await succeeds(from, ['backup', out]);
    expect(readdirSync(out).sort()).toStrictEqual([
      expect.stringMatching(/^care-20.+Z\.backup$/),
      young,
      other,
    ]);
  });
});

/** Whether there is a database that the service could start on with what was restored. */
async function isFilled({ DATABASE_URL: url, DATA_DIR = '' }: Environment): Promise<boolean> {
  return url ? (await filledTable(url, 5)) !== undefined : existsSync(join(DATA_DIR, 'database'));
}

/** Whether the machine lets this user make a small disk. */
const mounts = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

describe('A restore', () => {
  const from = { ...COMMON, DATA_DIR: dataFolder() };
  const file = join(dataFolder(), 'care.backup');

  beforeAll(async () => {
    await fillMuch(from);
    await succeeds(from, ['backup', file]);
  });

  onEach('that is killed leaves no database to start on, and can be repeated', async (to) => {
    const { DATA_DIR: folder = '' } = to;
    for (const moment of ['making the tables', 'comparing what was restored']) {
      const child = start(to, ['restore', file]);
      await until(child, () => child.output.errors.includes(moment));
      await child.kill();
      expect(await isFilled(to)).toBe(false);
    }
    // It waits amid the files for one of them, which it looks at and nobody writes.
    const stuck = join(folder, 'files', 'zz', '9');
    const child = start(to, ['restore', file]);
    await until(child, () => child.output.errors.includes('making the tables'));
    mkdirSync(join(folder, 'files', 'zz'), { recursive: true });
    execFileSync('mkfifo', [stuck]);
    await until(child, () => existsSync(join(folder, 'files', 'zz', '8')));
    await child.kill();
    rmSync(stuck);
    expect(await isFilled(to)).toBe(false);
    expect(existsSync(join(folder, 'files', 'ab', MEDIA_KEY))).toBe(true);
    await succeeds(to, ['restore', file]);
    expect(await isFilled(to)).toBe(true);
    expect(readdirSync(folder).filter((name) => name.startsWith('.unfinished'))).toStrictEqual([]);
    expect(readdirSync(join(folder, 'files', 'zz'))).toHaveLength(20);
  });

  (mounts ? it : it.skip)('says that the disk is full (embedded)', async () => {
    for (const size of ['15m', '30m', '42m']) {
      const disk = dataFolder();
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk]);
      try {
        const to = { ...COMMON, DATA_DIR: join(disk, 'data') };
        expect(await failure(start(to, ['restore', file]))).toMatch(
          /^The disk (?:of the database )?is full: the backup was not restored\.$/,
        );
        expect(readdirSync(to.DATA_DIR)).toStrictEqual(['.lock']);
      } finally {
        execFileSync('umount', [disk]);
      }
    }
  });

  const onServer = adminUrl ? it : it.skip;
  onServer('says that the disk is full, or the database lost (PostgreSQL)', () =>
    withServer(async (url, admin) => {
      const to = { ...COMMON, DATA_DIR: join(dataFolder(), 'data'), DATABASE_URL: url };
      const database = await opened(to);
      const full = `CREATE FUNCTION "full"() RETURNS event_trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE SQLSTATE '53100'; END $$`;
      await database.query(full);
      await database.query(
        'CREATE EVENT TRIGGER "full" ON ddl_command_start EXECUTE FUNCTION "full"()',
      );
      expect(await failure(start(to, ['restore', file]))).toBe(
        'The disk of the database is full: the backup was not restored.',
      );
      await database.query('DROP EVENT TRIGGER "full"');
      await database.close();
      const child = start(to, ['restore', file]);
      await until(child, () => child.output.errors.includes('comparing what was restored'));
      await endSessions(admin, url);
      expect(await failure(child)).toBe(
        'The database does not answer: the backup was not restored.',
      );
      expect([await isFilled(to), readdirSync(to.DATA_DIR)]).toStrictEqual([false, ['.lock']]);
    }),
  );
});

const endSessions = (admin: pg.Client, url: string) =>
  admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
    new URL(url).pathname.slice(1),
  ]);
