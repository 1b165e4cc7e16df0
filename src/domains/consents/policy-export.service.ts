import type { RequestContext } from '../../core/context.js';

/** Returns the versions of the policy that an account agreed to, and when. */
export async function exportPolicyAgreements(
  { db }: RequestContext,
  accountId: number,
): Promise<object[]> {
  return db.policyAgreement.findMany({
    where: { accountId },
    orderBy: { policyId: 'asc' },
    select: { agreedAt: true, policy: { select: { id: true, number: true, title: true } } },
  });
}
