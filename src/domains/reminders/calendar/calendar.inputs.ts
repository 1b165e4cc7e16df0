import { ArgsType, Field } from 'type-graphql';
import { IdField, Internal, RestDescription } from '../../../core/marks.js';
import { DateText } from '../../../core/scalars.js';

@ArgsType()
export class CalendarArgs {
  @RestDescription(
    'First day or moment, by the clocks of the member: 2026-03-01, 2026-03-01T08:00:00, or ' +
      'with an offset. When both ends say midnight, as they are written, they are days. ' +
      'Default: today.',
  )
  @Field(() => DateText, {
    nullable: true,
    description:
      "First day, by the clocks of the member's time zone. Default: today. DATE_INVALID.",
  })
  from?: string | null;

  @RestDescription(
    'Last day or moment, included; a date as a whole day. Default: 30 days after the first. ' +
      'At most 366 days. RANGE_TOO_LONG.',
  )
  @Field(() => DateText, {
    nullable: true,
    description:
      'Last day, included. Default: 30 days after the first. At most 366 days: RANGE_TOO_LONG. ' +
      'DATE_INVALID.',
  })
  to?: string | null;

  @IdField('Account', {
    nullable: true,
    description: 'Whose. Default: own. FORBIDDEN without the right to see.',
  })
  memberId?: number | null;

  @Internal()
  @Field(() => Boolean, {
    nullable: true,
    description: 'Only what is to come or due. Default false.',
  })
  open?: boolean | null;
}
