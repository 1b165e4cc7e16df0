import type { RequestContext } from '../../core/context.js';
import { ascending } from '../../core/keyset.js';
import { listPage } from '../../core/listing.js';
import { numberKey } from '../../core/node.js';
import type { Page, PageArgs } from '../../core/paging.js';
import { Prisma } from '../../generated/prisma/client.js';
import { PolicyAgreement } from './policy-agreement.types.js';

const { sql } = Prisma;

/**
 * Returns a page of who agreed to a policy, by account, with one statement. Erased accounts are not
 * among them: the count of the policy alone keeps theirs. Throws CURSOR_INVALID, PAGE_SIZES_BOTH.
 */
export const listAgreements = (
  context: RequestContext,
  policyId: number,
  page: PageArgs,
): Promise<Page<PolicyAgreement>> =>
  listPage(context, page, {
    name: 'policy agreements',
    order: [ascending(sql`account_id`, 'int')],
    from: sql`policy_agreement`,
    where: sql`policy_id = ${policyId}::int`,
    read: readAgreements,
    keysOf: ({ accountId }) => [accountId],
  });

/** Returns the agreements of these keys, for administrators alone. */
export async function agreementsByKey(
  context: RequestContext,
  keys: readonly string[],
): Promise<PolicyAgreement[]> {
  if (!context.viewer.can('manage_options')) return [];
  const pairs = keys.map(readKey).filter((pair) => pair !== undefined);
  return readAgreements(
    context,
    sql`(policy_id, account_id) IN (SELECT * FROM unnest(
      ${pairs.map(([policyId]) => policyId)}::int[], ${pairs.map(([, accountId]) => accountId)}::int[]))`,
  );
}

/** Returns the policy and the account of a key; undefined for another text. */
function readKey(key: string): [number, number] | undefined {
  const [policyId, accountId] = key.split('-').map(numberKey);
  return policyId && accountId && `${policyId}-${accountId}` === key
    ? [policyId, accountId]
    : undefined;
}

async function readAgreements(
  context: RequestContext,
  condition: Prisma.Sql,
  rest = Prisma.empty,
): Promise<PolicyAgreement[]> {
  const rows = await context.rows<Omit<PolicyAgreement, 'id'> & { policyId: number }>(sql`
    SELECT policy_id AS "policyId", account_id AS "accountId", agreed_at AS "agreedAt"
    FROM policy_agreement WHERE ${condition} ${rest}`);
  return rows.map(({ policyId, ...row }) =>
    Object.assign(new PolicyAgreement(), row, { id: `${policyId}-${row.accountId}` }),
  );
}
