import { Field, InputType } from 'type-graphql';
import { IdField } from '../../core/marks.js';
import { Email } from '../../core/scalars.js';
import { ProfileInput } from './profile.inputs.js';

@InputType({ description: 'A change of an account. What is absent stays.' })
export class UpdateUserInput extends ProfileInput {
  @IdField('Account', { description: 'The account. USER_NOT_FOUND.' })
  userId!: number;

  @Field(() => Email, {
    nullable: true,
    description:
      'E-mail address; unique, case ignored; null stays as it is. Who changes it vouches for it. ' +
      'A user name that was the old address becomes the new one. EMAIL_EXISTS.',
  })
  email?: string | null;
}
