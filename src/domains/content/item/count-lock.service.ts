import type { RequestContext } from '../../../core/context.js';
import { hold } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';

const LOCK = 'counts of items';

/**
 * Takes the lock on joining and proving counts, and on sets of items, until the transaction ends.
 * Returns false when another process has it.
 */
export async function lockCounts(context: RequestContext): Promise<boolean> {
  const [lock] = await context.rows<{ got: boolean }>(Prisma.sql`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${LOCK}, 0)) AS got`);
  return lock?.got === true;
}

/** Takes the same lock; waits while another process has it. */
export const holdCounts = (context: RequestContext): Promise<void> => hold(context, LOCK);
