import { Field, InputType } from 'type-graphql';
import { BasedOn, IdField } from '../../core/marks.js';
import { PlainName, TimeZone } from '../../core/scalars.js';

@InputType({ description: 'A change of the own account. What is absent stays.' })
export class UpdateProfileInput {
  @Field(() => PlainName, {
    nullable: true,
    description: 'Name as shown to others; null stays as it is.',
  })
  name?: string | null;

  @IdField('Language', {
    nullable: true,
    description:
      'The language in which the account is written to; null stays as it is. LANGUAGE_UNKNOWN.',
  })
  language?: number | null;

  @Field(() => TimeZone, {
    nullable: true,
    description:
      'Time zone by its IANA name; null forgets it. Reminders that are to come move along, as ' +
      'by `updateCareSettings`; what has come stays.',
  })
  timeZone?: string | null;

  @BasedOn()
  version?: number | null;
}
