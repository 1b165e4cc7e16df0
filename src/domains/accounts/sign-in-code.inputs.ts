import { Field, InputType } from 'type-graphql';
import { Email, Secret } from '../../scalars.js';

@InputType({ description: 'Where to mail a code for signing in.' })
export class RequestSignInCodeInput {
  @Field(() => Email, { description: 'E-mail address of the account; case is ignored.' })
  email!: string;
}

@InputType({ description: 'A mailed code to sign in with.' })
export class SignInWithCodeInput {
  @Field(() => Email, { description: 'The address that the code was mailed to; case is ignored.' })
  email!: string;

  @Field(() => Secret, { description: 'The eight digits; spaces do not count.' })
  code!: string;
}
