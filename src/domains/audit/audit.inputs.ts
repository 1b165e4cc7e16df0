import { DateTimeISOResolver } from 'graphql-scalars';
import { Field, InputType, Int } from 'type-graphql';
import { ShortText } from '../../core/scalars.js';

@InputType({
  description: 'Which events. Everything given must hold; what is null does not count.',
})
export class AuditFilter {
  @Field(() => Int, { nullable: true, description: 'Done by this account.' })
  actorId?: number | null;

  @Field(() => Int, { nullable: true, description: 'About this account.' })
  subjectId?: number | null;

  @Field(() => ShortText, {
    nullable: true,
    description: 'This happened, such as care.break_glass.',
  })
  action?: string | null;

  @Field(() => DateTimeISOResolver, { nullable: true, description: 'At this moment or later.' })
  from?: Date | null;

  @Field(() => DateTimeISOResolver, { nullable: true, description: 'Before this moment.' })
  to?: Date | null;
}
