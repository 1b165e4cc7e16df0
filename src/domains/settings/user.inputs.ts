import { Field, InputType } from 'type-graphql';
import { BasedOn, IdField } from '../../core/marks.js';
import { Email, PlainName, TimeZone } from '../../core/scalars.js';

@InputType({ description: 'A change of an account. What is absent stays.' })
export class UpdateUserInput {
  @IdField('Account', { description: 'The account. USER_NOT_FOUND.' })
  userId!: number;

  @Field(() => PlainName, {
    nullable: true,
    description: 'Name as shown to others; null stays as it is.',
  })
  name?: string | null;

  @Field(() => Email, {
    nullable: true,
    description:
      'E-mail address; unique, case ignored; null stays as it is. Who changes it vouches for it. ' +
      'A user name that was the old address becomes the new one. EMAIL_EXISTS.',
  })
  email?: string | null;

  @IdField('Language', {
    nullable: true,
    description:
      'The language in which the account is written to; null stays as it is. LANGUAGE_UNKNOWN.',
  })
  language?: number | null;

  @Field(() => TimeZone, {
    nullable: true,
    description:
      'Time zone by its IANA name; null forgets it. Reminders that are to come move along, as by ' +
      '`updateProfile`.',
  })
  timeZone?: string | null;

  @BasedOn()
  version?: number | null;
}
