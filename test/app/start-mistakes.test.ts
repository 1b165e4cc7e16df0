import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDeps } from '../../src/app/make-deps.js';
import { claimDatabase, secretOf } from '../../src/app/secret-key.service.js';
import { readConfig } from '../../src/config/config.js';
import { openDatabase } from '../../src/platform/database/open.js';
import { makeLog } from '../../src/platform/log.js';
import { storedSecret } from '../../src/platform/secret.js';
import { run } from '../faults/processes.js';
import { dataFolder, MAIN, variables } from '../faults/service.js';

/** Starts the service, which must refuse, and returns what it wrote on its standard error. */
async function refusalOf(environment: Readonly<Record<string, string>>): Promise<string> {
  const child = run('the service', [process.execPath, MAIN], { env: variables(environment) });
  void child.says('"msg":"ready"').then(
    () => child.kill(),
    () => {},
  );
  expect([await child.ended, child.output.text.includes('ready')]).toStrictEqual([1, false]);
  return child.output.errors;
}

describe('A start is refused with one sentence, and nothing is lost later, when', () => {
  it('AUDIT_HEAD_FILE is a folder, or in one that cannot be written', async () => {
    const folder = dataFolder();
    expect(await refusalOf({ DATA_DIR: folder, AUDIT_HEAD_FILE: folder })).toBe(
      `AUDIT_HEAD_FILE is ${folder}, which is a folder.\n`,
    );
    const file = join(folder, 'secret.key');
    writeFileSync(file, '');
    expect(await refusalOf({ DATA_DIR: folder, AUDIT_HEAD_FILE: `${file}/heads` })).toBe(
      `AUDIT_HEAD_FILE is ${file}/heads, which cannot be written: ${file} is no folder.\n`,
    );
  });

  it('the file of PERSISTED_DOCUMENTS is missing', async () => {
    const file = '/nowhere/documents.json';
    expect(await refusalOf({ DATA_DIR: dataFolder(), PERSISTED_DOCUMENTS: file })).toMatch(
      /^The file of PERSISTED_DOCUMENTS: [^\n]+\n$/,
    );
  });

  it('the file of the key is missing, empty, or cannot be read', async () => {
    const folder = dataFolder();
    const config = readConfig({ DATA_DIR: folder });
    const database = await openDatabase({ dataDir: folder, wait: 0, migrate: true });
    const secret = await secretOf(config, database);
    await claimDatabase(makeDeps({ config, database, secret, log: makeLog('silent') }));
    const file = join(folder, 'secret.key');
    rmSync(file);
    const missing = new RegExp(`^${file} is missing, which holds the key of this database: `);
    await expect(secretOf(config, database)).rejects.toThrow(missing);
    await database.close();
    expect(await refusalOf({ DATA_DIR: folder })).toMatch(missing);
    writeFileSync(file, '');
    expect(await refusalOf({ DATA_DIR: folder })).toBe(
      `${file} holds no key: restore it from a backup, or set SECRET_KEY.\n`,
    );
    rmSync(file);
    mkdirSync(file);
    await expect(storedSecret(folder)).rejects.toThrow(/^The key in \S+ cannot be read \(EISDIR\)/);
  });

  const isRoot = process.getuid?.() === 0;
  (isRoot ? it : it.skip)('the folder of data of a server cannot be written', async () => {
    // The server is asked first, and does not answer: the check of folders is a call of its own.
    const folder = dataFolder();
    chmodSync(folder, 0o555);
    const program = `const { requireWritable } = await import('${new URL('../../src/app/writable-places.js', import.meta.url)}');
      const { readConfig } = await import('${new URL('../../src/config/config.js', import.meta.url)}');
      try { requireWritable(readConfig(process.env)); } catch ({ message }) { console.error(message); process.exitCode = 1; }`;
    const child = run('the check', [process.execPath, '--input-type=module', '--eval', program], {
      env: variables({ DATA_DIR: join(folder, 'data') }),
      uid: 65534,
      gid: 65534,
    });
    expect(await child.ended).toBe(1);
    expect(child.output.errors).toBe(
      `DATA_DIR is ${folder}/data, which cannot be written: ${folder} is refused to this user (EACCES).\n`,
    );
  });
});
