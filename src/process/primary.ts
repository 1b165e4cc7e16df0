import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Config, readConfig } from '../config/config.js';
import { countingResponders } from '../platform/limits/primary-limiter.js';
import { makeLog } from '../platform/log.js';
import { observeNode, registry } from '../platform/metrics/metrics.js';
import { Channel } from '../platform/workers/channel.js';
import {
  lasting,
  merged,
  observeExit,
  observeWorkers,
  type Snapshot,
  sumOf,
} from '../platform/workers/worker-metrics.js';
import { listen } from './listening.js';
import type { Signals } from './shutdown.js';
import { startOrExit } from './start-or-exit.js';

/** Milliseconds after which a worker that dies is replaced at once. */
const LIVED_WELL = 60_000;
/** Milliseconds before the replacement of one that died earlier: doubled each time, up to a limit. */
const SHORTEST_REST = 500;
const LONGEST_REST = 30_000;
/** Milliseconds after a signal until the first process ends in any case: workers take 9,500. */
const EXIT_AFTER = 9_900;
/** Milliseconds from the response of a worker to the next question whether it lives. */
const BETWEEN_LOOKS = 5_000;
/** Milliseconds that a worker may take to say so; and once more, since this process may have stood still. */
const LONGEST_SILENCE = 30_000;
const LAST_CHANCE = 5_000;
/** Milliseconds for the metrics of a worker: fewer than the worker waits that was asked for all. */
const METRICS_WITHIN = 1_000;

/** A worker that serves. */
interface Serving {
  readonly channel: Channel;
  readonly since: number;
  /** Its metrics when they were read last. */
  metrics: Snapshot;
}

/**
 * Starts the workers if there are to be several, and resolves when all serve; resolves with false
 * if this process is to serve alone. Exits with code 1 when the first worker cannot start, which
 * has written why.
 */
export async function supervise(signals: Signals, program: string): Promise<boolean> {
  let isSupervised = true;
  await startOrExit(async () => {
    const config = readConfig(process.env);
    isSupervised = config.WORKERS > 1;
    if (!isSupervised) return;
    observeNode();
    // A connection that was handed to a worker which dies would be answered by nobody.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({ exec: program, args: [] });
    const port = await freePort(config);
    await new Workers(config.WORKERS, port, makeLog(config.LOG_LEVEL)).start(signals);
  });
  return isSupervised;
}

/** Returns PORT, or a free one for 0. Rejects with a StartError when it cannot be listened on. */
async function freePort(config: Config): Promise<number> {
  const server = createServer();
  await listen(server, config);
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

/**
 * The workers of this process. One that ends is replaced until the process is told to stop; one that
 * does not respond for half a minute is ended.
 */
class Workers {
  readonly #serving = new Map<Worker, Serving>();
  readonly #starting = new Set<Worker>();
  readonly #counting = countingResponders();
  /** What workers have counted that are there no more. */
  #past: Promise<Snapshot> = Promise.resolve([]);
  #rest = 0;
  #isStopping = false;

  constructor(
    private readonly count: number,
    private readonly port: number,
    private readonly log: Logger,
  ) {}

  /** The first worker starts alone: it may have the first start of all to do. */
  async start(signals: Signals): Promise<void> {
    if (!(await this.#fork())) process.exit(1);
    signals.ready((signal) => this.#stop(signal));
    await Promise.all(Array.from({ length: this.count - 1 }, () => this.#keep()));
    this.log.info({ workers: this.#serving.size }, 'workers serve');
    process.send?.('ready');
  }

  /** Starts a worker until one serves. */
  async #keep(): Promise<void> {
    while (!this.#isStopping && !(await this.#fork())) await this.#pause(0);
  }

  /** Starts a worker. Resolves with whether it serves, or has ended before. */
  #fork(): Promise<boolean> {
    const worker = cluster.fork({ PORT: String(this.port) });
    this.#starting.add(worker);
    const channel = new Channel(worker, { ...this.#counting, metrics: () => this.#metrics() });
    return new Promise((resolve) => {
      worker.on('message', (message) => {
        if (message !== 'ready') return;
        this.#starting.delete(worker);
        this.#serving.set(worker, { channel, since: performance.now(), metrics: [] });
        observeWorkers(this.#serving.size);
        void this.#watch(worker, channel);
        resolve(true);
      });
      worker.on('error', (error) => {
        this.log.error({ err: error }, 'worker not started');
        this.#starting.delete(worker);
        resolve(false);
      });
      worker.once('exit', (code, signal) => {
        resolve(false);
        this.#ended(worker, code, signal);
      });
    });
  }

  /** Ends a worker that hangs: the connections that it has taken would be answered by nobody. */
  async #watch(worker: Worker, channel: Channel): Promise<void> {
    const isAlive = (within: number) =>
      channel.ask('alive', undefined, within).then(
        () => true,
        () => false,
      );
    while ((await isAlive(LONGEST_SILENCE)) || (await isAlive(LAST_CHANCE)))
      await sleep(BETWEEN_LOOKS, undefined, { ref: false });
    if (!this.#serving.has(worker)) return;
    this.log.error({ pid: worker.process.pid }, 'worker does not respond: it is ended');
    worker.process.kill('SIGKILL');
  }

  #ended(worker: Worker, code: number | null, signal: string | null): void {
    const served = this.#serving.get(worker);
    this.#serving.delete(worker);
    this.#starting.delete(worker);
    observeWorkers(this.#serving.size);
    if (this.#isStopping) return;
    const how = code === 0 ? 'ended' : 'died';
    observeExit(how);
    const pid = worker.process.pid;
    this.log[how === 'died' ? 'error' : 'info']({ pid, code, signal }, `worker ${how}`);
    if (!served) return; // whoever starts it tries again
    this.#past = this.#past.then((past) => sumOf([past, lasting(served.metrics)]));
    void this.#pause(performance.now() - served.since).then(() => this.#keep());
  }

  /** Waits before a worker is replaced that served so many milliseconds: longer in a loop of deaths. */
  async #pause(lived: number): Promise<void> {
    const isWell = lived >= LIVED_WELL;
    this.#rest = isWell ? 0 : Math.min(LONGEST_REST, Math.max(SHORTEST_REST, this.#rest * 2));
    if (this.#rest > SHORTEST_REST)
      this.log.warn({ milliseconds: this.#rest }, 'workers die soon: waiting before the next');
    await sleep(this.#rest);
  }

  /** Returns the metrics of all processes together, also of those that have ended. */
  async #metrics(): Promise<string> {
    const read = [...this.#serving.values()].map(async (worker) => {
      worker.metrics = await worker.channel
        .ask<Snapshot>('metrics', undefined, METRICS_WITHIN)
        .catch(() => worker.metrics);
    });
    const own = (await registry.getMetricsAsJSON()) as Snapshot;
    await Promise.all(read);
    // One that has ended meanwhile is in the past: both are read at the same instant.
    const past = this.#past;
    const present = [...this.#serving.values()].map(({ metrics }) => metrics);
    return merged([...present, own, await past]).metrics();
  }

  /** Ends when all workers have ended, as they do at the signal. */
  async #stop(signal: NodeJS.Signals): Promise<void> {
    this.#isStopping = true;
    setTimeout(() => process.exit(0), EXIT_AFTER).unref();
    const workers = [...this.#serving.keys(), ...this.#starting];
    const ended = workers.map((worker) => once(worker, 'exit'));
    for (const worker of workers) worker.process.kill(signal);
    await Promise.all(ended);
    this.log.info('stopped');
    process.exit(0);
  }
}
