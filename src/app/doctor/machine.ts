import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../../config/config.js';
import { StartError } from '../../platform/database/database.js';
import { secretFile, storedSecret } from '../../platform/secret.js';
import { zoneVersion } from '../../platform/zone.js';
import { writablePlaces } from '../writable-places.js';
import { type Finding, note, ok, wrong } from './finding.js';

/** Bytes that should be free where the service writes. */
const LEAST_FREE = 512 * 2 ** 20;
/** The version of PostgreSQL inside the embedded database. */
const EMBEDDED = '18';

/** Looks at the folders that the service writes, and at the space that is left there. */
export function examineFolders(config: Config, free = freeAt): Finding[] {
  const places = writablePlaces(config).map(({ variable, path, fault }) =>
    fault
      ? wrong(`folder of ${variable}`, `${path} ${fault}.`)
      : ok(`folder of ${variable}`, `${path} can be written.`),
  );
  const left = Math.floor(free(config.DATA_DIR) / 2 ** 20);
  const enough = left * 2 ** 20 >= LEAST_FREE;
  const sentence = `${left} MiB are free at DATA_DIR${enough ? '' : ', less than 512'}.`;
  return [...places, enough ? ok('disk', sentence) : wrong('disk', sentence)];
}

/** Returns the bytes that are free at a path, which need not be there yet. */
function freeAt(path: string): number {
  if (!existsSync(path) && dirname(path) !== path) return freeAt(dirname(path));
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/** Looks at the folder of the embedded database, without opening it: that would change it. */
export function examineEmbedded({ DATA_DIR }: Config): Finding {
  const cluster = join(DATA_DIR, 'database');
  const version = join(cluster, 'PG_VERSION');
  if (!existsSync(cluster))
    return ok('database', 'There is no embedded database yet: the first start makes it.');
  const found = existsSync(version) ? readFileSync(version, 'utf8').trim() : 'nothing';
  return found === EMBEDDED
    ? ok('database', `The embedded database in ${DATA_DIR} migrates itself at the next start.`)
    : wrong('database', `${cluster} is of PostgreSQL ${EMBEDDED}, and holds ${found}.`);
}

/** Looks for the key where the data directory keeps it. */
export async function examineStoredKey({ SECRET_KEY, DATA_DIR }: Config): Promise<Finding> {
  if (SECRET_KEY) return ok('key', 'SECRET_KEY is set.');
  const isThere = existsSync(secretFile(DATA_DIR));
  if (!isThere && existsSync(join(DATA_DIR, 'database')))
    return wrong('key', `${secretFile(DATA_DIR)} is missing, and there is a database.`);
  if (!isThere) return ok('key', 'There is no key yet: the first start makes it.');
  try {
    await storedSecret(DATA_DIR);
    return ok('key', `It is kept in ${secretFile(DATA_DIR)}.`);
  } catch (error) {
    if (error instanceof StartError) return wrong('key', error.message);
    throw error;
  }
}

/** Tells by which time zone data the service goes, and whether they are two years old. */
export function examineZoneData(now: number, release = zoneVersion()): Finding {
  const age = new Date(now).getUTCFullYear() - Number.parseInt(release, 10);
  return age < 2
    ? ok('zone data', `The service goes by the IANA release ${release}.`)
    : note('zone data', `The service goes by the IANA release ${release}: install a newer one.`);
}

/** Looks for settings that contradict what stands in front of the service. */
export function examineProxy({ BASE_URL, TRUSTED_PROXIES }: Config): Finding {
  const isBehind = BASE_URL?.startsWith('https:') && TRUSTED_PROXIES === 0;
  return isBehind
    ? note(
        'proxy',
        'BASE_URL is https, so a proxy stands in front: without TRUSTED_PROXIES all callers share the quota of its address.',
      )
    : ok('proxy', 'TRUSTED_PROXIES fits BASE_URL.');
}
