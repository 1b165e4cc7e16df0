import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.js';
import type { Deps } from './context.js';
import { Tokens } from './domains/accounts/tokens.js';
import { FeedHub } from './domains/feeds/feed.hub.js';
import { feedVersions } from './domains/feeds/feed.service.js';
import type { Database } from './platform/database/database.js';
import { Keys } from './platform/keys.js';
import { type Limits, openLimits } from './platform/limits/limiter.js';
import { type MailTransport, mailTransport } from './platform/mail/mail.js';
import { Outlook } from './platform/mail/outlook.js';
import { openPush } from './platform/push/push.js';
import { makeProviders } from './providers.js';

/** What a process brings along; everything else follows. */
export interface Ground {
  readonly config: Config;
  readonly database: Database;
  /** SECRET_KEY, or what is kept in its place. */
  readonly secret: string;
  readonly log: Logger;
  /** Public address of the service, for what it sends by itself. */
  readonly baseUrl?: string;
  /** Default: as configured. */
  readonly limits?: Limits;
  /** Default: as configured. */
  readonly mail?: MailTransport;
  /** Default: the real one. */
  readonly clock?: () => number;
}

/** Everything that lives as long as the process: what main, the tools and every test make. */
export function makeDeps({ config, database, secret, log, baseUrl, limits, mail, clock = Date.now }: Ground): Deps {
  const { SECRET_KEY_PREVIOUS: previous, SMTP_URL: smtpUrl, BASE_URL } = config;
  const from = config.MAIL_FROM ?? `no-reply@${new URL(baseUrl ?? BASE_URL ?? 'http://localhost').hostname}`;
  return {
    config,
    database,
    log,
    clock,
    tokens: new Tokens(secret, previous),
    keys: new Keys(secret, previous),
    providers: makeProviders(config.PROVIDERS, clock),
    limits: limits ?? openLimits({ on: config.RATE_LIMITS === 'on', clock, log, redisUrl: config.REDIS_URL }),
    mail: mail ?? mailTransport({ smtpUrl, from, outbox: outboxOf(config) }),
    outlook: outlookOf(config),
    push: openPush(config),
    feeds: new FeedHub(
      (names) => feedVersions({ database }, names),
      (error) => log.error({ err: error }, 'feeds not read'),
    ),
  };
}

/** Where mail becomes files when no server takes it. */
export const outboxOf = ({ DATA_DIR }: Config) => join(DATA_DIR, 'outbox');

function outlookOf({ OUTLOOK_CLIENT_ID: clientId, OUTLOOK_CLIENT_SECRET: clientSecret, ...config }: Config): Outlook | undefined {
  if (!clientId || !clientSecret) return undefined;
  return new Outlook({ clientId, clientSecret, issuer: config.OUTLOOK_ISSUER, graphUrl: config.OUTLOOK_GRAPH_URL });
}
