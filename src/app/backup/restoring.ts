import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Config, databaseOptions } from '../../config/config.js';
import {
  type Database,
  type DatabaseOptions,
  StartError,
} from '../../platform/database/database.js';
import { filledTable } from '../../platform/database/inspection.js';
import { lockFolder } from '../../platform/database/lock.js';
import { readMigrations } from '../../platform/database/migrations.js';
import { openDatabase } from '../../platform/database/open.js';
import { Keys } from '../../platform/keys.js';
import { allPrints } from '../secret-key.service.js';
import type { Key } from './archive.js';
import { KEY_FILE } from './data-files.js';
import { type Backup, readBackup } from './examination.js';
import { type Progress, sentenceOf, told } from './making.js';
import { RowTally } from './manifest.js';
import { orRemove, placeFiles, requirePlaces } from './placing.js';
import {
  addRows,
  beginReading,
  emptyTables,
  lockTables,
  rowsOf,
  setExtras,
  tablesOf,
  withoutRules,
} from './rows.service.js';

/** Milliseconds that a restore may take. */
const LONGEST = 24 * 60 * 60 * 1000;

/** Begins the name of the folder in DATA_DIR where a restore unpacks the files. */
const STAGING = '.unfinished-restore-';

/** How a restore is told of, and ended. */
interface Course {
  readonly progress: Progress;
  /** Ends the restore before it places anything, with its reason. */
  readonly stopping?: AbortSignal;
}

/**
 * Restores a backup into an empty database and data directory. First reads all of it, so that a
 * backup that is damaged or of another key changes nothing. The rows are written in one transaction,
 * under a lock that nobody writes beside, and compared with the backup; the files get their places
 * just before it ends, and lose them when it fails. Then applies the migrations that are newer than
 * the backup. Throws StartError with one sentence; until the transaction has ended nothing is left,
 * and the restore can be repeated.
 */
export async function restoreBackup(
  config: Config,
  file: string,
  key: Key | undefined,
  course: Course,
): Promise<Backup> {
  course.progress('reading the backup');
  const backup = await readBackup(file, key, { stopping: course.stopping });
  requireKnown(backup);
  await requireEmpty(config, backup);
  await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(config.DATA_DIR);
  const staging = join(config.DATA_DIR, `${STAGING}${process.pid}`);
  try {
    await removeLeftovers(config);
    await mkdir(staging, { mode: 0o700 });
    await unpackFiles(file, key, staging, course);
    await requireKey(config, backup, staging);
    const source = { file, key, backup, staging, ...course };
    await (config.DATABASE_URL ? restoreServer(config, source) : restoreEmbedded(config, source));
  } catch (error) {
    throw sentenceOf(error, 'the backup was not restored');
  } finally {
    await rm(staging, { recursive: true, force: true });
    await lock.release();
  }
  return backup;
}

/** Removes what restores left that were killed. The lock says that none of them runs. */
async function removeLeftovers({ DATA_DIR }: Config): Promise<void> {
  for (const name of await readdir(DATA_DIR))
    if (name.startsWith(STAGING)) await rm(join(DATA_DIR, name), { recursive: true, force: true });
}

function requireKnown({ about }: Backup): void {
  const known = new Set(readMigrations().map(({ name }) => name));
  const other = about.migrations.find((name) => !known.has(name));
  if (other)
    throw new StartError(
      `The backup is of a newer version of the service (${about.version}): the migration ${other} is not known here.`,
    );
}

/** Throws unless neither a row nor a file stands in the way. */
async function requireEmpty(config: Config, { manifest }: Backup): Promise<void> {
  const { DATABASE_URL: url, DATABASE_WAIT: wait, DATA_DIR } = config;
  const filled = url && (await filledTable(url, wait));
  if (filled) throw notEmpty(filled);
  if (!url && existsSync(join(DATA_DIR, 'database')))
    throw new StartError(`${DATA_DIR} has a database already: restore into another DATA_DIR.`);
  await requirePlaces(config, manifest);
}

const notEmpty = (filled: string) =>
  new StartError(
    `The database is not empty: the table ${filled} has rows. Restore into a new one.`,
  );

