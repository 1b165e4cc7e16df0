import { type RootRule, signedIn } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { careRights, lacking } from '../care/care.service.js';
import { FeedKind } from './feed.types.js';

/**
 * Access rule: viewers watch their own feeds, and the calendars of members whom they may see. It is
 * checked again before each change is sent.
 */
export const mayWatch: RootRule = async (
  context: RequestContext,
  { feed, memberId }: { feed: FeedKind; memberId?: number | null },
) => {
  const refusal = signedIn(context);
  if (refusal || !memberId || memberId === context.viewer.id) return refusal;
  const sees = feed === FeedKind.CALENDAR && (await careRights(context, memberId)).has('see');
  return sees ? undefined : lacking('see');
};
