import { type Config, databaseOptions } from '../../config/config.js';
import { compareZones } from '../../domains/reminders/setting/zone-comparison.service.js';
import { TOLERANCE } from '../../platform/clock.js';
import { type Database, StartError } from '../../platform/database/database.js';
import { inspectServer, type ServerState } from '../../platform/database/inspection.js';
import { openDatabase } from '../../platform/database/open.js';
import { measureLag } from '../../platform/database/replica-check.js';
import { openLimits } from '../../platform/limits/open-limits.js';
import { makeLog } from '../../platform/log.js';
import { makeDeps } from '../make-deps.js';
import { checkSecretKey } from '../secret-key.service.js';
import { type Finding, note, ok, unused, wrong } from './finding.js';

/** The oldest version of PostgreSQL that serves, and how many tables a sentence names. */
const OLDEST = 150_000;
const NAMED = 5;

/** Looks at a PostgreSQL server: its state, this user's rights, and what it holds. */
export async function examineServer(
  config: Config & { readonly DATABASE_URL: string },
  clock: () => number,
): Promise<Finding[]> {
  const { DATABASE_URL: url, DATABASE_WAIT: wait } = config;
  const state = await stateOf('database', () => inspectServer(url, wait));
  if ('sentence' in state) return [state];
  const findings = [
    versionOf(state),
    rightsOf(state),
    extensionsOf(state),
    migrationsOf(state),
    connectionsOf(state, config),
    clockOf(state, clock()),
  ];
  const isUsable = state.pending.length === 0 && !state.fault;
  return [...findings, ...(isUsable ? await examineContent(config) : [])];
}

/** Looks at the replica that reports are read from. */
export async function examineReplica({
  REPORTS_DATABASE_URL: url,
  DATABASE_WAIT: wait,
}: Config): Promise<Finding> {
  const what = 'reports database';
  if (!url) return unused(what, 'REPORTS_DATABASE_URL is not set.');
  const state = await stateOf(what, () => inspectServer(url, wait));
  if ('sentence' in state) return state;
  const fault = state.fault ?? (state.pending.length > 0 && faultOfPending(state));
  return fault ? wrong(what, fault) : ok(what, `PostgreSQL ${state.version} answers.`);
}

/** Looks at the replica that anonymous callers read from. */
export async function examineReadReplica({
  READ_DATABASE_URL: url,
  DATABASE_URL: primaryUrl = '',
  DATABASE_WAIT: wait,
  READ_LAG_SECONDS: most,
}: Config): Promise<Finding> {
  const what = 'read replica';
  if (!url) return unused(what, 'READ_DATABASE_URL is not set.');
  const state = await stateOf(what, () => inspectServer(url, wait));
  if ('sentence' in state) return state;
  const fault = state.fault ?? (state.pending.length > 0 && faultOfPending(state));
  if (fault) return wrong(what, fault);
  const lag = await stateOf(what, async () => ({
    seconds: await measureLag(primaryUrl, url, { wait, most }),
  }));
  if ('sentence' in lag) return wrong(what, `READ_DATABASE_URL is not used: ${lag.sentence}.`);
  const { seconds } = lag;
  return seconds === undefined
    ? wrong(what, `It is more than ${most} s behind (READ_LAG_SECONDS), so it is not used.`)
    : ok(what, `PostgreSQL ${state.version} answers, ${Math.ceil(seconds * 1_000)} ms behind.`);
}

async function stateOf<T>(what: string, look: () => Promise<T>): Promise<T | Finding> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof StartError) return wrong(what, error.message);
    throw error;
  }
}

function versionOf({ version, number, encoding, isReadOnly }: ServerState): Finding {
  if (number < OLDEST)
    return wrong('database', `PostgreSQL ${version} is too old: this needs 15 or newer.`);
  if (encoding !== 'UTF8')
    return wrong('database', `The database is encoded as ${encoding}, and must be UTF8.`);
  if (isReadOnly) return wrong('database', 'The database is read-only, such as a standby is.');
  return ok('database', `PostgreSQL ${version} answers.`);
}

