import type { RequestContext } from '../../core/context.js';
import { DomainError, type Refusal, refuse } from '../../core/errors.js';
import { byRow, byWhether } from '../../core/filtering.js';
import { byNumber, byTime, Direction, orderedList } from '../../core/ordering.js';
import { firstOf } from '../../core/row.js';
import { deleteOnce, hold, transact } from '../../core/transact.js';
import { Prisma } from '../../generated/prisma/client.js';
import { worked } from '../content/rendering/rendering.service.js';
import { Language } from '../site/language.types.js';
import type { AgreeToPolicyInput, CreatePolicyInput } from './policy.inputs.js';
import { Policy } from './policy.types.js';

const { sql } = Prisma;

type PolicyRow = Omit<Policy, 'language' | 'agreementCount'> & {
  readonly agreed: number;
  readonly languageId: number;
  readonly code: string;
  readonly name: string;
};

/** Returns policies with the viewer's agreement, in one statement. */
async function readPolicies(
  context: RequestContext,
  matching: Prisma.Sql,
  rest = Prisma.empty,
): Promise<Policy[]> {
  return (await policyRows(context, matching, rest)).map((row) => policyOf(context, row));
}

const policyRows = (
  context: RequestContext,
  matching: Prisma.Sql,
  rest = Prisma.empty,
): Promise<PolicyRow[]> =>
  context.rows<PolicyRow>(sql`
    SELECT p.id, p.number AS version, p.title, p.text, p.effective_at AS "effectiveAt", p.agreed,
      l.id AS "languageId", l.code, l.name, a.agreed_at AS "viewerAgreedAt"
    FROM policy p JOIN language l ON l.id = p.language_id
      LEFT JOIN policy_agreement a ON a.policy_id = p.id
        AND a.account_id = ${context.viewer.id}::int
    WHERE ${matching} ${rest}`);

const policyOf = (
  { viewer }: RequestContext,
  { agreed, languageId, code, name, ...row }: PolicyRow,
): Policy =>
  Object.assign(new Policy(), row, {
    agreementCount: viewer.can('manage_options') ? agreed : null,
    language: Object.assign(new Language(), { id: languageId, code, name }),
  });

/** Policies that the viewer may read: those that have come into force; administrators, all. */
const readable = (context: RequestContext) =>
  context.viewer.can('manage_options')
    ? sql`TRUE`
    : sql`p.effective_at <= ${context.now().toISOString()}::timestamptz`;

/** The policies that the viewer may read, the newest first. */
export const policyList = orderedList<Policy>({
  noun: 'Policy',
  what: 'policies',
  choices: {
    EFFECTIVE_AT: byTime(
      'By when they come into force.',
      sql`p.effective_at`,
      ({ effectiveAt }) => effectiveAt,
    ),
  },
  filters: {
    languageId: byRow('Language', 'In this language.', sql`p.language_id`),
    isInForce: byWhether(
      'Those that have come into force, or those that have not yet.',
      (context) => sql`p.effective_at <= ${context.now().toISOString()}::timestamptz`,
    ),
  },
  usual: { field: 'EFFECTIVE_AT', direction: Direction.DESC },
  ties: [byNumber(sql`p.id`, ({ id }) => id)],
  from: sql`policy p`,
  where: readable,
  read: readPolicies,
});

/** Returns the policies of these ids that the viewer may read. */
export const policiesById = (context: RequestContext, ids: readonly number[]): Promise<Policy[]> =>
  readPolicies(context, withIds(context, ids));

const withIds = (context: RequestContext, ids: readonly number[]) =>
  sql`p.id = ANY(${[...ids]}::int[]) AND ${readable(context)}`;

/**
 * Returns the policy in force in a language: the viewer's, unless said otherwise. Where that
 * language has none, the one of the service's first language counts. Undefined when there is none
 * at all.
 */
export async function policyInForce(
  context: RequestContext,
  languageId?: number | null,
): Promise<Policy | undefined> {
  const wanted = languageId
    ? sql`${languageId}::int`
    : sql`coalesce((SELECT language_id FROM account WHERE id = ${context.viewer.id}::int), 1)`;
  const [policy] = await readPolicies(
    context,
    sql`p.effective_at <= ${context.now().toISOString()}::timestamptz
      AND p.language_id IN (${wanted}, (SELECT min(id) FROM language))`,
    sql`ORDER BY p.language_id = ${wanted} DESC, p.effective_at DESC, p.id DESC LIMIT 1`,
  );
  return policy;
}

