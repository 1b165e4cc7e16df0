import { accountKey } from '../../core/account-name.js';
import { text } from './kind.js';
import type { SourceRow } from './mysql-source.js';

/**
 * Returns what sets accounts apart from one before them, by their numbers: `sharesEmail` and `sharesName` are 1
 * where that has their address or user name as we compare them, and `user_nicename` has a number behind it where
 * that has their slug. `rows` are all accounts, lowest number first.
 */
export function toldApart(rows: readonly SourceRow[]): ReadonlyMap<number, SourceRow> {
  const [emails, names, slugs] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const taken = new Set(rows.map((row) => text(row.user_nicename)));
  const apart = new Map<number, SourceRow>();
  const isTwin = (known: Set<string>, key: string) => known.size === known.add(key).size;
  for (const row of rows) {
    const id = Number(row.ID);
    const email = accountKey(text(row.user_email));
    const sharesEmail = email !== '' && isTwin(emails, email);
    const sharesName = isTwin(names, accountKey(text(row.user_login)));
    const slug = text(row.user_nicename);
    const sharesSlug = isTwin(slugs, slug);
    if (sharesEmail || sharesName || sharesSlug)
      apart.set(id, {
        ...(sharesEmail && { sharesEmail: 1 }),
        ...(sharesName && { sharesName: 1 }),
        ...(sharesSlug && { user_nicename: freeSlug(slug || `author-${id}`, taken) }),
      });
  }
  return apart;
}

/** Returns a slug with the first number behind it that none has, and takes it. */
function freeSlug(base: string, taken: Set<string>): string {
  let slug = base;
  for (let i = 2; taken.has(slug); i++) slug = `${base}-${i}`;
  taken.add(slug);
  return slug;
}
