import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { memberWith } from '../setting/member.service.js';
import { finishedBefore } from './finished.sql.js';

/** Most reminders of a member that are not finished, and in all. */
const MOST = { open: 500, all: 5_000 } as const;

/**
 * Throws TOO_MANY_REMINDERS when a member has as many reminders as allowed. Reads the member as
 * well, for `memberOf`. One statement.
 */
export async function refuseTooMany(context: RequestContext, accountId: number): Promise<void> {
  const counts = Prisma.sql`
    SELECT count(*) FILTER (WHERE NOT ${finishedBefore(context.now())})::int AS standing,
      count(*)::int AS kept
    FROM reminder r WHERE account_id = ${accountId}::int AND deleted_at IS NULL`;
  type Counts = { readonly standing: number; readonly kept: number };
  const { standing, kept } = await memberWith<Counts>(context, accountId, counts);
  if (standing < MOST.open && kept < MOST.all) return;
  const kind = `${MOST.open} reminders that are still to come`;
  const most = `${kind}, and ${MOST.all.toLocaleString('en')} in all`;
  const hint = 'Delete what is no longer needed.';
  throw refuse('TOO_MANY_REMINDERS', `A member may have ${most}. ${hint}`);
}
