import { Field, InputType, Int } from 'type-graphql';
import { IdField } from '../../../core/marks.js';
import { LocalDate } from '../../../core/scalars.js';

/** A medicine whose plan changes. */
@InputType()
abstract class MedicinePauseInput {
  @IdField('MedicineReminder', { description: 'Which medicine.' })
  id!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Version that the change is based on: CONFLICT when it has changed since.',
  })
  version?: number | null;
}

@InputType({ description: 'A pause of a medicine.' })
export class PauseMedicineReminderInput extends MedicinePauseInput {
  @Field(() => LocalDate, {
    nullable: true,
    description:
      "First day without it, by the clocks of the medicine's `timeZone`. Today, the default, " +
      'begins now. PAUSE_INVALID for a day that is over.',
  })
  startsOn?: string | null;

  @Field(() => LocalDate, {
    nullable: true,
    description:
      'Day on which it comes again, after the first day. Null or absent: when somebody resumes ' +
      'it. PAUSE_INVALID.',
  })
  resumesOn?: string | null;
}

@InputType({ description: 'A medicine that comes again.' })
export class ResumeMedicineReminderInput extends MedicinePauseInput {}
