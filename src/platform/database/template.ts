import { createHash, randomUUID } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { projectRoot } from '../root.js';
import { type Migration, readMigrations } from './migrations.js';
import { openPGlite } from './pglite.js';
import { migratePGlite } from './pglite-adapter.js';

const folder = join(projectRoot, '.cache');

/**
 * Settings that halve the size of the template, which every first start writes: small log files,
 * and no template databases.
 */
const initDbStartParams = ['--wal-segsize=1'];
const SHRINK_STATEMENTS = [
  'UPDATE pg_database SET datistemplate = false',
  'DROP DATABASE template0',
  'DROP DATABASE template1',
  'CHECKPOINT',
];

/**
 * Returns an empty, migrated database as the tar file that PGlite loads, which is several times
 * faster than creating a database. It is made once and kept in `.cache`, named by the migrations
 * and the version of PGlite. It contains only what the migrations write.
 */
export const template = async (): Promise<Blob> => new Blob([await tarFile()]);

/** Why the template was not kept. */
let unkept: Error | undefined;

/**
 * Returns what the system said of a template that was made and could not be kept, such as of a full disk;
 * undefined where it is kept. Without it each new database is made anew.
 */
export const whyNotKept = (): string | undefined => unkept && String(unkept);

async function tarFile(): Promise<Buffer<ArrayBuffer>> {
  const migrations = readMigrations();
  const path = join(folder, `template-${keyOf(migrations)}.tar.gz`);
  try {
    return await promisify(gunzip)(readFileSync(path));
  } catch {
    return create(migrations, path); // missing, or incomplete
  }
}

function keyOf(migrations: Migration[]): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const { version } = JSON.parse(
    readFileSync(join(dirname(entry), '..', 'package.json'), 'utf8'),
  ) as { version: string };
  return createHash('sha256')
    .update(JSON.stringify([version, initDbStartParams, SHRINK_STATEMENTS, migrations]))
    .digest('hex')
    .slice(0, 16);
}

async function create(migrations: Migration[], path: string): Promise<Buffer<ArrayBuffer>> {
  const pg = await openPGlite({ initDbStartParams });
  await migratePGlite(pg, migrations);
  for (const statement of SHRINK_STATEMENTS) await pg.exec(statement);
  const dump = await pg.dumpDataDir('none');
  await pg.close();
  const tar = Buffer.from(await dump.arrayBuffer());
  try {
    await store(path, tar);
  } catch (error) {
    unkept = error as Error; // the next start makes the template again
  }
  return tar;
}

/** Bytes of a block of a tar file: a header is one, and the bytes of a file fill whole ones. */
const BLOCK = 512;

/** Writes what the template holds into a folder. PGlite would start a database to do so. */
export async function unpackTemplate(folder: string): Promise<void> {
  const tar = await tarFile();
  const textAt = (from: number, length: number) =>
    tar.toString('utf8', from, from + length).split('\0', 1)[0] as string;
  for (let header = 0; tar[header]; ) {
    const path = join(folder, textAt(header, 100));
    const size = Number.parseInt(textAt(header + 124, 12), 8);
    const begin = header + BLOCK;
    const isFolder = textAt(header + 156, 1) === '5';
    mkdirSync(isFolder ? path : dirname(path), { recursive: true, mode: 0o700 });
    if (!isFolder) writeFileSync(path, tar.subarray(begin, begin + size), { mode: 0o600 });
    header = begin + Math.ceil(size / BLOCK) * BLOCK;
  }
}

async function store(path: string, tar: Buffer): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const unfinished = join(folder, `template-${randomUUID()}`);
  writeFileSync(unfinished, await promisify(gzip)(tar, { level: 1 }));
  renameSync(unfinished, path); // so that the file is never incomplete
  // Deletes templates of earlier migrations and of processes that were killed, after a day, because
  // another build may be running beside this one.
  for (const other of readdirSync(folder).map((name) => join(folder, name))) {
    const age = Date.now() - statSync(other).mtimeMs;
    if (basename(other).startsWith('template-') && other !== path && age > 24 * 3_600_000)
      rmSync(other, { force: true });
  }
}
