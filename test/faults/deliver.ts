// A process that hands over and delivers as the service does, on the database of DATABASE_URL, to
// the Expo of EXPO_URL, which knows it by the access token WORKER. Its clock starts at EPOCH and
// runs SPEED times as fast. Says "ready".
import { pino } from 'pino';
import { makeDeps } from '../../src/app/make-deps.js';
import { readConfig } from '../../src/config/config.js';
import { handoverJobs } from '../../src/domains/dispatch/handover.jobs.js';
import { deliveryJobs } from '../../src/domains/notifications/delivery/delivery.jobs.js';
import { openDatabase } from '../../src/platform/database/open.js';
import { startRolling } from '../../src/platform/jobs/rolling.js';
import { fastClock } from './clock.js';

const { DATABASE_URL: url = '', EXPO_URL, WORKER, EPOCH, SPEED } = process.env;
const secret = 'k'.repeat(40);
const config = readConfig({
  DATABASE_URL: url,
  SECRET_KEY: secret,
  EXPO_URL,
  EXPO_ACCESS_TOKEN: WORKER,
});
const database = await openDatabase({ url, dataDir: '/nowhere', wait: 10, migrate: false });
const log = pino({ level: 'error' }, pino.destination(2));
const clock = fastClock(Number(EPOCH), Number(SPEED));
const deps = makeDeps({ config, database, secret, log, clock });
startRolling([...handoverJobs(deps), ...deliveryJobs(deps)], log);
console.log('ready');
setInterval(() => {}, 1_000_000);
