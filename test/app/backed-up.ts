// A service with something of everything, of which backups are made.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApp } from '../../src/app/app.js';
import { makeDeps } from '../../src/app/make-deps.js';
import { claimDatabase } from '../../src/app/secret-key.service.js';
import { firstStart } from '../../src/app/seed/first-start.js';
import { readConfig } from '../../src/config/config.js';
import { serviceContext } from '../../src/core/service-context.js';
import { sealAudit } from '../../src/domains/audit/chain/sealing.service.js';
import { openDatabase } from '../../src/platform/database/open.js';
import { makeLog } from '../../src/platform/log.js';

export type Environment = Readonly<Record<string, string>>;
export const PASSWORD = 'correct horse battery';
export const SECRET_KEY = 's'.repeat(40);
export const COMMON = { SECRET_KEY, LOG_LEVEL: 'silent', SEED: 'none' };

/** The key of a file of a medium that `fill` makes. */
export const MEDIA_KEY = 'ab'.repeat(16);

export const depsOf = (
  environment: Environment,
  database: Awaited<ReturnType<typeof openDatabase>>,
) =>
  makeDeps({
    config: readConfig(environment),
    database,
    secret: SECRET_KEY,
    log: makeLog('silent'),
  });

export const opened = ({ DATABASE_URL: url, DATA_DIR: dataDir = '' }: Environment) =>
  openDatabase({ ...(url && { url }), dataDir, wait: 5, migrate: true });

/** Fills a database with what a service has: an administrator, a sealed audit, an index of a model, uploads. */
export async function fill(environment: Environment): Promise<void> {
  const database = await opened(environment);
  const deps = depsOf({ ...environment, ADMIN_PASSWORD: PASSWORD }, database);
  await claimDatabase(deps);
  await firstStart(createApp(deps));
  await sealAudit(await serviceContext(deps, 'test'));
  await database.query(`INSERT INTO public_change (at)
    SELECT now() FROM generate_series(1, 3000) AS i`);
  await database.query(
    `CREATE INDEX model_item_field_7 ON model_item (version) WHERE definition_id = 7`,
  );
  await database.query(`WITH medium AS (
      INSERT INTO media (id, title, slug, mime_type, source_url, author_id, created_at, modified_at)
      SELECT 900, '', 'x', 'image/png', '', min(id), now(), now() FROM account RETURNING id)
    INSERT INTO media_file (key, media_id, name, mime_type, bytes, sha256)
    SELECT '${MEDIA_KEY}', id, 'x.png', 'image/png', 1, '' FROM medium`);
  await database.close();
  const folder = environment.DATA_DIR ?? '';
  mkdirSync(join(folder, 'files', 'ab'), { recursive: true });
  writeFileSync(join(folder, 'files', 'ab', MEDIA_KEY), Buffer.alloc(300_000, 'care'));
  writeFileSync(join(folder, 'files', 'empty'), '');
}
