// Databases for the tests of storage: one in memory, one in a folder, one on the server of
// TEST_DATABASE_URL.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Database, StartError } from '../../src/platform/database/database.js';
import { openMemory } from '../../src/platform/database/embedded.js';
import { openDatabase } from '../../src/platform/database/open.js';

/**
 * Address of a server on which tests may create databases; without it tests of a server are
 * skipped.
 */
export const adminUrl = process.env.TEST_DATABASE_URL;

/** How often the tests that kill processes do so. */
export const kills = Number(process.env.KILLS ?? 1);

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
export async function withServer(
  body: (url: string, admin: pg.Client) => Promise<void>,
): Promise<void> {
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
export function openServer(
  url: string,
  options: { readonly statementLimit?: number; readonly poolSize?: number } = {},
): Promise<Database> {
  return openDatabase({ url, dataDir: '/nowhere', wait: 5, migrate: true, ...options });
}

/** For `toSatisfy`: a StartError of one sentence. */
export function startError(sentence: RegExp): (error: unknown) => true {
  return (error) => {
    expect(error, String(error)).toBeInstanceOf(StartError);
    expect((error as StartError).message).toMatch(sentence);
    return true;
  };
}

type Body = (database: Database) => Promise<void>;
const closing = (body: Body) => (database: Database) =>
  body(database).finally(() => database.close());

/** Registers a test for PGlite, and for PostgreSQL when there is a server. */
export function onBoth(title: string, body: Body): void {
  onMemory(`${title} (PGlite)`, body);
  if (adminUrl) onServer(`${title} (PostgreSQL)`, (url) => openServer(url).then(closing(body)));
}

/** Registers a test of PGlite alone. */
export function onMemory(title: string, body: Body): void {
  test(title, () => openMemory().then(closing(body)));
}

/** Registers a test of PGlite in a fresh folder. */
export function onFolder(title: string, body: (folder: string) => Promise<void>): void {
  test(title, () => withFolder(body));
}

/** Registers a test where TEST_DATABASE_URL is set. */
export const testOnServer = adminUrl ? test : test.skip;

/** Registers a test that needs a PostgreSQL server. */
export function onServer(
  title: string,
  body: (url: string, admin: pg.Client) => Promise<void>,
): void {
  testOnServer(title, () => withServer(body));
}
