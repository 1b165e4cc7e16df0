import { Args, ArgsType, Ctx, Field, Int, Resolver, Root, Subscription } from 'type-graphql';
import { Access } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { mayWatch } from './feed.access.js';
import { feedName } from './feed.service.js';
import { FeedChange, FeedKind } from './feed.types.js';

@ArgsType()
class WatchArgs {
  @Field(() => FeedKind, { description: 'What to watch.' })
  feed!: FeedKind;

  @Field(() => Int, { nullable: true, description: 'Whose. Default: the own.' })
  memberId?: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'The last version that is known of this feed of this member; another one is told at ' +
      'once. Default 0, where nothing has ever changed.',
  })
  since?: number | null;
}

interface Watching {
  readonly context: RequestContext;
  readonly args: WatchArgs;
}

/**
 * Returns the milliseconds without a change after which the current version is sent. Clients of
 * server-sent events treat a stream without any event as a failed attempt, and give up after a few.
 * So an event is sent shortly before the token expires.
 */
function quietOf({ deps, input: { expiresAt } }: RequestContext): number | undefined {
  return expiresAt === undefined ? undefined : Math.max(0, (expiresAt - deps.clock()) * 0.9);
}

/** Root field that watches feeds. */
@Resolver()
export class FeedResolver {
  @Access(mayWatch)
  @Subscription(() => FeedChange, {
    description:
      'Tells when what a feed shows was changed; several changes at once are told as one. What time alone does is not told: an event of the ' +
      'calendar is due from its `dateTime` and missed from its `missedAt` on. WebSocket (graphql-transport-ws; `authorization` in the header ' +
      'of the handshake or in the payload of connection_init; at most 50 a connection, TOO_MANY_SUBSCRIPTIONS) or server-sent events ' +
      '(`Accept: text/event-stream`). Rights are looked at with each change: when they or the session have ended, the refusal comes in place ' +
      'of the change and the stream completes. When the token expires the WebSocket is closed with 4403, and the event stream ends without ' +
      '`complete`: clients connect again with a new token. A stream that completes without a refusal was ended by a service that stops. ' +
      'Subscribe again with `since`, and nothing is lost; a known version may be told once ' +
      'more. UNAUTHENTICATED, FORBIDDEN.',
    subscribe: ({ context, args }: Watching) => {
      const { feed, memberId, since } = args;
      return context.deps.live.watch(
        feedName(feed, memberId ?? context.viewer.id),
        since ?? 0,
        quietOf(context),
      );
    },
  })
  changes(
    @Root() version: number,
    @Args(() => WatchArgs) { feed, memberId }: WatchArgs,
    @Ctx() context: RequestContext,
  ): FeedChange {
    return Object.assign(new FeedChange(), {
      feed,
      memberId: memberId ?? context.viewer.id,
      version,
    });
  }
}
