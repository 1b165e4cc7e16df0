import { ArgsType, Field } from 'type-graphql';
import { IdField } from '../../../core/marks.js';
import { LocalDate } from '../../../core/scalars.js';

@ArgsType()
export class AdherenceArgs {
  @Field(() => LocalDate, {
    nullable: true,
    description: "First day, by the clocks of the member's time zone. Default: 29 days ago.",
  })
  from?: string | null;

  @Field(() => LocalDate, {
    nullable: true,
    description:
      'Last day, included. Default: 30 days after the first. At most 366 days: RANGE_TOO_LONG.',
  })
  to?: string | null;

  @IdField('Account', {
    nullable: true,
    description: 'Whose. Default: own. FORBIDDEN without the right to see.',
  })
  memberId?: number | null;

  @IdField('MedicineReminder', {
    nullable: true,
    description:
      'Of this medicine reminder alone, deleted or not. Default: all. REMINDER_NOT_FOUND.',
  })
  reminderId?: number | null;
}
