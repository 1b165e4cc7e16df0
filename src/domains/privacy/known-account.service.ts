import type { RequestContext } from '../../core/context.js';
import { Prisma } from '../../generated/prisma/client.js';
import { accountsById } from '../accounts/account.service.js';
import type { Account } from '../accounts/account.types.js';
import { auditListing } from '../accounts/account-admin.service.js';
import { careRightsOver } from '../care/care.service.js';
import { authorsById } from '../content/author/author.service.js';

/**
 * Returns the accounts of these ids that the viewer may know of: the own one; authors of published
 * content; members whose care the viewer may see; carers and clinicians of the viewer; for
 * administrators all, which is audited. Whether there are others is not told.
 */
export async function knownAccounts(
  context: RequestContext,
  ids: readonly number[],
): Promise<Account[]> {
  const { viewer } = context;
  const known = viewer.can('manage_accounts') ? ids : await knownIds(context, ids);
  const read = await context.loader(accountsById).loadMany([...new Set(known)]);
  const accounts = read.filter(
    (account): account is Account => account !== undefined && !(account instanceof Error),
  );
  if (viewer.can('manage_accounts') && accounts.some(({ id }) => id !== viewer.id))
    await auditListing(context, accounts.length);
  return accounts;
}

async function knownIds(context: RequestContext, ids: readonly number[]): Promise<number[]> {
  const authors = await context.loader(authorsById).loadMany(ids);
  const rights = await context.loader(careRightsOver).loadMany(ids);
  const caring = new Set(await caringForViewer(context, ids));
  return ids.filter((id, i) => {
    const right = rights[i];
    const sees = right !== undefined && !(right instanceof Error) && right.has('see');
    return id === context.viewer.id || authors[i] !== undefined || sees || caring.has(id);
  });
}

async function caringForViewer(context: RequestContext, ids: readonly number[]): Promise<number[]> {
  const { id: memberId } = context.viewer;
  if (!memberId) return [];
  const rows = await context.rows<{ id: number }>(Prisma.sql`
    SELECT carer_id AS id FROM care_relation WHERE member_id = ${memberId}::int
      AND carer_id = ANY(${[...ids]}::int[])
    UNION SELECT clinician_id FROM care_assignment WHERE member_id = ${memberId}::int
      AND clinician_id = ANY(${[...ids]}::int[])`);
  return rows.map(({ id }) => id);
}
