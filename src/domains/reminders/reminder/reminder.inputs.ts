import { ArgsType, Field, InputType, Int } from 'type-graphql';
import { IdField, Internal, idInput, Required, RestDescription } from '../../../core/marks.js';
import { PageArgs } from '../../../core/paging.js';
import {
  AnyAnswer,
  DurationText,
  PageNumber,
  PageSize,
  TimeOfDay,
  WrittenDate,
  WrittenText,
} from '../../../core/scalars.js';
import { FhirDosageInput } from '../schedule/fhir/fhir-dosage.inputs.js';
import { ScheduleInput } from '../schedule/schedule.inputs.js';

const OFTEN =
  'once, daily, every_other_day, weekly, biweekly, monthly, yearly, hourly, every_N_hours, ' +
  'every_N_days, every_N_weeks, N_times_a_day (once, twice, three_times …), as_needed, or ' +
  'an RFC 5545 RRULE.';
const FREQUENCY = {
  text:
    `${OFTEN} A new medicine has it, a \`schedule\` or a \`fhirDosage\`. It is never guessed: ranges, conditions and ` +
    'anything else are kept, show on the first day and never fire; `isScheduleRecognized` is ' +
    'false.',
  rest:
    `${OFTEN} Default once. It is never guessed: ranges, conditions and anything ` +
    'else are kept, show on the start date and never fire; `scheduleRecognized` is false.',
};
const APPOINTED = {
  text: "On which day it is, by the clocks of the member's time zone. DATE_INVALID.",
  rest:
    'When it is, in the forms of `startDate` of a medicine; a midnight is a midnight. ' +
    'Without one, and with one that cannot be read, it is only kept.',
};

/** What may be said of a medicine. */
@InputType()
abstract class MedicineFieldsInput {
  @Field(() => WrittenText, { nullable: true, description: 'Name of the medicine.' })
  name?: string | null;

  @Field(() => WrittenText, { nullable: true, description: 'More about it.' })
  description?: string | null;

  @Field(() => WrittenText, {
    nullable: true,
    description: 'Form of the medicine: tablet, drops …',
  })
  medicineType?: string | null;

  @RestDescription(FREQUENCY.rest)
  @Field(() => WrittenText, { nullable: true, description: FREQUENCY.text })
  frequency?: string | null;

  @Field(() => ScheduleInput, {
    nullable: true,
    description:
      'How often, as a schedule instead of a `frequency`. SCHEDULE_INVALID, and SCHEDULE_NEVER ' +
      'for one without any dose between its start and its end.',
  })
  schedule?: ScheduleInput | null;

  @Field(() => FhirDosageInput, {
    nullable: true,
    description:
      'How it is taken, as FHIR Dosages instead of a `frequency` or a `schedule`, with its amounts, ' +
      'limits, first and last day. SCHEDULE_INVALID, SCHEDULE_NEVER.',
  })
  fhirDosage?: FhirDosageInput | null;

  @RestDescription(
    'From when on: a date, a date and time by 24 or 12 hours (ISO 8601, RFC 2822, 2026/11/23 ' +
      '8:00 PM, Nov 23, 2026), one with an offset, or seconds or milliseconds since 1970. ' +
      'Without a clock time, and always several times a day, it comes at the usual times of ' +
      'the member; without an offset the clock is that of the account. Midnight in UTC ' +
      '(T00:00:00.000Z), or midnight beside an end that is a date or a midnight, is a date. ' +
      'Default: today. What cannot be read is kept, and nothing rings.',
  )
  @Field(() => WrittenDate, {
    nullable: true,
    description:
      "First day, by the clocks of the member's time zone. Default: today, or, in a change, as " +
      'it was. DATE_INVALID.',
  })
  startsOn?: string | null;

  @Field(() => TimeOfDay, {
    nullable: true,
    description:
      "Clock time at which it comes, in the member's time zone; a new reminder needs `startsOn` " +
      "with it. Null, and always several times a day: the member's usual times. Default: null, " +
      'or, in a change, as it was. DATE_INVALID.',
  })
  startTime?: string | null;

  @RestDescription(
    'Until when, in the same forms; included, a date as a whole day. Midnight in UTC, or ' +
      'midnight beside a start that is a date, a midnight or absent, is a date. Empty: without ' +
      'end. END_BEFORE_START.',
  )
  @Field(() => WrittenDate, {
    nullable: true,
    description:
      "Last day, included, by the clocks of the member's time zone. Null: without end. " +
      'END_BEFORE_START.',
  })
  endsOn?: string | null;

  @Internal()
  @Field(() => WrittenText, {
    nullable: true,
    description:
      'When the client made it: with it, sending all the same again within 24 hours makes ' +
      'nothing new. What came before it was not missed.',
  })
  createdDate?: string | null;
}

@InputType({ description: 'A new medicine reminder.' })
export class CreateMedicineReminderInput extends MedicineFieldsInput {
  @Required()
  @Field(() => WrittenText, { nullable: true, description: 'Name of the medicine.' })
  override name?: string | null;

  @IdField('Account', {
    nullable: true,
    description: 'The member to remind. Default: oneself. FORBIDDEN without the right to edit.',
  })
  memberId?: number | null;

  @Internal()
  @Field(() => WrittenText, { nullable: true, description: 'Kind of the event. Default medicine.' })
  type?: string | null;

