import type { Database } from '../../../platform/database/database.js';
import { different } from '../../../platform/database/different.sql.js';

const OF_REMINDERS = different('reminder', 'zone', 'deleted_at IS NULL AND scheduled');

/** Returns the zones that reminders are planned by, also bare offsets, in order. One statement. */
export async function zonesOfReminders(database: Pick<Database, 'query'>): Promise<string[]> {
  const rows = await database.query<{ zone: string }>(
    `SELECT value AS zone FROM ${OF_REMINDERS} planned ORDER BY value`,
  );
  return rows.map(({ zone }) => zone);
}

/**
 * Returns the zones of accounts, reminders and the site, in order. Without bare offsets, which are
 * no zones, and UTC, which is the same for everybody. One statement, whose cost grows with the
 * number of zones.
 */
export async function zonesInUse(database: Pick<Database, 'query'>): Promise<string[]> {
  const rows = await database.query<{ zone: string }>(`
    SELECT zone FROM (
      ${different('account', 'time_zone')} UNION ${different('care_setting', 'learned_zone')}
      UNION SELECT time_zone FROM site UNION ${OF_REMINDERS}
    ) AS used (zone) WHERE zone ~ '^[A-Za-z]' AND zone <> 'UTC' ORDER BY zone`);
  return rows.map(({ zone }) => zone);
}
