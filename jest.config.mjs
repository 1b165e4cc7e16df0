// Tests run in bare Node on the compiled code, which is built here when it is out of date.
// The files of one worker share its service and its database.
import { availableParallelism } from 'node:os';
import { PROOFS } from './scripts/jest/proofs.mjs';
import { prepare } from './scripts/prepare.mjs';

await prepare('test');

/** Whether files or folders are asked for, or all tests. */
const chosen = process.argv.slice(2).some((argument) => !argument.startsWith('-'));

export default {
  roots: ['<rootDir>/dist-test'],
  testMatch: ['<rootDir>/dist-test/test/**/*.test.js'],
  // Tests of the browser need Chromium, those of moving MariaDB, those of alerts promtool, those of statements what others
  // recorded: they run when they are asked for. The root would be read as an expression.
  testPathIgnorePatterns: [
    ...['browser', 'statements', 'moving', 'alerts', 'upgrade']
      .filter((name) => !process.argv.some((argument) => argument.includes(name)))
      .map((name) => `/dist-test/test/${name}/`),
    ...(chosen ? [] : PROOFS.map((name) => `/dist-test/test/${name}.test.js$`)),
  ],
  transform: {},
  runner: '<rootDir>/scripts/jest/runner.mjs',
  testSequencer: '<rootDir>/scripts/jest/sequencer.mjs',
  // Nightly's tests measure and load, so they have the machine to themselves. Of the others many
  // wait: one worker more than two processors keeps these busy. TEST_WORKERS says another number.
  maxWorkers: process.env.NIGHTLY
    ? 1
    : Number(process.env.TEST_WORKERS ?? Math.min(3, availableParallelism() + 1)),
  setupFilesAfterEnv: ['<rootDir>/dist-test/test/support/running.js'],
  globalSetup: '<rootDir>/scripts/jest/setup.mjs',
  globalTeardown: '<rootDir>/scripts/jest/teardown.mjs',
  reporters: ['default', ...(process.env.TEST_COSTS ? ['<rootDir>/scripts/jest/costs.mjs'] : [])],
  cacheDirectory: '<rootDir>/.cache/jest',
};
