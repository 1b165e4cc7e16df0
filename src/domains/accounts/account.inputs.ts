import { Field, InputType } from 'type-graphql';
import { IdField } from '../../core/marks.js';
import { Role } from '../../core/roles.js';
import { Email, PlainName, Secret, ShortText } from '../../core/scalars.js';

@InputType({ description: 'A new account.' })
export class CreateUserInput {
  @Field(() => ShortText, {
    description:
      'Name to sign in with: 1 to 60 letters, digits, spaces and . _ - @; unique, case ignored. ' +
      'USERNAME_INVALID, USERNAME_EXISTS.',
  })
  username!: string;

  @Field(() => Email, {
    description: 'E-mail address; unique, case ignored. Its maker vouches for it. EMAIL_EXISTS.',
  })
  email!: string;

  @Field(() => PlainName, {
    nullable: true,
    description: 'Name as shown to others. Default: the user name.',
  })
  name?: string | null;

  @Field(() => Secret, {
    nullable: true,
    description:
      '8 to 256 characters. Without one the account cannot sign in by password. PASSWORD_INVALID.',
  })
  password?: string | null;

  @Field(() => [Role], { nullable: true, description: 'Default: SUBSCRIBER.' })
  roles?: Role[] | null;

  @IdField('Language', {
    nullable: true,
    description:
      'The language in which the account is written to. Default 1, English. LANGUAGE_UNKNOWN.',
  })
  language?: number | null;
}