function rightsOf({ forbidden, foreign, makesTemporary, makesTables }: ServerState): Finding {
  const what = 'rights';
  if (forbidden.length > 0)
    return wrong(what, `This user may not read and write ${listOf(forbidden)}.`);
  if (foreign.length > 0)
    return wrong(what, `This user does not own ${listOf(foreign)}, and could not migrate them.`);
  if (!makesTables) return wrong(what, 'This user may not make tables in the schema public.');
  return makesTemporary
    ? ok(what, 'This user may read, write and migrate all tables.')
    : note(what, 'This user has no right TEMPORARY, by which /readyz proves that writes work.');
}

const listOf = (tables: readonly string[]) =>
  tables.length > NAMED
    ? `${tables.slice(0, NAMED).join(', ')} and ${tables.length - NAMED} other tables`
    : tables.join(', ');

function extensionsOf({ lacking, unavailable, makesExtensions }: ServerState): Finding {
  const missing = lacking.filter((name) => unavailable.includes(name));
  if (missing.length > 0)
    return wrong('extensions', `The server does not have ${missing.join(' and ')}: install them.`);
  if (lacking.length > 0 && !makesExtensions)
    return wrong(
      'extensions',
      `The database lacks ${lacking.join(' and ')}, and this user has no right CREATE on it.`,
    );
  return ok('extensions', 'cube and pg_trgm are there, or can be made.');
}

function migrationsOf(state: ServerState): Finding {
  const fault = state.fault ?? (state.pending.length > 0 && faultOfPending(state));
  return fault ? wrong('migrations', fault) : ok('migrations', 'All are applied.');
}

const faultOfPending = ({ pending }: ServerState) =>
  `${pending.length} are pending, up to ${pending.at(-1)}: run \`npm run migrate\`.`;

function connectionsOf({ connections }: ServerState, config: Config): Finding {
  const { DATABASE_POOL, WORKERS } = config;
  const most = Math.floor(connections / (DATABASE_POOL + 1));
  const sentence = `PostgreSQL takes ${connections}, which are enough for ${most} processes with DATABASE_POOL=${DATABASE_POOL}, and this command starts ${WORKERS}.`;
  if (most < WORKERS) return wrong('connections', sentence);
  // A new one starts before the old one ends.
  return (most < 2 * WORKERS ? note : ok)('connections', sentence);
}

function clockOf({ now }: ServerState, own: number): Finding {
  const seconds = Math.round((now - own) / 1_000);
  return Math.abs(now - own) > TOLERANCE
    ? wrong(
        'clock',
        `The clock of this machine is ${Math.abs(seconds)} s ${seconds > 0 ? 'behind' : 'ahead of'} that of the database: more than 30 s keep it from background work.`,
      )
    : ok('clock', 'The clock of this machine agrees with that of the database.');
}

/** Looks at what the database knows: its key, and the time zones in use. */
async function examineContent(config: Config & { DATABASE_URL: string }): Promise<Finding[]> {
  const database = await openDatabase({ ...databaseOptions(config), migrate: false });
  try {
    return [await keyOf(config, database), await zonesOf(config, database)];
  } finally {
    await database.close();
  }
}

const depsOf = (config: Config, database: Database) => {
  const log = makeLog('silent');
  const limits = openLimits({ on: false, clock: Date.now, log });
  return makeDeps({ config, database, secret: config.SECRET_KEY ?? '', limits, log });
};

async function keyOf(config: Config, database: Database): Promise<Finding> {
  try {
    await checkSecretKey(depsOf(config, database));
    return ok('key', 'SECRET_KEY is the key of this database, or the first.');
  } catch (error) {
    if (error instanceof StartError) return wrong('key', error.message);
    throw error;
  }
}

/** Names the zones in use of which Node or PostgreSQL has other data than the service. */
export async function zonesOf(config: Config, database: Database): Promise<Finding> {
  const { node, postgresql } = await compareZones(depsOf(config, database));
  const sources = Object.entries({ Node: node, PostgreSQL: postgresql })
    .filter(([, zones]) => zones.length > 0)
    .map(([source, zones]) => `${source} has other data of ${listOf(zones)}`);
  return sources.length > 0
    ? note('zones in use', `${sources.join('; ')}: the newest are used, update the others.`)
    : ok('zones in use', 'Node and PostgreSQL agree with the service.');
}
