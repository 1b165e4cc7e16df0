import type { Logger } from 'pino';

/** A piece of work that is done again and again; safe to run in several processes at once, and to be killed in. */
export interface RollingJob {
  readonly name: string;
  /** Milliseconds from the end of one run to the start of the next. */
  readonly every: number;
  run(): Promise<unknown>;
}

/** Runs jobs until it is stopped; a failed run is logged, and tried again in its turn. Answers what waits for the runs under way. */
export function startRolling(jobs: readonly RollingJob[], log: Logger): () => Promise<void> {
  let stopped = false;
  const timers = new Map<RollingJob, NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  const run = async (job: RollingJob) => {
    await job.run().catch((error: unknown) => log.error({ err: error, job: job.name }, 'job failed'));
    if (!stopped) plan(job);
  };
  const plan = (job: RollingJob) => {
    const start = () => {
      const done = run(job).finally(() => running.delete(done));
      running.add(done);
    };
    timers.set(job, setTimeout(start, job.every).unref());
  };
  for (const job of jobs) plan(job);
  return async () => {
    stopped = true;
    for (const timer of timers.values()) clearTimeout(timer);
    await Promise.all(running);
  };
}
