import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Deps } from '../../core/deps.js';
import {
  isLockTimeout,
  isUnavailable,
  StartError,
  whyUnwritable,
} from '../../platform/database/database.js';
import { ownVersion } from '../../platform/database/migrations.js';
import { currentPrint } from '../secret-key.service.js';
import { type Add, type Lock, writeArchive } from './archive.js';
import { type DataFile, dataFiles, headsFile, type OpenFile, readingFile } from './data-files.js';
import { type Backup, partOf, readBackup } from './examination.js';
import {
  ABOUT,
  type About,
  ByteTally,
  FILES,
  MANIFEST,
  type Manifest,
  type Measure,
  RowTally,
} from './manifest.js';
import { missingMedia, stillNamed } from './media-keys.service.js';
import {
  beginReading,
  extrasOf,
  keepTables,
  migrationsOf,
  rowsOf,
  tablesOf,
} from './rows.service.js';

/** A backup that was made. */
export interface MadeBackup extends Backup {
  /** Keys of files of media that the folder of uploads lacks, and so the backup. */
  readonly missing: readonly string[];
}

/** Milliseconds that a backup may take. */
const LONGEST = 24 * 60 * 60 * 1000;

/** Tells how far a backup or a restore is. */
export type Progress = (line: string) => void;

/** Rows of a table of which progress is told. */
const MANY = 10_000;

/** Tells of a table, unless it is small. */
export function told(progress: Progress, table: string, rows = 0): void {
  if (rows >= MANY) progress(`${table}: ${rows} rows`);
}

/**
 * Writes a backup of one state of the database, and of the files below the data directory. The
 * service may go on; a migration that changes a table waits. The file gets its name once all of it
 * was read again and compared with what was written. Files that are deleted meanwhile stay out.
 * Throws StartError, also where a folder cannot be read, and the reason of `stopping`; what was
 * written until then is removed.
 */
export async function makeBackup(
  deps: Deps,
  file: string,
  lock: Lock | undefined,
  progress: Progress,
  stopping?: AbortSignal,
): Promise<MadeBackup> {
  const part = `${file}.${hostname()}-${process.pid}.part`;
  let missing: readonly string[] = [];
  try {
    await removeLeftovers(file);
    // Heads that are exported later may be of seals that the database has later.
    const heads = await headsFile(deps.config);
    const names = Object.keys(await tablesOf(deps.database.db));
    const key = await deps.database.transaction(
      async (db) => {
        await beginReading(db);
        await keepTables(db, names);
        return writeArchive(part, lock, async (write) => {
          const add: Add = (...given) => {
            stopping?.throwIfAborted();
            return write(...given);
          };
          const about = await aboutOf(deps, db);
          if (!isDeepStrictEqual(Object.keys(about.tables), names))
            throw new StartError(`A migration made a table: ${file} was not written; try again.`);
          await addJson(add, ABOUT, about);
          const tables = await addTables(add, db, about, progress);
          const extras = await extrasOf(db);
          const files = await addFiles(add, [
            ...heads,
            ...(await dataFiles(deps.config, lock !== undefined)),
          ]);
          if (deps.storage.kind === 'folder') missing = await missingMedia(db, files);
          await addJson(add, MANIFEST, { tables, files, ...extras } satisfies Manifest);
        });
      },
      { timeout: LONGEST },
    );
    await synced(part);
    progress('comparing what was written');
    const made = await readBackup(part, key, { stopping });
    await rename(part, file);
    return { ...made, missing: await stillNamed(deps.database, missing) };
  } catch (error) {
    await rm(part, { force: true });
    throw sentenceOf(error, `${file} was not written`);
  }
}

/**
 * Removes what backups left that were killed: to this file, where their process was of this machine and is no
 * more, and of any in its folder after a day.
 */
async function removeLeftovers(file: string): Promise<void> {
  const folder = dirname(file);
  const own = `${basename(file)}.${hostname()}-`;
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.part')) continue;
    const isOwn = name.startsWith(own);
    if (!isOwn && !/^care-.+Z\.backup\b/.test(name)) continue;
    const path = join(folder, name);
    const id = Number.parseInt(name.slice(own.length), 10);
    // In a container the next process may have the number of the one that was killed.
    const isLeft = isOwn && (id === process.pid || !isRunning(id));
    if (isLeft || Date.now() - (await stat(path)).mtimeMs > LONGEST)
      await rm(path, { force: true });
  }
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    // It belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Returns an error of the file system, or of a database that is lost or takes no writes, as a sentence that
 * ends with what was not done.
 */
export function sentenceOf(error: unknown, undone: string): unknown {
  const why = whyRefused(error);
  return why ? new StartError(`${why}: ${undone}.`, { cause: error }) : error;
}

const isFull = (error: unknown): boolean =>
  error instanceof Error &&
  ((error as NodeJS.ErrnoException).code === 'ENOSPC' || isFull(error.cause));

function whyRefused(error: unknown): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (isLockTimeout(error)) return 'Another transaction holds a table';
  if (isFull(error)) return 'The disk is full';
  if (code && /^E[A-Z]+$/.test(code)) return `The file system refuses (${code})`;
  if (isUnavailable(error))
    return (whyUnwritable(error) ?? 'The database does not answer.').replace(/\.$/, '');
  return undefined;
}

type Db = Parameters<Parameters<Deps['database']['transaction']>[0]>[0];

async function aboutOf({ keys, clock }: Deps, db: Db): Promise<About> {
  return {
    format: 'care-backup-1',
    version: ownVersion,
    madeAt: new Date(clock()).toISOString(),
    key: currentPrint(keys),
    migrations: await migrationsOf(db),
    tables: await tablesOf(db),
  };
}

async function addTables(
  add: Add,
  db: Db,
  { tables }: About,
  progress: Progress,
): Promise<Record<string, Measure>> {
  const measures: Record<string, Measure> = {};
  for (const table of Object.keys(tables)) {
    const tally = new RowTally();
    let number = 0;
    for await (const rows of rowsOf(db, table)) {
      tally.add(rows);
      await addJson(add, partOf(table, number++), rows);
    }
    const measure = tally.end();
    measures[table] = measure;
    told(progress, table, measure.count);
  }
  return measures;
}

async function addFiles(add: Add, files: readonly DataFile[]): Promise<Record<string, Measure>> {
  const measures: Record<string, Measure> = {};
  for (const { name, ...file } of files)
    await readingFile({ name, ...file }, async (open) => {
      const tally = new ByteTally();
      await add(`${FILES}${name}`, open.size, measured(file.path, open, tally));
      measures[name] = tally.end();
    });
  return measures;
}

async function* measured(
  path: string,
  { size, bytes }: OpenFile,
  tally: ByteTally,
): AsyncGenerator<Uint8Array> {
  let left = size;
  for await (const chunk of bytes) {
    left -= chunk.length;
    tally.add(chunk);
    yield chunk;
  }
  if (left > 0) throw new StartError(`${path} was changed while it was read: try again.`);
}

async function addJson(add: Add, name: string, value: unknown): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(value));
  await add(name, bytes.length, [bytes]);
}

/** Waits until what was written would outlive a failure of power. */
async function synced(file: string): Promise<void> {
  const handle = await open(file, 'r');
  await handle.sync().finally(() => handle.close());
}
