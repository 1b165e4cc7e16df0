// npm test: what Node alone can prove within minutes. `npm test -- rest journeys` runs the tests of
// those folders alone, `platform/mail` a part of one, `lint` a check, `smoke` a short choice, `proofs` what
// only the gate runs otherwise. With TEST_DATABASE_URL the tests run on that PostgreSQL server instead of
// the embedded database.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROOFS } from './jest/proofs.mjs';
import { prepare, root } from './prepare.mjs';

/** What is checked besides the tests: a name, and what is run for it. */
const CHECKS = {
  lint: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'],
  eslint: ['node_modules/eslint/bin/eslint.js', '--max-warnings=0', 'schema/schema.graphql'],
  'playground-types': ['node_modules/typescript/bin/tsc', '-p', 'playground'],
  migrations: ['scripts/migration.mjs', '--check'],
  schema: ['scripts/schema.mjs', '--check'],
  variables: ['scripts/variables.mjs', '--check'],
  frequencies: ['scripts/frequencies.mjs', '--check'],
  changes: ['scripts/changes.mjs', '--check'],
  advisories: ['scripts/advisories.mjs', '--check'],
};
/** `npm test -- smoke`: what shows within half a minute that the product runs on a version of Node. */
const SMOKE = [
  'app/loading',
  'app/served-schema',
  'core/dependencies',
  'platform/database/client',
  'rest/body',
  'rest/posts',
  'rest/routes',
];
const TESTS = join(root, 'dist-test/test');
/** How many of the dearest files are named at the end. */
const DEAREST = 12;

const CHOICES = { smoke: SMOKE, proofs: PROOFS };
const asked = process.argv.slice(2).flatMap((name) => CHOICES[name] ?? name);
const total = { passed: 0, failed: 0, skipped: 0 };

process.once('exit', closeBuild);
await prepare('test');
process.off('exit', closeBuild);
const paths = asked.filter((name) => !(name in CHECKS));
const unknown = paths.filter(
  (path) => !['', '.test.js'].some((end) => existsSync(join(TESTS, path + end))),
);
for (const path of unknown) process.stdout.write(`✖ There are no tests named ${path}.\n`);
if (unknown.length > 0) {
  process.stdout.write(`\n0 passed, ${unknown.length} failed\n`);
  process.exit(1);
}

// The checks run one after the other beside the tests: what they print follows each of them.
const checks = runChecks();
if (asked.length === 0 || paths.length > 0) await runTests();
await checks;
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}\n`);
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0);

/** Ends a run whose build failed with its closing line. What failed has named its file above. */
function closeBuild(code) {
  if (code !== 0) process.stdout.write('\n✖ build\n\n0 passed, 1 failed\n');
}

async function runChecks() {
  for (const [name, args] of Object.entries(CHECKS)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    const { status, printed } = await node(args, 'pipe');
    const passed = status === 0;
    process.stdout.write(`${printed}${passed ? '✔' : '✖'} ${name}\n`);
    total[passed ? 'passed' : 'failed']++;
  }
}

/** Runs the tests below the asked paths, and counts. A file that did not run counts as a failure. */
async function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'care-results-'));
  const file = join(folder, 'results.json');
  const patterns = paths.map((path) => `/dist-test/test/${path}(/|\\.test\\.js)`);
  const jest = 'node_modules/jest/bin/jest.js';
  process.env.TEST_COSTS ??= join(folder, 'costs.json');
  const { status } = await node([jest, '--json', `--outputFile=${file}`, ...patterns], 'inherit');
  const [results, costs] = [file, process.env.TEST_COSTS].map((path) =>
    existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined,
  );
  rmSync(folder, { recursive: true, force: true });
  if (results) count(results);
  if (costs) nameDearest(costs);
  const failed = results && results.numFailedTests + results.numRuntimeErrorTestSuites > 0;
  if (status === 0 || failed) return;
  process.stdout.write(`✖ Jest ended with ${status}\n`);
  total.failed++;
}

function count(results) {
  total.passed += results.numPassedTests;
  total.skipped += results.numPendingTests;
  total.failed += results.numFailedTests + results.numRuntimeErrorTestSuites;
}

/** Names the files that took most of the processors, in seconds: on a busy machine time says less. */
function nameDearest(costs) {
  const files = Object.entries(costs).sort(([, a], [, b]) => b.seconds - a.seconds);
  const all = files.reduce((sum, [, { seconds }]) => sum + seconds, 0);
  const dearest = files
    .slice(0, DEAREST)
    .map(([name, { seconds }]) => `${name} ${seconds.toFixed(1)}`)
    .join(', ');
  process.stdout.write(`\nSeconds of the processor: ${all.toFixed(0)}, of them ${dearest}\n`);
}

/** Runs a program of Node. Returns its exit code, null when a signal ended it, and what it printed. */
async function node(args, output) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['inherit', output, output] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => (printed += text));
  const [status] = await once(child, 'close');
  return { status, printed };
}
