import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { Access, signedIn } from '../../access.js';
import type { RequestContext } from '../../context.js';
import { Account } from './account.types.js';
import { listApplicationPasswords, revokeApplicationPassword } from './application-password.service.js';
import { ApplicationPassword } from './application-password.types.js';
import { ChangePasswordInput, RevokeApplicationPasswordInput } from './profile.inputs.js';
import { changePassword } from './profile.service.js';

@Resolver()
export class ProfileResolver {
  @Access(signedIn)
  @Mutation(() => Account, {
    description:
      'Sets a new password, ends all other sessions and mails a notice. PASSWORD_WRONG, PASSWORD_INVALID; SIGN_IN_AGAIN for an account without a password that signed in more than 10 minutes ago.',
  })
  async changePassword(
    @Ctx() context: RequestContext,
    @Arg('input', () => ChangePasswordInput, { description: 'The present and the new password.' }) input: ChangePasswordInput,
  ): Promise<Account> {
    return changePassword(context, input);
  }

  @Access(signedIn)
  @Query(() => [ApplicationPassword], { description: 'The own application passwords, the newest first; at most 100.' })
  async applicationPasswords(@Ctx() context: RequestContext): Promise<ApplicationPassword[]> {
    return listApplicationPasswords(context);
  }

  @Access(signedIn)
  @Mutation(() => ApplicationPassword, {
    description: 'Revokes an own application password: it is refused within a second. APPLICATION_PASSWORD_NOT_FOUND.',
  })
  async revokeApplicationPassword(
    @Ctx() context: RequestContext,
    @Arg('input', () => RevokeApplicationPasswordInput, { description: 'Which one.' }) input: RevokeApplicationPasswordInput,
  ): Promise<ApplicationPassword> {
    return revokeApplicationPassword(context, input);
  }
}
