import type { Config } from '../../config/config.js';
import { examineThirdParties } from '../../domains/diagnostics/diagnostics.service.js';
import { CheckFailed, checkAddress, checkWithin } from '../../platform/check.js';
import { StartError } from '../../platform/database/database.js';
import { documentsIn } from '../../platform/documents-file.js';
import { Keys } from '../../platform/keys.js';
import { checkRedis } from '../../platform/redis.js';
import { openStorage } from '../../platform/storage/open-storage.js';
import { newKey, type Storage, StorageOutage } from '../../platform/storage/storage.js';
import { openProviders } from '../make-deps.js';
import { type Finding, note, ok, unused, wrong } from './finding.js';

/** Milliseconds for which Redis is waited for. */
const PATIENCE = 2_000;
/** The same of the storage: its libraries take a while to load. */
const STORAGE_PATIENCE = 5_000;

/** Connects to Redis. */
export async function examineRedis({ REDIS_URL: url, RATE_LIMITS }: Config): Promise<Finding> {
  if (!url) return unused('redis', 'REDIS_URL is not set: each process counts quotas for itself.');
  if (RATE_LIMITS === 'off') return note('redis', 'RATE_LIMITS is off, so REDIS_URL is not used.');
  return asked('redis', () => checkRedis(url, PATIENCE));
}

/** Asks each provider that is configured, without sending anything to anybody. */
export async function examineProviders(config: Config): Promise<Finding[]> {
  const keys = new Keys(config.SECRET_KEY ?? '');
  const parties = await examineThirdParties({
    config,
    ...openProviders({ config, clock: Date.now, keys }),
  });
  return parties
    .filter(({ name }) => name !== 'redis')
    .map(({ name, ok: works, detail }) => {
      const what = name.replaceAll('_', ' ');
      if (works === null) return unused(what, detail);
      return works ? ok(what, detail) : wrong(what, detail);
    });
}

/** Reads the file of documents, whose fit to the schema the start checks. */
export function examineDocuments({ PERSISTED_DOCUMENTS: file }: Config): Finding {
  const what = 'documents';
  if (!file) return unused(what, 'PERSISTED_DOCUMENTS is not set.');
  try {
    documentsIn(file);
    return ok(what, `${file} holds documents by their hashes.`);
  } catch (error) {
    if (error instanceof StartError) return wrong(what, error.message);
    throw error;
  }
}

/** Asks what takes files, messages and traces, without leaving anything there. */
export function examineReceivers(config: Config): Promise<Finding[]> {
  const { MESSAGES_WEBHOOK_URL: messages, OTEL_EXPORTER_OTLP_ENDPOINT: traces } = config;
  const responds = (url: string) =>
    checkWithin(PATIENCE, (signal) => checkAddress(url, signal, { anything: true }));
  const stored = () => checkWithin(STORAGE_PATIENCE, () => askStorage(openStorage(config)));
  return Promise.all([
    asked('storage', config.STORAGE_URL && stored),
    asked('messages webhook', messages && (() => responds(messages))),
    asked('traces', traces && (() => responds(`${traces}/v1/traces`))),
  ]);
}

/** Reads a file that is not there, for which address, region, bucket and key must be right. */
/** Reads a file that there is not. Who may not list the files is refused, and may do all that the service does. */
async function askStorage(storage: Storage): Promise<void> {
  await storage.read(newKey()).catch((error: Error) => {
    if (error.name === 'AccessDenied') return;
    throw new CheckFailed(
      error instanceof StorageOutage ? 'It cannot be reached.' : `It refuses (${error.name}).`,
    );
  });
}

async function asked(what: string, ask: (() => Promise<void>) | '' | undefined): Promise<Finding> {
  if (!ask) return unused(what, 'Not configured.');
  try {
    await ask();
    return ok(what, 'It answers.');
  } catch (error) {
    if (error instanceof CheckFailed) return wrong(what, error.message);
    throw error;
  }
}
