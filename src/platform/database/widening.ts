import { Prisma } from '../../generated/prisma/client.js';
import { giveWay } from '../jobs/give-way.js';
import type { Database } from './database.js';
import { isLockTimeout } from './database-errors.js';
import type { Db } from './transaction.js';

/** Rows that get their copy in one transaction. */
const AT_ONCE = 5_000;
/** Milliseconds that a lock on a table is waited for, since others wait behind it. */
const PATIENCE = 200;
/** Milliseconds that a table may be read for, to prove that each row has its copy. */
const LONGEST = 60 * 60_000;

/** A column of 32 bits, and its copy of 64. */
interface Column {
  readonly table: string;
  readonly from: string;
  readonly to: string;
  /** The key by which rows are read; none of rows that expire within a day: they are waited for. */
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
 * 20261213010000_wide_ids. One process does it; where it is killed another goes on. Rows that others hold
 * are left to the end, or to the next time. Where there is nothing to do this costs one statement, while
 * there are copies two. Returns how many rows got their copy.
 */
export async function widenIds(database: Database, stopping?: AbortSignal): Promise<number> {
  const { db } = database;
  const [there] = await db.$queryRaw<{ found: boolean }[]>`
    SELECT to_regclass('wide_column') IS NOT NULL AS found`;
  if (!there?.found) return 0;
  const proven = await db.$queryRaw<{ name: string }[]>`
    SELECT conname::text AS name FROM pg_constraint WHERE convalidated
      AND conname = ANY(${COLUMNS.map(nameOfProof)}::name[])`;
  const left = COLUMNS.filter((column) => !proven.some(({ name }) => name === nameOfProof(column)));
  let sum = 0;
  for (const column of left) {
    sum += await widen(database, column, stopping);
    if (stopping?.aborted) return sum;
    if (await lacksNone(db, column)) await prove(database, column);
  }
  return sum;
}

const nameOfProof = ({ table }: Column) => `${table}_wide`;
const raw = Prisma.raw;

async function widen(
  database: Database,
  column: Column,
  stopping: AbortSignal | undefined,
): Promise<number> {
  const { by } = column;
  if (by === undefined) return 0;
  for (let sum = 0; ; await giveWay()) {
    const { read, copied } = await database.transaction((db) => copySome(db, { ...column, by }));
    sum += copied;
    if (read === 0 || stopping?.aborted) return sum;
  }
}

/** Copies the numbers of some rows. Returns how many rows were read, and how many got their copy. */
async function copySome(
  db: Db,
  { table, from, to, by }: Required<Column>,
): Promise<{ readonly read: number; readonly copied: number }> {
  const [lock] = await db.$queryRaw<{ got: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended('wide ids', 0)) AS got`;
  if (!lock?.got) return { read: 0, copied: 0 };
  const [state] = await db.$queryRaw<{ upto: number }[]>`
    SELECT upto FROM wide_column WHERE name = ${table}`;
  const upto = state?.upto ?? 0;
  const behind = await copied(db, {
    part: Prisma.sql`SELECT ctid, ${raw(by)} AS place FROM ${raw(table)} WHERE ${raw(by)} > ${upto}
      ORDER BY ${raw(by)} LIMIT ${AT_ONCE}::int`,
    table,
    from,
    to,
  });
  if (behind.read > 0)
    await db.$executeRaw`INSERT INTO wide_column (name, upto) VALUES (${table}, ${behind.last})
      ON CONFLICT (name) DO UPDATE SET upto = excluded.upto`;
  // Rows that come meanwhile have their copies: who waited for the last one would never end.
  if (behind.read === AT_ONCE) return behind;
  const others = await copied(db, {
    part: Prisma.sql`SELECT ctid, 0 AS place FROM ${raw(table)} WHERE ${raw(to)} IS NULL LIMIT ${AT_ONCE}::int`,
    table,
    from,
    to,
  });
  return { read: others.copied, copied: behind.copied + others.copied };
}

/** Copies the numbers of a part of the rows, but for those that others hold. */
async function copied(
  db: Db,
  { part, table, from, to }: Omit<Column, 'by'> & { readonly part: Prisma.Sql },
): Promise<{ readonly read: number; readonly copied: number; readonly last: number }> {
  const [row] = await db.$queryRaw<{ read: number; copied: number; last: number }[]>`
    WITH part AS MATERIALIZED (${part}), free AS MATERIALIZED (
      SELECT ctid FROM ${raw(table)} WHERE ctid = ANY(ARRAY(SELECT ctid FROM part)) AND ${raw(to)} IS NULL
      FOR UPDATE SKIP LOCKED
    ), copied AS (
      UPDATE ${raw(table)} SET ${raw(to)} = ${raw(from)} WHERE ctid = ANY(ARRAY(SELECT ctid FROM free))
      RETURNING 1)
    SELECT count(*)::int AS read, coalesce(max(place), 0) AS last, (SELECT count(*)::int FROM copied) AS copied
    FROM part`;
  return { read: row?.read ?? 0, copied: row?.copied ?? 0, last: row?.last ?? 0 };
}

async function lacksNone(db: Db, { table, to }: Column): Promise<boolean> {
  const lacking = await db.$queryRaw<object[]>`
    SELECT 1 FROM ${raw(table)} WHERE ${raw(to)} IS NULL LIMIT 1`;
  return lacking.length === 0;
}

/**
 * Proves that each row has its copy: then no table is read to make it NOT NULL. Others read and write
 * meanwhile. A table whose lock is not to be had is left to the next time.
 */
async function prove(database: Database, column: Column): Promise<void> {
  const { table, to } = column;
  const name = nameOfProof(column);
  try {
    await database.transaction(async (db) => {
      await db.$executeRawUnsafe(`SET LOCAL lock_timeout = ${PATIENCE}`);
      await db.$executeRawUnsafe(`ALTER TABLE "${table}" DROP CONSTRAINT IF EXISTS "${name}",
        ADD CONSTRAINT "${name}" CHECK ("${to}" IS NOT NULL) NOT VALID`);
    });
  } catch (error) {
    if (isLockTimeout(error)) return;
    throw error;
  }
  await database.transaction(
    (db) => db.$executeRawUnsafe(`ALTER TABLE "${table}" VALIDATE CONSTRAINT "${name}"`),
    { timeout: LONGEST },
  );
}
