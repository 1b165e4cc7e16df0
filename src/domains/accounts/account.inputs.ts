import { Field, InputType, Int } from 'type-graphql';
import { Email, PlainName, Secret, ShortText, Text } from '../../scalars.js';
import { Role } from './role.js';

@InputType({ description: 'Credentials of an account. Wrong ones are INVALID_CREDENTIALS, whether or not the account exists.' })
export class LoginInput {
  @Field(() => Text, { nullable: true, description: 'User name or e-mail address; case is ignored.' })
  username?: string | null;

  @Field(() => Secret, { nullable: true, description: 'The password of the account.' })
  password?: string | null;
}

@InputType({ description: 'A new account.' })
export class CreateUserInput {
  @Field(() => ShortText, {
    description: 'Name to sign in with: 1 to 60 letters, digits, spaces and . _ - @; unique, case ignored.',
  })
  username!: string;

  @Field(() => Email, { description: 'E-mail address; unique, case ignored. Its maker vouches for it.' })
  email!: string;

  @Field(() => PlainName, { nullable: true, description: 'Name as shown to others. Default: the user name.' })
  name?: string | null;

  @Field(() => Secret, {
    nullable: true,
    description: '8 to 256 characters. Without one the account cannot sign in by password.',
  })
  password?: string | null;

  @Field(() => [Role], { nullable: true, description: 'Default: SUBSCRIBER.' })
  roles?: Role[] | null;

  @Field(() => Int, { nullable: true, description: 'Id of a row of `languages`. Default 1, English.' })
  language?: number | null;
}
