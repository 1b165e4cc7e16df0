// The light runner, with worker processes also where there is but one worker.
import LightRunner from 'jest-light-runner/child-process';

/** The module of a worker, which measures what a file costs. */
const WORKER = new URL('./worker.mjs', import.meta.url).href;

/**
 * What workers are started with. V8 would compile the WebAssembly of PGlite twice in each of them, and
 * the second compilation takes more time than it saves.
 */
const FLAGS = ['--liftoff-only'];

export default class Runner extends LightRunner {
  constructor(...args) {
    super(...args);
    process.execArgv = [...new Set([...process.execArgv, ...FLAGS])];
    this._runtime = 'child_process';
    const workers = { globalConfig: this._globalConfig, runtime: this._runtime };
    this._testRunners = new TestRunners(workers);
  }
}

/**
 * The light runner's pools by configuration. Gives each file a channel of its own. The light runner
 * has one for all workers and answers all of them when the first one asks for its configuration: a
 * worker that cannot listen yet never hears it, asks in vain, and hangs before its first test.
 */
class TestRunners extends Map {
  constructor(workers) {
    super();
    this.workers = workers;
  }

  set(config, { pool }) {
    const workerData = { ...this.workers, projectConfig: config };
    const run = ({ path }) => pool.run(path, { filename: WORKER, channel: channelOf(workerData) });
    return super.set(config, { pool, run });
  }
}

/** A channel to one worker, which answers its question. */
function channelOf(workerData) {
  let send;
  return {
    onMessage: (listener) => {
      send = listener;
    },
    postMessage: (message) => {
      if (message !== 'jest-light-runner-get-worker-data') return;
      send?.({ type: 'jest-light-runner-worker-data', workerData });
    },
  };
}
