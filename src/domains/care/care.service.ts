import { rolesWith } from '../../core/capabilities.js';
import type { RequestContext } from '../../core/context.js';
import { DomainError, type Refusal, refuse } from '../../core/errors.js';
import { Prisma } from '../../generated/prisma/client.js';

const { sql } = Prisma;

/**
 * A right of a carer: see the member's data, answer for doses, edit reminders. Each right includes
 * those before it.
 */
export type CareRight = 'see' | 'answer' | 'edit';
/**
 * A right over a member. In addition to the rights of carers: send messages and create reminders,
 * which reveal nothing about the member. Administrators have these two over all members.
 */
export type MemberRight = CareRight | 'message' | 'create';
type Rights = ReadonlySet<MemberRight>;

/** The rights that each granted right includes. */
export const INCLUDED_RIGHTS: Readonly<Record<CareRight, Rights>> = {
  see: new Set<MemberRight>(['message', 'see']),
  answer: new Set<MemberRight>(['message', 'see', 'answer']),
  edit: new Set<MemberRight>(['message', 'see', 'answer', 'edit', 'create']),
};
const NOTHING: Rights = new Set<MemberRight>();
const SERVING: Rights = new Set<MemberRight>(['message', 'create']);
const ALLOWS: Readonly<Record<MemberRight, string>> = {
  message: 'send the member messages',
  see: "see the member's care",
  answer: "answer for the member's doses",
  edit: "edit the member's reminders",
  create: 'make reminders for the member',
};

/**
 * Returns the refusal for a missing right over a member. It names the right, and reveals nothing
 * about the member.
 */
export const lacking = (right: MemberRight): Refusal => ({
  reason: 'FORBIDDEN',
  message: `Sorry, you are not allowed to do that: it takes the right to ${ALLOWS[right]}.`,
});

/**
 * Returns SQL for the rights that others gave the viewer, as rows (member_id, right, through,
 * ends_at): relations of carers; members assigned to clinicians; and, for an hour, members for whom
 * a clinician or administrator broke the glass. After breaking the glass clinicians may see, and
 * administrators may edit.
 */
export function grantsOf({
  viewer,
  now,
}: {
  viewer: RequestContext['viewer'];
  now: Date;
}): Prisma.Sql {
  return sql`
    SELECT member_id, "right", 'relation' AS through, NULL::timestamptz AS ends_at
      FROM care_relation WHERE carer_id = ${viewer.id}::int
    UNION ALL SELECT member_id, 'edit', 'assignment', NULL FROM care_assignment
      WHERE clinician_id = ${viewer.id}::int AND ${viewer.can('care_assigned')}::boolean
    UNION ALL SELECT member_id, ${viewer.can('serve_any') ? 'edit' : 'see'}::text, 'break_glass',
      ends_at FROM break_glass
      WHERE clinician_id = ${viewer.id}::int AND ends_at > ${now}::timestamptz
        AND ${viewer.can('break_glass')}::boolean`;
}

/**
 * Loads the viewer's rights over members, for `context.loader`: all rights over oneself, otherwise
 * the granted ones, and those that administrators have over every account. Uses one statement for
 * any number of members.
 */
export async function careRightsOver(
  context: RequestContext,
  memberIds: readonly number[],
): Promise<Rights[]> {
  const { viewer } = context;
  const others = memberIds.filter((id) => id !== viewer.id);
  const rights = new Map<number, Rights>();
  if (viewer.id) rights.set(viewer.id, INCLUDED_RIGHTS.edit);
  if (viewer.id && others.length > 0)
    for (const [id, granted] of await grantedOver(context, others)) rights.set(id, granted);
  return memberIds.map((id) => rights.get(id) ?? NOTHING);
}

async function grantedOver(
  context: RequestContext,
  ids: readonly number[],
): Promise<Map<number, Rights>> {
  const { viewer } = context;
  const rows = await context.rows<{ id: number; right: CareRight | null }>(sql`
    SELECT member_id AS id, "right" FROM (${grantsOf({ viewer, now: context.now() })}) AS granted
      WHERE member_id = ANY(${ids}::int[])
    UNION ALL SELECT id, NULL FROM account WHERE id = ANY(${ids}::int[])
      AND ${viewer.can('serve_any')}::boolean`);
  const granted = new Map<number, Rights>();
  for (const { id, right } of rows) {
    const included = right ? INCLUDED_RIGHTS[right] : SERVING;
    granted.set(id, new Set([...(granted.get(id) ?? []), ...included]));
  }
  return granted;
}

/**
 * Returns the SQL condition that an account may send messages to a member; both are SQL expressions
 * of ids. It follows the rule of `careRightsOver`, with the account's present roles; a suspended
 * account may only message itself. For statements about many accounts.
 */
export const mayMessage = (
  account: Prisma.Sql,
  member: Prisma.Sql,
  now: Date,
): Prisma.Sql => sql`(${account} = ${member}
  OR EXISTS (SELECT FROM account s WHERE s.id = ${account} AND s.suspended_at IS NULL) AND (
  EXISTS (SELECT FROM care_relation g WHERE g.member_id = ${member} AND g.carer_id = ${account})
  OR EXISTS (SELECT FROM account g WHERE g.id = ${account}
    AND g.roles && ${rolesWith('serve_any')}::text[])
  OR EXISTS (SELECT FROM account g WHERE g.id = ${account}
    AND g.roles && ${rolesWith('care_assigned')}::text[] AND (
    EXISTS (SELECT FROM care_assignment c WHERE c.member_id = ${member}
      AND c.clinician_id = ${account})
    OR EXISTS (SELECT FROM break_glass b WHERE b.member_id = ${member}
      AND b.clinician_id = ${account} AND b.ends_at > ${now}::timestamptz)))))`;

/** Returns the viewer's rights over a member. */
export async function careRights(context: RequestContext, memberId: number): Promise<Rights> {
  return (await context.loader(careRightsOver).load(memberId)) ?? NOTHING;
}

/**
 * Returns the id of the member whose data a request is about: the viewer without a `userId` or with
 * 0, otherwise that member, over whom the viewer needs the right. Throws UNAUTHENTICATED for
 * anonymous viewers. Throws FORBIDDEN without the right, and also when there is no such account.
 */
export async function resolveMember(
  context: RequestContext,
  userId: number | null | undefined,
  right: MemberRight,
): Promise<number> {
  const { id } = context.viewer;
  if (!id) throw refuse('UNAUTHENTICATED', 'Sorry, you are not allowed to do that.');
  const memberId = userId || id;
  const refusal = await refusalOfCare(context, memberId, right);
  if (refusal) throw new DomainError(refusal);
  return memberId;
}

/** Returns FORBIDDEN for a member over whom the viewer has not this right. */
export async function refusalOfCare(
  context: RequestContext,
  memberId: number,
  right: MemberRight,
): Promise<Refusal | undefined> {
  if (memberId === context.viewer.id) return undefined;
  return (await careRights(context, memberId)).has(right) ? undefined : lacking(right);
}
