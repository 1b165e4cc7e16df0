import { Ctx, Resolver } from 'type-graphql';
import { Access, signedIn } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { InputArg } from '../../core/marks.js';
import { payloadType } from '../../core/payload.js';
import { Mutation } from '../../core/root-fields.js';
import { OwnAccount } from '../accounts/own-account.types.js';
import { updateProfile } from './own-profile.service.js';
import { UpdateProfileInput } from './profile.inputs.js';

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
    description: 'Changes the own account. LANGUAGE_UNKNOWN, CONFLICT.',
  })
  async updateProfile(
    @Ctx() context: RequestContext,
    @InputArg(UpdateProfileInput) input: UpdateProfileInput,
  ): Promise<UpdateProfilePayload> {
    return { viewer: new OwnAccount(await updateProfile(context, input)) };
  }
}
