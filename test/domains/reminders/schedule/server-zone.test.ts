import { spawnSync } from 'node:child_process';
import { projectRoot } from '../../../../src/platform/root.js';

const SUITE = 'dist-test/test/domains/reminders/schedule/expand.test.js';

describe('The zone of the server', () => {
  for (const TZ of ['America/Santiago', 'Asia/Kolkata', 'Australia/Lord_Howe']) {
    it(`changes no schedule: all of that holds under TZ=${TZ}`, () => {
      const run = spawnSync(process.execPath, ['node_modules/jest/bin/jest.js', '-i', SUITE], {
        cwd: projectRoot,
        env: { ...process.env, TZ, SCHEDULE_RULES: '300' },
        encoding: 'utf8',
      });
      expect(run.status, run.stdout + run.stderr).toBe(0);
      expect(run.stderr).toMatch(/^Tests: +1[0-9] passed/m);
    });
  }
});
