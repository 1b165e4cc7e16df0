// Databases for the tests of storage: one in memory, one in a folder, one on the server of TEST_DATABASE_URL.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { type Database, openDatabase } from '../../src/platform/database/database.js';
import { openMemory } from '../../src/platform/database/embedded.js';

/** Address of a server on which tests may create databases; without it no test of a server is registered. */
export const adminUrl = process.env['TEST_DATABASE_URL'];

/** How often the tests that kill processes do so. */
export const kills = Number(process.env['KILLS'] ?? 1);

/** Runs `body` with a fresh folder, and removes it. */
export async function withFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'care-test-'));
  try {
    await body(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs `body` with the address of a database of its own on the server, and drops it. */
export async function withServer(body: (url: string, admin: pg.Client) => Promise<void>): Promise<void> {
  const name = `care_test_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client(adminUrl);
  await admin.connect();
  try {
    await admin.query(`CREATE DATABASE ${name}`);
    await body(Object.assign(new URL(adminUrl ?? ''), { pathname: `/${name}` }).href, admin);
  } finally {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.end();
  }
}

/** Opens a server's database as the service does. */
export function openServer(url: string): Promise<Database> {
  return openDatabase({ url, dataDir: '/nowhere', wait: 5, migrate: true });
}

/** Registers a test for PGlite, and for PostgreSQL when there is a server. */
export function onBoth(title: string, body: (database: Database) => Promise<void>): void {
  const closing = (database: Database) => body(database).finally(() => database.close());
  test(`${title} (PGlite)`, async () => closing(await openMemory()));
  onServer(`${title} (PostgreSQL)`, async (url) => closing(await openServer(url)));
}

/** Registers a test that needs a PostgreSQL server. */
export function onServer(title: string, body: (url: string, admin: pg.Client) => Promise<void>): void {
  if (adminUrl) test(title, () => withServer(body));
}
