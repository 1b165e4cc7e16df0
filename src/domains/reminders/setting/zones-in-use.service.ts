import type { Database } from '../../../platform/database/database.js';

/**
 * SQL of the different values of a column that an index begins with: one step of the index for each
 * value, however many rows have it.
 */
const different = (table: string, column: string, where = 'TRUE') => `(
  WITH RECURSIVE step AS (
    (SELECT ${column} AS zone FROM ${table} WHERE ${where} AND ${column} IS NOT NULL
      ORDER BY ${column} LIMIT 1)
    UNION ALL
    SELECT (SELECT ${column} FROM ${table} WHERE ${where} AND ${column} > step.zone
      ORDER BY ${column} LIMIT 1)
    FROM step WHERE step.zone IS NOT NULL
  ) SELECT zone FROM step WHERE zone IS NOT NULL)`;

const OF_REMINDERS = different('reminder', 'zone', 'deleted_at IS NULL AND scheduled');

/** Returns the zones that reminders are planned by, also bare offsets, in order. One statement. */
export async function zonesOfReminders(database: Pick<Database, 'query'>): Promise<string[]> {
  const rows = await database.query<{ zone: string }>(`${OF_REMINDERS} ORDER BY zone`);
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
    ) AS used WHERE zone ~ '^[A-Za-z]' AND zone <> 'UTC' ORDER BY zone`);
  return rows.map(({ zone }) => zone);
}
