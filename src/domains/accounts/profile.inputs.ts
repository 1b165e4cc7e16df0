import { Field, InputType, Int } from 'type-graphql';
import { Secret, ShortText, TimeOfDay, TimeZone } from '../../scalars.js';

@InputType({ description: 'A change of the own account. What is absent stays.' })
export class UpdateProfileInput {
  @Field(() => ShortText, { nullable: true, description: 'Name as shown to others; null stays as it is.' })
  name?: string | null;

  @Field(() => Int, { nullable: true, description: 'Id of a row of `languages`; null stays as it is.' })
  language?: number | null;

  @Field(() => TimeZone, { nullable: true, description: 'Time zone by its IANA name; null forgets it.' })
  timeZone?: string | null;

  @Field(() => [TimeOfDay], {
    nullable: true,
    description: 'Clock times at which medicine is usually taken: 1 to 12, in any order; null forgets them. USUAL_TIMES_INVALID.',
  })
  usualTimes?: string[] | null;
}

@InputType({ description: 'A new password for the own account.' })
export class ChangePasswordInput {
  @Field(() => Secret, {
    nullable: true,
    description: 'The present password. An account without one gives none, and must have signed in within the last 10 minutes.',
  })
  currentPassword?: string | null;

  @Field(() => Secret, { description: 'The new password: 8 to 256 characters.' })
  newPassword!: string;
}
