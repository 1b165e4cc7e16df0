import { Field, InputType } from 'type-graphql';
import { BasedOn, IdField } from '../../../core/marks.js';
import { DateTime, DoseQuantity, LocalDate, ShortText, TimeOfDay } from '../../../core/scalars.js';
import { Weekday } from '../../../core/weekday.js';
import type { Decimal } from '../../../platform/decimal.js';

const UP_TO = 'The larger end of a range, above `amount`: 1 to 2 tablets. AMOUNTS_INVALID.';

/** So much, or from so much to so much. */
@InputType()
abstract class QuantityInput {
  @Field(() => DoseQuantity, { description: 'How much then.' })
  amount!: Decimal;

  @Field(() => DoseQuantity, { nullable: true, description: UP_TO })
  upTo?: Decimal | null;
}

@InputType({ description: 'How much is taken at a clock time.' })
export class TimedAmountInput extends QuantityInput {
  @Field(() => TimeOfDay, { description: 'The clock time, in `timeZone` of the medicine.' })
  time!: string;
}

@InputType({ description: 'How much is taken on some weekdays, at all times of these days.' })
export class WeekdayAmountInput extends QuantityInput {
  @Field(() => [Weekday], { description: 'Which days, each in one amount only: 1 to 7.' })
  weekdays!: Weekday[];
}

@InputType({ description: 'How much is taken from a day or an instant on.' })
export class DoseStepInput {
  @Field(() => LocalDate, {
    nullable: true,
    description: 'From which day on. Absent in the first step: from the beginning.',
  })
  startsOn?: string | null;

  @Field(() => DateTime, {
    nullable: true,
    description:
      'From which instant on, of a medicine that comes by hours, which change their amount within a ' +
      'day; `startsOn` is then absent, or its day by the clocks of the medicine.',
  })
  startsAt?: Date | null;

  @Field(() => DoseQuantity, {
    nullable: true,
    description: 'How much at all times that `times` and `weekdays` do not name.',
  })
  amount?: Decimal | null;

  @Field(() => DoseQuantity, { nullable: true, description: UP_TO })
  upTo?: Decimal | null;

  @Field(() => [TimedAmountInput], {
    nullable: true,
    description: 'How much at certain times, such as 1 in the morning and 2 at night. At most 24.',
  })
  times?: TimedAmountInput[] | null;

  @Field(() => [WeekdayAmountInput], {
    nullable: true,
    description:
      'How much on certain weekdays, such as 7.5 on Monday; it comes before `times`. At most 7.',
  })
  weekdays?: WeekdayAmountInput[] | null;
}

@InputType({ description: 'How much of a medicine is taken.' })
export class SetDoseAmountsInput {
  @IdField('MedicineReminder', { description: 'Which medicine.' })
  id!: number;

  @BasedOn()
  version?: number | null;

  @Field(() => ShortText, { description: 'What is counted: tablet, ml, drop.' })
  unit!: string;

  @Field(() => [DoseStepInput], {
    description:
      'The steps in order of their days and instants, at most 50: several for a dose that is ' +
      'tapered. None forgets the amounts. AMOUNTS_INVALID.',
  })
  steps!: DoseStepInput[];
}
