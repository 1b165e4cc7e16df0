import type { RequestContext } from '../../context.js';

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
