import { ACCOUNTS, AUTHOR_MARK } from './accounts.js';
import type { ImportedKind } from './kind.js';

/**
 * The accounts that an export names: authors, without roles and passwords. One that is here already stays
 * as it is, since the export knows less of it.
 */
export const AUTHORS: ImportedKind = {
  ...ACCOUNTS,
  mark: AUTHOR_MARK,
  async map(run, rows) {
    const accounts = await ACCOUNTS.map(run, rows);
    const ids = rows.map(({ ID }) => Number(ID));
    const here = await run.context.db.account.findMany({
      where: { id: { in: ids } },
      select: { id: true, usernameKey: true },
    });
    const names = new Map(here.map(({ id, usernameKey }) => [id, usernameKey]));
    return accounts.map((one) => {
      if (!('own' in one) || names.get(one.own.id) !== one.own.username_key) return one;
      run.accounts.add(one.own.id);
      return { outcome: 'skipped', reason: 'it is here already, and the export knows less of it' };
    });
  },
};