  @Internal()
  @Field(() => AnyAnswer, {
    nullable: true,
    description:
      'What became of its dose: taken, skipped, refused or unneeded; anything else says nothing. ' +
      'Of the dose that came last, else of the first one, if it comes within 24 hours.',
  })
  status?: string | null;

  @Internal()
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether it may say nothing about how often, and keep dates that cannot be read. Default ' +
      'false.',
  })
  mayBeOpen?: boolean | null;
}

@InputType({
  description:
    'A change of a medicine reminder. What is absent or null stays, except for `startTime` and ' +
    '`endsOn`, which null takes away; an empty text empties.',
})
export class UpdateMedicineReminderInput extends MedicineFieldsInput {
  @IdField('MedicineReminder', { description: 'Id of the reminder.' })
  id!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'The version that the change is based on: CONFLICT when it has moved on.',
  })
  version?: number | null;

  @Internal()
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Takes what was sent as it is written, and keeps what cannot be read. Default: what is ' +
      'absent of the start stays.',
  })
  asSent?: boolean | null;
}

@InputType({ description: 'Directions of a medicine that are confirmed.' })
export class ConfirmDirectionsInput {
  @IdField('MedicineReminder', { description: 'Which medicine.' })
  id!: number;

  @Field(() => Int, {
    nullable: true,
    description:
      'Which of `frequencyDoubt.meanings` is meant, by its place from 0. Default: what is ' +
      'understood. MEANING_INVALID.',
  })
  meaning?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The version that the change is based on: CONFLICT when it has moved on.',
  })
  version?: number | null;
}

/** What may be said of an appointment. */
@InputType()
abstract class AppointmentFieldsInput {
  @Field(() => WrittenText, { nullable: true, description: 'What the appointment is.' })
  title?: string | null;

  @Field(() => WrittenText, { nullable: true, description: 'More about it.' })
  description?: string | null;

  @RestDescription(APPOINTED.rest)
  @Field(() => WrittenDate, { nullable: true, description: APPOINTED.text })
  date?: string | null;

  @Field(() => TimeOfDay, {
    nullable: true,
    description:
      "At which clock time it is, in the member's time zone. Null: the member's usual time for " +
      'what comes once a day. Default: null, or, in a change, as it was. DATE_INVALID.',
  })
  time?: string | null;

  @RestDescription(
    'How long before it the reminder comes: minutes, or 30m, 2 hours, 1 day before, none, or ' +
      'an ISO 8601 duration; whole days are days by the clock; at most four weeks; never ' +
      'guessed. Default 0, as for what cannot be read, which is kept.',
  )
  @Field(() => DurationText, {
    nullable: true,
    description:
      'How long before its beginning the member is reminded, in days, hours and minutes; at most ' +
      'four weeks. Whole days are days by the clock. Default: at its beginning. ' +
      'REMIND_BEFORE_INVALID.',
  })
  remindBefore?: string | null;
}

@InputType({ description: 'A new appointment reminder.' })
export class CreateAppointmentReminderInput extends AppointmentFieldsInput {
  @Internal()
  @Field(() => Boolean, {
    nullable: true,
    description: 'Keeps a date and a lead that cannot be read. Default false.',
  })
  asSent?: boolean | null;

  @Required()
  @Field(() => WrittenText, { nullable: true, description: 'What the appointment is.' })
  override title?: string | null;

  @Required()
  @RestDescription(APPOINTED.rest)
  @Field(() => WrittenDate, { nullable: true, description: APPOINTED.text })
  override date?: string | null;

  @IdField('Account', {
    nullable: true,
    description: 'The member to remind. Default: oneself. FORBIDDEN without the right to edit.',
  })
  memberId?: number | null;
}

@InputType({
  description:
    'A change of an appointment reminder. What is absent or null stays, except for `time`, which ' +
    'null takes away; an empty text empties.',
})
export class UpdateAppointmentReminderInput extends AppointmentFieldsInput {
  @IdField('AppointmentReminder', { description: 'Id of the reminder.' })
  id!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'The version that the change is based on: CONFLICT when it has moved on.',
  })
  version?: number | null;

  @Internal()
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Takes what was sent as it is written, and keeps what cannot be read. Default: what is ' +
      'absent of the start stays.',
  })
  asSent?: boolean | null;
}

@InputType({ description: 'A medicine reminder to delete. What was logged of it stays.' })
export class DeleteMedicineReminderInput extends idInput(
  'MedicineReminder',
  'Id of the reminder.',
) {}

@InputType({ description: 'An appointment reminder to delete.' })
export class DeleteAppointmentReminderInput extends idInput(
  'AppointmentReminder',
  'Id of the reminder.',
) {}

@ArgsType()
export class RemindersArgs extends PageArgs {
  @IdField('Account', {
    nullable: true,
    description: 'Whose. Default: own. FORBIDDEN without the right to see.',
  })
  memberId?: number | null;

  @RestDescription('How many at most, 1 to 100. Default 100.')
  @Field(() => PageSize, {
    nullable: true,
    description: 'So many at most, from the beginning or behind `after`. Default 100.',
  })
  override first?: number | null;

  @Internal()
  @Field(() => PageNumber, { nullable: true, description: 'Number of the page, from 1.' })
  page?: number | null;
}
