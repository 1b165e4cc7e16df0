import { Args, ArgsType, Ctx, Field, Int, Resolver, Root, Subscription } from 'type-graphql';
import { Access } from '../../access.js';
import type { RequestContext } from '../../context.js';
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
    description: 'The last version that is known. Default 0: the present one is told at once.',
  })
  since?: number | null;
}

interface Watching {
  readonly context: RequestContext;
  readonly args: WatchArgs;
}

@Resolver()
export class FeedResolver {
  @Access(mayWatch)
  @Subscription(() => FeedChange, {
    description: 'Tells when what a feed shows has changed; several changes at once are told as one. UNAUTHENTICATED, FORBIDDEN.',
    subscribe: ({ context, args }: Watching) => {
      const { feed, memberId, since } = args;
      return context.deps.feeds.watch(feedName(feed, memberId ?? context.viewer.id), since ?? 0);
    },
  })
  changes(
    @Root() version: number,
    @Args(() => WatchArgs) { feed, memberId }: WatchArgs,
    @Ctx() context: RequestContext,
  ): FeedChange {
    return Object.assign(new FeedChange(), { feed, memberId: memberId ?? context.viewer.id, version });
  }
}
