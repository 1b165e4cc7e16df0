import { Arg, Args, ArgsType, Ctx, Field, Resolver } from 'type-graphql';
import { Access, anyone, capable, type RootRule } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { type Filter, FilterBy } from '../../../core/filtering.js';
import { IdField, Internal, RestDescription, Shared } from '../../../core/marks.js';
import { type Order, OrderBy } from '../../../core/ordering.js';
import { type Page, PageArgs } from '../../../core/paging.js';
import { Query } from '../../../core/root-fields.js';
import { PageNumber, PageSize, SearchText } from '../../../core/scalars.js';
import { Account, AccountConnection } from '../../accounts/account.types.js';
import { AUTHOR_ORDERS, authorsById, listAuthors, listPossibleAuthors } from './author.service.js';

const isAuthor: RootRule = async (context: RequestContext, { id }: { id: number }) =>
  (await context.loader(authorsById).load(id))
    ? undefined
    : { reason: 'AUTHOR_NOT_FOUND', message: 'Invalid user ID.' };

@ArgsType()
class AuthorArgs {
  @RestDescription('Id of the account.')
  @IdField('Account', { description: 'The account.' })
  id!: number;
}

@ArgsType()
class AuthorListArgs extends PageArgs {
  @RestDescription('How many at most. Default 10.')
  @Field(() => PageSize, {
    nullable: true,
    description: 'So many rows at most, from the beginning or behind `after`. Default 10.',
  })
  override first?: number | null;

  @Internal()
  @Field(() => PageNumber, {
    nullable: true,
    description: 'Current page of the collection. Default 1.',
  })
  page?: number | null;
}

/** Accounts as the public knows them: authors of what is published. */
@Resolver()
export class AuthorResolver {
  @Access(anyone)
  @Rows(10)
  @Shared()
  @Query(() => AccountConnection, {
    description:
      'Those who wrote something published, the oldest account first; 10 unless said otherwise. ' +
      'CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async authors(
    @Ctx() context: RequestContext,
    @Args(() => AuthorListArgs) args: AuthorListArgs,
    @OrderBy(AUTHOR_ORDERS) order: Order | null | undefined,
    @FilterBy(AUTHOR_ORDERS) filter: Filter | null | undefined,
  ): Promise<Page<Account>> {
    return listAuthors(context, args, order, filter);
  }

  @Access(capable('edit_others_posts'))
  @Rows(100)
  @Query(() => AccountConnection, {
    description:
      'Who can be the author of a post, page or healthcare item: accounts that may write and are ' +
      'not suspended, the oldest first; 100 unless said otherwise. For editors and ' +
      'administrators. CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async possibleAuthors(
    @Ctx() context: RequestContext,
    @Arg('search', () => SearchText, {
      nullable: true,
      description: 'A part of the name; case and accents are ignored.',
    })
    search: string | null | undefined,
    @Args(() => PageArgs) page: PageArgs,
    @OrderBy(AUTHOR_ORDERS) order: Order | null | undefined,
  ): Promise<Page<Account>> {
    return listPossibleAuthors(context, search, page, order);
  }

  @Access(isAuthor)
  @Shared()
  @Query(() => Account, {
    description: 'One author of something published. AUTHOR_NOT_FOUND.',
  })
  async author(
    @Ctx() context: RequestContext,
    @Args(() => AuthorArgs) { id }: AuthorArgs,
  ): Promise<Account | undefined> {
    return context.loader(authorsById).load(id);
  }
}
