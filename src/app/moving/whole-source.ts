import { StartError } from '../../platform/database/database.js';
import type { MysqlSource } from './mysql-source.js';

/**
 * Throws StartError for a database that lacks rows which each site of the original has: its dump was cut, or is
 * still being loaded. Of a table that lost only its last rows nothing tells that.
 */
export async function refuseCut(source: MysqlSource): Promise<void> {
  const [row] = await source.rows(
    `SELECT EXISTS (SELECT 1 FROM {options} WHERE option_name = 'home' AND option_value <> '') AS home,
      EXISTS (SELECT 1 FROM {users}) AS users,
      EXISTS (SELECT 1 FROM {usermeta} WHERE meta_key = ?) AS roles`,
    [`${source.prefix}capabilities`],
  );
  const lacking =
    (!row?.home && `its table ${source.prefix}options has no address of the site (home)`) ||
    (!row?.users && 'its table of users is empty') ||
    (!row?.roles && `no account has a role (${source.prefix}capabilities)`);
  if (lacking)
    throw new StartError(
      `The source is no whole database of the original: ${lacking}. Was its dump cut, or is it still being loaded?`,
    );
}
