import type { RequestContext } from '../../core/context.js';
import { Prisma } from '../../generated/prisma/client.js';
import { StartError } from '../../platform/database/database.js';
import { UNFINISHED } from '../../platform/database/unfinished-move.js';
import { addRows, emptyTables, lockTables, rulesOf } from './rows.service.js';

const { raw, sql } = Prisma;

type Db = RequestContext['db'];

/** How many rows of each table were moved. */
const MOVED = raw(`${UNFINISHED}.moved`);
/** Statements that give the database its keys and triggers back. */
const ENDING = raw(`${UNFINISHED}.ending`);

/**
 * Prepares an empty database for a move that takes several transactions: until `endMove` it has neither
 * foreign keys nor triggers, and nobody can start on it. Throws StartError when it has rows, or
 * the user may not make a schema in it.
 */
export async function beginMove(db: Db, tables: readonly string[]): Promise<void> {
  const filled = await lockTables(db, tables);
  if (filled)
    throw new StartError(
      `The database is not empty: the table ${filled} has rows. Move into a new one.`,
    );
  await requireRight(db);
  const { off, on } = await rulesOf(db);
  for (const statement of off) await db.$executeRaw(raw(statement));
  await emptyTables(db, tables);
  await db.$executeRaw(raw(`CREATE SCHEMA ${UNFINISHED}`));
  await db.$executeRaw(sql`CREATE TABLE ${MOVED} (name text PRIMARY KEY, count bigint NOT NULL)`);
  await db.$executeRaw(
    sql`CREATE TABLE ${ENDING} (place int PRIMARY KEY, statement text NOT NULL)`,
  );
  await db.$executeRaw(sql`INSERT INTO ${ENDING} SELECT place, statement
    FROM unnest(${on}::text[]) WITH ORDINALITY AS given (statement, place)`);
}

async function requireRight(db: Db): Promise<void> {
  const [row] = await db.$queryRaw<{ held: boolean }[]>(
    sql`SELECT has_database_privilege(current_database(), 'CREATE') AS held`,
  );
  if (!row?.held)
    throw new StartError('The user of DATABASE_URL needs the right CREATE on the database.');
}

/** Returns how many rows of each table were moved; of those that are left out, none. */
export async function movedRows(db: Db): Promise<Map<string, number>> {
  const rows = await db.$queryRaw<{ name: string; count: number }[]>(
    sql`SELECT name, count FROM ${MOVED}`,
  );
  return new Map(rows.map(({ name, count }) => [name, Number(count)]));
}

/** Adds rows to a table behind those that were moved. Throws StartError when another move did so too. */
export async function addMoved(
  db: Db,
  table: string,
  before: number,
  rows: readonly string[],
): Promise<void> {
  const noted = await db.$executeRaw(sql`
    INSERT INTO ${MOVED} AS moved (name, count) VALUES (${table}, ${rows.length}::bigint)
    ON CONFLICT (name) DO UPDATE SET count = moved.count + excluded.count
      WHERE moved.count = ${before}::bigint`);
  if (noted !== 1) throw new StartError('Another move into this database runs.');
  await addRows(db, table, JSON.stringify(rows));
}

/** Lets a table be moved anew. */
export async function forgetMoved(db: Db, table: string): Promise<void> {
  await emptyTables(db, [table]);
  await db.$executeRaw(sql`DELETE FROM ${MOVED} WHERE name = ${table}`);
}

/** Gives the database its keys, which checks all rows, and its triggers. Then services can start on it. */
export async function endMove(db: Db): Promise<void> {
  const rows = await db.$queryRaw<{ statement: string }[]>(
    sql`SELECT statement FROM ${ENDING} ORDER BY place`,
  );
  for (const { statement } of rows) await db.$executeRaw(raw(statement));
  await db.$executeRaw(raw(`DROP SCHEMA ${UNFINISHED} CASCADE`));
}

/** Returns how many rows tables have together. */
export async function rowsIn(db: Db, tables: readonly string[]): Promise<number> {
  let sum = 0;
  for (const table of tables) {
    const [row] = await db.$queryRaw<{ count: number }[]>(
      raw(`SELECT count(*) AS count FROM public."${table}"`),
    );
    sum += Number(row?.count);
  }
  return sum;
}
