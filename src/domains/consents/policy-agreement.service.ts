import type { RequestContext } from '../../core/context.js';
import { type OrderKey, orderOf, within } from '../../core/keyset.js';
import { numberKey } from '../../core/node.js';
import { type Page, type PageArgs, pageOf, windowOf } from '../../core/paging.js';
import { Prisma } from '../../generated/prisma/client.js';
import { PolicyAgreement } from './policy-agreement.types.js';

const { sql } = Prisma;

const ORDER = [
  { value: sql`account_id`, type: 'int', descending: false },
] as const satisfies readonly OrderKey[];

/**
 * Returns a page of who agreed to a policy, by account, with one statement. Erased accounts are not
 * among them: the count of the policy alone keeps theirs. Throws CURSOR_INVALID, PAGE_SIZES_BOTH.
 */
export async function listAgreements(
  context: RequestContext,
  policyId: number,
  page: PageArgs,
): Promise<Page<PolicyAgreement>> {
  const window = windowOf(page, 'policy agreements', ORDER, 20);
  const agreements = await readAgreements(
    context,
    sql`policy_id = ${policyId}::int AND ${within(ORDER, window)}
      ${orderOf(ORDER, window)} LIMIT ${window.size + 1}::int`,
  );
  return pageOf(
    agreements,
    window,
    ({ accountId }) => [accountId],
    () => countAgreements(context, policyId),
  );
}

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
): Promise<PolicyAgreement[]> {
  const rows = await context.rows<Omit<PolicyAgreement, 'id'> & { policyId: number }>(sql`
    SELECT policy_id AS "policyId", account_id AS "accountId", agreed_at AS "agreedAt"
    FROM policy_agreement WHERE ${condition}`);
  return rows.map(({ policyId, ...row }) =>
    Object.assign(new PolicyAgreement(), row, { id: `${policyId}-${row.accountId}` }),
  );
}

async function countAgreements(context: RequestContext, policyId: number): Promise<number> {
  const [row] = await context.rows<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM policy_agreement WHERE policy_id = ${policyId}::int`,
  );
  return row?.count ?? 0;
}
