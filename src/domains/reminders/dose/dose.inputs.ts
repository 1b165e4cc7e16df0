import { Field, InputType, registerEnumType } from 'type-graphql';
import { BasedOn, IdField } from '../../../core/marks.js';
import { DateTime, DoseQuantity, LongText, Minutes } from '../../../core/scalars.js';
import type { Decimal } from '../../../platform/decimal.js';
import { SkipReason } from './dose.answer.js';

registerEnumType(SkipReason, {
  name: 'SkipReason',
  description: 'Why a dose is left out.',
  valuesConfig: {
    LEFT_OUT: { description: 'On purpose, for no reason of the others: SKIPPED.' },
    REFUSED: { description: 'The member refused it. It counts as not taken.' },
    UNNEEDED: {
      description:
        'It was not needed, as on a sick day or by the word of a doctor. It counts as neither taken ' +
        'nor missed.',
    },
  },
});

/** An answer to one occurrence. */
@InputType()
abstract class OccurrenceInput {
  @IdField('DoseEvent', {
    description: 'The dose on the calendar: its `id`, or its `occurrenceId`.',
  })
  occurrenceId!: string;
}

const HOW_MUCH =
  'How much was taken, in the unit of the medicine. Default: as planned. Of a range, such as 1 to 2 ' +
  'tablets, nobody knows without it: no amount is kept, and the stock is no longer certain.';

@InputType({ description: 'A dose that was taken, late or early as it may be.' })
export class TakeDoseInput extends OccurrenceInput {
  @Field(() => DateTime, {
    nullable: true,
    description:
      'When it was taken. Default: now. Not in the future, and at most 24 hours before its ' +
      'time: TIME_INVALID.',
  })
  at?: Date | null;

  @Field(() => LongText, { nullable: true, description: 'What there is to note.' })
  note?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Take once more what was already taken: logged apart, and not counted in the adherence. ' +
      'Default false.',
  })
  force?: boolean | null;

  @Field(() => DoseQuantity, { nullable: true, description: HOW_MUCH })
  amount?: Decimal | null;
}

@InputType({ description: 'A dose that is left out on purpose.' })
export class SkipDoseInput extends OccurrenceInput {
  @Field(() => SkipReason, {
    nullable: true,
    description:
      'Why. Default LEFT_OUT. A dose that was skipped before gets the reason that is given.',
  })
  reason?: SkipReason | null;

  @Field(() => LongText, { nullable: true, description: 'What there is to note.' })
  note?: string | null;
}

@InputType({ description: 'A dose to be reminded of again.' })
export class SnoozeDoseInput extends OccurrenceInput {
  @Field(() => Minutes, {
    nullable: true,
    description: 'In how many minutes, 1 to 720. Default 10.',
  })
  minutes?: number | null;
}

@InputType({ description: 'An answer to take back.' })
export class UndoDoseInput extends OccurrenceInput {}

@InputType({ description: 'A dose of a medicine that is taken as needed.' })
export class LogDoseInput {
  @IdField('MedicineReminder', { description: 'Of which medicine.' })
  reminderId!: number;

  @Field(() => DateTime, {
    nullable: true,
    description:
      'When it was taken. Default: now. Not in the future, and at most 366 days ago: TIME_INVALID.',
  })
  at?: Date | null;

  @Field(() => LongText, { nullable: true, description: 'What there is to note.' })
  note?: string | null;

  @Field(() => DoseQuantity, { nullable: true, description: HOW_MUCH })
  amount?: Decimal | null;
}

@InputType({ description: 'An appointment that was, or was not, attended.' })
export class AttendAppointmentInput {
  @IdField('AppointmentReminder', { description: 'Id of the appointment reminder.' })
  id!: number;

  @Field(() => Boolean, { nullable: true, description: 'Whether it was attended. Default true.' })
  attended?: boolean | null;

  @BasedOn()
  version?: number | null;
}
