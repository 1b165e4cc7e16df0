import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../../src/app/app.js';
import { jobsOf } from '../../src/app/jobs.js';
import { makeDeps } from '../../src/app/make-deps.js';
import { databaseOptions, readConfig } from '../../src/config/config.js';
import { openDatabase } from '../../src/platform/database/open.js';
import { startRolling } from '../../src/platform/jobs/rolling.js';
import { makeLog } from '../../src/platform/log.js';
import { makeListener } from '../../src/process/listener.js';
import { withFolder } from './databases.js';

export interface Running {
  readonly url: string;
  /** What the service has logged. */
  readonly lines: string[];
  /** Answers of both faces and of /readyz to requests that need the database. */
  ask(): Promise<Response[]>;
  /** Whether everything that is asked is answered well. */
  serves(): Promise<boolean>;
}

const ask = (url: string) => {
  const json = { 'content-type': 'application/json' };
  const query = JSON.stringify({ query: '{ posts(first: 1) { nodes { id } } }' });
  const login = JSON.stringify({ username: 'nobody', password: 'a wrong one' });
  return Promise.all([
    fetch(`${url}/api/v1/posts`),
    fetch(`${url}/api/v1/login`, { method: 'POST', headers: json, body: login }),
    fetch(`${url}/graphql`, { method: 'POST', headers: json, body: query }),
    fetch(`${url}/readyz`),
  ]);
};

/** Runs the service on a database, with its jobs. */
export async function serving(
  databaseUrl: string,
  body: (service: Running) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    const environment = {
      DATABASE_URL: databaseUrl,
      SECRET_KEY: 's'.repeat(40),
      DATA_DIR: folder,
      RESPONSE_CACHE: 'off',
      // A slow recovery asks so often that wrong sign-ins would be refused for their number.
      RATE_LIMITS: 'off',
    };
    const config = readConfig(environment);
    const lines: string[] = [];
    const log = makeLog('info', { write: (line) => void lines.push(line) });
    const report = (message: string, err?: unknown) =>
      err ? log.error({ err }, message) : log.info(message);
    const database = await openDatabase({ ...databaseOptions(config), migrate: true, log: report });
    const http = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => http.once('listening', resolve));
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const app = createApp(
      makeDeps({ config, database, secret: 's'.repeat(40), log, baseUrl: url }),
    );
    const { listener } = await makeListener(app, http, url);
    http.on('request', listener);
    const stopJobs = startRolling(jobsOf(app), log);
    const serves = async () => (await ask(url)).every(({ status }) => status < 500);
    try {
      for (let tries = 0; !(await serves()) && tries < 600; tries++) await sleep(100);
      await body({ url, lines, ask: () => ask(url), serves });
    } finally {
      await Promise.race([stopJobs(), sleep(5_000)]);
      http.closeAllConnections();
      http.close();
      await Promise.race([database.close(), sleep(5_000)]);
    }
  });
}
