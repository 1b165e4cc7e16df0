// The light runner, with worker processes also where there is but one worker.
import LightRunner from 'jest-light-runner/child-process';

export default class Runner extends LightRunner {
  constructor(...args) {
    super(...args);
    this._runtime = 'child_process';
  }

  /**
   * Gives each file a channel of its own. The light runner has one for all workers and answers all
   * of them when the first one asks for its configuration: a worker that cannot listen yet never
   * hears it, asks in vain, and hangs before its first test.
   */
  _runTest(test) {
    const { config } = test.context;
    if (this._testRunners.has(config)) return super._runTest(test);
    const running = super._runTest(test);
    const runner = this._testRunners.get(config);
    const workerData = {
      globalConfig: this._globalConfig,
      projectConfig: config,
      runtime: this._runtime,
    };
    runner.run = ({ path }) => runner.pool.run(path, { channel: channelOf(workerData) });
    return running;
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
