import { Field, InputType } from 'type-graphql';
import { IdField } from '../../../core/marks.js';
import { Reason } from '../../../core/scalars.js';

@InputType({ description: 'An account to which nobody is to sign in.' })
export class SuspendUserInput {
  @IdField('Account', {
    description: 'The account. USER_NOT_FOUND, OWN_ACCOUNT, LAST_ADMINISTRATOR.',
  })
  userId!: number;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'True: the reminders of the account do not ring until it is reinstated, and its carers are ' +
      'told of no missed dose. Default: they ring on; of a suspended account, as they do now.',
  })
  stopReminders?: boolean | null;

  @Field(() => Reason, { nullable: true, description: 'Why. Kept in the audit alone.' })
  reason?: string | null;
}

@InputType({ description: 'A suspended account that is to be used again.' })
export class ReinstateUserInput {
  @IdField('Account', { description: 'The account. USER_NOT_FOUND.' })
  userId!: number;
}
