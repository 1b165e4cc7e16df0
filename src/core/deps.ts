import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import type { Slot } from '../config/providers.js';
import type { Prisma } from '../generated/prisma/client.js';
import type { Clock } from '../platform/clock.js';
import type { Database } from '../platform/database/database.js';
import type { Readiness } from '../platform/http/readiness.js';
import type { IdentityProvider } from '../platform/identity/provider.js';
import type { Keys } from '../platform/keys.js';
import type { Limits } from '../platform/limits/limits.js';
import type { MailTransport } from '../platform/mail/mail.js';
import type { Outlook } from '../platform/mail/outlook.js';
import type { PushTransports } from '../platform/push/transport.js';
import type { Live } from './live.js';
import type { Site } from './site.js';
import type { Tokens } from './tokens.js';

/**
 * What lives as long as the process; `makeDeps` makes it for the process, the tools and every test.
 */
export interface Deps {
  readonly config: Config;
  readonly database: Database;
  readonly tokens: Tokens;
  /** The identity providers that are configured. */
  readonly providers: ReadonlyMap<Slot, IdentityProvider>;
  /** What encrypts and seals: derived from SECRET_KEY, never in the database. */
  readonly keys: Keys;
  readonly limits: Limits;
  /** Where mail goes as the configuration says; a connected mailbox takes it instead. */
  readonly mail: MailTransport;
  /** For connecting a mailbox at Microsoft, when that is configured. */
  readonly outlook?: Outlook | undefined;
  readonly log: Logger;
  readonly live: Live;
  /** Reads the settings of the site, at most once a second from the database. */
  readonly readSite: () => Promise<Site>;
  /**
   * SQL condition over a row `n` of `notification`: whether it still has something to tell. False
   * for a reminder of a dose that was answered meanwhile.
   */
  readonly stillToTell: Prisma.Sql;
  /**
   * Why this process should not be sent requests now; what finds a reason adds it as a condition.
   */
  readonly readiness: Readiness;
  /** Ways to devices, by kind of token. */
  readonly push: PushTransports;
  /** The present, in milliseconds since 1970; the only clock there is. */
  readonly clock: () => number;
  /** Where `clock` comes from: says whether this process may do background work. */
  readonly watch: Clock;
}
