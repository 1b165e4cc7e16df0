import type { Database } from '../platform/database/database.js';

/** Minutes for which changes are stored. Must exceed the time for which answers are kept. */
const REMEMBERED = 10;

/**
 * Returns a text that differs after every committed change of what anonymous callers see: content,
 * terms, media, authors and the site. Triggers of these tables write a row of `public_change` for
 * each statement. A text is not repeated within ten minutes.
 */
export async function publicVersion(database: Pick<Database, 'query'>): Promise<string> {
  const [row] = await database.query<{ version: string }>(
    `SELECT count(*)::text || ' ' || coalesce(sum(id), 0)::text AS version FROM public_change`,
  );
  return (row as { version: string }).version;
}

/** Deletes changes older than ten minutes. It is a job. */
export async function prunePublicChanges({ database }: { database: Database }): Promise<void> {
  await database.query(
    `DELETE FROM public_change WHERE at < now() - make_interval(mins => ${REMEMBERED})`,
  );
}
