import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import type { FeedMove, Watching } from '../../core/live.js';
import { globalId } from '../../core/node.js';
import { signInOf } from '../sign-in/session/sign-in-end.service.js';
import { mayWatch, refuseUnseen } from './feed.access.js';
import type { FeedSubjectInput } from './feed.inputs.js';
import { feedName, feedOf } from './feed.service.js';
import { FeedChange } from './feed.types.js';

/** So many feeds one stream watches at most. */
const MOST_SUBJECTS = 100;

/**
 * Watches feeds for the viewer. Throws TOO_MANY above 100, FORBIDDEN for each that the viewer may
 * not see, TOO_MANY_SUBSCRIPTIONS.
 */
export async function watchFeeds(
  context: RequestContext,
  subjects: readonly FeedSubjectInput[],
): Promise<AsyncIterableIterator<FeedMove>> {
  if (subjects.length > MOST_SUBJECTS)
    throw refuse('TOO_MANY', `At most ${MOST_SUBJECTS} feeds.`, { param: 'subjects' });
  await refuseUnseen(context, subjects);
  const accountId = context.viewer.id;
  const feeds = subjects.map(({ feed, memberId, since }) => ({
    name: feedName(feed, memberId ?? accountId),
    since: since ?? 0,
  }));
  return context.deps.live.watch(feeds, watchingOf(context));
}

/** Returns who watches: the viewer, until the sign-in behind the request ends. */
export const watchingOf = (context: RequestContext): Watching => ({
  accountId: context.viewer.id,
  signIn: signInOf(context.viewer),
  quiet: quietOf(context),
});

/**
 * Returns the milliseconds without a change after which a version is sent. Clients of server-sent
 * events treat a stream without any event as a failed attempt, and give up after a few. So an event
 * is sent shortly before the token expires.
 */
function quietOf({ deps, input: { expiresAt } }: RequestContext): number | undefined {
  return expiresAt === undefined ? undefined : Math.max(0, (expiresAt - deps.clock()) * 0.9);
}

/**
 * Returns what the viewer is told of a move. Without the right to see the feed any more, that is
 * its end with the version that was told before, and the feed is watched no more.
 */
export async function changeOf(context: RequestContext, move: FeedMove): Promise<FeedChange> {
  const { kind: feed, memberId } = feedOf(move.name);
  const accountId = memberId || context.viewer.id;
  const may = await mayWatch(context, feed, accountId);
  if (!may) move.leave();
  return Object.assign(new FeedChange(), {
    feed,
    accountId,
    memberId: globalId('Account', accountId),
    version: may ? move.version : move.before,
    ended: !may,
  });
}
