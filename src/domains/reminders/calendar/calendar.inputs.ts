import { ArgsType, Field, Int } from 'type-graphql';
import { Text } from '../../../core/scalars.js';

@ArgsType()
export class CalendarArgs {
  @Field(() => Text, {
    nullable: true,
    description:
      'First day or moment, by the clocks of the member: 2026-03-01, 2026-03-01T08:00:00, or ' +
      'with an offset. When both ends say midnight, as they are written, they are days. ' +
      'Default: today.',
  })
  from?: string | null;

  @Field(() => Text, {
    nullable: true,
    description:
      'Last day or moment, included; a date as a whole day. Default: 30 days after the first. ' +
      'At most 366 days. RANGE_TOO_LONG.',
  })
  to?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Whose. Default: own. FORBIDDEN without the right to see.',
  })
  memberId?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Only what is to come or due. Default false.',
  })
  open?: boolean | null;
}
