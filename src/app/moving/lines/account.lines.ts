import { accountKey } from '../../../core/account-name.js';
import { Role } from '../../../core/roles.js';
import { transact } from '../../../core/transact.js';
import { importedVerifier } from '../../../domains/accounts/imported-password.js';
import { isZone } from '../../../platform/zone.js';
import { ACCOUNTS, languageOf } from '../accounts.js';
import { addApplicationPasswords, dropOwnCategory } from '../completion.service.js';
import type { Line, LineKind } from './line.js';

const ROLES: ReadonlySet<unknown> = new Set(Object.values(Role));
const LANGUAGE = '(SELECT code FROM language l WHERE l.id = t.language_id)';

/** The settings of the site. Those of the service that is imported into are replaced. */
export const SITE_LINES: LineKind = {
  name: 'site',
  table: 'site',
  fields: {
    title: 'text',
    tagline: 'text',
    timeZone: 'text',
    defaultCategoryId: 'integer',
    frontPageId: 'integer?',
    postsPageId: 'integer?',
    version: 'integer',
  },
  unused: 'i.id IS NULL',
  fault: ({ id, timeZone }) => {
    if (id !== 1) return 'there is one site, with the number 1';
    return isZone(String(timeZone)) ? undefined : 'its time zone is unknown here';
  },
  finish: ({ context }) => transact(context, ({ db }) => dropOwnCategory(db)),
};

/** Accounts, with the hashes by which people sign in. */
export const ACCOUNT_LINES: LineKind = {
  name: 'account',
  table: 'account',
  fields: {
    username: 'text',
    email: 'text?',
    signsInByEmail: { type: 'boolean', sql: 't.email_key IS NOT NULL' },
    name: 'text',
    slug: 'text',
    url: 'text',
    description: 'text',
    passwordHash: 'text?',
    roles: 'texts',
    language: { type: 'text', sql: LANGUAGE },
    timeZone: 'text?',
    createdAt: 'instant',
    emailProvenAt: 'instant?',
    idleSince: 'instant?',
    suspendedAt: 'instant?',
    remindersStopped: 'boolean',
    version: 'integer',
  },
  parts: {
    applicationPasswords: {
      table: 'application_password',
      of: 'account_id',
      order: 'p.created_at, p.id',
      fields: { id: 'text', name: 'text', hash: 'text', appId: 'text?', createdAt: 'instant' },
      isCompleted: true,
    },
    identities: {
      table: 'identity',
      of: 'account_id',
      order: 'p.id',
      key: ['issuer', 'subject'],
      madeAt: 'createdAt',
      passing: ['email', 'usedAt'],
      fields: {
        id: 'integer',
        issuer: 'text',
        subject: 'text',
        email: 'text?',
        createdAt: 'instant',
        usedAt: 'instant',
      },
    },
    notificationPreference: {
      table: 'notification_preference',
      of: 'account_id',
      order: 'p.account_id',
      isOne: true,
      fields: {
        quietStart: 'text?',
        quietEnd: 'text?',
        lockScreenNames: 'boolean',
        renotifyMinutes: 'integer?',
        renotifyTimes: 'integer',
        missedToCarers: 'boolean',
        carersWaitMinutes: 'integer?',
        version: 'integer',
      },
    },
    careSetting: {
      table: 'care_setting',
      of: 'account_id',
      order: 'p.account_id',
      isOne: true,
      passing: ['learnedZone'],
      fields: {
        learnedZone: 'text?',
        usualTimes: 'texts',
        dayTimes: 'texts',
        feedTitles: 'boolean',
        feedAlarms: 'boolean',
        version: 'integer',
      },
    },
  },
  own: ACCOUNTS.own as NonNullable<LineKind['own']>,
  bare: ACCOUNTS.bare as string,
  // The account of content without an author.
  unused: `i.id IS NULL AND t.id = 0`,
  filled: ['username_key', 'email_key', 'language_id'],
  fill: ({ username, email, signsInByEmail, language }) => ({
    username_key: accountKey(String(username)),
    email_key: email && signsInByEmail ? accountKey(String(email)) : null,
    language_id: languageOf(String(language)),
  }),
  fault: faultOf,
  complete: (db, written) =>
    addApplicationPasswords(
      db,
      written.map((one) => ({
        ...one,
        parts: { passwords: one.parts?.applicationPasswords },
      })),
    ),
};

function faultOf({ username, passwordHash, roles, timeZone }: Line): string | undefined {
  if (!username) return 'it has no user name';
  if (passwordHash && !isHash(String(passwordHash)))
    return 'its password has no hash that is known';
  if (!(roles as readonly unknown[]).every((role) => ROLES.has(role)))
    return 'it has a role that does not exist here';
  return timeZone === null || isZone(String(timeZone))
    ? undefined
    : 'its time zone is unknown here';
}

const isHash = (hash: string) => hash.startsWith('$argon2id$') || Boolean(importedVerifier(hash));
