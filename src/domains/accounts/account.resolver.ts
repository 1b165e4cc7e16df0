import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { Access, administrators, anyone } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { CreateUserInput } from './account.inputs.js';
import { accountsById, createUser } from './account.service.js';
import { Account } from './account.types.js';

@Resolver()
export class AccountResolver {
  @Access(anyone)
  @Query(() => Account, { nullable: true, description: 'Who is asking; null for the anonymous.' })
  async viewer(@Ctx() context: RequestContext): Promise<Account | undefined> {
    return context.viewer.id ? context.loader(accountsById).load(context.viewer.id) : undefined;
  }

  @Access(administrators)
  @Mutation(() => Account, {
    description: 'Makes an account. For administrators. USERNAME_EXISTS, EMAIL_EXISTS, LANGUAGE_UNKNOWN.',
  })
  async createUser(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateUserInput, { description: 'The account to make.' }) input: CreateUserInput,
  ): Promise<Account> {
    return createUser(context, input);
  }
}
