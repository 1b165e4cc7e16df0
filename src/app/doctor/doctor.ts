import { type Config, readConfig } from '../../config/config.js';
import { StartError } from '../../platform/database/database.js';
import { type Finding, ok, wrong } from './finding.js';
import {
  examineEmbedded,
  examineFolders,
  examineProxy,
  examineStoredKey,
  examineZoneData,
} from './machine.js';
import { examineDocuments, examineProviders, examineReceivers, examineRedis } from './outside.js';
import { examineReadReplica, examineReplica, examineServer } from './server.js';

/**
 * Examines what the environment configures: variables, folders, disk, database, Redis, providers,
 * storage, other receivers, documents, clock and zone data. Changes nothing, and sends nothing to anybody. Yields each finding when it
 * is known. A malformed configuration is the only finding, since nothing else follows from it.
 */
export async function* examine(
  environment: NodeJS.ProcessEnv,
  clock: () => number = Date.now,
): AsyncGenerator<Finding> {
  const config = configOf(environment);
  if ('sentence' in config) return yield config;
  yield ok('configuration', 'All variables are well-formed and fit together.');
  yield examineProxy(config);
  yield* examineFolders(config);
  yield examineZoneData(clock());
  yield* await examineDatabase(config, clock);
  yield await examineRedis(config);
  yield* await examineProviders(config);
  yield* await examineReceivers(config);
  yield examineDocuments(config);
}

function configOf(environment: NodeJS.ProcessEnv): Config | Finding {
  try {
    return readConfig(environment);
  } catch (error) {
    if (error instanceof StartError) return wrong('configuration', error.message);
    throw error;
  }
}

async function examineDatabase(config: Config, clock: () => number): Promise<Finding[]> {
  const { DATABASE_URL } = config;
  if (DATABASE_URL === undefined) return [examineEmbedded(config), await examineStoredKey(config)];
  return [
    ...(await examineServer({ ...config, DATABASE_URL }, clock)),
    await examineReplica(config),
    await examineReadReplica(config),
  ];
}
