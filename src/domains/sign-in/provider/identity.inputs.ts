import { Field, InputType, Int } from 'type-graphql';
import { ProviderToken } from '../../../core/scalars.js';
import { ProviderSlot } from './identity.types.js';

@InputType({ description: "Signing in with an identity provider's token." })
export class SignInWithProviderInput {
  @Field(() => ProviderSlot, { description: 'Which provider made the token.' })
  provider!: ProviderSlot;

  @Field(() => ProviderToken, {
    nullable: true,
    description:
      'Id token (OpenID Connect) or opaque token, as the provider gave it. Good for signing in ' +
      'once.',
  })
  token?: string | null;

  @Field(() => Int, {
    description:
      'Id of a row of `languages`, for an account that is new. Unknown: LANGUAGE_UNKNOWN.',
  })
  language!: number;
}

@InputType({ description: 'An identity that shall no longer sign in.' })
export class UnlinkIdentityInput {
  @Field(() => Int, { description: 'Id of the identity.' })
  id!: number;
}
