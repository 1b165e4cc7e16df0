import { StartError } from '../../platform/database/database.js';

/** Where the tables of a site of the original are. */
export interface SourceTables {
  readonly prefix: string;
  /** Of the tables of accounts: the sites of a network share them. */
  readonly ofUsers: string;
}

/** The tables that the sites of a network share. */
export const USERS: ReadonlySet<string> = new Set(['users', 'usermeta']);

/**
 * Returns the tables of the site of a prefix, or of the only site, by the names of all tables. A site has
 * tables of options and of posts. Throws StartError where there is none, or no such one, and for several of which
 * none is chosen, and for one that lacks a table.
 */
export function tablesOf(names: readonly string[], chosen: string | undefined): SourceTables {
  const all = new Set(names);
  const prefixes = names
    .filter((name) => name.endsWith('options'))
    .map((name) => name.slice(0, -'options'.length))
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  const sites = prefixes.filter((prefix) => all.has(`${prefix}posts`));
  const prefix = chosen ?? sites[0] ?? prefixes[0];
  if (prefix === undefined)
    throw new StartError('The source is no database of the original: it has no table of options.');
  const listed = sites.join(', ');
  if (chosen !== undefined && !sites.includes(chosen))
    throw new StartError(
      `The source has no site of the prefix ${chosen}: it has those of ${listed || 'none'}.`,
    );
  if (chosen === undefined && sites.length > 1)
    throw new StartError(
      `The source has several sites, of the prefixes ${listed}: say which one by --prefix, or by ?prefix= behind the address.`,
    );
  const [ofUsers = prefix] = prefixes
    .filter((one) => prefix.startsWith(one) && all.has(`${one}users`))
    .sort((a, b) => b.length - a.length);
  const missing = NEEDED.map((table) => (USERS.has(table) ? ofUsers : prefix) + table).filter(
    (name) => !all.has(name),
  );
  if (missing.length > 0)
    throw new StartError(
      `The source is no whole database of the original: it has no table ${missing.join(', ')}.`,
    );
  return { prefix, ofUsers };
}

/** The tables without which nothing is imported: a dump that was cut lacks some. */
const NEEDED = [
  ...['users', 'usermeta', 'terms', 'term_taxonomy', 'term_relationships', 'posts', 'postmeta'],
];
