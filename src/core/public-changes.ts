import { Prisma } from '../generated/prisma/client.js';
import type { Database } from '../platform/database/database.js';
import { prune } from './pruning.js';

/** Minutes for which changes are stored. Must exceed the time for which responses are kept. */
const REMEMBERED = 10;
/** Maximum number of changes in one read. */
const MOST = 1_000;

/** A committed change of what anonymous callers see. */
export interface PublicChange {
  /** Never that of another change. */
  readonly id: string;
  /** How long ago it was made, in milliseconds. */
  readonly age: number;
  /** The table that was changed; empty where a version of the service before did not say. */
  readonly source: string;
}

/**
 * Returns the latest changes of what anonymous callers see: content, terms, media, authors and the
 * site. Triggers of these tables write a row of `public_change` for each statement. Those of the
 * last 90 seconds, found by an index: `clock_timestamp()`, which is volatile, would not be looked up
 * in it. Of more than 1,000 the latest. A transaction that commits later than that after its
 * statement goes unnoticed: responses are kept for a minute.
 */
export const recentChanges = (database: Pick<Database, 'query'>): Promise<PublicChange[]> =>
  database.query<PublicChange>(
    `SELECT id || ' ' || extract(epoch FROM at) AS id, source,
       (extract(epoch FROM clock_timestamp() - at) * 1000)::float8 AS age
     FROM public_change c WHERE at > statement_timestamp() - interval '90 seconds'
     ORDER BY c.id DESC LIMIT ${MOST}`,
  );

/** Deletes changes older than ten minutes. It is a job. */
export async function prunePublicChanges(
  { database }: { readonly database: Pick<Database, 'db'> },
  stopping: AbortSignal,
): Promise<void> {
  const where = Prisma.sql`at < now() - make_interval(mins => ${REMEMBERED}::int)`;
  const by = Prisma.sql`at`;
  await prune(database.db, { table: Prisma.sql`public_change`, where, by }, stopping);
}
