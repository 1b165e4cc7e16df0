import { Field, ID, InputType } from 'type-graphql';
import { IdOf, Required } from '../../../core/marks.js';
import { ProviderToken } from '../../../core/scalars.js';
import { ProviderSlot } from './identity.types.js';

@InputType({ description: "Signing in with an identity provider's token." })
export class SignInWithProviderInput {
  @Field(() => ProviderSlot, { description: 'Which provider made the token.' })
  provider!: ProviderSlot;

  @Required()
  @Field(() => ProviderToken, {
    nullable: true,
    description:
      'Id token (OpenID Connect) or opaque token, as the provider gave it. Good for signing in ' +
      'once.',
  })
  token?: string | null;

  @IdOf('Language')
  @Field(() => ID, {
    description: 'The language in which an account that is new is written to. LANGUAGE_UNKNOWN.',
  })
  language!: number;
}

@InputType({ description: 'An identity that shall no longer sign in.' })
export class UnlinkIdentityInput {
  @IdOf('Identity')
  @Field(() => ID, { description: 'Id of the identity.' })
  id!: number;
}
