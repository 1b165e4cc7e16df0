import type { Logger } from 'pino';
import type { Awaiting } from './due-work.js';
import { observeJob, observeRun } from './job-metrics.js';

/**
 * Work that is repeated. It must be safe to run in several processes at the same time, and to be
 * killed at any point.
 */
export interface RollingJob extends Awaiting {
  /** Milliseconds from the end of one run to the start of the next. */
  readonly every: number;
  /**
   * `stopping` is aborted when the process is about to end: the job finishes what it has begun, and
   * begins nothing more.
   */
  run(stopping: AbortSignal): Promise<unknown>;
}

/**
 * Runs jobs until it is stopped. A failed run is logged, and the job runs again after its interval.
 * Returns a function that stops the jobs and waits for running ones.
 */
export function startRolling(jobs: readonly RollingJob[], log: Logger): () => Promise<void> {
  const stopping = new AbortController();
  const timers = new Map<RollingJob, NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  const run = async (job: RollingJob) => {
    const ended = observeRun(job.name);
    await job.run(stopping.signal).then(
      () => ended('done'),
      (error: unknown) => {
        ended('failed');
        log.error({ err: error, job: job.name }, 'job failed');
      },
    );
    if (!stopping.signal.aborted) plan(job);
  };
  const plan = (job: RollingJob) => {
    const start = () => {
      const done = run(job).finally(() => running.delete(done));
      running.add(done);
    };
    timers.set(job, setTimeout(start, job.every).unref());
  };
  for (const job of jobs) {
    observeJob(job.name, job.every);
    plan(job);
  }
  return async () => {
    stopping.abort();
    for (const timer of timers.values()) clearTimeout(timer);
    await Promise.all(running);
  };
}
