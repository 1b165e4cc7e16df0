import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Config, databaseOptions } from '../../config/config.js';
import { type Database, StartError } from '../../platform/database/database.js';
import { filledTable } from '../../platform/database/inspection.js';
import { lockFolder } from '../../platform/database/lock.js';
import { readMigrations } from '../../platform/database/migrations.js';
import { openDatabase } from '../../platform/database/open.js';
import { Keys } from '../../platform/keys.js';
import { allPrints } from '../secret-key.service.js';
import type { Key } from './archive.js';
import { HEADS, KEY_FILE } from './data-files.js';
import { type Backup, readBackup } from './examination.js';
import { type Progress, sentenceOf, told } from './making.js';
import { RowTally } from './manifest.js';
import {
  addRows,
  beginReading,
  emptyTables,
  rowsOf,
  setExtras,
  tablesOf,
  withoutRules,
} from './rows.service.js';

/** Milliseconds that a restore may take. */
const LONGEST = 24 * 60 * 60 * 1000;

/**
 * Restores a backup into an empty database and data directory. First reads all of it, so that a
 * backup that is damaged or of another key changes nothing. The rows are written in one
 * transaction, and compared with the backup before it ends; the files move to their places last.
 * Then applies the migrations that are newer than the backup. Throws StartError with one sentence.
 */
export async function restoreBackup(
  config: Config,
  file: string,
  key: Key | undefined,
  progress: Progress,
): Promise<Backup> {
  progress('reading the backup');
  const backup = await readBackup(file, key);
  requireKnown(backup);
  await requireEmpty(config, backup);
  await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(config.DATA_DIR);
  const staging = join(config.DATA_DIR, `.unfinished-restore-${process.pid}`);
  try {
    await mkdir(staging, { mode: 0o700 });
    await unpackFiles(file, key, staging);
    await requireKey(config, backup, staging);
    const dataDir = config.DATABASE_URL ? config.DATA_DIR : join(staging, 'data');
    await fillDatabase(config, dataDir, { file, key, backup, progress });
    await moveFiles(config, backup, staging);
  } catch (error) {
    throw sentenceOf(error, 'the backup was not restored');
  } finally {
    await rm(staging, { recursive: true, force: true });
    await lock.release();
  }
  return backup;
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
  if (filled)
    throw new StartError(
      `The database is not empty: the table ${filled} has rows. Restore into a new one.`,
    );
  if (!url && existsSync(join(DATA_DIR, 'database')))
    throw new StartError(`${DATA_DIR} has a database already: restore into another DATA_DIR.`);
  const taken = Object.keys(manifest.files)
    .filter((name) => name !== KEY_FILE)
    .map((name) => placeOf(config, name))
    .find((path) => existsSync(path));
  if (taken) throw new StartError(`${taken} is there already: restore into another DATA_DIR.`);
}

const placeOf = ({ DATA_DIR, AUDIT_HEAD_FILE }: Config, name: string) =>
  name === HEADS ? AUDIT_HEAD_FILE : join(DATA_DIR, name);

async function unpackFiles(file: string, key: Key | undefined, staging: string): Promise<void> {
  await readBackup(file, key, {
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

/** What `fillDatabase` reads. */
interface Source {
  readonly file: string;
  readonly key: Key | undefined;
  readonly backup: Backup;
  readonly progress: Progress;
}

async function fillDatabase(config: Config, dataDir: string, source: Source): Promise<void> {
  const { migrations } = source.backup.about;
  const options = { ...databaseOptions(config), dataDir, migrate: true };
  source.progress('making the tables');
  const database = await openDatabase({ ...options, migrations });
  try {
    await database.transaction((db) => fill(db, source), { timeout: LONGEST });
  } finally {
    await database.close();
  }
  const log = (message: string) => source.progress(message);
  await openDatabase({ ...options, log }).then((migrated) => migrated.close());
}

type Db = Parameters<Parameters<Database['transaction']>[0]>[0];

async function fill(db: Db, { file, key, backup, progress }: Source): Promise<void> {
  const { about, manifest } = backup;
  await beginReading(db, true);
  const tables = await tablesOf(db);
  const other = Object.keys({ ...tables, ...about.tables }).find(
    (name) => tables[name] !== about.tables[name],
  );
  if (other)
    throw new StartError(`The table ${other} of the database is another than the backup's.`);
  await withoutRules(db, async () => {
    await emptyTables(db, Object.keys(tables));
    let filling = '';
    await readBackup(file, key, {
      rows: async (table, rows) => {
        if (table !== filling) told(progress, table, manifest.tables[table]?.count);
        filling = table;
        await addRows(db, table, rows);
      },
    });
    await setExtras(db, manifest);
    progress('comparing what was restored');
    for (const table of Object.keys(tables)) await compare(db, backup, table);
  });
}

async function compare(db: Db, { manifest }: Backup, table: string): Promise<void> {
  const tally = new RowTally();
  for await (const rows of rowsOf(db, table)) tally.add(rows);
  if (!isDeepStrictEqual(tally.end(), manifest.tables[table]))
    throw new StartError(`The rows of ${table} came back from the database as others.`);
}

/** Moves what was unpacked, and the embedded database, to their places. */
async function moveFiles(config: Config, { manifest }: Backup, staging: string): Promise<void> {
  const names = Object.keys(manifest.files).filter(
    (name) => name !== KEY_FILE || !(config.SECRET_KEY || existsSync(placeOf(config, name))),
  );
  for (const name of names) {
    const place = placeOf(config, name);
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    await pipeline(
      createReadStream(join(staging, 'files', name)),
      createWriteStream(place, { flags: 'wx', mode: 0o600 }),
    );
  }
  if (!config.DATABASE_URL)
    await rename(join(staging, 'data', 'database'), join(config.DATA_DIR, 'database'));
}
