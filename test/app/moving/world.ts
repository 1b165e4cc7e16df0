// Services on data folders of their own, which are exported and imported by the commands of operators.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApp } from '../../../src/app/app.js';
import { makeDeps } from '../../../src/app/make-deps.js';
import { claimDatabase } from '../../../src/app/secret-key.service.js';
import { firstStart } from '../../../src/app/seed/first-start.js';
import { exportTool } from '../../../src/app/tools/export.js';
import { importTool } from '../../../src/app/tools/import.js';
import { readConfig } from '../../../src/config/config.js';
import type { Deps } from '../../../src/core/deps.js';
import { openDatabase } from '../../../src/platform/database/open.js';
import { makeLog } from '../../../src/platform/log.js';
import { dataFolder } from '../../faults/service.js';

export type Environment = Readonly<Record<string, string>>;
const SECRET_KEY = 's'.repeat(40);
export const PASSWORD = 'correct horse battery';

/** The variables of a service with a data folder of its own; on a server where there is an address. */
export const place = (own: Environment = {}): Environment => ({
  ...{ SECRET_KEY, LOG_LEVEL: 'silent', SEED: 'none', ADMIN_PASSWORD: PASSWORD },
  DATA_DIR: join(dataFolder(), 'data'),
  ...own,
});

/** Works with the parts of a service, on its database, which is made and migrated. */
export async function within<T>(
  environment: Environment,
  work: (deps: Deps) => Promise<T>,
): Promise<T> {
  const { DATABASE_URL: url, DATA_DIR: dataDir = '' } = environment;
  mkdirSync(dataDir, { recursive: true });
  const database = await openDatabase({ ...(url && { url }), dataDir, wait: 5, migrate: true });
  const config = readConfig(environment);
  const log = makeLog('silent');
  const deps = makeDeps({ config, database, secret: SECRET_KEY, log });
  try {
    return await work(deps);
  } finally {
    await database.close();
  }
}

/** Starts a service for the first time, with the demo. */
export const startDemo = (environment: Environment) =>
  within({ ...environment, SEED: 'demo' }, async (deps) => {
    await claimDatabase(deps);
    await firstStart(createApp(deps));
  });

/** Exports into a folder. Returns the exit code and what was said. */
export async function exported(environment: Environment, folder: string) {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const status = await exportTool({ ...environment }, [folder], { say, note: () => {} });
  return { status, lines };
}

/** Imports a folder or a file. Returns the exit code and what was said. */
export async function imported(environment: Environment, ...args: string[]) {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const status = await importTool({ ...environment }, args, { say });
  return { status, lines };
}

/** Returns the lines of an export. */
export const linesIn = (folder: string): string[] =>
  readFileSync(join(folder, 'care.ndjson'), 'utf8').trimEnd().split('\n');

/** Returns the lines of a kind of an export. */
export const linesOf = (folder: string, kind: string): Record<string, unknown>[] =>
  linesIn(folder)
    .map((line) => JSON.parse(line))
    .filter((line) => line.kind === kind);

/** Changes the lines of an export, and makes its manifest fit. */
export function rewrite(folder: string, change: (lines: string[]) => string[]): void {
  const file = join(folder, 'care.ndjson');
  const text = `${change(linesIn(folder)).join('\n')}\n`;
  writeFileSync(file, text);
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  manifest.files['care.ndjson'] = {
    bytes: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
  };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
}
