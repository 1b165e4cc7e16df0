import { Field, InputType } from 'type-graphql';
import { IdField, idInput, Required } from '../../../core/marks.js';
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

  @IdField('Language', {
    description: 'The language in which an account that is new is written to. LANGUAGE_UNKNOWN.',
  })
  language!: number;
}

@InputType({ description: 'An identity that shall no longer sign in.' })
export class UnlinkIdentityInput extends idInput('Identity', 'Id of the identity.') {}
