import { Field, InputType } from 'type-graphql';
import { Email, Secret } from '../../../core/scalars.js';

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

@InputType({ description: 'What shows that the own e-mail address is one’s own.' })
export class ConfirmEmailInput {
  @Field(() => Secret, {
    description:
      'The code that `requestSignInCode` mailed to the own address; spaces do not count.',
  })
  code!: string;

  @Field(() => Secret, {
    nullable: true,
    description:
      'The present password. An account without one gives none, and must have signed in within ' +
      'the last 10 minutes.',
  })
  password?: string | null;
}
