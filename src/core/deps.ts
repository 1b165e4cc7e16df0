import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import type { Slot } from '../config/providers.js';
import type { Prisma } from '../generated/prisma/client.js';
import type { Clock } from '../platform/clock.js';
import type { Database } from '../platform/database/database.js';
import type { Replica } from '../platform/database/replica.js';
import type { Readiness } from '../platform/http/readiness.js';
import type { IdentityProvider } from '../platform/identity/provider.js';
import type { Keys } from '../platform/keys.js';
import type { Limits } from '../platform/limits/open-limits.js';
import type { MailTransport } from '../platform/mail/mail-transport.js';
import type { Outlook } from '../platform/mail/outlook.js';
import type { Oembed } from '../platform/oembed/oembed.types.js';
import type { PushTransports } from '../platform/push/push-transport.js';
import type { Storage } from '../platform/storage/storage.js';
import type { Live } from './live.js';
import type { Writers } from './response-cache.js';
import type { Site } from './site.js';
import type { Tokens } from './tokens.js';

/**
 * Objects that live as long as the process. `makeDeps` makes them for the service, the tools and
 * every test.
 */
export interface Deps {
  readonly config: Config;
  readonly database: Database;
  /** Public address of the service, without a trailing slash, for messages that it sends. */
  readonly siteUrl: string;
  /** The database that reports about all members are read from, when it is another one. */
  readonly reportsDatabase?: Pick<Database, 'query' | 'trouble' | 'close'> | undefined;
  /** Where public queries of anonymous callers read, when there is one (`RequestContext.mayLag`). */
  readonly replica?: Pick<Replica, 'read' | 'requireChanges' | 'close'> | undefined;
  readonly tokens: Tokens;
  /** The configured identity providers, by slot. */
  readonly providers: ReadonlyMap<Slot, IdentityProvider>;
  /**
   * The keys for encryption and seals. They are derived from SECRET_KEY and never stored in the
   * database.
   */
  readonly keys: Keys;
  readonly limits: Limits;
  /** The networks that get no old response. */
  readonly writers: Writers;
  /**
   * The mail transport of the configuration. A connected mailbox is used instead of it, if there is
   * one.
   */
  readonly mail: MailTransport;
  /** Connects a mailbox at Microsoft. Undefined when that is not configured. */
  readonly outlook?: Outlook | undefined;
  /** Where uploaded files and what is made of them are kept. */
  readonly storage: Storage;
  /** Asks other sites how their pages are embedded. */
  readonly oembed: Oembed;
  readonly log: Logger;
  readonly live: Live;
  /** Returns the settings of the site. Reads them from the database at most once a second. */
  readonly readSite: () => Promise<Site>;
  /**
   * SQL condition on a row `n` of `notification`: whether the notification is still relevant. False
   * for a reminder of a dose that has been answered.
   */
  readonly stillToTell: Prisma.Sql;
  /**
   * SQL condition on a row `n` of `notification` about reminders: whether all that it says is as it was when
   * the notification was made.
   */
  readonly stillAsTold: Prisma.Sql;
  /** Whether this process should get requests. Modules add conditions to it. */
  readonly readiness: Readiness;
  /** The transports of pushes and texts, by kind of recipient. */
  readonly push: PushTransports;
  /** Returns the present in milliseconds since 1970. Nothing else reads the time. */
  readonly clock: () => number;
  /** The source of `clock`. It tells whether this process may do background work. */
  readonly watch: Clock;
}
