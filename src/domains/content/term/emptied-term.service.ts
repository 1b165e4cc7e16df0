import type { RequestContext } from '../../../core/context.js';
import { transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { giveWay } from '../../../platform/jobs/give-way.js';
import { unfiledNote } from '../change/change.sql.js';

/** Maximum number of items that lose a term in one transaction: nobody waits long for their locks. */
const AT_ONCE = 10_000;

/**
 * Takes terms that are about to be deleted away from their items, 10,000 in a transaction, those that
 * have more. Else all would go with a term in one transaction, for which everybody waits who files one of them.
 * Counts of items do not follow, since those of the term end with it. Should the term stay, because the
 * process is killed, the proof of counts mends them, and the next deletion goes on.
 */
export async function emptyLargeTerms(
  context: RequestContext,
  ids: readonly number[],
): Promise<void> {
  const large = await context.rows<{ id: number }>(Prisma.sql`
    SELECT wanted.id FROM unnest(${[...ids]}::int[]) AS wanted(id)
    WHERE EXISTS (SELECT FROM content_term ct WHERE ct.term_id = wanted.id
      ORDER BY ct.term_id, ct.item_id OFFSET ${AT_ONCE}::int LIMIT 1)`);
  for (const { id } of large) while ((await unfileSome(context, id)) === AT_ONCE) await giveWay();
}

const unfileSome = (context: RequestContext, id: number): Promise<number> =>
  transact(context, async (inner) => {
    await inner.db.$executeRaw`SELECT set_config('care.emptying', 'on', true)`;
    const unfiled = await inner.rows(Prisma.sql`WITH unfiled AS (
      DELETE FROM content_term WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM content_term WHERE term_id = ${id} ORDER BY term_id, item_id
        LIMIT ${AT_ONCE}::int)) AND term_id = ${id} RETURNING item_id)
      ${unfiledNote(inner, Prisma.sql`SELECT item_id FROM unfiled`)}`);
    return unfiled.length;
  });
