// node scripts/recurrences.mjs RUNNER: starts a temporary service on the embedded database and runs a
// program against it that compares published recurrences (`--root URL`). Its last line says how many
// are equal, different and refused. None may be different, and LEAST must be equal.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, prepare, root } from './prepare.mjs';
import { ready } from './ready.mjs';

const LEAST = 380;
/** Milliseconds: a busy machine takes many times the minute of an idle one. */
const WITHIN = 30 * 60_000;

const [runner] = process.argv.slice(2);
if (!runner) fail('usage: node scripts/recurrences.mjs RUNNER');
await prepare();
const folder = mkdtempSync(join(tmpdir(), 'care-recurrences-'));
const env = {
  ...process.env,
  DATABASE_URL: '',
  DATA_DIR: join(folder, 'data'),
  PORT: '0',
  SEED: 'none',
  ADMIN_PASSWORD: randomBytes(12).toString('hex'),
  LOG_LEVEL: 'info',
  RATE_LIMITS: 'off',
};
const service = spawn(process.execPath, ['dist-service/main.js'], {
  cwd: root,
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
let failed = 1;
try {
  const args = [runner, '--root', `${await ready(service)}/v3/api`];
  const { stdout, error } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: WITHIN,
  });
  process.stdout.write(stdout);
  if (error) process.stdout.write(`✖ ${runner}: ${error.message}\n`);
  const counts = /(\d+) equal, (\d+) different, \d+ refused/.exec(stdout);
  const [equal, different] = (counts ?? []).slice(1).map(Number);
  failed = different === 0 && equal >= LEAST ? 0 : 1;
} finally {
  service.kill('SIGTERM');
  await new Promise((resolve) =>
    service.exitCode === null ? service.once('exit', resolve) : resolve(),
  );
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`${1 - failed} passed, ${failed} failed\n`);
process.exit(failed);
