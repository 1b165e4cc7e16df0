// Seeds mistakes into the compiled service, one at a time, and runs the tests that have to notice each.
// A mistake that no test notices is a failure: its line says which promise nobody holds. Needs Node alone,
// after one `npm test -- lint`. Takes words of a file or a promise to seed some alone. Ends with one line:
// N passed, N failed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root } from '../scripts/prepare.mjs';

const asked = process.argv.slice(2);
const mistakes = JSON.parse(readFileSync(join(import.meta.dirname, 'mistakes.json'), 'utf8'));
const chosen = mistakes.filter(({ file, promise }) =>
  asked.every((word) => `${file} ${promise}`.includes(word)),
);
await prepare('test');
/** Whether tests pass without a mistake, by their names. */
const sound = new Map();
let caught = 0;
for (const mistake of chosen) {
  const found = seeded(mistake);
  if (found === 'caught') caught++;
  process.stdout.write(`${found === 'caught' ? '✔' : '✖'} ${mistake.promise}: ${found}\n`);
}
process.stdout.write(`\n${caught} passed, ${chosen.length - caught} failed\n`);
process.exit(caught === chosen.length && caught > 0 ? 0 : 1);

/** Makes a mistake, runs its tests, and takes it back. Returns what came of it. */
function seeded({ file, right, wrong, tests }) {
  const path = join(root, 'dist-test/src', `${file}.js`);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const places = text.split(right).length - 1;
  if (places !== 1) return `${file} has the text ${places} times`;
  if (!sound.has(tests)) sound.set(tests, tested(tests) === 0);
  if (!sound.get(tests)) return 'its tests fail without it';
  try {
    writeFileSync(
      path,
      text.replace(right, () => wrong),
    );
    return tested(tests) === 0 ? 'NOT noticed' : 'caught';
  } finally {
    writeFileSync(path, text);
  }
}

/** Runs tests until one fails. Returns the exit code of Jest: 1 when one failed. */
function tested(tests) {
  const results = join(root, '.cache', `mistakes-${process.pid}.json`);
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/jest/bin/jest.js'),
      '--bail',
      '--json',
      `--outputFile=${results}`,
      ...tests.split(' ').map((name) => `/dist-test/test/${name}(/|\\.test\\.js)`),
    ],
    { cwd: root, stdio: 'ignore', timeout: 600_000 },
  );
  if (!existsSync(results)) return status ?? -1;
  const { numTotalTests } = JSON.parse(readFileSync(results, 'utf8'));
  rmSync(results);
  return numTotalTests > 0 ? status : -1;
}
