// A process with a job that never ends: node stuck.js

import { Connections } from '../../src/platform/http/connections.js';
import { Readiness } from '../../src/platform/http/readiness.js';
import { makeLog } from '../../src/platform/log.js';
import { hearSignals, stopService } from '../../src/process/shutdown.js';

const done = async () => {};
const never = () => new Promise<never>(() => {});
const running = {
  log: makeLog('info'),
  readiness: new Readiness(),
  connections: new Connections(),
  endStreams: done,
  stopJobs: never,
  release: done,
};
hearSignals().ready((signal) => stopService(running, signal));
setInterval(() => {}, 60_000);
console.log('running');
