import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/platform/database/open.js';
import { projectRoot } from '../../src/platform/root.js';

/** Runs a command in a process of its own, which must end by itself. */
async function command(script: string, environment: NodeJS.ProcessEnv, ...args: string[]) {
  const { DATABASE_URL: _, SECRET_KEY: __, ...inherited } = process.env;
  const options = { cwd: projectRoot, env: { ...inherited, ...environment }, timeout: 600_000 };
  const child = spawn(process.execPath, [join('scripts', script), ...args], options);
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  const [status] = await once(child, 'close');
  return { status, output, errors };
}

describe('Every command ends by itself, with a sentence for what it cannot do', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'care-commands-'));
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
  const nowhere = {
    DATABASE_URL: 'postgres://care:opensesame@127.0.0.1:1/care',
    DATABASE_WAIT: '0',
    SECRET_KEY: 's'.repeat(40),
  };

  it('migrate demands DATABASE_URL', async () => {
    const folder = join(dataDir, 'none');
    for (const script of ['migrate.mjs', '../dist-service/tools.js']) {
      const environment = { DATA_DIR: folder, DATABASE_ADDRESS: nowhere.DATABASE_URL };
      const { status, output, errors } = await command(script, environment, 'migrate');
      expect([status, output]).toStrictEqual([2, '']);
      expect(errors).toMatch(/^DATABASE_URL is missing: [^\n]+\n$/);
      expect(existsSync(folder)).toBe(false);
    }
  });

  it('migrate says that the server cannot be reached, without a stack and without the password', async () => {
    const { SECRET_KEY: _, ...needed } = nowhere;
    // The key is a file that is there where the service runs.
    const elsewhere = { ...needed, FCM_SERVICE_ACCOUNT: join(dataDir, 'key.json') };
    const { status, errors } = await command('migrate.mjs', elsewhere);
    expect(status).toBe(2);
    expect(errors).toMatch(/^PostgreSQL at 127\.0\.0\.1:1\/care cannot be reached[^\n]+\n$/);
    expect(errors).not.toMatch(/opensesame/);
  });

  it('migrate names a variable that is malformed', async () => {
    const { status, errors } = await command('migrate.mjs', { ...nowhere, DATABASE_WAIT: 'soon' });
    expect([status, errors]).toStrictEqual([
      2,
      'DATABASE_WAIT must be a whole number from 0 to 3600.\n',
    ]);
  });

  it('audit:verify says that there is no database where DATA_DIR is another folder', async () => {
    const { status, output, errors } = await command('audit.mjs', { DATA_DIR: dataDir }, 'verify');
    expect([status, output]).toStrictEqual([2, '']);
    expect(errors).toBe(`There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL.\n`);
  });

  it('export demands a folder, and a database', async () => {
    const without = await command('export.mjs', { DATA_DIR: dataDir });
    expect([without.status, without.output]).toStrictEqual([2, '']);
    expect(without.errors).toMatch(/^Usage: npm run export -- FOLDER\n/);
    const { status, errors } = await command('export.mjs', { DATA_DIR: dataDir }, 'folder');
    expect([status, errors]).toStrictEqual([
      2,
      `There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL.\n`,
    ]);
  });

  it('audit:verify ends beside connections that never do', async () => {
    const hanging = createServer(() => {}).listen(0, '127.0.0.1');
    await once(hanging, 'listening');
    await openDatabase({ dataDir, wait: 0, migrate: true }).then((made) => made.close());
    const redis = `redis://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
    const environment = {
      DATA_DIR: dataDir,
      SECRET_KEY: 's'.repeat(40),
      LOG_LEVEL: 'silent',
      REDIS_URL: redis,
    };
    const { status, output } = await command('audit.mjs', environment, 'verify');
    hanging.close();
    expect(status).toBe(0);
    expect(output).toMatch(/^The audit is whole/);
  });

  it('audit:verify says that the server cannot be reached', async () => {
    const { status, errors } = await command('audit.mjs', nowhere, 'verify');
    expect(status).toBe(2);
    expect(errors).toMatch(/^PostgreSQL at 127\.0\.0\.1:1\/care cannot be reached[^\n]+\n$/);
  });
});
