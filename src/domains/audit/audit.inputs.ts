import { Field, InputType } from 'type-graphql';
import { IdField } from '../../core/marks.js';
import { DateTime, ShortText } from '../../core/scalars.js';

@InputType({
  description: 'Which events. Everything given must hold; what is null does not count.',
})
export class AuditFilter {
  @IdField('Account', { nullable: true, description: 'Done by this account.' })
  actorId?: number | null;

  @IdField('Account', { nullable: true, description: 'About this account.' })
  subjectId?: number | null;

  @Field(() => ShortText, {
    nullable: true,
    description: 'This happened, such as care.break_glass.',
  })
  action?: string | null;

  @Field(() => DateTime, { nullable: true, description: 'At this moment or later.' })
  from?: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'Before this moment.' })
  to?: Date | null;
}
