// npm test: runs all checks and suites that need only Node. `npm test -- rest journeys` runs only
// those suites, and `npm test -- platform/mail` only a part of one. With TEST_DATABASE_URL the
// suites run on that PostgreSQL server instead of the embedded database.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { prepare, root } from './prepare.mjs';

/** The checks besides the suites: the name, and the arguments for Node. */
const CHECKS = {
  lint: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'],
  migrations: ['scripts/migration.mjs', '--check'],
  schema: ['scripts/schema.mjs', '--check'],
};
/** The folders of test/, each a suite, in the order in which they start: the longest first. */
const SUITES = [
  'core',
  'app',
  'config',
  'domains',
  'rest',
  'pages',
  'journeys',
  'platform',
  'faults',
  'fuzz',
];
/** Suites that need more than Node. They run only when they are named. */
const ON_DEMAND = ['browser'];
/**
 * Suites that run each file in a separate process, because the files start processes themselves and
 * share nothing; and suites that have one service for each folder.
 */
const BY_FILE = new Set(['platform', 'faults']);
const BY_FOLDER = new Set(['domains']);
/**
 * Number of processes that test at the same time. The nightly tests measure time and load, so they
 * run one at a time.
 */
const LANES = process.env.NIGHTLY ? 1 : Math.min(2, availableParallelism());
const LIMIT = (process.env.NIGHTLY ? 60 : 20) * 60 * 1000;

const asked = process.argv.slice(2);
const wanted = (name) => asked.length === 0 || asked.includes(name);
const total = { passed: 0, failed: 0, skipped: 0 };
/** How long each group took: name and seconds. */
const durations = [];

prepare({ test: true });
for (const [name, args] of Object.entries(CHECKS)) {
  if (!wanted(name)) continue;
  const ok = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0;
  process.stdout.write(`${ok ? '✔' : '✖'} ${name}\n`);
  total[ok ? 'passed' : 'failed']++;
}
const parts = asked.filter((name) => name.includes('/'));
const suites = [
  ...SUITES.filter(wanted),
  ...ON_DEMAND.filter((name) => asked.includes(name)),
  ...parts,
];
const groups = suites.flatMap(groupsOf);
const isOnlyGroup = groups.length === 1;
const lane = async () => {
  for (let group = groups.shift(); group; group = groups.shift()) await runGroup(group);
};
await Promise.all(Array.from({ length: LANES }, lane));
durations.sort((a, b) => b.seconds - a.seconds);
const slowest = durations.slice(0, 12).map(({ name, seconds }) => `${name} ${seconds} s`);
process.stdout.write(`\nThe slowest: ${slowest.join(', ')}\n`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}\n`);
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0);

function testsUnder(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.js'))
    .map((entry) => join(entry.path ?? entry.parentPath, entry.name))
    .sort();
}

/** Groups the test files of a suite by the process that runs them. Each group has a name. */
function groupsOf(suite) {
  const tests = join(root, 'dist-test/test');
  const groups = new Map();
  for (const file of testsUnder(join(tests, suite))) {
    const path = relative(tests, file).split(sep);
    const name = BY_FILE.has(path[0])
      ? path.join('/')
      : path.slice(0, BY_FOLDER.has(path[0]) ? 2 : 1).join('/');
    groups.set(name, [...(groups.get(name) ?? []), file]);
  }
  return [...groups].map(([name, files]) => ({ name, files }));
}

/**
 * Runs test files in one process. Prints its output when it ends; at once when no other group runs
 * beside it. A process that reports no result, because it crashed or hung, counts as a failure.
 */
async function runGroup({ name, files }) {
  const folder = mkdtempSync(join(tmpdir(), 'care-test-'));
  const counts = join(folder, 'counts.json');
  const reporters = [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=./scripts/counting.mjs',
    `--test-reporter-destination=${counts}`,
  ];
  const args = ['--enable-source-maps', ...reporters, 'scripts/suite.mjs', ...files];
  const stdio = ['ignore', ...Array(2).fill(LANES === 1 || isOnlyGroup ? 'inherit' : 'pipe')];
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: root,
    timeout: LIMIT,
    killSignal: 'SIGKILL',
    stdio,
  });
  let output = `\n▶ ${name}\n`;
  if (!child.stdout) process.stdout.write(output);
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => (output += text));
  const closed = once(child, 'close');
  const [status] = await once(child, 'exit');
  durations.push({ name, seconds: Math.round((performance.now() - began) / 1000) });
  // Processes that it started may keep its output open
  await Promise.race([closed, setTimeout(2000, undefined, { ref: false })]);
  if (child.stdout) process.stdout.write(output);
  const count = readCounts(counts);
  rmSync(folder, { recursive: true, force: true });
  total.passed += count.passed;
  total.skipped += count.skipped;
  total.failed += count.failed;
  if (status !== 0 && count.failed === 0) {
    process.stdout.write(
      `✖ ${name} ended with ${status === null ? 'its time limit' : `status ${status}`}\n`,
    );
    total.failed++;
  }
}

function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
