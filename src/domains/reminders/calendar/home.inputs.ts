import { ArgsType, Field, Int } from 'type-graphql';
import { Text } from '../../../core/scalars.js';

@ArgsType()
export class AdherenceArgs {
  @Field(() => Text, {
    nullable: true,
    description: 'First day, by the clocks of the member. Default: 29 days ago.',
  })
  from?: string | null;

  @Field(() => Text, {
    nullable: true,
    description:
      'Last day, included. Default: 30 days after the first. At most 366 days. RANGE_TOO_LONG.',
  })
  to?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Whose. Default: own. FORBIDDEN without the right to see.',
  })
  memberId?: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Of this medicine reminder alone, deleted or not. Default: all. REMINDER_NOT_FOUND.',
  })
  reminderId?: number | null;
}
