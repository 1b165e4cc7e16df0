import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import { makeProviders } from '../config/providers.js';
import type { Deps } from '../core/deps.js';
import { Writers } from '../core/response-cache.js';
import { Tokens } from '../core/tokens.js';
import { FeedHub } from '../domains/live/feed.hub.js';
import { feedVersions } from '../domains/live/feed.service.js';
import { pollVersions } from '../domains/polls/poll-live.service.js';
import { STILL_AS_TOLD, STILL_TO_TELL } from '../domains/reminders/alert/still-to-tell.sql.js';
import { endedSignIns } from '../domains/sign-in/session/sign-in-end.service.js';
import { siteReader } from '../domains/site/site.service.js';
import { openChannels } from '../platform/channel/channels.js';
import { type Clock, plainClock, WatchedClock } from '../platform/clock.js';
import type { Database } from '../platform/database/database.js';
import { within } from '../platform/database/ping.js';
import type { Replica } from '../platform/database/replica.js';
import { Readiness } from '../platform/http/readiness.js';
import { Keys } from '../platform/keys.js';
import { type Limits, type LimitsOptions, openLimits } from '../platform/limits/open-limits.js';
import type { MailTransport } from '../platform/mail/mail-transport.js';
import { mailTransport } from '../platform/mail/open-mail.js';
import { Outlook } from '../platform/mail/outlook.js';
import { OembedClient } from '../platform/oembed/oembed-client.js';
import { openPush } from '../platform/push/push.js';
import { openStorage } from '../platform/storage/open-storage.js';
import type { Channel } from '../platform/workers/channel.js';

/** What a process supplies; `makeDeps` derives everything else from it. */
export interface ProcessInput {
  readonly config: Config;
  readonly database: Database;
  /** Where reports about all members are read. Default: `database`. */
  readonly reportsDatabase?: Deps['reportsDatabase'];
  /** Where public queries of anonymous callers read. Default: `database`. */
  readonly replica?: Replica | undefined;
  /** SECRET_KEY, or the secret stored in the data directory. */
  readonly secret: string;
  readonly log: Logger;
  /** Public address of the service, for messages that it sends. */
  readonly baseUrl?: string;
  /** Default: as the configuration says. */
  readonly limits?: Limits;
  /** The first process, of a worker (WORKERS). */
  readonly primary?: Channel | undefined;
  /** Default: as the configuration says. */
  readonly mail?: MailTransport;
  /**
   * A clock that is not compared with the database's, for tests. Default: the process's clock,
   * compared with that of a database server.
   */
  readonly clock?: () => number;
}

/**
 * Makes all objects that live as long as the process. The service, the tools and every test call
 * it. Over 40 lines, because it is one list with an entry for each object.
 */
export function makeDeps({
  config,
  database,
  reportsDatabase,
  replica,
  secret,
  log,
  baseUrl,
  limits: givenLimits,
  primary,
  mail,
  clock: given,
}: ProcessInput): Deps {
  const { SECRET_KEY_PREVIOUS: previous, SECRET_KEY_NEXT: next, BASE_URL } = config;
  const watch = given ? plainClock(given) : clockOf(database, log);
  const clock = () => watch.now();
  const keys = new Keys(secret, { previous, next });
  const limits = givenLimits ?? limitsOf(config, { clock, log, primary });
  return {
    config,
    database,
    siteUrl: (baseUrl ?? BASE_URL ?? `http://localhost:${config.PORT}`).replace(/\/$/, ''),
    reportsDatabase,
    replica,
    log,
    clock,
    watch,
    tokens: new Tokens(secret, { previous, next }),
    keys,
    ...openProviders({ config, clock, keys, baseUrl, database }),
    ...(mail && { mail }),
    limits,
    writers: new Writers(),
    storage: openStorage(config),
    oembed: new OembedClient({ clock }),
    live: new FeedHub(
      async (names) =>
        new Map([
          ...(await feedVersions({ database }, names)),
          ...(await pollVersions({ database }, names)),
          ...(await endedSignIns({ database }, names)),
        ]),
      (error) => log.error({ err: error }, 'feeds not read'),
    ),
    readSite: siteReader({ database, clock }),
    readiness: readinessOf({ database, reportsDatabase, watch, limits }),
    stillToTell: STILL_TO_TELL,
    stillAsTold: STILL_AS_TOLD,
  };
}

