// npm test: everything that Node alone can prove. `npm test -- rest journeys` runs those suites alone.
// With TEST_DATABASE_URL the suites run on that PostgreSQL server instead of the embedded database.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

/** What is checked besides the suites: a name, and what is run for it. */
const CHECKS = {
  lint: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'],
  migrations: ['scripts/migration.mjs', '--check'],
  schema: ['scripts/schema.mjs', '--check'],
};
/** The folders of test/, each a suite. Those of `alone` start processes of their own and share nothing. */
const SUITES = ['core', 'domains', 'platform', 'rest', 'pages', 'journeys', 'faults'];
/** Suites that need more than Node, and run only when asked for. */
const ON_DEMAND = ['browser'];
const ALONE = new Set(['platform', 'faults']);
const LIMIT = (process.env.NIGHTLY ? 60 : 10) * 60 * 1000;

const asked = process.argv.slice(2);
const wanted = (name) => asked.length === 0 || asked.includes(name);
const total = { passed: 0, failed: 0, skipped: 0 };

prepare({ test: true });
for (const [name, args] of Object.entries(CHECKS)) {
  if (!wanted(name)) continue;
  const ok = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0;
  process.stdout.write(`${ok ? '✔' : '✖'} ${name}\n`);
  total[ok ? 'passed' : 'failed']++;
}
for (const suite of [...SUITES, ...ON_DEMAND.filter((name) => asked.includes(name))]) {
  if (!wanted(suite)) continue;
  const files = testsUnder(join(root, 'dist-test/test', suite));
  for (const group of ALONE.has(suite) ? files.map((file) => [file]) : [files]) runSuite(suite, group);
}
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}\n`);
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0);

function testsUnder(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.js'))
    .map((entry) => join(entry.path ?? entry.parentPath, entry.name))
    .sort();
}

/** Runs test files in one process. One that does not report, because it crashed or hung, counts as a failure. */
function runSuite(suite, files) {
  process.stdout.write(`\n▶ suite ${suite}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'care-test-'));
  const counts = join(folder, 'counts.json');
  const reporters = [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=./scripts/counting.mjs',
    `--test-reporter-destination=${counts}`,
  ];
  const args = ['--enable-source-maps', ...reporters, 'scripts/suite.mjs', ...files];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', timeout: LIMIT, killSignal: 'SIGKILL' });
  const count = readCounts(counts);
  rmSync(folder, { recursive: true, force: true });
  total.passed += count.passed;
  total.skipped += count.skipped;
  total.failed += count.failed;
  if (status !== 0 && count.failed === 0) {
    process.stdout.write(`✖ suite ${suite} ended with ${status === null ? 'its time limit' : `status ${status}`}\n`);
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
