import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from './app.js';
import { type Config, readConfig } from './config.js';
import { makeDeps, outboxOf } from './deps.js';
import { jobsOf } from './jobs.js';
import { openDatabase, StartError } from './platform/database/database.js';
import { startRolling } from './platform/jobs/rolling.js';
import { makeLog } from './platform/log.js';
import { boundHeap } from './platform/memory.js';
import { observeProcess } from './platform/metrics/metrics.js';
import { outboxOf as pushOutboxOf, transportNames } from './platform/push/push.js';
import { keptSecret } from './platform/secret.js';
import { firstStart } from './seed/first-start.js';
import { startMessage } from './seed/start-message.js';
import { makeListener } from './server.js';

const GRACE = 10_000;

/** Starts the service as the environment configures it. Whatever keeps it from starting is one sentence and exit code 1. */
async function main(): Promise<void> {
  boundHeap();
  const config = readConfig(process.env);
  const http = createServer((_request, response) => void response.writeHead(503, { 'Retry-After': '1' }).end());
  await listen(http, config);
  const { port } = http.address() as AddressInfo;
  const baseUrl = config.BASE_URL ?? `http://localhost:${port}`;
  const log = makeLog(config.LOG_LEVEL);

  const { DATABASE_URL: url, DATA_DIR: dataDir, DATABASE_WAIT: wait } = config;
  const report = (message: string) => log.info(message);
  const database = await openDatabase({ ...(url && { url }), dataDir, wait, migrate: !url, log: report });
  const secret = config.SECRET_KEY ?? (await keptSecret(dataDir));
  observeProcess(() => database.statements);
  const deps = makeDeps({ config, database, secret, log, baseUrl });
  const { mail, outlook, push } = deps;
  const outbox = outboxOf(config);
  const app = createApp(deps);
  const accounts = await firstStart(app);
  const { listener, warm } = await makeListener(app, http, baseUrl);
  http.removeAllListeners('request').on('request', listener);

  if (database.kind === 'embedded' || accounts.length > 0)
    process.stdout.write(
      startMessage({
        baseUrl,
        dataDir,
        kind: database.kind,
        accounts,
        ...(mail.kind === 'outbox' && { outbox }),
        pushOutbox: pushOutboxOf(push, dataDir),
      }),
    );
  if (database.kind === 'server' && mail.kind === 'outbox' && !outlook)
    log.warn({ outbox }, 'SMTP_URL is not set: mail is not sent but kept as files');
  log.info({ baseUrl, database: database.kind, push: transportNames(push) }, 'ready');
  process.send?.('ready');
  void warm();
  const stopJobs = startRolling(jobsOf(app.deps), log);

  const stop = (signal: string) => {
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), GRACE).unref();
    http.close(
      () =>
        void stopJobs()
          .then(() => deps.limits.close())
          .then(() => database.close())
          .then(() => process.exit(0)),
    );
    http.closeIdleConnections();
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
}

function listen(http: Server, { PORT, HOST }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EADDRINUSE' ? 'is in use: stop what listens there, or set PORT' : `cannot be listened on (${error.code})`;
      reject(new StartError(`Port ${PORT} on ${HOST} ${why}.`));
    });
    http.listen(PORT, HOST, resolve);
  });
}

main().catch((error: unknown) => {
  process.stderr.write(
    error instanceof StartError
      ? `${error.message}\n`
      : `The service could not start. ${error instanceof Error ? error.stack : error}\n`,
  );
  process.exit(1);
});
