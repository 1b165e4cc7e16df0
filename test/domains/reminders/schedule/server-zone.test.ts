import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const SUITE = fileURLToPath(new URL('./expand.test.js', import.meta.url));

describe('The zone of the server', () => {
  for (const TZ of ['America/Santiago', 'Asia/Kolkata', 'Australia/Lord_Howe']) {
    it(`changes no schedule: all of that holds under TZ=${TZ}`, () => {
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const run = spawnSync(process.execPath, ['--test', SUITE], {
        env: { ...env, TZ, SCHEDULE_RULES: '300' },
        encoding: 'utf8',
      });
      assert.equal(run.status, 0, run.stdout + run.stderr);
      assert.match(run.stdout, /pass 1[0-9]/);
    });
  }
});
