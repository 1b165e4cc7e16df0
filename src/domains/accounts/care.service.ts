import type { RequestContext } from '../../context.js';
import { refuse } from '../../errors.js';

/** What somebody may do for a member: see the member's care, answer for doses, edit reminders. */
export type CareRight = 'see' | 'answer' | 'edit';

const EVERYTHING: ReadonlySet<CareRight> = new Set<CareRight>(['see', 'answer', 'edit']);
const NOTHING: ReadonlySet<CareRight> = new Set<CareRight>();

/** What the viewer may do for each of these members, for `context.loader`: everything for oneself and for administrators. */
export async function careRightsOver(context: RequestContext, memberIds: readonly number[]): Promise<ReadonlySet<CareRight>[]> {
  const { viewer } = context;
  return memberIds.map((id) => (id === viewer.id || viewer.can('manage_options') ? EVERYTHING : NOTHING));
}

/** What the viewer may do for a member. */
export async function careRights(context: RequestContext, memberId: number): Promise<ReadonlySet<CareRight>> {
  return (await context.loader(careRightsOver).load(memberId)) ?? NOTHING;
}

/**
 * The member whom a request means: oneself when `userId` is absent or 0. FORBIDDEN alike when the account is unknown and when the viewer
 * lacks the right; UNAUTHENTICATED for the anonymous.
 */
export async function resolveMember(
  context: RequestContext,
  userId: number | null | undefined,
  right: CareRight,
): Promise<number> {
  const { viewer, db } = context;
  if (!viewer.id) throw refuse('UNAUTHENTICATED', 'Sorry, you are not allowed to do that.');
  if (!userId || userId === viewer.id) return viewer.id;
  const rights = await careRights(context, userId);
  const known = rights.has(right) && (await db.account.findUnique({ where: { id: userId }, select: { id: true } }));
  if (!known) throw refuse('FORBIDDEN', 'Sorry, you are not allowed to do that.');
  return userId;
}