/** What `openProviders` opens them for. */
interface ProvidersInput {
  readonly config: Config;
  readonly clock: () => number;
  readonly keys: Keys;
  readonly baseUrl?: string | undefined;
  /** Where processes share the limits of a provider. */
  readonly database?: Database | undefined;
}

/** Opens what the configuration names outside of the machine, without connecting to any of it. */
export function openProviders({ config, clock, keys, baseUrl, database }: ProvidersInput) {
  const { SMTP_URL: smtpUrl, MAIL_FROM, BASE_URL } = config;
  const host = new URL(baseUrl ?? BASE_URL ?? 'http://localhost').hostname;
  const from = MAIL_FROM ?? `no-reply@${host}`;
  return {
    providers: makeProviders(config.PROVIDERS, clock),
    mail: mailTransport({ smtpUrl, from, outbox: outboxOf(config) }),
    outlook: outlookOf(config),
    push: {
      ...openPush(config, database?.kind === 'server' ? database : undefined),
      ...openChannels(config, keys),
    },
  };
}

/** The embedded database uses the process's own clock, so no comparison is needed. */
function clockOf(database: Database, log: Logger): Clock {
  if (database.kind === 'embedded') return plainClock(Date.now);
  const ask = async () => {
    const [row] = await database.query<{ now: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
    );
    return (row as { now: number }).now;
  };
  return new WatchedClock({ own: Date.now, elapsed: () => performance.now(), ask }, log);
}

/**
 * Closes everything that `makeDeps` and its caller have opened. Afterwards nothing keeps the
 * process alive.
 */
export async function closeDeps({
  limits,
  database,
  reportsDatabase,
  replica,
}: Pick<Deps, 'limits' | 'database' | 'reportsDatabase' | 'replica'>): Promise<void> {
  limits.close();
  await replica?.close();
  await reportsDatabase?.close();
  await database.close();
}

const limitsOf = (
  { RATE_LIMITS, REDIS_URL }: Config,
  given: Pick<LimitsOptions, 'clock' | 'log' | 'primary'>,
) => openLimits({ ...given, on: RATE_LIMITS === 'on', redisUrl: REDIS_URL });

function readinessOf({
  database,
  reportsDatabase,
  watch,
  limits,
}: Pick<Deps, 'database' | 'reportsDatabase' | 'watch' | 'limits'>): Readiness {
  const readiness = new Readiness();
  requireRedis(readiness, limits);
  readiness.require('database', () => database.trouble());
  // Reads go on, in all processes alike.
  readiness.advise('database', () => database.refusal?.());
  if (reportsDatabase) readiness.advise('reports database', () => reportsDatabase.trouble());
  // The condition above already reports a database that does not answer.
  readiness.require('clock', async () => {
    await within(900, watch.check()).catch(() => {});
    return watch.fault;
  });
  return readiness;
}

/**
 * Without an answer of Redis each process goes on by itself. A REDIS_URL that was refused from the
 * start stops a rollout. A refusal later meets all processes at once, so it takes none out of rotation.
 */
function requireRedis(readiness: Readiness, { fault }: Limits): void {
  if (!fault) return;
  const refused = async (isFromStart: boolean) => {
    const refusal = await fault();
    return refusal?.isFromStart === isFromStart ? refusal.sentence : undefined;
  };
  readiness.require('redis', () => refused(true));
  readiness.advise('redis', () => refused(false));
}

/** Returns the folder for mails that no server sends. */
export const outboxOf = ({ DATA_DIR }: Config) => join(DATA_DIR, 'outbox');

function outlookOf({
  OUTLOOK_CLIENT_ID: clientId,
  OUTLOOK_CLIENT_SECRET: clientSecret,
  ...config
}: Config): Outlook | undefined {
  if (!clientId || !clientSecret) return undefined;
  return new Outlook({
    clientId,
    clientSecret,
    issuer: config.OUTLOOK_ISSUER,
    graphUrl: config.OUTLOOK_GRAPH_URL,
  });
}
