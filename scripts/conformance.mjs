// npm run conformance: starts a throwaway service on the embedded database (or in a database of its own on the PostgreSQL server
// TEST_DATABASE_URL) and replays the scenarios of test/conformance against both editions. Arguments name scenario files; those of
// areas that the service does not have yet are left out unless named.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, prepare, root } from './prepare.mjs';
import { makeWorld } from './world.mjs';

const SCENARIOS = ['posts', 'protocol', 'collections', 'batch'];
const READY_WITHIN = 60_000;

prepare();
const folder = mkdtempSync(join(tmpdir(), 'care-conformance-'));
const server = process.env.TEST_DATABASE_URL && (await ownDatabase(process.env.TEST_DATABASE_URL));
const password = randomBytes(12).toString('hex');
const own = server
  ? { DATABASE_URL: server.url, SECRET_KEY: randomBytes(32).toString('hex') }
  : { DATA_DIR: join(folder, 'data') };
const env = { ...process.env, ...own, PORT: '0', SEED: 'none', ADMIN_PASSWORD: password, LOG_LEVEL: 'info' };
const service = spawn(process.execPath, ['dist/main.js'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
let status = 1;
try {
  const baseUrl = await ready(service);
  const world = join(folder, 'world.json');
  writeFileSync(world, JSON.stringify(await makeWorld(baseUrl, { username: 'admin', password })));
  const asked = process.argv.slice(2);
  const results = (asked.length > 0 ? asked : SCENARIOS).flatMap((only) =>
    ['/api', '/v3/api'].map((api) => replay(only, baseUrl + api, world)),
  );
  const sum = (key) => results.reduce((all, result) => all + result[key], 0);
  process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed\n`);
  status = sum('failed') === 0 ? 0 : 1;
} finally {
  service.kill('SIGTERM');
  await new Promise((resolve) => (service.exitCode === null ? service.once('exit', resolve) : resolve()));
  await server?.drop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(status);

/** The address of a service that says it is ready. */
function ready({ stdout }) {
  return new Promise((resolve, reject) => {
    let text = '';
    const late = setTimeout(() => reject(new Error(`The service was not ready in time:\n${text}`)), READY_WITHIN);
    stdout.on('data', (chunk) => {
      if (text === undefined) return;
      text += chunk;
      const line = text.split('\n').find((candidate) => candidate.includes('"msg":"ready"'));
      if (!line) return;
      clearTimeout(late);
      text = undefined;
      resolve(JSON.parse(line).baseUrl);
    });
  });
}

function replay(only, api, world) {
  const args = ['test/conformance/run.mjs', '--root', api, '--world', world, '--only', only];
  const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', timeout: 300_000 });
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/m.exec(stdout) ?? [];
  process.stdout.write(
    `${only} ${api.includes('/v3/') ? 'B' : 'A'}: ${stdout
      .trim()
      .split('\n')
      .slice(failed === '0' ? -1 : 0)
      .join('\n')}\n`,
  );
  return { passed: Number(passed ?? 0), failed: Number(failed ?? 1) };
}

async function ownDatabase(address) {
  const { default: pg } = await import('pg');
  const name = `care_conformance_${randomBytes(4).toString('hex')}`;
  const admin = async (sql) => {
    const client = new pg.Client({ connectionString: address });
    await client.connect().catch((error) => fail(`TEST_DATABASE_URL cannot be reached: ${error.message}`));
    await client.query(sql).finally(() => client.end());
  };
  await admin(`CREATE DATABASE ${name}`);
  const url = new URL(address);
  url.pathname = `/${name}`;
  spawnSync(process.execPath, ['scripts/migrate.mjs'], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: url.href },
    stdio: 'inherit',
  });
  return { url: url.href, drop: () => admin(`DROP DATABASE ${name} WITH (FORCE)`) };
}
