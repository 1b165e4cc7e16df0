import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { Access, signedIn } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { payloadType } from '../../core/payload.js';
import { OwnAccount } from '../accounts/own-account.types.js';
import { UpdateProfileInput } from './own-profile.inputs.js';
import { updateProfile } from './own-profile.service.js';

interface UpdateProfilePayload {
  readonly viewer: OwnAccount;
}

const UpdateProfilePayload = payloadType<UpdateProfilePayload>('UpdateProfile', {
  viewer: { type: () => OwnAccount, description: 'The viewer as it is now.' },
});

/** Root field that changes the viewer's account. */
@Resolver()
export class OwnProfileResolver {
  @Access(signedIn)
  @Mutation(() => UpdateProfilePayload, {
    nullable: true,
    description: 'Changes the own account. LANGUAGE_UNKNOWN.',
  })
  async updateProfile(
    @Ctx() context: RequestContext,
    @Arg('input', () => UpdateProfileInput, { description: 'What to change.' })
    input: UpdateProfileInput,
  ): Promise<UpdateProfilePayload> {
    return { viewer: new OwnAccount(await updateProfile(context, input)) };
  }
}
