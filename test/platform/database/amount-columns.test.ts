import pg from 'pg';
import { migrateClient } from '../../../src/platform/database/migrate-server.js';
import { readMigrations } from '../../../src/platform/database/migrations.js';
import { openPGlite } from '../../../src/platform/database/pglite.js';
import { migratePGlite } from '../../../src/platform/database/pglite-adapter.js';
import { onServer } from '../../faults/databases.js';

const TABLES = ['dose', 'dose_amount', 'medicine_stock', 'medicine_pack'];
type Query = (text: string) => Promise<{ rows: unknown[] }>;

const ROWS = `
  INSERT INTO account (username, username_key, name, slug, roles)
  VALUES ('m', 'm', 'M', 'm', ARRAY['subscriber']);
  INSERT INTO reminder (kind, account_id, creator_id, scheduled, recognized, follows, zone,
    zone_source, start_local, times, times_source, created_at, updated_at)
  SELECT 'medicine', id, id, true, true, true, 'UTC', 'site', '', '{}', '', now(), now()
  FROM account;
  INSERT INTO dose_amount (reminder_id, starts_on, amount) SELECT id, '', 999999.999 FROM reminder;
  INSERT INTO medicine_stock (reminder_id, amount, unit, counted_at)
  SELECT id, 9999999.999, 'ml', now() FROM reminder;
  INSERT INTO medicine_pack (reminder_id, amount, expires_on) SELECT id, 0.05, '' FROM reminder;
  INSERT INTO dose (account_id, reminder_id, answer, at, name, amount, from_stock, logged_by_id,
    logged_at)
  SELECT a.id, r.id, 'taken', now(), 'x', given.*, a.id, now()
  FROM account a, reminder r, (VALUES (0.5, 0.125), (NULL, NULL)) given`;
const AMOUNTS = `SELECT trim_scale(amount)::text AS amount FROM dose_amount
  UNION ALL SELECT trim_scale(amount)::text FROM medicine_stock
  UNION ALL SELECT trim_scale(amount)::text FROM medicine_pack
  UNION ALL SELECT concat_ws(' of ', trim_scale(from_stock), trim_scale(amount)) FROM dose`;
const FILES = `SELECT ${TABLES.map((name) => `pg_relation_filenode('${name}') AS ${name}`).join()}`;

/** The amounts of before are as they were, in the files of before, and have four decimals now. */
async function widened(
  migrate: (most?: number) => Promise<unknown>,
  exec: (script: string) => Promise<unknown>,
  query: Query,
): Promise<void> {
  const all = readMigrations();
  await migrate(all.findIndex(({ name }) => name.endsWith('_amounts_of_four_decimals')));
  await exec(ROWS);
  const amounts = (await query(AMOUNTS)).rows;
  expect(amounts).toStrictEqual(
    ['999999.999', '9999999.999', '0.05', '0.125 of 0.5', ''].map((amount) => ({ amount })),
  );
  const files = (await query(FILES)).rows;
  await migrate();
  expect((await query(FILES)).rows, 'no table was written again').toStrictEqual(files);
  expect((await query(AMOUNTS)).rows).toStrictEqual(amounts);
  const columns = [...TABLES.map((name) => [name, 'amount']), ['dose', 'from_stock']] as const;
  for (const [table, column] of columns) {
    const set = (value: string) => query(`UPDATE ${table} SET ${column} = ${value}`);
    await set('0.0625');
    for (const value of ['0.00001', '0.00005', '10000000', "'NaN'"])
      await expect(set(value), `${table} ${value}`).rejects.toThrow(/check constraint/);
  }
  const fine = { amount: '0.0625' };
  const dose = { amount: '0.0625 of 0.0625' };
  expect((await query(AMOUNTS)).rows).toStrictEqual([fine, fine, fine, dose, dose]);
}

const title = 'amounts get a fourth decimal, those of before stay, and no row is written again';

test(`${title} (PGlite)`, async () => {
  const database = await openPGlite();
  await widened(
    (most) => migratePGlite(database, readMigrations().slice(0, most)),
    (script) => database.exec(script),
    (text) => database.query(text),
  ).finally(() => database.close());
});

onServer(`${title} (PostgreSQL)`, async (url) => {
  const options = { config: { connectionString: url } };
  const client = new pg.Client(url);
  await client.connect();
  await widened(
    (most) => migrateClient(client, readMigrations().slice(0, most), options),
    (script) => client.query(script),
    (text) => client.query(text),
  ).finally(() => client.end());
});
