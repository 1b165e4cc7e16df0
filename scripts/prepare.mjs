// Prepares a fresh clone: dependencies from the lock file, the generated database client, the
// compiled code. Uses only Node's own modules. Skips each step whose inputs have not changed since
// the last time.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the project root. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const at = (...path) => join(root, ...path);

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19))
  fail(`Node ${process.versions.node} is too old: this needs 20.19 or newer.`);

/** Installs, generates and builds what is out of date. With `test` it also builds the tests. */
export function prepare({ test = false } = {}) {
  withLock(() => {
    step('Installing dependencies', 'node_modules/.installed', ['package-lock.json'], install);
    step(
      'Generating the database client',
      'src/generated/.made',
      ['prisma/schema.prisma', 'package-lock.json'],
      generate,
    );
    step('Building', 'dist/.made', ['src', 'tsconfig.json', 'package-lock.json'], () =>
      compile('tsconfig.json', 'dist'),
    );
    step(
      'Bundling the service',
      'dist-service/.made',
      ['src', 'tsconfig.json', 'scripts/bundle.mjs', 'package-lock.json'],
      () => run(process.execPath, [at('scripts/bundle.mjs')]),
    );
    step(
      'Bundling the playground',
      'dist-playground/.made',
      ['playground', 'scripts/playground.mjs', 'package-lock.json'],
      () => run(process.execPath, [at('scripts/playground.mjs')]),
    );
    if (!test) return;
    step(
      'Writing the typed clients of the tests',
      'test/journeys/dashboard/generated/.made',
      [
        'schema/schema.graphql',
        'schema/openapi.a.json',
        'schema/openapi.b.json',
        'scripts/documents.mjs',
        'scripts/typed-clients.mjs',
        'test/journeys/dashboard/apollo',
        'test/journeys/dashboard/relay',
        'test/journeys/dashboard/relay.config.json',
        'package-lock.json',
      ],
      () => run(process.execPath, [at('scripts/documents.mjs')]),
    );
    step(
      'Building the tests',
      'dist-test/.made',
      ['src', 'test', 'tsconfig.json', 'tsconfig.test.json', 'package-lock.json'],
      () => compile('tsconfig.test.json', 'dist-test'),
    );
  });
}

function install() {
  const npm = process.env.npm_execpath;
  const args = [
    'ci',
    '--include=dev',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  if (npm) run(process.execPath, [npm, ...args]);
  else run('npm', args, { shell: process.platform === 'win32' });
}

function generate() {
  // Prisma looks for a schema engine, which is not used here. Any executable stops it from
  // downloading one.
  const env = {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    CHECKPOINT_DISABLE: '1',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
  };
  run(process.execPath, [at('node_modules/prisma/build/index.js'), 'generate', '--no-hints'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function compile(project, out) {
  rmSync(at(out), { recursive: true, force: true });
  run(process.execPath, [at('node_modules/typescript/bin/tsc'), '-p', project]);
}

function step(what, stamp, inputs, work) {
  const fingerprint = hashOf(inputs);
  if (existsSync(at(stamp)) && readFileSync(at(stamp), 'utf8') === fingerprint) return;
  process.stderr.write(`${what} …\n`);
  work();
  mkdirSync(dirname(at(stamp)), { recursive: true });
  writeFileSync(at(stamp), fingerprint);
}

function hashOf(inputs) {
  const hash = createHash('sha256').update(process.version);
  const add = (path) => {
    if (!existsSync(at(path)) || path === 'src/generated' || path === 'test/conformance') return;
    if (statSync(at(path)).isDirectory())
      for (const name of readdirSync(at(path)).sort()) add(`${path}/${name}`);
    else hash.update(path).update(readFileSync(at(path)));
  };
  for (const input of inputs) add(input);
  return hash.digest('hex');
}

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    ...options,
  });
  if (error) fail(`${command} could not be run: ${error.message}`);
  if (status !== 0) fail(`${[command, ...args.slice(0, 2)].join(' ')} failed.`);
}

/** Lets simultaneous commands prepare one after the other. */
function withLock(work) {
  const lock = at('.preparing');
  const deadline = Date.now() + 300_000;
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') fail(`This folder cannot be written to: ${error.message}`);
      const holder = existsSync(join(lock, 'pid'))
        ? Number(readFileSync(join(lock, 'pid'), 'utf8'))
        : 0;
      if ((holder && !isAlive(holder)) || Date.now() > deadline)
        rmSync(lock, { recursive: true, force: true });
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    }
  }
  writeFileSync(join(lock, 'pid'), String(process.pid));
  try {
    work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Prints a sentence and ends the process with exit code 1. */
export function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  rmSync(at('.preparing'), { recursive: true, force: true });
  process.exit(1);
}
