import { rolesWith } from '../../core/capabilities.js';
import type { RequestContext } from '../../core/context.js';
import { DomainError, type Refusal, refuse } from '../../core/errors.js';
import { Prisma } from '../../generated/prisma/client.js';

const { sql } = Prisma;

/**
 * What somebody may do for a member: see the member's care, answer for doses, edit reminders. Each
 * right holds those before it.
 */
export type CareRight = 'see' | 'answer' | 'edit';
/**
 * The same, and what tells nothing of the member: to send messages, and to make reminders.
 * Administrators have those two over everybody.
 */
export type MemberRight = CareRight | 'message' | 'create';
type Rights = ReadonlySet<MemberRight>;

/** Every right that is granted, and what it holds. */
export const HELD: Readonly<Record<CareRight, Rights>> = {
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

/** The refusal of who lacks a right over a member; it says which, and nothing of the member. */
export const lacking = (right: MemberRight): Refusal => ({
  reason: 'FORBIDDEN',
  message: `Sorry, you are not allowed to do that: it takes the right to ${ALLOWS[right]}.`,
});

/**
 * What others gave the viewer, as rows (member_id, right, through, ends_at): carers their
 * relations; clinicians the members assigned to them; clinicians and administrators, for an hour,
 * those for whom they broke the glass. Through broken glass clinicians see; administrators, who may
 * change what is anybody's, edit.
 */
export function grantsOf({
  viewer,
  now,
}: {
  viewer: RequestContext['viewer'];
  now: Date;
}): Prisma.Sql {
  return sql`
    SELECT member_id, "right", 'relation' AS through, NULL::timestamptz AS ends_at FROM care_relation WHERE carer_id = ${viewer.id}::int
    UNION ALL SELECT member_id, 'edit', 'assignment', NULL FROM care_assignment
      WHERE clinician_id = ${viewer.id}::int AND ${viewer.can('care_assigned')}::boolean
    UNION ALL SELECT member_id, ${viewer.can('serve_any') ? 'edit' : 'see'}::text, 'break_glass', ends_at FROM break_glass
      WHERE clinician_id = ${viewer.id}::int AND ends_at > ${now}::timestamptz AND ${viewer.can('break_glass')}::boolean`;
}

/**
 * What the viewer may do for each of these members, for `context.loader`: everything for oneself;
 * otherwise what was granted, and what administrators may for every account there is. One statement
 * for any number of members.
 */
export async function careRightsOver(
  context: RequestContext,
  memberIds: readonly number[],
): Promise<Rights[]> {
  const { viewer } = context;
  const others = memberIds.filter((id) => id !== viewer.id);
  const rights = new Map<number, Rights>();
  if (viewer.id) rights.set(viewer.id, HELD.edit);
  if (viewer.id && others.length > 0)
    for (const [id, held] of await grantedOver(context, others)) rights.set(id, held);
  return memberIds.map((id) => rights.get(id) ?? NOTHING);
}

async function grantedOver(
  context: RequestContext,
  ids: readonly number[],
): Promise<Map<number, Rights>> {
  const { viewer } = context;
  const rows = await context.rows<{ id: number; right: CareRight | null }>(sql`
    SELECT member_id AS id, "right" FROM (${grantsOf({ viewer, now: context.now() })}) AS granted WHERE member_id = ANY(${ids}::int[])
    UNION ALL SELECT id, NULL FROM account WHERE id = ANY(${ids}::int[]) AND ${viewer.can('serve_any')}::boolean`);
  const held = new Map<number, Rights>();
  for (const { id, right } of rows) {
    const more = right ? HELD[right] : SERVING;
    held.set(id, new Set([...(held.get(id) ?? []), ...more]));
  }
  return held;
}

/**
 * The condition, for statements that deal with many, that an account (an expression of its id) may
 * send a member (another one) messages: what `careRightsOver` says of a viewer, by the roles that
 * the account has now.
 */
export const mayMessage = (
  account: Prisma.Sql,
  member: Prisma.Sql,
  now: Date,
): Prisma.Sql => sql`(${account} = ${member}
  OR EXISTS (SELECT FROM care_relation g WHERE g.member_id = ${member} AND g.carer_id = ${account})
  OR EXISTS (SELECT FROM account g WHERE g.id = ${account} AND g.roles && ${rolesWith('serve_any')}::text[])
  OR EXISTS (SELECT FROM account g WHERE g.id = ${account} AND g.roles && ${rolesWith('care_assigned')}::text[] AND (
    EXISTS (SELECT FROM care_assignment c WHERE c.member_id = ${member} AND c.clinician_id = ${account})
    OR EXISTS (SELECT FROM break_glass b WHERE b.member_id = ${member} AND b.clinician_id = ${account} AND b.ends_at > ${now}::timestamptz))))`;

/** What the viewer may do for a member. */
export async function careRights(context: RequestContext, memberId: number): Promise<Rights> {
  return (await context.loader(careRightsOver).load(memberId)) ?? NOTHING;
}

/**
 * Whose data a request is about: the viewer's own without a `userId` or with 0, otherwise that
 * member's, over whom the viewer needs the right. UNAUTHENTICATED for the anonymous; FORBIDDEN
 * alike for accounts that one may not touch and that do not exist.
 */
export async function resolveMember(
  context: RequestContext,
  userId: number | null | undefined,
  right: MemberRight,
): Promise<number> {
  const { id } = context.viewer;
  if (!id) throw refuse('UNAUTHENTICATED', 'Sorry, you are not allowed to do that.');
  if (!userId || userId === id) return id;
  if (!(await careRights(context, userId)).has(right)) throw new DomainError(lacking(right));
  return userId;
}
