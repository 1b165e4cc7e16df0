import { Field, ID, InputType } from 'type-graphql';
import { IdOf } from '../../../core/marks.js';
import { DoseQuantity, LocalDate, ShortText, TimeOfDay } from '../../../core/scalars.js';
import type { Decimal } from '../../../platform/decimal.js';

@InputType({ description: 'How much is taken at a clock time.' })
export class TimedAmountInput {
  @Field(() => TimeOfDay, { description: 'The clock time, in `timeZone` of the medicine.' })
  time!: string;

  @Field(() => DoseQuantity, { description: 'How much then.' })
  amount!: Decimal;
}

@InputType({ description: 'How much is taken from a day on.' })
export class DoseStepInput {
  @Field(() => LocalDate, {
    nullable: true,
    description: 'From which day on. Absent in the first step: from the beginning.',
  })
  startsOn?: string | null;

  @Field(() => DoseQuantity, {
    nullable: true,
    description: 'How much at all times that `times` does not name.',
  })
  amount?: Decimal | null;

  @Field(() => [TimedAmountInput], {
    nullable: true,
    description: 'How much at certain times, such as 1 in the morning and 2 at night. At most 24.',
  })
  times?: TimedAmountInput[] | null;
}

@InputType({ description: 'How much of a medicine is taken.' })
export class SetDoseAmountsInput {
  @IdOf('MedicineReminder')
  @Field(() => ID, { description: 'Which medicine.' })
  id!: number;

  @Field(() => ShortText, { description: 'What is counted: tablet, ml, drop.' })
  unit!: string;

  @Field(() => [DoseStepInput], {
    description:
      'The steps in order of their days, at most 50: several for a dose that is tapered. None ' +
      'forgets the amounts. AMOUNTS_INVALID.',
  })
  steps!: DoseStepInput[];
}
