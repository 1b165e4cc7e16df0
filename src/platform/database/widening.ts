import { Prisma } from '../../generated/prisma/client.js';
import { giveWay } from '../jobs/give-way.js';
import type { Database } from './database.js';

/** Rows that get their copy in one statement. */
const AT_ONCE = 5_000;
/** Milliseconds that a table may be read for, to prove that each row has its copy. */
const LONGEST = 60 * 60_000;

/** A column of 32 bits, and its copy of 64. */
interface Column {
  readonly table: string;
  readonly from: string;
  readonly to: string;
  /** The column of the key by which the rows are read; none of a table of few rows. */
  readonly by?: string;
}

const COLUMNS: readonly Column[] = [
  { table: 'dose', from: 'id', to: 'wide_id', by: 'id' },
  { table: 'notification', from: 'id', to: 'wide_id', by: 'id' },
  { table: 'delivery', from: 'notification_id', to: 'wide_notification_id', by: 'id' },
  { table: 'idempotent_change', from: 'row_id', to: 'wide_row_id' },
];

/**
 * Copies numbers of 32 bits into columns of 64, of rows from before these columns, 5,000 at a time, and then
 * proves that none lacks its copy, while others read and write: see the migration
 * 20261213010000_wide_ids. Safe at any kill and in several processes: it goes on where the last one was.
 * Where there is nothing to do this costs one statement. Returns how many rows got their copy.
 */
export async function widenIds(database: Database, stopping?: AbortSignal): Promise<number> {
  const [there] = await database.db.$queryRaw<{ found: boolean }[]>`
    SELECT to_regclass('wide_column') IS NOT NULL AS found`;
  if (!there?.found) return 0;
  let sum = 0;
  for (const column of COLUMNS) sum += await widen(database, column, stopping);
  return sum;
}

async function widen(
  database: Database,
  column: Column,
  stopping: AbortSignal | undefined,
): Promise<number> {
  const { db } = database;
  const [state] = await db.$queryRaw<{ upto: bigint | number; done: boolean }[]>`
    SELECT upto, done FROM wide_column WHERE name = ${column.table}`;
  if (state?.done) return 0;
  let upto = Number(state?.upto ?? 0);
  for (let sum = 0; ; await giveWay()) {
    const { count, last } = await copySome(db, column, upto);
    sum += count;
    upto = last ?? upto;
    if (count === 0) {
      await database.transaction((inner) => prove(inner, column.table, upto), { timeout: LONGEST });
      return sum;
    }
    await note(db, column.table, { upto, done: false });
    if (stopping?.aborted) return sum;
  }
}

/** Copies the numbers of the rows behind one. Returns how many, and the last one. */
async function copySome(
  db: Database['db'],
  { table, from, to, by }: Column,
  upto: number,
): Promise<{ readonly count: number; readonly last: number | undefined }> {
  const raw = Prisma.raw;
  const behind = by
    ? Prisma.sql`SELECT ctid, ${raw(by)} AS place FROM ${raw(table)} WHERE ${raw(by)} > ${upto}
        ORDER BY ${raw(by)} LIMIT ${AT_ONCE}::int`
    : Prisma.sql`SELECT ctid, 0 AS place FROM ${raw(table)} WHERE ${raw(to)} IS NULL LIMIT ${AT_ONCE}::int`;
  const [row] = await db.$queryRaw<{ count: number; last: bigint | number | null }[]>`
    WITH part AS MATERIALIZED (${behind}), copied AS (
      UPDATE ${raw(table)} SET ${raw(to)} = ${raw(from)}
      WHERE ctid = ANY(ARRAY(SELECT ctid FROM part)) AND ${raw(to)} IS NULL)
    SELECT count(*)::int AS count, max(place) AS last FROM part`;
  return { count: row?.count ?? 0, last: row?.last == null ? undefined : Number(row.last) };
}

/** Proves that each row of a table has its copy. Others read and write meanwhile. */
async function prove(db: Database['db'], table: string, upto: number): Promise<void> {
  await db.$executeRawUnsafe(`ALTER TABLE "${table}" VALIDATE CONSTRAINT "${table}_wide"`);
  await note(db, table, { upto, done: true });
}

async function note(
  db: Database['db'],
  table: string,
  { upto, done }: { readonly upto: number; readonly done: boolean },
): Promise<void> {
  await db.$executeRaw`INSERT INTO wide_column (name, upto, done) VALUES (${table}, ${upto}, ${done})
    ON CONFLICT (name) DO UPDATE SET upto = greatest(wide_column.upto, excluded.upto),
      done = wide_column.done OR excluded.done`;
}
