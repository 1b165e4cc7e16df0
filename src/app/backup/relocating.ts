import { isDeepStrictEqual } from 'node:util';
import { type Config, databaseOptions } from '../../config/config.js';
import { type Database, StartError } from '../../platform/database/database.js';
import { openDatabase } from '../../platform/database/open.js';
import { isMoveUnfinished } from '../../platform/database/unfinished-move.js';
import type { MovingProgress } from '../moving/kind-import.service.js';
import { sentenceOf } from './making.js';
import { type Measure, RowTally } from './manifest.js';
import {
  addMoved,
  beginMove,
  endMove,
  forgetMoved,
  movedRows,
  rowsIn,
} from './relocation.service.js';
import {
  beginReading,
  extrasOf,
  migrationsOf,
  rowsOf,
  setExtras,
  tablesOf,
} from './rows.service.js';

/** Milliseconds that a move may take. */
const LONGEST = 24 * 60 * 60 * 1000;

export const UNFINISHED_MOVE =
  'the move is not finished; run the command again, and it goes on there';

/** How a move is told of, and ended. */
interface Course {
  readonly progress: MovingProgress;
  readonly stopping: AbortSignal;
}

/** How many rows of how many tables were moved. */
interface Moved {
  readonly rows: number;
  readonly tables: number;
}

type Db = Parameters<Parameters<Database['transaction']>[0]>[0];

/**
 * Moves all rows of an embedded database into the empty server of DATABASE_URL. They are committed some
 * thousand at a time, with a note of how many: a move that was killed goes on there, and nobody can start
 * on the server until it has ended. Before, the rows of each table are compared by number and SHA-256; a
 * table that differs is moved anew by the next run. Throws StartError with one sentence.
 */
export async function moveToServer(from: Database, config: Config, course: Course): Promise<Moved> {
  const { stopping } = course;
  // A database in use lacks migrations that a new one has, and gets them with a later version.
  const migrations = await migrationsOf(from.db);
  const options = { ...databaseOptions(config), migrations, migrate: true, isMove: true, stopping };
  const to = await openDatabase(options);
  try {
    return await from.transaction((source) => move(source, to, course), { timeout: LONGEST });
  } catch (error) {
    throw sentenceOf(error, UNFINISHED_MOVE);
  } finally {
    await to.close();
  }
}

async function move(source: Db, to: Database, course: Course): Promise<Moved> {
  await beginReading(source);
  const tables = await tablesOf(source);
  const names = Object.keys(tables);
  const all = await rowsIn(source, names);
  await begin(to, tables);
  await moveRows(source, to, names, (done) => course.progress('moved', done, all), course.stopping);
  const other = await writing(to, async (db) => {
    const told = (done: number) => course.progress('compared', done, all);
    const different = await differing(source, db, names, told, course.stopping);
    if (different) return different;
    await setExtras(db, await extrasOf(source));
    await endMove(db);
    return undefined;
  });
  if (other === undefined) return { rows: all, tables: names.length };
  await writing(to, (db) => forgetMoved(db, other));
  throw new StartError(
    `The rows of ${other} differ in the two databases: run the command again, which moves them anew.`,
  );
}

const writing = <T>(to: Database, work: (db: Db) => Promise<T>): Promise<T> =>
  to.transaction(
    async (db) => {
      await beginReading(db, true);
      return work(db);
    },
    { timeout: LONGEST },
  );

/** Begins a move, unless one was begun. */
async function begin(to: Database, tables: Readonly<Record<string, string>>): Promise<void> {
  await writing(to, async (db) => {
    if (!isDeepStrictEqual(await tablesOf(db), tables))
      throw new StartError(
        'The tables of the two databases differ: make the new one anew, without tables, and move with one version.',
      );
    const query = (text: string) => db.$queryRawUnsafe<Record<string, unknown>[]>(text);
    if (!(await isMoveUnfinished(query))) await beginMove(db, Object.keys(tables));
  });
}

async function moveRows(
  source: Db,
  to: Database,
  tables: readonly string[],
  told: (done: number) => void,
  stopping: AbortSignal,
): Promise<void> {
  const moved = await movedRows(to.db);
  let done = [...moved.values()].reduce((sum, count) => sum + count, 0);
  for (const table of tables) {
    let before = moved.get(table) ?? 0;
    for await (const rows of rowsOf(source, table, before)) {
      stopping.throwIfAborted();
      await writing(to, (db) => addMoved(db, table, before, rows));
      before += rows.length;
      done += rows.length;
      told(done);
    }
  }
}

/** Returns the name of a table whose rows differ; undefined when there is none. */
async function differing(
  source: Db,
  target: Db,
  tables: readonly string[],
  told: (done: number) => void,
  stopping: AbortSignal,
): Promise<string | undefined> {
  let done = 0;
  for (const table of tables) {
    stopping.throwIfAborted();
    const measure = await measured(source, table);
    if (!isDeepStrictEqual(await measured(target, table), measure)) return table;
    done += measure.count;
    told(done);
  }
  return undefined;
}

async function measured(db: Db, table: string): Promise<Measure> {
  const tally = new RowTally();
  for await (const rows of rowsOf(db, table)) tally.add(rows);
  return tally.end();
}
