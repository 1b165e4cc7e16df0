import { Field, InputType } from 'type-graphql';
import { BasedOn } from '../../core/marks.js';
import { ShortText, Text, TimeZone } from '../../core/scalars.js';

@InputType({ description: 'A change of the site. What is absent or null stays.' })
export class UpdateSiteInput {
  @BasedOn()
  version?: number | null;

  @Field(() => ShortText, {
    nullable: true,
    description: 'Name of the site: one line. TITLE_INVALID.',
  })
  title?: string | null;

  @Field(() => Text, {
    nullable: true,
    description: 'What the site is, in a line; may be empty. TITLE_INVALID.',
  })
  tagline?: string | null;

  @Field(() => TimeZone, {
    nullable: true,
    description:
      'The time zone in which content shows its dates, and by which members are reminded of ' +
      'whom no other zone is known.',
  })
  timeZone?: string | null;
}
