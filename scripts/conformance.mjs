// npm run conformance: starts a temporary service on the embedded database (or in a new database on
// the PostgreSQL server of TEST_DATABASE_URL) and replays the scenarios of test/conformance against
// both editions. Arguments select scenario files. Without arguments those of SCENARIOS run; it does
// not list scenarios of areas that the service does not have yet.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, prepare, root } from './prepare.mjs';
import { ready } from './ready.mjs';
import { makeWorld } from './world.mjs';

const SCENARIOS = [
  'posts',
  'pages',
  'protocol',
  'collections',
  'revisions',
  'batch',
  'reset',
  'models',
];

await prepare();
const folder = mkdtempSync(join(tmpdir(), 'care-conformance-'));
const address = process.env.TEST_DATABASE_URL;
const server = address ? await ownDatabase(address) : undefined;
const password = randomBytes(12).toString('hex');
const own = server
  ? { DATABASE_URL: server.url, SECRET_KEY: randomBytes(32).toString('hex') }
  : { DATA_DIR: join(folder, 'data') };
const env = {
  ...process.env,
  ...own,
  PORT: '0',
  SEED: 'none',
  ADMIN_PASSWORD: password,
  LOG_LEVEL: 'info',
  RATE_LIMITS: 'off',
};
const service = spawn(process.execPath, ['dist-service/main.js'], {
  cwd: root,
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
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
  await new Promise((resolve) =>
    service.exitCode === null ? service.once('exit', resolve) : resolve(),
  );
  await server?.drop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(status);

function replay(only, api, world) {
  const json = join(folder, 'result.json');
  const args = [
    'test/conformance/run.mjs',
    '--root',
    api,
    '--world',
    world,
    '--only',
    only,
    '--json',
    json,
  ];
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'ignore',
    timeout: 30 * 60_000,
  });
  const edition = api.includes('/v3/') ? 'B' : 'A';
  if (status === null || status === 2) return report(only, edition, { passed: 0, failed: 1 });
  const { score, failures } = JSON.parse(readFileSync(json, 'utf8'));
  for (const { name, step, request, rows } of failures)
    process.stdout.write(
      `${only} ${edition} · ${name} · step ${step}: ${request}\n  ${rows.join('\n  ')}\n`,
    );
  return report(only, edition, { passed: score.whole, failed: failures.length });
}

function report(only, edition, counts) {
  process.stdout.write(
    `${only}, edition ${edition}: ${counts.passed} steps hold, ${counts.failed} do not\n`,
  );
  return counts;
}

async function ownDatabase(address) {
  const { default: pg } = await import('pg');
  const name = `care_conformance_${randomBytes(4).toString('hex')}`;
  const admin = async (sql) => {
    const client = new pg.Client({ connectionString: address });
    await client
      .connect()
      .catch((error) => fail(`TEST_DATABASE_URL cannot be reached: ${error.message}`));
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
