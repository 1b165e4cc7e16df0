import { Field, ID, InputType } from 'type-graphql';
import { IdOf, Required } from '../../../core/marks.js';
import { Email, PlainName, Secret, Text } from '../../../core/scalars.js';

@InputType({
  description:
    'Credentials of an account. Wrong ones are INVALID_CREDENTIALS, whether or not the account ' +
    'exists.',
})
export class LoginInput {
  @Required()
  @Field(() => Text, {
    nullable: true,
    description: 'User name or e-mail address; case is ignored.',
  })
  username?: string | null;

  @Required()
  @Field(() => Secret, { nullable: true, description: 'The password of the account.' })
  password?: string | null;
}

const LANGUAGE = 'The language in which the account is written to. LANGUAGE_UNKNOWN.';

@InputType({ description: 'An account that somebody makes for themselves.' })
export class SignUpInput {
  @Field(() => PlainName, {
    nullable: true,
    description:
      'Name as shown to others. Default: what stands before the @ of the e-mail address; a ' +
      "guest's own.",
  })
  name?: string | null;

  @Field(() => Email, {
    nullable: true,
    description:
      'E-mail address; unique, case ignored. Needed, unless a guest signs up: EMAIL_REQUIRED.',
  })
  email?: string | null;

  @Field(() => Secret, {
    nullable: true,
    description:
      '8 to 256 characters. Without one the account signs in by provider or by a mailed code.',
  })
  password?: string | null;

  @IdOf('Language')
  @Field(() => ID, { description: LANGUAGE })
  language!: number;
}

@InputType({ description: 'A guest: somebody who tries the service before signing up.' })
export class CreateGuestSessionInput {
  @IdOf('Language')
  @Field(() => ID, { description: LANGUAGE })
  language!: number;
}

@InputType({ description: 'A session to go on with.' })
export class RefreshTokenInput {
  @Field(() => Secret, {
    nullable: true,
    description: 'The newest `refreshToken` of the session. Default: the header `Refresh-Token`.',
  })
  refreshToken?: string | null;
}

@InputType({ description: 'A session to end.' })
export class EndSessionInput {
  @IdOf('Session')
  @Field(() => ID, { description: 'Id of one of the own sessions.' })
  id!: string;
}

@InputType({ description: 'Whose sessions are to end.' })
export class EndSessionsOfInput {
  @IdOf('Account')
  @Field(() => ID, { description: 'The account. USER_NOT_FOUND.' })
  userId!: number;
}
