import type { RequestContext } from '../../core/context.js';
import { DomainError, type Refusal } from '../../core/errors.js';
import { careRights, lacking } from '../care/care.service.js';
import type { FeedSubjectInput } from './feed.inputs.js';
import { FeedKind } from './feed.types.js';

/**
 * Returns whether the viewer may watch a feed: the own ones, and the calendars of members whom the
 * viewer may see.
 */
export async function mayWatch(
  context: RequestContext,
  feed: FeedKind,
  memberId: number,
): Promise<boolean> {
  if (feed === FeedKind.CONTENT)
    return memberId === context.viewer.id && context.viewer.can('edit_posts');
  if (memberId === context.viewer.id) return true;
  return feed === FeedKind.CALENDAR && (await careRights(context, memberId)).has('see');
}

/** Throws FORBIDDEN for subjects that the viewer may not watch. Uses one statement for all. */
export async function refuseUnseen(
  context: RequestContext,
  subjects: readonly FeedSubjectInput[],
): Promise<void> {
  const seen = await Promise.all(
    subjects.map(({ feed, memberId }) => mayWatch(context, feed, memberId ?? context.viewer.id)),
  );
  const refusals: Refusal[] = seen.flatMap((may, i) =>
    may ? [] : [{ ...lacking('see'), param: `subjects.${i}.memberId` }],
  );
  if (refusals[0]) throw new DomainError(refusals[0], refusals);
}
