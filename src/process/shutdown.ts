import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Connections } from '../platform/http/connections.js';
import type { Readiness } from '../platform/http/readiness.js';

/**
 * Milliseconds between saying that the process is not ready and refusing connections: balancers
 * need some to notice.
 */
const NOTICE = 1_000;
/**
 * Milliseconds from the signal until connections are cut, and until the process ends whatever is
 * left.
 */
const CUT = 8_000;
const END = 9_500;
/** Terminals and npm both pass a signal on: what comes so soon after the first is the same one. */
const SAME = 500;

/** What is stopped. */
export interface Running {
  readonly log: Logger;
  readonly readiness: Readiness;
  readonly connections: Connections;
  /** Completes what would never end by itself. */
  readonly endStreams: () => Promise<void>;
  /** Begins nothing more; resolves when what is under way has ended. */
  readonly stopJobs: () => Promise<void>;
  /** Gives back what the process holds, when nothing uses it any more. */
  readonly release: () => Promise<void>;
}

/** What hears signals; it is told when the service runs. */
export interface Signals {
  ready(running: Running): void;
}

/**
 * Hears SIGTERM and SIGINT from now on, also as process 1, for which the system has no default.
 * Until `ready` is called, while the process starts, a signal ends it at once: what is half done
 * then is as safe as after a kill. Afterwards it stops in order: it is not ready, a second later it
 * takes no connection, streams are completed, answers under way are finished, and jobs stop beside
 * that. It ends within ten seconds with exit code 0. A second signal ends it at once with exit code
 * 1.
 */
export function hearSignals(): Signals {
  let running: Running | undefined;
  let heardAt: number | undefined;
  const hear = (signal: NodeJS.Signals) => {
    if (!running) process.exit(0);
    if (heardAt === undefined) void stop(running, signal);
    else if (performance.now() - heardAt > SAME) process.exit(1);
    heardAt ??= performance.now();
  };
  process.on('SIGTERM', hear).on('SIGINT', hear);
  return {
    ready: (parts) => {
      running = parts;
    },
  };
}

async function stop(
  { log, readiness, connections, endStreams, stopJobs, release }: Running,
  signal: string,
): Promise<void> {
  log.info({ signal }, 'stopping');
  setTimeout(() => {
    log.warn('stopped without waiting any longer');
    process.exit(0);
  }, END).unref();
  readiness.require('stopping', () => 'The process is stopping.');
  connections.leave();
  const jobs = stopJobs();
  if (signal === 'SIGTERM') await sleep(NOTICE);
  const cut = setTimeout(() => {
    log.warn({ connections: connections.size }, 'connections cut');
    connections.destroy();
  }, CUT - NOTICE);
  const closed = connections.close();
  await Promise.all([endStreams(), closed, jobs]);
  clearTimeout(cut);
  await release();
  log.info('stopped');
  process.exit(0);
}
