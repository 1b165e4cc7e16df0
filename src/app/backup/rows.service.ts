import type { RequestContext } from '../../core/context.js';
import { Prisma } from '../../generated/prisma/client.js';
import { StartError } from '../../platform/database/database.js';
import { firstFilled } from '../../platform/database/inspection.js';
import type { About, Manifest } from './manifest.js';

const { raw, sql } = Prisma;

type Db = RequestContext['db'];

/** How much text of rows is read at a time, and how many rows, at most. */
const BATCH = 2 * 2 ** 20;
const MOST = 5_000;
const FIRST = 20;

/** How long a backup waits for a migration that changes a table. */
const LOCK_WAIT = '60s';

/** What the service makes for a field of a model. */
const OF_FIELD = /^CREATE INDEX model_item_field_\d+ ON public\.model_item USING [^;]+$/;

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/**
 * Makes a transaction read one state of the database, in texts that every PostgreSQL reads again.
 */
export async function beginReading(db: Db, isNew = false): Promise<void> {
  if (!isNew)
    await db.$executeRaw(raw('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY'));
  for (const setting of [
    "DateStyle = 'ISO'",
    "IntervalStyle = 'iso_8601'",
    "bytea_output = 'hex'",
    "TimeZone = 'UTC'",
    'extra_float_digits = 1',
    'synchronize_seqscans = off', // rows come in the order in which they lie
    'idle_in_transaction_session_timeout = 0',
  ])
    await db.$executeRaw(raw(`SET LOCAL ${setting}`));
}

/**
 * Keeps the columns of tables until the transaction ends: it reads rows of one state, but by the columns that
 * tables have when it comes to them. It must have read nothing yet, or it may not see the last change of them.
 */
export async function keepTables(db: Db, tables: readonly string[]): Promise<void> {
  await db.$executeRaw(raw(`SET LOCAL lock_timeout = '${LOCK_WAIT}'`));
  await db.$executeRaw(raw(`LOCK TABLE ${tables.map(quoted).join(', ')} IN ACCESS SHARE MODE`));
}

/** Returns the tables, each with its columns and their types as one text. */
export async function tablesOf(db: Db): Promise<About['tables']> {
  const rows = await db.$queryRaw<{ name: string; columns: string }[]>(
    raw(`
    SELECT c.relname::text AS name,
      string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' ORDER BY a.attnum)
        AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0
      AND NOT a.attisdropped
    GROUP BY 1 ORDER BY 1`),
  );
  return Object.fromEntries(rows.map(({ name, columns }) => [name, columns]));
}

/** Returns the names of the migrations that are applied, in order. */
export async function migrationsOf(db: Db): Promise<string[]> {
  const rows = await db.$queryRaw<{ name: string }[]>(
    raw(`
    SELECT migration_name AS name FROM _prisma_migrations
    WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY 1`),
  );
  return rows.map(({ name }) => name);
}

/** Yields the rows of a table behind some, each as the text of its values, some megabytes at a time. */
export async function* rowsOf(db: Db, table: string, behind = 0): AsyncGenerator<string[]> {
  await db.$executeRaw(
    raw(`DECLARE reading NO SCROLL CURSOR FOR SELECT t::text AS row FROM ${quoted(table)} t`),
  );
  if (behind > 0) await db.$executeRaw(raw(`MOVE FORWARD ${behind} FROM reading`));
  for (let most = FIRST; ; ) {
    const rows = await db.$queryRaw<{ row: string }[]>(raw(`FETCH ${most} FROM reading`));
    if (rows.length === 0) break;
    yield rows.map(({ row }) => row);
    const size = rows.reduce((sum, { row }) => sum + row.length, 0);
    const fitting = Math.floor((BATCH * rows.length) / Math.max(size, 1));
    most = Math.max(1, Math.min(fitting, most * 4, MOST));
  }
  await db.$executeRaw(raw('CLOSE reading'));
}

