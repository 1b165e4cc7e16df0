import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { createApp } from '../app/app.js';
import { jobsOf } from '../app/jobs.js';
import { closeDeps, makeDeps, outboxOf } from '../app/make-deps.js';
import { claimDatabase, secretOf } from '../app/secret-key.service.js';
import { firstStart } from '../app/seed/first-start.js';
import { type StartMessage, startMessage } from '../app/seed/start-message.js';
import { requireWritable } from '../app/writable-places.js';
import {
  type Config,
  databaseOptions,
  readConfig,
  replicaOptions,
  tracingOptions,
} from '../config/config.js';
import type { Deps } from '../core/deps.js';
import { ownVersion } from '../platform/database/migrations.js';
import { openDatabase, openReplica, openReports } from '../platform/database/open.js';
import { boundHeap, collectStart } from '../platform/heap.js';
import { Connections } from '../platform/http/connections.js';
import { observeReadiness } from '../platform/http/readiness-metrics.js';
import { startRolling } from '../platform/jobs/rolling.js';
import { makeLog } from '../platform/log.js';
import { observeProcess, observeUncaughtError } from '../platform/metrics/metrics.js';
import { outboxOf as pushOutboxOf, transportNames } from '../platform/push/push.js';
import { openTracing } from '../platform/tracing/open-tracing.js';
import { channelToPrimary } from '../platform/workers/worker.js';
import { makeListener } from './listener.js';
import { listen } from './listening.js';
import { type Signals, stopService } from './shutdown.js';
import { startOrExit } from './start-or-exit.js';

async function start(signals: Signals): Promise<void> {
  boundHeap();
  const config = readConfig(process.env);
  const connections = new Connections(config.TRUSTED_PROXIES);
  const { http } = connections;
  const primary = channelToPrimary();
  // Requests go to the other workers until this one is ready.
  if (!primary) await listen(http.on('request', starting), config);
  const port = (http.address() as AddressInfo | null)?.port ?? config.PORT;
  const baseUrl = config.BASE_URL ?? `http://localhost:${port}`;
  const log = makeLog(config.LOG_LEVEL);
  const endTraces = openTracing(tracingOptions(config), log);

  const databases = await openDatabases(config, log);
  requireWritable(config);
  const secret = await secretOf(config, databases.database);
  observeProcess(ownVersion, () => databases.database);
  const deps = makeDeps({ config, ...databases, secret, log, baseUrl, primary });
  observeReadiness(deps.readiness);
  await deps.watch.check();
  await claimDatabase(deps);
  const app = createApp(deps);
  const accounts = await firstStart(app);
  const { listener, endStreams } = await makeListener(app, http, baseUrl, primary);
  collectStart();
  http.off('request', starting).on('request', listener);
  if (primary) await listen(http, config);

  announce(deps, baseUrl, accounts);
  process.send?.('ready');
  const stopJobs = startRolling(jobsOf(app), log);

  const { readiness } = deps;
  const release = () => Promise.all([endTraces(), closeDeps(deps)]).then(() => undefined);
  const running = { log, readiness, connections, endStreams, stopJobs, release };
  signals.ready((signal) => stopService(running, signal));
  logUncaughtErrors(log);
}

/**
 * Opens the database, which is migrated when it is embedded, and the replicas for reports and for
 * anonymous reads, if any.
 */
async function openDatabases(config: Config, logger: Logger) {
  const log = (message: string, err?: unknown) =>
    err ? logger.error({ err }, message) : logger.info(message);
  const options = { ...databaseOptions(config), log };
  const database = await openDatabase({ ...options, migrate: !config.DATABASE_URL });
  const { REPORTS_DATABASE_URL: url } = config;
  const reads = replicaOptions(config);
  return {
    database,
    ...(url && { reportsDatabase: await openReports({ ...options, url }) }),
    ...(reads && { replica: await openReplica({ ...reads, log }) }),
  };
}

/** Tells on the output and in the log that the service is ready, and where. */
function announce(
  { config, database, log, mail, outlook, push }: Deps,
  baseUrl: string,
  accounts: StartMessage['accounts'],
): void {
  const { kind } = database;
  const { DATA_DIR: dataDir } = config;
  const outbox = outboxOf(config);
  if (kind === 'embedded' || accounts.length > 0)
    process.stdout.write(
      startMessage({
        baseUrl,
        dataDir,
        kind,
        accounts,
        ...(mail.kind === 'outbox' && { outbox }),
        pushOutbox: pushOutboxOf(push, dataDir),
      }),
    );
  if (kind === 'server' && mail.kind === 'outbox' && !outlook)
    log.warn({ outbox }, 'SMTP_URL is not set: mail is not sent but kept as files');
  log.info({ baseUrl, database: kind, push: transportNames(push) }, 'ready');
}

function starting(_request: unknown, response: ServerResponse): void {
  response.writeHead(503, { 'Retry-After': '1' }).end();
}

/**
 * Handles errors that nothing caught. A mistake in the work for one caller must not end the work
 * for all others, so the error is logged and counted, and the process goes on. That is safe because
 * the process keeps only caches and pools for longer than a request, and they recover by
 * themselves.
 */
function logUncaughtErrors(log: Logger): void {
  const logged = (what: string) => (error: unknown) => {
    observeUncaughtError();
    log.error({ err: error }, what);
  };
  process
    .on('uncaughtException', logged('uncaught exception'))
    .on('unhandledRejection', logged('unhandled rejection'));
}

/**
 * Starts the service with the configuration of the environment. If it cannot start, writes one
 * sentence and exits with code 1.
 */
export const main = (signals: Signals) => startOrExit(() => start(signals));