/** Returns the policy in force when the viewer has not agreed to it. Uses one statement. */
export async function policyToAgreeTo(context: RequestContext): Promise<Policy | null> {
  const policy = await policyInForce(context);
  return policy && !policy.viewerAgreedAt ? policy : null;
}

/**
 * Makes the next version of the policy in a language. Its text is sanitised. Throws
 * LANGUAGE_UNKNOWN.
 */
export async function createPolicy(
  context: RequestContext,
  { languageId, title, text, effectiveAt }: CreatePolicyInput,
): Promise<Policy> {
  const id = await transact(
    context,
    async (inner) => {
      const { db } = inner;
      await hold(inner, `policy:${languageId}`);
      if (!(await db.language.findUnique({ where: { id: languageId }, select: { id: true } })))
        throw refuse('LANGUAGE_UNKNOWN', 'No language has this id.', { param: 'languageId' });
      const { _max } = await db.policy.aggregate({ where: { languageId }, _max: { number: true } });
      const data = {
        languageId,
        title,
        text: await worked(inner, 'sanitiseHtml', text),
        number: (_max.number ?? 0) + 1,
        effectiveAt: effectiveAt ?? inner.now(),
        createdAt: inner.now(),
      };
      return (await db.policy.create({ data, select: { id: true } })).id;
    },
    { replayable: true },
  );
  return firstOf(await policiesById(context, [id]), notFound);
}

/** Deletes a policy that is not in force yet. Throws POLICY_NOT_FOUND, POLICY_IN_FORCE. */
export async function deletePolicy(context: RequestContext, id: number): Promise<Policy> {
  const row = await deleteOnce(context, async (inner) => {
    const policy = firstOf(await policyRows(inner, withIds(inner, [id])), notFound);
    const refusal = refusalOfPolicyDeletion(inner, policy);
    if (refusal) throw new DomainError(refusal);
    await inner.db.policy.deleteMany({ where: { id } });
    return policy;
  });
  return policyOf(context, row);
}

/** Returns POLICY_IN_FORCE for a policy that is or was in force. */
export const refusalOfPolicyDeletion = (
  context: RequestContext,
  { effectiveAt }: Pick<Policy, 'effectiveAt'>,
): Refusal | undefined => (effectiveAt > context.now() ? undefined : IN_FORCE);

const IN_FORCE: Refusal = {
  reason: 'POLICY_IN_FORCE',
  message: 'This policy is or was in force: it stays.',
  param: 'id',
};

const notFound = () => refuse('POLICY_NOT_FOUND', 'There is no such policy.', { param: 'id' });

/**
 * Records that the viewer agrees to the policy in force, once. Repeated, it changes nothing; a retry
 * with the same Idempotency-Key agrees to no version that came into force since. Throws
 * NOTHING_TO_AGREE when there is no policy, CONFLICT when another one than `policyId` is in force.
 */
export async function agreeToPolicy(
  context: RequestContext,
  input: AgreeToPolicyInput,
): Promise<Policy> {
  const agree = async (inner: RequestContext) => {
    const policy = await policyToAgree(inner, input);
    if (!policy.viewerAgreedAt) await keepAgreement(inner, policy.id);
    return policy.id;
  };
  const id = await transact(context, agree, { replayable: true });
  return firstOf(await policiesById(context, [id]), notFound);
}

/** Returns the policy in force. Throws NOTHING_TO_AGREE, CONFLICT. */
async function policyToAgree(
  inner: RequestContext,
  { policyId }: AgreeToPolicyInput,
): Promise<Policy> {
  const policy = await policyInForce(inner);
  if (!policy) throw refuse('NOTHING_TO_AGREE', 'There is no policy to agree to.');
  if (typeof policyId === 'number' && policyId !== policy.id)
    throw refuse('CONFLICT', 'Another version of the policy is in force.', { param: 'policyId' });
  return policy;
}

async function keepAgreement(inner: RequestContext, policyId: number): Promise<void> {
  const { db, viewer } = inner;
  await db.$executeRaw(sql`
    WITH agreement AS (
      INSERT INTO policy_agreement (policy_id, account_id, agreed_at)
      VALUES (${policyId}::int, ${viewer.id}::int, ${inner.now().toISOString()}::timestamptz)
      ON CONFLICT (policy_id, account_id) DO NOTHING RETURNING policy_id)
    UPDATE policy SET agreed = agreed + 1 WHERE id IN (SELECT policy_id FROM agreement)`);
}
