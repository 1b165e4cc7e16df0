import type { Config } from '../../config/config.js';
import type { Edition } from '../message.js';
import type { Route } from '../router.js';
import { accounts, namedSignIns } from './accounts.js';
import { community } from './community.js';
import { content } from './content.js';
import { embeds } from './embeds.js';
import { mail } from './mail.js';
import { models } from './models.js';
import { notifications } from './notifications.js';
import { platform } from './platform.js';
import { polls } from './polls.js';
import { reminders } from './reminders.js';
import { reports } from './reports.js';

/** The parts of the table by name, in the order of the descriptor. */
export const PARTS: Readonly<Record<string, readonly Route[]>> = {
  accounts,
  reminders,
  notifications,
  community,
  content,
  embeds,
  mail,
  polls,
  reports,
  models,
  platform,
};

/** The routes of both editions that do not depend on the configuration. */
export const ROUTES: readonly Route[] = Object.values(PARTS).flat();

/** The table of one service: with the addresses that its configuration names. */
export function routesOf(config: Config): readonly Route[] {
  return [...ROUTES, ...namedSignIns(config)];
}

/**
 * The namespaces of each edition, in the order of the descriptor. Each has an index at its own
 * address.
 */
export const NAMESPACES: Readonly<Record<Edition, readonly string[]>> = {
  A: ['oembed/1.0', 'v1', 'mailer', 'pwreset/v1', 'models/v1', 'wp/v2'],
  B: ['oembed/1.0', 'v1', 'v1/healthcare', 'mailer', 'pwreset/v1', 'pwreset', 'models/v1', 'wp/v2'],
};
