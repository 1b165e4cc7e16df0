import { Field, InputType } from 'type-graphql';
import { BasedOn, IdField } from '../../core/marks.js';
import { PlainName, TimeZone, WebAddress } from '../../core/scalars.js';

/** What an account and an administrator may change of it. */
@InputType()
export abstract class ProfileInput {
  @Field(() => PlainName, {
    nullable: true,
    description: 'Name as shown to others; null stays as it is.',
  })
  name?: string | null;

  @Field(() => WebAddress, { nullable: true, description: 'Homepage; null forgets it.' })
  url?: string | null;

  @Field(() => PlainName, {
    nullable: true,
    description: 'A few words about the account, shown to others; null forgets them.',
  })
  description?: string | null;

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

@InputType({ description: 'A change of the own account. What is absent stays.' })
export class UpdateProfileInput extends ProfileInput {}

/** Returns the columns of a change, but for the zone. */
export const profileColumns = ({ name, url, description, language }: ProfileInput) => ({
  ...(name?.trim() && { name: name.trim() }),
  ...(url !== undefined && { url: url ?? '' }),
  ...(description !== undefined && { description: description ?? '' }),
  ...(typeof language === 'number' && { languageId: language }),
});
