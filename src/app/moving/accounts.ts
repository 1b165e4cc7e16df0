import { accountKey } from '../../core/account-name.js';
import { Role } from '../../core/roles.js';
import { importedVerifier } from '../../domains/accounts/imported-password.js';
import type { ImportedKind, Left, Mapped } from './kind.js';
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
const ROLES: ReadonlySet<string> = new Set(Object.values(Role));
const COLUMNS = [
  ...['username', 'username_key', 'email', 'email_key', 'name', 'slug', 'url', 'description'],
  ...['password_hash', 'roles', 'language_id', 'created_at'],
];

/**
 * The accounts of the original, with their ids and the hashes of their passwords, which become ours
 * at the next sign-in. Addresses do not count as proven. Of several accounts with one address only the
 * first signs in by it.
 */
export const ACCOUNTS: ImportedKind = {
  name: 'account',
  from: 'users',
  table: 'account',
  columns: COLUMNS,

  async ids({ source }) {
    return (await source.rows('SELECT ID AS id FROM {users} ORDER BY ID')).map(({ id }) =>
      Number(id),
    );
  },

  read: ({ source }, ids) =>
    source.rows(
      `SELECT u.*, (SELECT min(o.ID) FROM {users} o WHERE o.user_email = u.user_email) AS first,
        (SELECT max(meta_value) FROM {usermeta} WHERE user_id = u.ID AND meta_key = 'description') AS description,
        (SELECT max(meta_value) FROM {usermeta} WHERE user_id = u.ID AND meta_key = 'locale') AS locale,
        (SELECT max(meta_value) FROM {usermeta} WHERE user_id = u.ID AND meta_key = ?) AS capabilities
      FROM {users} u WHERE u.ID IN (?) ORDER BY u.ID`,
      [`${source.prefix}capabilities`, ids],
    ),

  map: async (_run, rows) => rows.map(accountOf),
};

function accountOf(row: SourceRow): Mapped | Left {
  const username = text(row.user_login);
  if (!username) return { outcome: 'refused', reason: 'it has no user name' };
  const remarks: string[] = [];
  const note = <T>(value: T, reason: string): T => {
    remarks.push(reason);
    return value;
  };
  const email = text(row.user_email) || null;
  const isFirst = Number(row.first) === Number(row.ID);
  const emailKey =
    email &&
    (isFirst
      ? accountKey(email)
      : note(null, 'another account has its address: it signs in by its user name'));
  const hash = text(row.user_pass);
  const passwordHash = importedVerifier(hash)
    ? hash
    : note(null, 'its password has no hash that is known: it sets a new one');
  const roles = rolesOf(text(row.capabilities), (reason) => void remarks.push(reason));
  const own = {
    id: Number(row.ID),
    username,
    username_key: accountKey(username),
    email,
    email_key: emailKey,
    name: text(row.display_name) || username,
    slug: text(row.user_nicename),
    url: text(row.user_url),
    description: text(row.description),
    password_hash: passwordHash,
    roles,
    language_id: LANGUAGES[text(row.locale).slice(0, 2)] ?? ENGLISH,
    created_at: utcOf(row.user_registered) ?? new Date(0).toISOString(),
  };
  return { own, remarks };
}

function rolesOf(serialized: string, remark: (reason: string) => void): string[] {
  const value = unserialize(serialized);
  if (!(value instanceof Map)) {
    if (serialized) remark('its roles cannot be read: it has none');
    return [];
  }
  const granted = [...value]
    .filter(([, on]) => on === true || on === 1 || on === '1')
    .map(([name]) => String(name));
  const known = granted.filter((name) => ROLES.has(name));
  if (known.length < granted.length)
    remark('it has a role or a capability that does not exist here');
  return known;
}
