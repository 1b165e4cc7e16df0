import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { Rows } from '../../core/cost.js';
import { type Page, PageArgs } from '../../core/paging.js';
import { asOwner } from '../accounts/own-account.service.js';
import { OwnAccount } from '../accounts/own-account.types.js';
import { type Poll, PollConnection } from './poll.types.js';
import { pollList } from './poll-list.service.js';

/** What polls ask of the viewer. */
@Resolver(() => OwnAccount)
export class PollViewerResolver {
  @Access(anyone)
  @Rows(20)
  @FieldResolver(() => PollConnection, {
    nullable: true,
    description:
      'The open polls with a statement that the viewer has not agreed to, those that opened last ' +
      'first; 20 unless said otherwise. CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async pollsToAgreeTo(
    @Ctx() context: RequestContext,
    @Root() viewer: OwnAccount,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<Page<Poll>> {
    return pollList.page(asOwner(context, viewer), { ...page, open: true, toAgreeTo: true });
  }
}