/** Returns what belongs to no table: last values of sequences, and indexes of models. */
export async function extrasOf(db: Db): Promise<Pick<Manifest, 'sequences' | 'indexes'>> {
  const sequences = await db.$queryRaw<{ name: string; last: string }[]>(
    raw(`
    SELECT sequencename::text AS name, last_value::text AS last FROM pg_sequences
    WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY 1`),
  );
  const indexes = await db.$queryRaw<{ made: string }[]>(
    raw(`
    SELECT indexdef AS made FROM pg_indexes
    WHERE schemaname = 'public' AND indexname LIKE 'model\\_item\\_field\\_%' ORDER BY 1`),
  );
  return {
    sequences: Object.fromEntries(sequences.map(({ name, last }) => [name, last])),
    indexes: indexes.map(({ made }) => made),
  };
}

/** Adds rows to a table. `rows` is a JSON array of the texts of their values. */
export async function addRows(db: Db, table: string, rows: string): Promise<void> {
  const name = raw(quoted(table));
  // OFFSET 0 keeps PostgreSQL from reading the text again for each column.
  await db.$executeRaw(sql`
    INSERT INTO ${name} OVERRIDING SYSTEM VALUE SELECT (given.row).* FROM (
      SELECT each::${name} AS row FROM json_array_elements_text(${rows}::json) AS each OFFSET 0
    ) AS given`);
}

/** Sets what belongs to no table. */
export async function setExtras(
  db: Db,
  { sequences, indexes }: Pick<Manifest, 'sequences' | 'indexes'>,
): Promise<void> {
  for (const [name, last] of Object.entries(sequences))
    await db.$queryRaw(
      sql`SELECT setval(quote_ident(${name})::regclass, ${last}::text::bigint, true)::text`,
    );
  if (!indexes.every((made) => OF_FIELD.test(made)))
    throw new StartError('The backup has an index that the service does not make.');
  for (const made of indexes) await db.$executeRaw(raw(made));
}

/** A foreign key of a table. */
interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/**
 * Runs `fill` while no trigger fires and no foreign key is checked; then makes the keys again, which
 * checks all rows.
 */
export async function withoutRules(db: Db, fill: () => Promise<void>): Promise<void> {
  const { off, on } = await rulesOf(db);
  for (const statement of off) await db.$executeRaw(raw(statement));
  await fill();
  for (const statement of on) await db.$executeRaw(raw(statement));
}

/**
 * Returns statements that stop triggers and drop foreign keys, which the owner of the tables may, and
 * statements that undo it.
 */
export async function rulesOf(db: Db): Promise<{ off: string[]; on: string[] }> {
  const keys = await db.$queryRaw<ForeignKey[]>(
    raw(`
    SELECT conrelid::regclass::text AS "table", quote_ident(conname) AS name,
      pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`),
  );
  const triggered = await db.$queryRaw<{ name: string }[]>(
    raw(`
    SELECT DISTINCT tgrelid::regclass::text AS name FROM pg_trigger t
      JOIN pg_class c ON c.oid = t.tgrelid
    WHERE NOT tgisinternal AND c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'`),
  );
  return {
    off: [
      ...keys.map(({ table, name }) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`),
      ...triggered.map(({ name }) => `ALTER TABLE ${name} DISABLE TRIGGER USER`),
    ],
    on: [
      ...triggered.map(({ name }) => `ALTER TABLE ${name} ENABLE TRIGGER USER`),
      ...keys.map(
        ({ table, name, definition }) =>
          `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`,
      ),
    ],
  };
}

/**
 * Locks tables until the transaction ends, so that nobody else reads or writes them. Returns the name of
 * one that has rows beside those that migrations write.
 */
export async function lockTables(db: Db, tables: readonly string[]): Promise<string | undefined> {
  await db.$executeRaw(raw(`LOCK TABLE ${tables.map(quoted).join(', ')} IN ACCESS EXCLUSIVE MODE`));
  return firstFilled((text) => db.$queryRaw(raw(text)));
}

/** Empties all tables, which only have what migrations write. */
export async function emptyTables(db: Db, tables: readonly string[]): Promise<void> {
  await db.$executeRaw(raw(`TRUNCATE ${tables.map(quoted).join(', ')}`));
}
