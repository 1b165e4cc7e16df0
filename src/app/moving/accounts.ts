import { createHash } from 'node:crypto';
import { accountKey } from '../../core/account-name.js';
import { Role } from '../../core/roles.js';
import { storedHash } from '../../domains/accounts/imported-password.js';
import { standsIn } from '../../domains/accounts/stand-in.sql.js';
import { identified } from './batches.js';
import { type ImportedPassword, matchApplicationPasswords } from './completion.service.js';
import type { Import, ImportedKind, Left, Mapped } from './kind.js';
import { text } from './kind.js';
import type { SourceRow } from './mysql-source.js';
import { unserialize } from './php.js';
import { utcOf } from './source-time.js';

/** Languages of ours by the first letters of a locale of the original. */
const LANGUAGES: Readonly<Record<string, number>> = {
  en: 1,
  de: 2,
  fr: 3,
  es: 4,
  ar: 5,
  he: 6,
  ru: 7,
};
const ENGLISH = 1;

/** Returns the language of a locale such as de_DE; English for none, and for one that is unknown. */
export const languageOf = (locale: string): number => LANGUAGES[locale.slice(0, 2)] ?? ENGLISH;

const ROLES: ReadonlySet<string> = new Set(Object.values(Role));
/** Stands behind the digests of accounts that came as authors of an export (WXR). */
export const AUTHOR_MARK = '@wxr';

/**
 * SQL of whether an account came as the author of an export (WXR), which has no passwords and roles. Version
 * 0.1.0 marked no row, whether it came from there, from a database or from an export of this service. Of
 * those an account counts as such an author that has no role, no password and no application password: if it
 * came from a database nonetheless, nobody has signed in to it here since.
 */
const CAME_AS_AUTHOR = `(right(i.source_digest, ${AUTHOR_MARK.length}) = '${AUTHOR_MARK}'
  OR (strpos(i.source_digest, '@') = 0 AND t.password_hash IS NULL AND t.roles = '{}'
    AND NOT EXISTS (SELECT FROM application_password p WHERE p.account_id = t.id)))`;

const COLUMNS = [
  ...['username', 'username_key', 'email', 'email_key', 'name', 'slug', 'url', 'description'],
  ...['password_hash', 'roles', 'language_id', 'created_at'],
];

/**
 * The accounts of the original, with their ids and the hashes of their passwords, which become ours
 * at the next sign-in. Addresses do not count as proven. Of several accounts with one address only the
 * first signs in by it. Who has chosen no language has that of the site.
 */
export const ACCOUNTS: ImportedKind = identified({
  name: 'account',
  from: 'users',
  table: 'account',
  columns: COLUMNS,
  unused: standsIn('t').sql,
  bare: CAME_AS_AUTHOR,
  // What somebody has signed in with here, or has chosen here.
  own: { column: 'password_hash', once: "t.password_hash LIKE '$argon2%'" },

  ids: ({ content }) => content.accounts.ids(),
  read: ({ content }, ids) => content.accounts.read(ids),

  map: async (run, rows) => rows.map((row) => accountOf(run, row)),
  complete: matchApplicationPasswords,
});

function accountOf(run: Import, row: SourceRow): Mapped | Left {
  const locale = text(row.locale);
  const username = text(row.user_login);
  if (!username) return { outcome: 'refused', reason: 'it has no user name' };
  const remarks: string[] = [];
  const note = <T>(value: T, reason: string): T => {
    remarks.push(reason);
    return value;
  };
  const email = text(row.user_email) || null;
  const emailKey =
    email &&
    (row.sharesEmail
      ? note(null, 'another account has its address: it signs in by its user name')
      : accountKey(email));
  const usernameKey = row.sharesName
    ? note(
        accountKey(`${username} ${row.ID}`),
        'another account has its user name: it signs in by its address, or with its number behind the name',
      )
    : accountKey(username);
  const hash = text(row.user_pass);
  const passwordHash =
    storedHash(hash) ?? note(null, 'its password has no hash that is known: it sets a new one');
  const roles = rolesOf(text(row.capabilities), (reason) => void remarks.push(reason));
  const own = {
    id: Number(row.ID),
    username,
    username_key: usernameKey,
    email,
    email_key: emailKey,
    name: text(row.display_name),
    slug: text(row.user_nicename),
    url: text(row.user_url),
    description: text(row.description),
    password_hash: passwordHash,
    roles,
    language_id: locale ? languageOf(locale) : run.site.languageId,
    created_at: utcOf(row.user_registered) ?? new Date(0).toISOString(),
  };
  const passwords = row.passwords ? passwordsOf(run, Number(row.ID), text(row.passwords)) : [];
  if (!passwords) remarks.push('its application passwords cannot be read: it gets none');
  if (passwords?.some((one) => !one))
    remarks.push('an application password of it has no hash that is known: it is left out');
  return {
    own,
    parts: { passwords: passwords?.filter(Boolean) ?? [], ...(!passwords && { unread: true }) },
    remarks,
  };
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Returns the application passwords of an account; undefined for one whose hash is not known. One without an
 * identifier, as before version 5.6 of the original, or with that of a password of another account gets one
 * that stays over later imports.
 */
function passwordsOf(
  { numbers }: Import,
  accountId: number,
  serialized: string,
): (ImportedPassword | undefined)[] | undefined {
  const list = unserialize(serialized);
  if (!(list instanceof Map)) return undefined;
  const owners = numbers.get(PASSWORD) ?? new Map<string, number>();
  numbers.set(PASSWORD, owners);
  return [...list.values()].map((one) => {
    const field = (name: string) => (one instanceof Map ? text(one.get(name) as string) : '');
    const [uuid, hash, appId] = [field('uuid').toLowerCase(), field('password'), field('app_id')];
    const stored = storedHash(hash);
    if (!stored) return undefined;
    const isOwn = UUID.test(uuid) && (owners.get(uuid) ?? accountId) === accountId;
    if (isOwn) owners.set(uuid, accountId);
    return {
      id: isOwn ? uuid : derivedId(`${accountId} ${hash} ${field('created')}`),
      hash: stored,
      name: field('name') || 'Application',
      appId: UUID.test(appId) ? appId : null,
      createdAt: instantOf(Number(field('created'))),
    };
  });
}

/** What `numbers` calls the accounts of application passwords, by their identifiers. */
const PASSWORD = 'application password';

/** Returns a UUID of version 8 that is made of a text. */
const derivedId = (written: string): string =>
  createHash('sha256')
    .update(written)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-a$4-$5');

/** Returns an instant of so many seconds since 1970; that of 0 where there is none. */
const instantOf = (seconds: number): string =>
  new Date(seconds > 0 && seconds < 2 ** 32 ? seconds * 1000 : 0).toISOString();

function rolesOf(serialized: string, remark: (reason: string) => void): string[] {
  const value = unserialize(serialized);
  if (!(value instanceof Map)) {
    if (serialized) remark('its roles cannot be read: it has none');
    return [];
  }
  // As in the original, a role is one whatever its value is; a capability is one where it is on.
  const known = [...value.keys()].map(String).filter((name) => ROLES.has(name));
  const others = [...value].filter(
    ([name, on]) => !ROLES.has(String(name)) && (on === true || on === 1 || on === '1'),
  );
  if (others.length > 0) remark('it has a role or a capability that does not exist here');
  return known;
}
