import { setTimeout as sleep } from 'node:timers/promises';
import { failingJobs } from '../../../src/platform/jobs/job-metrics.js';
import { startRolling } from '../../../src/platform/jobs/rolling.js';
import { makeLog } from '../../../src/platform/log.js';
import { registry } from '../../../src/platform/metrics/metrics.js';
import { useService } from '../../support/harness.js';

/** Runs a job until it is over. */
async function rolling(name: string, run: () => Promise<unknown>, isOver: () => boolean) {
  const stop = startRolling([{ name, every: 1, run }], makeLog('silent'));
  while (!isOver()) await sleep(5);
  await stop();
}

const measured = async (line: string) => {
  const [, value] = new RegExp(`^${line} (.+)$`, 'm').exec(await registry.metrics()) ?? [];
  return Number(value);
};

describe('Background jobs', () => {
  const service = useService();

  it('tell how often they ran, failed, for how long, and when one was done last', async () => {
    let runs = 0;
    const before = Date.now() / 1_000;
    await rolling(
      'of a test',
      async () => {
        await sleep(2);
        if (++runs === 2) throw new Error('once');
      },
      () => runs >= 4,
    );
    const failed = await measured('care_job_runs_total{name="of a test",outcome="failed"}');
    const done = await measured('care_job_runs_total{name="of a test",outcome="done"}');
    expect([failed, done]).toStrictEqual([1, runs - 1]);
    expect(await measured('care_job_seconds_total{name="of a test"}')).toBeGreaterThan(0.004);
    expect(await measured('care_job_interval_seconds{name="of a test"}')).toBe(0.001);
    const last = await measured('care_job_last_done_timestamp_seconds{name="of a test"}');
    expect(last).toBeGreaterThan(before);
  });

  it('that fail again and again are named by /readyz, which stays 200, until one is done', async () => {
    let fails = true;
    const run = async () => {
      if (fails) throw new Error('again');
    };
    const stop = startRolling([{ name: 'failing', every: 1, run }], makeLog('silent'));
    while (!failingJobs().has('failing')) await sleep(5);
    const { status, body } = await service().fetch('/readyz', {});
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'ok',
      warnings: { failing: expect.stringMatching(/^Its last \d+ runs failed\.$/) },
    });
    expect(await measured('care_job_failures_in_a_row{name="failing"}')).toBeGreaterThanOrEqual(5);
    fails = false;
    while (failingJobs().has('failing')) await sleep(5);
    await stop();
    expect(await measured('care_job_failures_in_a_row{name="failing"}')).toBe(0);
    expect((await service().fetch('/readyz', {})).body).not.toHaveProperty('warnings');
  });
});

describe('The pool of connections', () => {
  const service = useService();

  it('tells how many it has, and how long they were waited for, on a server alone', async () => {
    const { database } = service();
    await database.query('SELECT 1');
    if (database.kind === 'embedded') expect(database.connections).toBeUndefined();
    else {
      expect(database.connections).toMatchObject({ waiting: 0, most: 10 });
      expect(await measured('care_database_connection_wait_seconds_count')).toBeGreaterThan(0);
    }
  });
});
