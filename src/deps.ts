import type { Logger } from 'pino';
import type { Config } from './config.js';
import type { Deps } from './context.js';
import { Tokens } from './domains/accounts/tokens.js';
import { FeedHub } from './domains/feeds/feed.hub.js';
import { feedVersions } from './domains/feeds/feed.service.js';
import type { Database } from './platform/database/database.js';
import { Keys } from './platform/keys.js';
import { type Limits, openLimits } from './platform/limits/limiter.js';

/** What a process brings along; everything else follows. */
export interface Ground {
  readonly config: Config;
  readonly database: Database;
  /** SECRET_KEY, or what is kept in its place. */
  readonly secret: string;
  readonly log: Logger;
  /** Default: as configured. */
  readonly limits?: Limits;
  /** Default: the real one. */
  readonly clock?: () => number;
}

/** Everything that lives as long as the process: what main, the tools and every test make. */
export function makeDeps({ config, database, secret, log, limits, clock = Date.now }: Ground): Deps {
  const previous = config.SECRET_KEY_PREVIOUS;
  return {
    config,
    database,
    log,
    clock,
    tokens: new Tokens(secret, previous),
    keys: new Keys(secret, previous),
    limits: limits ?? openLimits({ on: config.RATE_LIMITS === 'on', clock, log, redisUrl: config.REDIS_URL }),
    feeds: new FeedHub(
      (names) => feedVersions({ database }, names),
      (error) => log.error({ err: error }, 'feeds not read'),
    ),
  };
}
