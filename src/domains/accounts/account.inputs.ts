import { Field, InputType, Int } from 'type-graphql';
import { Role } from '../../core/roles.js';
import { Email, PlainName, Secret, ShortText } from '../../core/scalars.js';

@InputType({ description: 'A new account.' })
export class CreateUserInput {
  @Field(() => ShortText, {
    description:
      'Name to sign in with: 1 to 60 letters, digits, spaces and . _ - @; unique, case ignored.',
  })
  username!: string;

  @Field(() => Email, {
    description: 'E-mail address; unique, case ignored. Its maker vouches for it.',
  })
  email!: string;

  @Field(() => PlainName, {
    nullable: true,
    description: 'Name as shown to others. Default: the user name.',
  })
  name?: string | null;

  @Field(() => Secret, {
    nullable: true,
    description: '8 to 256 characters. Without one the account cannot sign in by password.',
  })
  password?: string | null;

  @Field(() => [Role], { nullable: true, description: 'Default: SUBSCRIBER.' })
  roles?: Role[] | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Id of a row of `languages`. Default 1, English.',
  })
  language?: number | null;
}
