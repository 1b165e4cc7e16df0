import { Field, InputType } from 'type-graphql';
import { IdField, Required } from '../../core/marks.js';
import { Presented, Secret, Text } from '../../core/scalars.js';

const EMAIL =
  'E-mail address of the account, in any case; RESET_EMAIL_REQUIRED without. Addresses that ' +
  'nobody has are treated alike.';
const CODE = 'The code as it was mailed: 8 digits; CODE_REQUIRED without.';

@InputType({ description: 'Whose password is to be reset.' })
export class RequestPasswordResetInput {
  @Required()
  @Field(() => Text, { nullable: true, description: EMAIL })
  email?: string | null;
}

@InputType({ description: 'A code to be checked.' })
export class CheckPasswordResetCodeInput {
  @Required()
  @Field(() => Text, { nullable: true, description: EMAIL })
  email?: string | null;

  @Required()
  @Field(() => Presented, { nullable: true, description: CODE })
  code?: string | null;
}

@InputType({ description: 'A new password, and the code that permits it.' })
export class ResetPasswordInput {
  @Required()
  @Field(() => Text, { nullable: true, description: EMAIL })
  email?: string | null;

  @Required()
  @Field(() => Presented, { nullable: true, description: CODE })
  code?: string | null;

  @Required()
  @Field(() => Secret, {
    nullable: true,
    description: 'The new password: 8 to 256 characters; NEW_PASSWORD_REQUIRED without.',
  })
  password?: string | null;
}

@InputType({ description: 'Who is to set a new password.' })
export class SendPasswordResetInput {
  @IdField('Account', {
    description: 'The account. USER_NOT_FOUND, EMAIL_REQUIRED, ACCOUNT_SUSPENDED.',
  })
  userId!: number;
}
