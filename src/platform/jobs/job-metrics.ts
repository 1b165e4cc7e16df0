import { Counter, Gauge } from 'prom-client';
import { registry } from '../metrics/metrics.js';

/** Runs that fail one after the other before `failingJobs` names a job. */
const AGAIN_AND_AGAIN = 5;

const runs = new Counter({
  name: 'care_job_runs_total',
  help: 'Runs of background jobs in this process, by name and outcome: done, failed.',
  labelNames: ['name', 'outcome'],
  registers: [registry],
});
const seconds = new Counter({
  name: 'care_job_seconds_total',
  help: 'Seconds that the runs of a job have taken together.',
  labelNames: ['name'],
  registers: [registry],
});
const lastDone = new Gauge({
  name: 'care_job_last_done_timestamp_seconds',
  help: 'When the last run of a job ended that did not fail; the start of the process before one did.',
  labelNames: ['name'],
  aggregator: 'max',
  registers: [registry],
});
const interval = new Gauge({
  name: 'care_job_interval_seconds',
  help: 'Seconds from the end of a run of a job to the start of the next.',
  labelNames: ['name'],
  aggregator: 'max',
  registers: [registry],
});

const inARow = new Gauge({
  name: 'care_job_failures_in_a_row',
  help: 'How often a job has failed since a run of it was done: of workers, in the one where it was least.',
  labelNames: ['name'],
  aggregator: 'min',
  registers: [registry],
});

/** How often each job has failed since a run of it was done. */
const failures = new Map<string, number>();

/** Notes that a job runs from now on, so many milliseconds apart. */
export function observeJob(name: string, every: number): void {
  interval.set({ name }, every / 1_000);
  lastDone.set({ name }, Date.now() / 1_000);
  noteFailures(name, 0);
  // A rate of failures needs a value from before the first of them.
  for (const outcome of ['done', 'failed']) runs.inc({ name, outcome }, 0);
}

/** Notes that a run of a job has begun. Returns a function that notes how it ended. */
export function observeRun(name: string): (outcome: 'done' | 'failed') => void {
  const began = performance.now();
  return (outcome) => {
    runs.inc({ name, outcome });
    seconds.inc({ name }, (performance.now() - began) / 1_000);
    if (outcome === 'done') lastDone.set({ name }, Date.now() / 1_000);
    noteFailures(name, outcome === 'done' ? 0 : (failures.get(name) ?? 0) + 1);
  };
}

function noteFailures(name: string, count: number): void {
  failures.set(name, count);
  inARow.set({ name }, count);
}

/** Returns the jobs whose last five runs or more have failed, each with how many. */
export const failingJobs = (): ReadonlyMap<string, number> =>
  new Map([...failures].filter(([, count]) => count >= AGAIN_AND_AGAIN));
