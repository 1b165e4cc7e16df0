// After a run of Jest: workers share a service among their files, and end without closing it.
import { rmSync } from 'node:fs';
import pg from 'pg';

export default async function teardown() {
  rmSync(process.env.TEST_RUN_DIR, { recursive: true, force: true });
  if (!process.env.TEST_DATABASE_URL) return;
  const client = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL });
  await client.connect();
  const { rows } = await client.query(
    'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
    [`${process.env.TEST_RUN}_`],
  );
  for (const { datname } of rows)
    await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  await client.end();
}
