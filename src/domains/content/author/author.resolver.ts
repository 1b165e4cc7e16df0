import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import { Access, anyone, type RootRule } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { PageNumber, PageSize } from '../../../core/scalars.js';
import { Account, AccountConnection } from '../../accounts/account.types.js';
import { authorsById, listAuthors } from './author.service.js';

const isAuthor: RootRule = async (context: RequestContext, { id }: { id: number }) =>
  (await context.loader(authorsById).load(id))
    ? undefined
    : { reason: 'AUTHOR_NOT_FOUND', message: 'Invalid user ID.' };

/** Accounts as the public knows them: authors of what is published. */
@Resolver()
export class AuthorResolver {
  @Access(anyone)
  @Rows(10)
  @Query(() => AccountConnection, { description: 'Those who wrote something published, by id.' })
  async authors(
    @Ctx() context: RequestContext,
    @Arg('first', () => PageSize, { nullable: true, description: 'How many at most. Default 10.' })
    first?: number | null,
    @Arg('page', () => PageNumber, {
      nullable: true,
      description: 'Current page of the collection. Default 1.',
    })
    page?: number | null,
  ): Promise<AccountConnection> {
    return listAuthors(context, first ?? 10, page ?? 1);
  }

  @Access(isAuthor)
  @Query(() => Account, {
    nullable: true,
    description: 'One author of something published. AUTHOR_NOT_FOUND.',
  })
  async author(
    @Ctx() context: RequestContext,
    @Arg('id', () => Int, { description: 'Id of the account.' }) id: number,
  ): Promise<Account | undefined> {
    return context.loader(authorsById).load(id);
  }
}
