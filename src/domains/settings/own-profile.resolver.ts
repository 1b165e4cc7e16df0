import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { Access, signedIn } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { Account } from '../accounts/account.types.js';
import { UpdateProfileInput } from './own-profile.inputs.js';
import { updateProfile } from './own-profile.service.js';

/** Root field that changes the viewer's account. */
@Resolver()
export class OwnProfileResolver {
  @Access(signedIn)
  @Mutation(() => Account, { description: 'Changes the own account. LANGUAGE_UNKNOWN.' })
  async updateProfile(
    @Ctx() context: RequestContext,
    @Arg('input', () => UpdateProfileInput, { description: 'What to change.' })
    input: UpdateProfileInput,
  ): Promise<Account> {
    return updateProfile(context, input);
  }
}
