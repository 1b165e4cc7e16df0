import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { Access, anyone } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { CreateUserInput } from './account.inputs.js';
import { accountsById, createUser, mayCreateUser } from './account.service.js';
import { Account } from './account.types.js';

/** Root fields of the viewer's account and of new accounts. */
@Resolver()
export class AccountResolver {
  @Access(anyone)
  @Query(() => Account, { nullable: true, description: 'Who is asking; null for the anonymous.' })
  async viewer(@Ctx() context: RequestContext): Promise<Account | undefined> {
    return context.viewer.id ? context.loader(accountsById).load(context.viewer.id) : undefined;
  }

  @Access(mayCreateUser)
  @Mutation(() => Account, {
    description:
      'Makes an account. For administrators, who vouch for its e-mail address: it counts as proven ' +
      'from the start, and the audit says that it was vouched for. USERNAME_EXISTS, EMAIL_EXISTS, ' +
      'LANGUAGE_UNKNOWN; FORBIDDEN by an application password for other roles than SUBSCRIBER and ' +
      'GUEST.',
  })
  async createUser(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateUserInput, { description: 'The account to make.' })
    input: CreateUserInput,
  ): Promise<Account> {
    return createUser(context, input);
  }
}
