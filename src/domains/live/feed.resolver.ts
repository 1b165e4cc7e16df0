import { Args, Ctx, FieldResolver, Resolver, Root, Subscription } from 'type-graphql';
import { Access, anyone, signedIn } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import type { FeedMove } from '../../core/live.js';
import { accountsById } from '../accounts/account.service.js';
import { Account } from '../accounts/account.types.js';
import { ChangesArgs } from './feed.inputs.js';
import { FeedChange } from './feed.types.js';
import { changeOf, watchFeeds } from './watching.service.js';

interface Watching {
  readonly context: RequestContext;
  readonly args: ChangesArgs;
}

/** Root field that watches feeds, and the member of a change. */
@Resolver(() => FeedChange)
export class FeedResolver {
  @Access(signedIn)
  @Subscription(() => FeedChange, {
    description:
      'Tells when what a feed shows was changed; several changes at once are told as one. One ' +
      'stream watches up to 100 feeds, such as the calendars of all members in care; an account ' +
      'watches up to 1,000 and has up to 200 subscriptions in each process of the service, ' +
      'TOO_MANY_SUBSCRIPTIONS. Each event costs what a query for the same costs; without points it ' +
      'waits for the next ones. It has at most 256 KiB; a larger one is refused, and ends the subscription. What time alone does is not told: an event ' +
      'of the calendar is due from its `dateTime` and missed from its `missedAt` on. WebSocket ' +
      '(graphql-transport-ws; `authorization` in the header of the handshake or in the payload ' +
      'of connection_init; at most 50 a connection) or server-sent events (`Accept: ' +
      'text/event-stream`). Rights are looked at with each change: when the right to a feed has ' +
      'ended, `ended` comes in place of the change and the other feeds go on; when no feed is ' +
      'left the stream completes. When the session has ended, the application password was ' +
      'revoked or the account is suspended, it is refused and completes within a second. When the token expires the ' +
      'WebSocket is closed with 4403, and the event stream ends without `complete`: clients ' +
      'connect again with a new token. When the process ends, the WebSocket is closed with 1001, ' +
      'and the event stream ends without `complete` too. While the database is away nothing is ' +
      'told, and then what was missed. Subscribe again with `since`, and nothing is lost; a ' +
      'known version may be told once more. UNAUTHENTICATED, FORBIDDEN, TOO_MANY.',
    subscribe: ({ context, args }: Watching) => watchFeeds(context, args.subjects),
  })
  async changes(
    @Root() move: FeedMove,
    @Args(() => ChangesArgs) _args: ChangesArgs,
    @Ctx() context: RequestContext,
  ): Promise<FeedChange> {
    return changeOf(context, move);
  }

  @Access(anyone)
  @FieldResolver(() => Account, {
    nullable: true,
    description: 'Whose it is; null when the account is gone.',
  })
  async member(
    @Ctx() context: RequestContext,
    @Root() { accountId }: FeedChange,
  ): Promise<Account | undefined> {
    return context.loader(accountsById).load(accountId);
  }
}
