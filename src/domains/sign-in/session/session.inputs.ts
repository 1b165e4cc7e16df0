import { Field, InputType } from 'type-graphql';
import { IdField, Required } from '../../../core/marks.js';
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

  @IdField('Language', { description: LANGUAGE })
  language!: number;
}

@InputType({ description: 'A guest: somebody who tries the service before signing up.' })
export class CreateGuestSessionInput {
  @IdField('Language', { description: LANGUAGE })
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
  @IdField('Session', { description: 'Id of one of the own sessions.' })
  id!: string;
}

@InputType({ description: 'Whose sessions are to end.' })
export class EndSessionsOfInput {
  @IdField('Account', { description: 'The account. USER_NOT_FOUND.' })
  userId!: number;
}