async function unpackFiles(
  file: string,
  key: Key | undefined,
  staging: string,
  { stopping }: Course,
): Promise<void> {
  await readBackup(file, key, {
    stopping,
    file: async (name, bytes) => {
      const path = join(staging, 'files', name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await pipeline(bytes, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    },
  });
}

/** Throws unless the key that the service will have is that of the backup. */
async function requireKey(config: Config, { about }: Backup, staging: string): Promise<void> {
  const read = (path: string) => readFile(path, 'utf8').catch(() => undefined);
  const secret =
    config.SECRET_KEY ??
    (await read(join(config.DATA_DIR, KEY_FILE))) ??
    (await read(join(staging, 'files', KEY_FILE)));
  if (!secret)
    throw new StartError(
      'The backup holds no key: set SECRET_KEY, or put the file secret.key into DATA_DIR.',
    );
  const { SECRET_KEY_PREVIOUS: previous, SECRET_KEY_NEXT: next } = config;
  if (!allPrints(new Keys(secret, { previous, next })).includes(about.key))
    throw new StartError(
      'The backup is of another SECRET_KEY: restore it with the key that the service had then.',
    );
}

/** What is restored. */
interface Source extends Course {
  readonly file: string;
  readonly key: Key | undefined;
  readonly backup: Backup;
  /** The folder with the files, and with the embedded database until it has its place. */
  readonly staging: string;
}

/** Gives the unpacked files their places, which are noted. */
const place = (config: Config, { backup, staging }: Source, placed: string[]) =>
  placeFiles(config, backup.manifest, join(staging, 'files'), placed);

async function restoreServer(config: Config, source: Source): Promise<void> {
  const options = { ...databaseOptions(config), migrate: true };
  await fillDatabase(options, source, (placed) => place(config, source, placed));
  await migrateOn(options, source).catch((cause: Error) => {
    throw new StartError(`${cause.message} All is restored but for that: run npm run migrate.`, {
      cause,
    });
  });
}

async function restoreEmbedded(config: Config, source: Source): Promise<void> {
  const dataDir = join(source.staging, 'data');
  const options = { ...databaseOptions(config), dataDir, migrate: true };
  await fillDatabase(options, source, async () => {});
  await migrateOn(options, source);
  await orRemove(async (placed) => {
    await place(config, source, placed);
    await rename(join(dataDir, 'database'), join(config.DATA_DIR, 'database'));
  });
}

/** Fills the database, and runs `last` before what was written counts. */
async function fillDatabase(
  options: DatabaseOptions,
  source: Source,
  last: (placed: string[]) => Promise<void>,
): Promise<void> {
  const { migrations } = source.backup.about;
  source.progress('making the tables');
  const { stopping } = source;
  const database = await openDatabase({ ...options, migrations, stopping });
  const filling = (placed: string[]) => async (db: Db) => {
    await fill(db, source);
    stopping?.throwIfAborted();
    await last(placed);
  };
  try {
    await orRemove((placed) => database.transaction(filling(placed), { timeout: LONGEST }));
  } finally {
    await database.close();
  }
}

/** Applies the migrations that are newer than the backup. */
async function migrateOn(options: DatabaseOptions, { progress }: Source): Promise<void> {
  await openDatabase({ ...options, log: progress }).then((migrated) => migrated.close());
}

type Db = Parameters<Parameters<Database['transaction']>[0]>[0];

async function fill(db: Db, source: Source): Promise<void> {
  const { about, manifest } = source.backup;
  await beginReading(db, true);
  const tables = await tablesOf(db);
  const other = Object.keys({ ...tables, ...about.tables }).find(
    (name) => tables[name] !== about.tables[name],
  );
  if (other)
    throw new StartError(
      `The table ${other} of the database is another than the backup's: restore into a database without tables.`,
    );
  const filled = await lockTables(db, Object.keys(tables));
  if (filled) throw notEmpty(filled);
  await withoutRules(db, async () => {
    await emptyTables(db, Object.keys(tables));
    await addAll(db, source);
    await setExtras(db, manifest);
    source.progress('comparing what was restored');
    for (const table of Object.keys(tables)) await compare(db, source, table);
  });
}

async function addAll(db: Db, { file, key, backup, progress, stopping }: Source): Promise<void> {
  let filling = '';
  await readBackup(file, key, {
    stopping,
    rows: async (table, rows) => {
      if (table !== filling) told(progress, table, backup.manifest.tables[table]?.count);
      filling = table;
      await addRows(db, table, rows);
    },
  });
}

async function compare(db: Db, { backup, stopping }: Source, table: string): Promise<void> {
  const tally = new RowTally();
  for await (const rows of rowsOf(db, table)) {
    stopping?.throwIfAborted();
    tally.add(rows);
  }
  if (!isDeepStrictEqual(tally.end(), backup.manifest.tables[table]))
    throw new StartError(`The rows of ${table} came back from the database as others.`);
}
