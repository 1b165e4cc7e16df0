import { type RootRule, signedIn } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { careRights, lacking } from '../care/care.service.js';
import { FeedKind } from './feed.types.js';

/**
 * The own feeds, and the calendars of members whom the caller may see. Asked again before each
 * change is told.
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
