import { Field, InputType } from 'type-graphql';
import { Secret } from '../../../core/scalars.js';

@InputType({ description: 'A new password for the own account.' })
export class ChangePasswordInput {
  @Field(() => Secret, {
    nullable: true,
    description:
      'The present password. An account without one gives none, and must have signed in within ' +
      'the last 10 minutes, if it has an e-mail address or an identity to sign in by.',
  })
  currentPassword?: string | null;

  @Field(() => Secret, { description: 'The new password: 8 to 256 characters.' })
  newPassword!: string;
}
