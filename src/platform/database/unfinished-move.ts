import { StartError } from './database-errors.js';
import type { MigrationSession } from './migrations.js';

/** The schema that a database has until `npm run move-to-postgres` has moved all into it. */
export const UNFINISHED = 'unfinished_move';

/** Returns whether a move into the database was begun and is not finished. */
export async function isMoveUnfinished(query: MigrationSession['query']): Promise<boolean> {
  const [row] = await query(`SELECT to_regnamespace('${UNFINISHED}') IS NOT NULL AS found`);
  return row?.found === true;
}

/** Throws StartError when a move into the database is not finished. */
export async function refuseUnfinished(query: MigrationSession['query']): Promise<void> {
  if (await isMoveUnfinished(query))
    throw new StartError(
      'The move into this database is not finished: run `npm run move-to-postgres` again.',
    );
}
