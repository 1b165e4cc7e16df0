import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Connections } from '../platform/http/connections.js';
import type { Readiness } from '../platform/http/readiness.js';

/**
 * Milliseconds between reporting that the process is not ready and refusing connections. Load
 * balancers need some time to notice.
 */
const NOTICE = 1_000;
/**
 * Milliseconds from the signal until connections are closed by force, and until the process ends in
 * any case.
 */
const CLOSE_AFTER = 8_000;
const EXIT_AFTER = 9_500;
/**
 * Terminals and npm both forward a signal. A second signal within this many milliseconds counts as
 * the same one.
 */
const SAME_SIGNAL = 500;

/** What a shutdown stops. */
export interface Running {
  readonly log: Logger;
  readonly readiness: Readiness;
  readonly connections: Connections;
  /** Completes streams, which would not end by themselves. */
  readonly endStreams: () => Promise<void>;
  /** Starts nothing more. Resolves when running work has ended. */
  readonly stopJobs: () => Promise<void>;
  /** Releases what the process holds, when nothing uses it any more. */
  readonly release: () => Promise<void>;
}

/** The handler of signals. Call `ready` when the service runs, with what stops it. */
export interface Signals {
  ready(stop: (signal: NodeJS.Signals) => Promise<void>): void;
}

/**
 * Handles SIGTERM and SIGINT from now on, also as process 1, for which the system has no default
 * action. Before `ready` is called, a signal ends the process at once; the start can be interrupted
 * safely at any point. After `ready`, the first signal stops it in order, and a second one ends it
 * at once with exit code 1.
 */
export function hearSignals(): Signals {
  let stop: ((signal: NodeJS.Signals) => Promise<void>) | undefined;
  let heardAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (!stop) process.exit(0);
    if (heardAt === undefined) void stop(signal);
    else if (performance.now() - heardAt > SAME_SIGNAL) process.exit(1);
    heardAt ??= performance.now();
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  return {
    ready: (stopping) => {
      stop = stopping;
    },
  };
}

/**
 * Stops the service in order: the process reports that it is not ready; a second later (only for
 * SIGTERM) it accepts no more connections; streams are completed; running requests are finished;
 * jobs stop at the same time. It ends within ten seconds with exit code 0.
 */
export async function stopService(
  { log, readiness, connections, endStreams, stopJobs, release }: Running,
  signal: string,
): Promise<void> {
  log.info({ signal }, 'stopping');
  setTimeout(() => {
    log.warn('stopped without waiting any longer');
    process.exit(0);
  }, EXIT_AFTER).unref();
  readiness.require('stopping', () => 'The process is stopping.');
  connections.leave();
  const jobs = stopJobs();
  if (signal === 'SIGTERM') await sleep(NOTICE);
  const cut = setTimeout(() => {
    log.warn({ connections: connections.size }, 'connections cut');
    connections.destroy();
  }, CLOSE_AFTER - NOTICE);
  const closed = connections.close();
  await Promise.all([endStreams(), closed, jobs]);
  clearTimeout(cut);
  await release();
  log.info('stopped');
  process.exit(0);
}
